"""Figures of a study as people read them, and those that games are compared by."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from evenodds import catalog
from evenodds.study.fate import Fate
from evenodds.study.study import Study
from evenodds.study.survey import CHANCE, COPY, HIGH, PERFECT
from evenodds.text import listed, percent

NONE: Final = "–"
"""What stands where there is no figure."""
UNBOUNDED: Final = "no bound"
WAYS: Final = {
    CHANCE: "Random picks",
    PERFECT: "Perfect play",
    HIGH: "Always the highest",
    COPY: "Copying the other",
}


def way_name(way: str) -> str:
    """A way of playing as people call it."""
    return WAYS.get(way) or way.replace(":", " ").capitalize()


def ending_name(ending: str) -> str:
    """What ended a match, in the game's own words."""
    return ending.replace("_", " ").lower()


def unit(study: Study) -> str:
    """What the length of a match is counted in."""
    return "rounds" if catalog.get(study.game).simultaneous else "picks"


def counted(count: int, things: str) -> str:
    """Some things by number: `1 round`, `5 rounds`."""
    return f"{count:,} {things if count != 1 else things.removesuffix('s')}"


def mean(figure: float | None) -> str:
    """A mean with one digit; nothing where there is none."""
    return NONE if figure is None else f"{figure:,.1f}"


def length(fate: Fate) -> str:
    """The mean length of a match."""
    return "endless" if fate.length is None else mean(fate.length)


def bound(count: int | None) -> str:
    """A count that may have no bound."""
    return UNBOUNDED if count is None else f"{count:,}"


def spans(numbers: Iterable[int], last: str = "and") -> str:
    """Numbers as a list in a sentence, three or more in a row by their ends: `1, 4 to 7 and 9`."""
    known = sorted(numbers)
    breaks = [place for place, (one, two) in enumerate(pairwise(known), 1) if two != one + 1]
    runs = [known[a:b] for a, b in pairwise([0, *breaks, len(known)])] if known else []
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return listed(words, last)


def repetition_note(study: Study) -> str:
    """What becomes of a position that comes up again and again, where one can."""
    if study.repetition:
        return f"A position that comes up {study.repetition} times is a draw here, as in a match."
    if study.size.longest is None:
        return (
            "Play goes on here, however often a position comes up: how many matches that would end "
            "cannot be told exactly under these rulings."
        )
    return ""


def played_on_note(study: Study) -> str:
    """That play goes on in some figures, where in others it does not."""
    return "Here play goes on, however often a position comes up." if study.repetition else ""


class Measure(NamedTuple):
    """A figure by which games are compared."""

    name: str
    short: str
    """A name for the head of a column; empty for what is left out where there is little room."""
    tell: Callable[[Study], str]


def _chance(study: Study) -> Fate:
    return study.plays[CHANCE].fate


def _best(study: Study) -> Fate:
    return study.plays[PERFECT].fate


def _changes(study: Study) -> str:
    drama = study.plays[CHANCE].drama
    return NONE if drama is None else f"{drama.changes:.2f}"


def _comebacks(study: Study) -> str:
    drama = study.plays[CHANCE].drama
    return NONE if drama is None else percent(drama.comebacks)


MEASURES: Final = (
    Measure(
        "First seat scores, perfect play",
        "First seat, perfect play",
        lambda s: percent(0.5 + s.value / 2),
    ),
    Measure("First seat scores, random picks", "", lambda s: percent(_chance(s).score)),
    Measure("Drawn, random picks", "Draws, random", lambda s: percent(_chance(s).draw)),
    Measure("Drawn, perfect play", "Draws, perfect", lambda s: percent(_best(s).draw)),
    Measure("Endless, perfect play", "Never ends, perfect", lambda s: percent(_best(s).endless)),
    Measure("Mean length, random picks", "", lambda s: f"{length(_chance(s))} {unit(s)}"),
    Measure(
        "Mean length, perfect play",
        "Length, perfect",
        lambda s: length(_best(s)) + ("" if _best(s).length is None else f" {unit(s)}"),
    ),
    Measure(
        "Decisions in which nothing depends on the pick",
        "Idle choices",
        lambda s: percent(s.choice.idle),
    ),
    Measure("Decisions with a single best pick", "", lambda s: percent(s.choice.single)),
    Measure(
        "Perfect play against random picks",
        "Perfect against random",
        lambda s: percent(s.skill.room),
    ),
    Measure(
        "Steps of 60 % on the ladder",
        "60 % steps",
        lambda s: f"{s.skill.steps} of {len(s.skill.rungs)}" if s.skill.rungs else NONE,
    ),
    Measure("Lead changes in a match, random picks", "", _changes),
    Measure("Comebacks, random picks", "", _comebacks),
    Measure("Positions", "", lambda s: f"{s.size.positions:,}"),
    Measure("Lines of play", "", lambda s: bound(s.size.lines)),
)
BRIEF: Final = tuple(measure for measure in MEASURES if measure.short)


def brief_figures(study: Study) -> list[str]:
    """The figures of a study where there is little room, in the order of `BRIEF`."""
    return [measure.tell(study) for measure in BRIEF]
