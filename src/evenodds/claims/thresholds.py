"""Thresholds of verdicts: names, default values, limits and meanings."""

from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple

from evenodds.system.errors import InvalidInput
from evenodds.system.text import shorten


class BadThreshold(InvalidInput, ValueError):
    """An unknown threshold, or a value out of range."""


class ThresholdSpec(NamedTuple):
    """What a threshold means, up to which value it can be set, and whether it is a share."""

    about: str
    high: float = 1.0
    share: bool = True

    def show(self, value: float) -> str:
        """The value as people read it."""
        return f"{100 * value:.6g}%" if self.share else f"{value:g}"


class Thresholds(NamedTuple):
    """Every threshold of a verdict, with its default value."""

    consistently: Annotated[
        float,
        ThresholdSpec(
            "Skilled players win consistently: perfect play scores this much or more against "
            "random picks."
        ),
    ] = 0.75
    decides: Annotated[
        float,
        ThresholdSpec("Skill decides: perfect play scores this much or more against random picks."),
    ] = 0.9
    much: Annotated[
        float,
        ThresholdSpec(
            "Skill counts for much: perfect play scores this much or more against random picks."
        ),
    ] = 0.7
    counts: Annotated[
        float,
        ThresholdSpec(
            "Skill counts beside guessing: perfect play scores this much or more against random "
            "picks."
        ),
    ] = 0.55
    step: Annotated[
        float,
        ThresholdSpec(
            "A difference in skill is felt: the better player, or a level against the one below, "
            "scores this much or more."
        ),
    ] = 0.6
    seldom: Annotated[
        float,
        ThresholdSpec(
            "Choices seldom matter: nothing depends on the pick in more than this share of "
            "decisions."
        ),
    ] = 0.5
    quick: Annotated[
        float,
        ThresholdSpec(
            "A match is quick: each player picks this many numbers or fewer on average.",
            1000,
            False,
        ),
    ] = 20


DEFAULT_THRESHOLDS: Final = Thresholds()
THRESHOLD_SPECS: Final[dict[str, ThresholdSpec]] = {
    name: hint.__metadata__[0] for name, hint in Thresholds.__annotations__.items()
}


def read_thresholds(texts: Iterable[str]) -> Thresholds:
    """Thresholds as they were typed, `consistently=0.7`; `BadThreshold` in one line."""
    found: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadThreshold(f"--threshold {shorten(text)} is not allowed; allowed: name=value")
        if name in found:
            raise BadThreshold(f"{name}={shorten(value)} is not allowed: {name} is given twice")
        found[name] = _read(name, value)
    return Thresholds(**found)


def _read(name: str, value: str) -> float:
    if name not in THRESHOLD_SPECS:
        known = ", ".join(THRESHOLD_SPECS)
        raise BadThreshold(f"{shorten(name)}: there is no such threshold; allowed: {known}")
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if (
        not 0 <= number <= THRESHOLD_SPECS[name].high
    ):  # what is not a number is not between them either
        allowed = f"0 to {THRESHOLD_SPECS[name].high:g}"
        raise BadThreshold(f"{name}={shorten(value)} is not allowed; allowed: {allowed}")
    return number


def format_threshold(name: str, thresholds: Thresholds) -> str:
    """The value of a threshold as people read it."""
    return THRESHOLD_SPECS[name].show(getattr(thresholds, name))
