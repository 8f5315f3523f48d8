"""A stand-in for rulings too large to be solved: matches of chance, drawn by lot and marked so."""

from math import sqrt
from typing import Any, Final, NamedTuple

from evenodds.catalog import AnyGame
from evenodds.rulings import as_data
from evenodds.solver import simulate

MATCHES: Final = 1_000_000
SEED: Final = 0
WIDE: Final = 1.959963984540054
"""Deviations to either side within which a mean lies in 95 of 100 samples."""


class Estimate(NamedTuple):
    """A sampled figure, and between what it lies with a confidence of 95 %."""

    value: float
    low: float
    high: float


class Sample(NamedTuple):
    """What matches of chance tell of a game that is too large to be solved."""

    game: str
    rules: dict[str, int | str]
    reason: str
    """Why nothing is exact here."""
    matches: int
    first: Estimate
    draw: Estimate
    second: Estimate
    cut_off: Estimate
    """Matches that were still open after so many rounds as the simulator follows."""
    length: Estimate
    endings: dict[str, Estimate]


def sample_of(game: AnyGame, rulings: Any, reason: str, matches: int = MATCHES) -> Sample:
    """Matches of chance in bulk; the same ones each time."""
    said: dict[str, Any] = as_data(rulings)
    found = simulate(game, matches=matches, seed=SEED, **said)
    return Sample(
        game.name,
        said,
        reason,
        matches,
        share(found.first, matches),
        share(found.draw, matches),
        share(found.second, matches),
        share(found.cut_off, matches),
        mean(found.lengths),
        {name: share(count, matches) for name, count in found.endings.items()},
    )


def share(count: int, of: int) -> Estimate:
    """A share by Wilson's interval, which holds for rare and certain things too."""
    value = count / of
    middle = (value + WIDE**2 / (2 * of)) / (1 + WIDE**2 / of)
    spread = WIDE * sqrt(value * (1 - value) / of + (WIDE / (2 * of)) ** 2) / (1 + WIDE**2 / of)
    low = 0.0 if count == 0 else max(0.0, middle - spread)
    high = 1.0 if count == of else min(1.0, middle + spread)
    return Estimate(value, low, high)


def mean(counts: dict[int, int]) -> Estimate:
    """The mean of counted figures, with the interval of so many."""
    total = sum(counts.values())
    value = sum(figure * count for figure, count in counts.items()) / total
    spread = sum(count * (figure - value) ** 2 for figure, count in counts.items())
    half = WIDE * sqrt(spread / max(1, total - 1) / total)
    return Estimate(value, value - half, value + half)
