import attrs
import pytest

from radproof import DECODE, PREFILL, SEED, BadInput, Deployment, Job, Session, State
from radproof.model import DEPLOYMENT_NAMES, SCALARS, Node, Record, as_path

NATURAL = "it must be a natural number (0, 1, 2, ...)"
NO_FLOAT = ": times are whole microseconds, lengths whole tokens. Round it yourself"


@pytest.mark.parametrize("field", ["arrive", "prompt", "output"])
@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (-1, f"is -1; {NATURAL}"),
        (1.0, f"is 1.0, a float; {NATURAL}{NO_FLOAT}"),
        (float("nan"), f"is nan, a float; {NATURAL}{NO_FLOAT}"),
        (True, f"is True; {NATURAL}"),
        (None, f"is None; {NATURAL}"),
        ("7", f"is '7'; {NATURAL}"),
        ("x" * 58, f"is '{'x' * 58}'; {NATURAL}"),
        ("x" * 59, f"is '{'x' * 56}...; {NATURAL}"),
        ("x" * 200, f"is '{'x' * 56}...; {NATURAL}"),
    ],
)
def test_a_session_names_its_bad_field(field: str, value: object, wrong: str) -> None:
    fields = {"arrive": 0, "prompt": 0, "output": 0, field: value}
    with pytest.raises(BadInput) as raised:
        Session(**fields)  # type: ignore[arg-type]
    assert str(raised.value) == f"{field} {wrong}"


@pytest.mark.parametrize("field", ["b_col", "b_row", "b_red", "chunk"])
@pytest.mark.parametrize("value", [0, -1, True, 2.0, "128"])
def test_a_deployment_names_its_bad_tile(field: str, value: object) -> None:
    with pytest.raises(BadInput, match=rf"^{field} is .*; it must be a whole number >= 1"):
        Deployment(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["t_lin", "t_nl"])
@pytest.mark.parametrize("value", [-1, False, 0.5, None])
def test_a_deployment_names_its_bad_speed(field: str, value: object) -> None:
    with pytest.raises(BadInput, match=rf"^{field} is .*; it must be a natural number"):
        Deployment(**{field: value})  # type: ignore[arg-type]


def test_a_number_too_long_to_print_is_still_named() -> None:
    with pytest.raises(BadInput, match=r"^arrive is "):
        Session(-(10**5000), 0, 0)


def test_numbers_of_any_size_are_kept_exactly() -> None:
    session = Session(2**64 + 1, 10**40, 10**5000)
    assert (session.arrive, session.prompt) == (18446744073709551617, 10**40)
    assert session.output == 10**5000


def test_the_seed_deployment_is_the_page_s() -> None:
    assert attrs.asdict(SEED) == {
        "b_col": 128,
        "b_row": 1,
        "b_red": 1,
        "t_lin": 4000,
        "t_nl": 5,
        "chunk": 128,
        "b_lcm": 128,
    }


def test_the_chunk_is_the_least_common_multiple_of_the_tiles_unless_given() -> None:
    assert Deployment(b_col=4, b_row=6, b_red=10).b_lcm == 60
    assert Deployment(b_col=4, b_row=6, b_red=10).chunk == 60
    given = Deployment(b_col=4, b_row=6, chunk=5)
    assert (given.chunk, given.b_lcm) == (5, 12)
    assert attrs.evolve(given, b_col=5).b_lcm == 30


def test_deployments_that_differ_in_a_number_are_different() -> None:
    base = Deployment(b_col=4, b_row=6, b_red=10, t_lin=1, t_nl=2, chunk=3)
    for field in ("b_col", "b_row", "b_red", "t_lin", "t_nl", "chunk"):
        assert attrs.evolve(base, **{field: 99}) != base
    assert attrs.evolve(base) == base
    assert hash(attrs.evolve(base)) == hash(base)


@pytest.mark.parametrize("made", [SEED, Session(0, 0, 0), Job(0, PREFILL, 0, 1), State(0, (), ())])
def test_everything_is_frozen_and_has_no_dict(made: object) -> None:
    name = attrs.fields(type(made))[0].name
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(made, name, 7)
    assert not hasattr(made, "__dict__")


def test_a_path_is_made_of_sessions_and_triples_alike() -> None:
    expected = (Session(0, 1, 2), Session(3, 4, 5))
    assert as_path([(0, 1, 2), Session(3, 4, 5)]) == expected
    assert as_path([Session(0, 1, 2), (3, 4, 5)]) == expected
    assert as_path((Session(0, 1, 2), (3, 4, 5))) == expected
    assert as_path(iter([[0, 1, 2], [3, 4, 5]])) == expected
    assert as_path(expected) is expected
    assert as_path([]) == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((0, 1), "session 1 is (0, 1); it must be three numbers: arrive, prompt, output"),
        ("abc", "session 1 is 'abc'; it must be three numbers: arrive, prompt, output"),
        (7, "session 1 is 7; it must be three numbers: arrive, prompt, output"),
        ((0, -2, 1), f"session 1: prompt is -2; {NATURAL}"),
        ((0, 2, 1.5), f"session 1: output is 1.5, a float; {NATURAL}{NO_FLOAT}"),
    ],
)
def test_a_path_names_the_row_and_the_field_that_is_wrong(row: object, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        as_path([(0, 1, 1), row])  # type: ignore[list-item]
    assert str(raised.value) == message


def test_a_job_shows_what_is_prefilled_and_what_is_generated() -> None:
    prefill, decode = Job(0, PREFILL, 0, 200, 128), Job(0, DECODE, 0, 200, 3)
    assert (prefill.prefilled, prefill.generated) == (128, 0)
    assert (decode.prefilled, decode.generated) == (200, 3)


def test_a_job_does_not_show_how_long_its_output_will_be() -> None:
    assert {a.name for a in attrs.fields(Job)} == {"session", "phase", "arrive", "prompt", "done"}


def test_a_state_is_over_when_nothing_waits_and_nothing_is_to_come() -> None:
    assert State(0, (), ()).over
    assert not State(0, (Job(0, PREFILL, 0, 1),), ()).over
    assert not State(0, (), (0,)).over


def test_the_protocols_have_the_model_s_names() -> None:
    def names(protocol: type) -> list[str]:
        return [name for name, value in vars(protocol).items() if isinstance(value, property)]

    assert tuple(names(Node)) == DEPLOYMENT_NAMES
    assert tuple(names(Record)) == (*SCALARS, "batch")
