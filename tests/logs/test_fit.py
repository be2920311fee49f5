from __future__ import annotations

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import BadInput, Deployment, Undecided
from radproof.logs.fit import Measured, fit
from radproof.rules import duration


def sweep(
    sizes: range | list[int], b_col: int, t_lin: int, t_nl: int, constant: int = 0, times: int = 1
) -> list[Measured]:
    """Batches of every size, exactly as long as the equation says; line n is the n-th."""
    found = []
    for size in sizes:
        for _ in range(times):
            took = constant + t_lin * -(-size // b_col) + t_nl * size
            found.append(Measured(size, took, len(found) + 1))
    return found


@pytest.mark.parametrize(("b_col", "t_lin", "t_nl"), [(128, 4000, 5), (64, 900, 0), (256, 1, 40)])
def test_equation_7_is_found_again_exactly(b_col: int, t_lin: int, t_nl: int) -> None:
    found = fit(sweep(range(1, 1500, 7), b_col, t_lin, t_nl))
    assert found.deployment == Deployment(b_col=b_col, t_lin=t_lin, t_nl=t_nl)
    assert found.fits
    assert not found.needs_constant
    assert found.plain.rms < 1e-3
    assert found.rounded.close == 1


def test_what_is_fitted_is_what_the_machine_runs() -> None:
    """The rule that lasts a batch, and the fit, are one equation."""
    d = Deployment(b_col=96, t_lin=700, t_nl=3)
    found = fit([Measured(n, duration(n, d)) for n in range(1, 900, 5)])
    assert (found.deployment.b_col, found.deployment.t_lin, found.deployment.t_nl) == (96, 700, 3)


def test_a_constant_is_found_and_equation_7_does_not_fit() -> None:
    """The authors' chunk sweep: 16.1 ms and 7.47 ms a tile."""
    measured = sweep(range(64, 4097, 64), 512, 7470, 0, constant=16_100)
    for b_col in (None, 512):
        found = fit(measured, b_col)
        assert found.constant.b_col == 512
        assert found.constant.constant == pytest.approx(16_100, abs=1)
        assert found.constant.t_lin == pytest.approx(7470, abs=1)
        assert found.constant.t_nl == pytest.approx(0, abs=0.01)
        assert found.needs_constant
        assert not found.fits


def test_a_large_tile_does_not_pass_for_a_constant() -> None:
    """With b_col near the largest batch t_lin stands in for the constant, and comes within 10 %."""
    found = fit(sweep(range(64, 4097, 64), 512, 7470, 0, constant=16_100))
    assert found.plain.near
    assert not found.fits


def test_the_whole_deployment_is_rounded_as_one() -> None:
    """Rounding 0.4 us a token to 0 alone would lose 3 ms of a batch of 8192."""
    measured = [Measured(n, round(1000.5 * -(-n // 512) + 0.4 * n)) for n in range(16, 8193, 16)]
    found = fit(measured, 512)
    assert found.plain.t_nl == pytest.approx(0.4, abs=0.01)
    assert found.deployment.t_nl == 0
    assert found.deployment.t_lin == pytest.approx(1000.5 + 0.4 * 512, abs=15)
    assert found.rounded.rms < 150


def test_the_median_shrugs_off_a_compilation_and_the_worst_line_says_where_it_was() -> None:
    measured = sweep(range(8, 1025, 8), 128, 4000, 5, times=3)
    measured[30] = Measured(measured[30].tokens, 40_000_000, 31)
    found = fit(measured)
    assert found.deployment == Deployment(b_col=128, t_lin=4000, t_nl=5)
    assert found.plain.worst.line == 31
    assert found.fits
    assert found.plain.rms > 1_000_000


def test_noise_does_not_fit() -> None:
    measured = [Measured(n, 1000 + 977 * (n * n % 13), n) for n in range(1, 400)]
    found = fit(measured)
    assert not found.plain.near
    assert not found.fits


def test_tiles_that_fit_as_well_are_all_named() -> None:
    found = fit(sweep([100, 200, 300, 400], 128, 0, 5))
    assert len(found.plain.alike) > 10
    assert found.plain.t_nl == pytest.approx(5)


@quick(40)
@given(
    st.integers(0, 50_000), st.integers(0, 400), st.integers(0, 90_000), st.sampled_from([64, 128])
)
def test_whatever_was_measured_no_coefficient_is_negative_and_residuals_are_small(
    t_lin: int, t_nl: int, constant: int, b_col: int
) -> None:
    measured = [m for m in sweep(range(8, 800, 24), b_col, t_lin, t_nl, constant) if m.duration]
    if not measured:
        return
    found = fit(measured)
    for model in (found.plain, found.constant):
        assert min(model.constant, model.t_lin, model.t_nl) >= 0
        for one in measured:
            off = abs(model.predict(one.tokens) - one.duration)
            assert off <= abs(model.predict(model.worst.tokens) - model.worst.duration) + 1e-6
    assert found.constant.rms <= found.plain.rms + 1
    assert found.constant.rms < 1 + 1e-4 * (t_lin + 800 * t_nl + constant)


def test_decreasing_durations_give_zeros_and_no_negatives() -> None:
    found = fit([Measured(n, 10_000 - n, n) for n in range(1, 2000, 50)])
    assert found.constant.t_lin == found.constant.t_nl == 0
    assert found.constant.constant > 0


def test_too_few_sizes_leave_it_undecided() -> None:
    with pytest.raises(Undecided, match=r"^9 iterations of 2 different batch sizes; t_lin, t_nl"):
        fit([Measured(1 + n % 2, 100) for n in range(9)])
    with pytest.raises(Undecided, match=r"^0 iterations of 0 different batch sizes"):
        fit([])


@pytest.mark.parametrize("one", [Measured(0, 5, 7), Measured(5, 0, 7)])
def test_a_batch_without_tokens_or_time_is_refused_with_its_line(one: Measured) -> None:
    with pytest.raises(BadInput, match=r"^line 7: a batch of "):
        fit([one])
