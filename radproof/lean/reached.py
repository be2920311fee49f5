"""What a file proves of the states of its run by terms: that each is reached, and the leaps.

Whoever reads such a file compares these theorems with what is written here, word by word.
"""

from __future__ import annotations

import attrs

from radproof.lean.tokens import tokens


@attrs.frozen
class RunNames:
    """The names of the parts of one run; those of a file's second run have a prefix."""

    prefix: str = ""

    def state(self, place: int) -> str:
        """The state after event `place`; 0 is the start."""
        return f"{self.prefix}s{place}"

    def record(self, place: int) -> str:
        """The record of iteration `place`, from 0."""
        return f"{self.prefix}i{place}"

    def theorem(self, place: int) -> str:
        """The theorem about event `place`."""
        return f"{self.prefix}t_{place}"

    @property
    def config(self) -> str:
        """The configuration of the run."""
        return f"{self.prefix}config"


RUN, RIGHT = RunNames(), RunNames("right_")
"""The run of a file, and that of the right rules, beside a counterexample."""


@attrs.frozen
class Proved:
    """A theorem's name, its statement, and the term that proves it."""

    name: str
    statement: str
    proof: str

    @property
    def words(self) -> list[str]:
        """From the name to the end of the proof."""
        text = f"{self.name} : {self.statement} := {self.proof}"
        return [word for _, word, _ in tokens(text)[:-1]]


def reach(place: int) -> str:
    """The name of the theorem that a state is reached."""
    return f"reach_{place}"


def reached(place: int, events: int) -> Proved:
    """The theorem that a state is reached: so many events after the one before, or at the start."""
    before = "Reach.start"
    if place and events == 1:
        before = f"(Reach.step {RUN.state(place - 1)} {reach(place - 1)})"
    elif place:
        before = (
            f"(Proved.reached_on config path {RUN.state(place - 1)} {events} {reach(place - 1)})"
        )
    proof = f"Eq.subst (motive := Reach config path) {RUN.theorem(place)} {before}"
    return Proved(reach(place), f"Reach config path {RUN.state(place)}", proof)


FILLS = Proved(
    "fills",
    "FillsAsRad config",
    "⟨fun _ => rfl, fun _ _ => rfl, fun _ _ _ => rfl, fun _ _ => rfl,\n"
    "    fun _ _ => rfl, fun _ _ => rfl⟩",
)
"""The theorem that the rules fill a batch as RAD's do."""


def leapt(place: int, end: int, events: int) -> Proved:
    """The theorem that a state is a stretch of so many events after the one before it.

    end: when the iteration ends that runs in the state before, in microseconds.
    """
    before = RUN.state(place - 1)
    words = (
        f"Eq.trans (Proved.leap_along config {before} {end} {events - 1} {FILLS.name}",
        f"(Proved.reached_once config path {before} {reach(place - 1)})",
        "(fun h => List.noConfusion h) rfl rfl rfl rfl) rfl",
    )
    statement = f"steps config {events} {before} = {RUN.state(place)}"
    return Proved(RUN.theorem(place), statement, "\n    ".join(words))
