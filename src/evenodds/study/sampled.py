"""Monte Carlo estimates from random matches, for rulings too large to be solved."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.policy import simulate
from evenodds.policy.estimates import Estimate, mean, share

DEFAULT_SAMPLE_MATCHES: Final = 1_000_000
SAMPLE_SEED: Final = 0


class SampledStudy(NamedTuple):
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
    repetition: int
    """After how many times of the same position matches were drawn; 0: never."""


def sampled_study_of(
    game: AnyGame, rulings: Any, reason: str, matches: int = DEFAULT_SAMPLE_MATCHES
) -> SampledStudy:
    """Matches of chance in bulk; the same ones each time."""
    said: dict[str, Any] = as_data(rulings)
    found = simulate(game, matches=matches, seed=SAMPLE_SEED, **said)
    return SampledStudy(
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
        found.repetition,
    )
