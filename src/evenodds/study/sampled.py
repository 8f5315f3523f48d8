"""Monte Carlo estimates from random matches, for rulings too large to be solved."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import Settled
from evenodds.figures import Estimate, mean, share
from evenodds.system.imports.extras import needs

DEFAULT_SAMPLE_MATCHES: Final = 1_000_000
SAMPLE_SEED: Final = 0


class SampledStudy(NamedTuple):
    """Estimates from random matches of a game that is too large to be solved."""

    game: str
    rules: dict[str, int | str]
    reason: str
    """Why the game was not solved."""
    matches: int
    first: Estimate
    draw: Estimate
    second: Estimate
    cut_off: Estimate
    """Matches that were still open after the most rounds that the simulator plays."""
    length: Estimate
    endings: dict[str, Estimate]
    repetition: int
    """How often a position came up before the match was drawn; 0: never."""


def sampled_study_of(
    game: AnyGame, rulings: Settled, reason: str, matches: int = DEFAULT_SAMPLE_MATCHES
) -> SampledStudy:
    """Estimates from random matches with a fixed seed."""
    with needs("solver"):
        from evenodds.policy import simulate
    said: dict[str, Any] = as_data(rulings)
    found = simulate(RuledGame(game, rulings), matches=matches, seed=SAMPLE_SEED)
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
