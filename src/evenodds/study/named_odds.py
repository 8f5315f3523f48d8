"""Exact odds between named ways to play, with their range over other optimal mixes; cached."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.terms import DEFAULT_REPETITION, REPETITION_NOT_COUNTED_NOTE
from evenodds.core.vocabulary import FIRST, SECOND, other
from evenodds.figures.ranges import Range
from evenodds.graph import load_result, save_result
from evenodds.policy import Odds, UncountedRepetition
from evenodds.study.figure_serialization import from_data, to_data
from evenodds.system.cache_folder import CacheKind
from evenodds.system.imports.extras import needs
from evenodds.system.progress import Progress

UNIFORM: Final = "uniform"
PERFECT: Final = "perfect"
POLICY_NAMES: Final = (UNIFORM, PERFECT)

ODDS_KIND: Final = CacheKind("odds", "odds between players")
ODDS_VERSION: Final = 1
"""Part of the cache key: raised whenever odds are computed in another way."""
MAX_POSITIONS_FOR_OTHER_MIXES: Final = 100_000
"""Positions up to which odds are tried with other best mixes; a study does it with any number."""


class OtherMixesOdds(NamedTuple):
    """The ranges of odds over other optimal mixes; None where they are not known."""

    score: Range | None
    """Of the first seat: over all mixes that are best in every position."""
    draw: Range | None
    """Between two perfect players, as far as was reached."""


class NamedOdds(NamedTuple):
    """Odds between two named ways to play."""

    odds: Odds
    others: OtherMixesOdds
    notes: list[str]


def named_odds_of(
    game: AnyGame,
    rulings: Any,
    names: tuple[str, str],
    repetition: int | None,
    progress: Progress,
) -> NamedOdds:
    """The odds between two named ways to play, from the cache where they are there.

    `repetition` is by default that of matches. Where the draw by repetition cannot be computed
    exactly, it is left out, and a note says so. Raises `TooLarge`, `BadGame` or
    `UncountedRepetition`.
    """
    key = (ODDS_KIND, str(ODDS_VERSION), *names, str(repetition))
    try:
        return from_data(NamedOdds, load_result(game, rulings, *key))
    except (TypeError, ValueError, KeyError):  # not in the cache, or damaged
        pass
    passing: list[str] = []
    found = _computed_odds(game, rulings, names, repetition, progress, passing)
    others = _other_mixes_odds(game, rulings, names, found.odds, progress)
    found = found._replace(others=others)
    save_result(to_data(found), game, rulings, *key)
    return found._replace(notes=[*passing, *found.notes])


def _computed_odds(
    game: AnyGame,
    rulings: Any,
    names: tuple[str, str],
    repetition: int | None,
    progress: Progress,
    passing: list[str],
) -> NamedOdds:
    # `passing` takes notes of this solve alone, such as a full disk: they are never cached.
    with needs("solver"):
        from evenodds.graph import PositionIndex, memory_limit
        from evenodds.policy import Policy, Uniform, check_countable, odds_on
        from evenodds.solver import solve_settled
    notes: list[str] = []
    policies: dict[str, Policy] = {UNIFORM: Uniform(game)}
    if PERFECT in names:
        policies[PERFECT] = solve_settled(game, rulings, progress=progress, notes=passing)
    first, second = (policies[name] for name in names)
    index = PositionIndex(game, rulings, memory_limit(), progress)
    try:
        asked = DEFAULT_REPETITION if repetition is None else repetition
        counted = check_countable(index, asked)
    except UncountedRepetition:
        if repetition is not None:
            raise
        counted = 0
        notes.append(REPETITION_NOT_COUNTED_NOTE)
    found = odds_on(index, first, second, counted)
    return NamedOdds(found, OtherMixesOdds(None, None), notes)


def _other_mixes_odds(
    game: AnyGame, rulings: Any, names: tuple[str, str], found: Odds, progress: Progress
) -> OtherMixesOdds:
    """The ranges over other optimal mixes; unknown in games with loops and in large ones."""
    same = OtherMixesOdds(Range(found.score, found.score), Range(found.draw, found.draw))
    both = names == (PERFECT, PERFECT)
    if PERFECT not in names or (both and not game.simultaneous):
        return same
    from evenodds.policy import Figure, OptimalMixRanges
    from evenodds.study.solved.solved_game import SolvedGame

    solved = SolvedGame(game, rulings, progress)
    if game.loops or solved.solution.positions > MAX_POSITIONS_FOR_OTHER_MIXES:
        return OtherMixesOdds(same.score if both else None, None)
    extremes = OptimalMixRanges(solved.graph, solved.values)
    if both:
        return same._replace(
            draw=extremes.reached(Figure(solved.graph.outcomes() == 0.0), solved.equilibrium)
        )
    seat = FIRST if names[FIRST] == PERFECT else SECOND
    range = extremes.score_against(solved.graph.uniform(other(seat)), seat)
    least, most = range if seat == FIRST else (1 - range.most, 1 - range.least)
    return OtherMixesOdds(Range(least, most), None)
