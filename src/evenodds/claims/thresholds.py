"""Thresholds of verdicts: where each draws the line, and what that means."""

from typing import Final, NamedTuple

from evenodds.figures import VALUE_TOLERANCE, percent


class Threshold(NamedTuple):
    """The value of a threshold, what it means, and whether it is a share; as text, for people."""

    value: float
    about: str
    is_share: bool = True

    def __str__(self) -> str:
        return f"{100 * self.value:g}%" if self.is_share else f"{self.value:g}"

    def reached_by(self, figure: float) -> bool:
        """Whether a figure is this much or more."""
        return figure >= self.value - VALUE_TOLERANCE

    def exceeded_by(self, figure: float) -> bool:
        """Whether a figure is more than this."""
        return figure > self.value + VALUE_TOLERANCE


CONSISTENTLY: Final = Threshold(
    0.75,
    "Skilled players win consistently: perfect play scores this much or more against random picks.",
)
DECIDES: Final = Threshold(
    0.9, "Skill decides: perfect play scores this much or more against random picks."
)
MUCH: Final = Threshold(
    0.7, "Skill counts for much: perfect play scores this much or more against random picks."
)
COUNTS: Final = Threshold(
    0.55,
    "Skill counts beside guessing: perfect play scores this much or more against random picks.",
)
STEP: Final = Threshold(
    0.6,
    "A difference in skill is felt: the better player, or a level against the one below, scores "
    "this much or more.",
)
SELDOM: Final = Threshold(
    0.5,
    "Choices seldom matter: nothing depends on the pick in more than this share of decisions.",
)
FEW_DRAWS: Final = Threshold(
    0.1, "Draws are few: no more than this share of perfect play has no winner."
)
QUICK: Final = Threshold(
    20, "A match is quick: each player picks this many numbers or fewer on average.", False
)
THRESHOLDS: Final = {
    "consistently": CONSISTENTLY,
    "decides": DECIDES,
    "much": MUCH,
    "counts": COUNTS,
    "step": STEP,
    "seldom": SELDOM,
    "quick": QUICK,
}
"""All of them by name, as they are listed where verdicts are read."""


def percent_beside(figure: float, *lines: Threshold) -> str:
    """A figure as per cent, with as many digits as tell it from thresholds that it misses."""
    digits, missed = 1, [str(line) for line in lines if abs(figure - line.value) > VALUE_TOLERANCE]
    while (shown := percent(figure, digits)) in missed:
        digits += 1
    return shown


def is_fair(value: float) -> bool:
    """Whether the start is worth the same to both seats."""
    return abs(value) <= VALUE_TOLERANCE
