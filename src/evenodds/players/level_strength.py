"""Exact strength of the levels of a game, computed over all positions, not simulated."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from evenodds.claims.thresholds import COUNTS, DECIDES, MUCH, is_fair
from evenodds.core.catalog import AnyGame
from evenodds.core.game import LEVELS
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.rulings import as_data
from evenodds.core.terms import DEFAULT_REPETITION, check_repetition
from evenodds.core.vocabulary import SEATS, Settled
from evenodds.engine.solution_files import SOLVER_CODE
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.players.levels import ladder_of, level_policy
from evenodds.system import Progress, silent
from evenodds.system.cache_folder import CacheKind
from evenodds.system.imports import needs

if TYPE_CHECKING:
    from evenodds.engine.graph import Graph
    from evenodds.engine.policies import Policy

LEVELS_CODE: Final = (
    *SOLVER_CODE,
    "claims/study_figures.py",
    "claims/thresholds.py",
    "core/terms.py",
    "players/level_strength.py",
    "players/levels.py",
)
"""The modules and packages that play and measure levels."""
STRENGTHS_KIND: Final = CacheKind("levels", "strengths of levels", LEVELS_CODE)
LEVEL_KEYS: Final = ("name", "below", "random", "perfect", "taken", "drawn", "played_on")
"""The keys of a level's scores in JSON, in the order of `LevelStrength`."""


class LevelStrength(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `below`, `random` and `perfect` are its scores against the level below, random picks and perfect
    play; `best_opponent` is the score of the best response against it. Where repetition is a draw,
    `drawn` is the share of drawn matches against the level below, and `played_on` the score against
    it without that rule.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    best_opponent: float
    drawn: float | None
    played_on: float | None


class Strengths(NamedTuple):
    """The levels of a game, the score of perfect play against random play, the value of the start.

    `repetition` is how often a position may come up before the match is a draw; 0 for no limit.
    """

    levels: tuple[LevelStrength, ...]
    perfect_score: float
    value: float
    repetition: int


def strengths(
    game: AnyGame,
    rulings: Settled,
    progress: Progress = silent,
    repetition: int = DEFAULT_REPETITION,
) -> Strengths:
    """The exact strength of every level under some rulings; cached on disk."""
    key = (game, rulings, STRENGTHS_KIND, str(ladder_of(game)), str(check_repetition(repetition)))
    with suppress(msgspec.ValidationError):  # not in the cache, or damaged
        return msgspec.convert(load_result(*key), Strengths)
    found = _computed(game, rulings, progress, repetition)
    save_result(found, *key)
    return found


def _computed(game: AnyGame, rulings: Settled, progress: Progress, asked: int) -> Strengths:
    """Compute the strength of every level; `asked` is the repetition rule of matches."""
    with needs("solver"):
        from evenodds.engine.graph import Graph
        from evenodds.engine.odds import counts_repetitions
        from evenodds.engine.policies import Uniform
        from evenodds.engine.positions import Listing
        from evenodds.engine.responses import respond_on
        from evenodds.engine.solve import solve_settled
    solution = solve_settled(game, rulings, progress=progress)
    graph = Graph(Listing(game, rulings, progress))
    repetition = asked if game.loops and counts_repetitions(graph) else 0
    uniform, seats = Uniform(game), SEATS if game.mirror is None else SEATS[:1]
    levels = [level_policy(game, solution, number) for number in LEVELS]
    found_levels: list[LevelStrength] = []
    for place, policy in enumerate(levels):
        progress("weighing levels", place, len(levels))
        lower = levels[place - 1]
        below = meet(graph, policy, lower, repetition) if place else None
        ignored = meet(graph, policy, lower, 0) if place and repetition else None
        gains = [respond_on(graph, policy, seat, repetition).value for seat in seats]
        found_levels.append(
            LevelStrength(
                f"level:{LEVELS[place]}",
                below and below.score,
                meet(graph, policy, uniform, repetition).score,
                meet(graph, policy, levels[-1], repetition).score,
                0.5 + sum(gains) / len(gains) / 2,
                below.drawn if below and repetition else None,
                ignored and ignored.score,
            )
        )
    value = solution.value(solution.start)
    return Strengths(tuple(found_levels), found_levels[-1].random, value, repetition)


class Meeting(NamedTuple):
    """The score of a policy against another, and the share of drawn and endless matches."""

    score: float
    drawn: float


def meet(graph: "Graph", one: "Policy", two: "Policy", repetition: int) -> Meeting:
    """What a policy scores against another, averaged over both seats.

    A match is drawn when a position comes up `repetition` times; 0 for never.
    """
    from evenodds.engine.odds import odds_on  # needs the solver

    found = [odds_on(graph, one, two, repetition)]
    if graph.game.mirror is None:  # else the rules favour neither seat: one order is enough
        odds = odds_on(graph, two, one, repetition)
        found.append(odds._replace(first=odds.second, second=odds.first))
    return Meeting(
        sum(odds.score for odds in found) / len(found),
        sum(odds.draw + odds.endless for odds in found) / len(found),
    )


def below_half(scores: Mapping[str, float | None]) -> str:
    """A sentence on levels that score below half against the level below; empty if none does."""
    scores_below_half = {
        name.removeprefix("level:"): score
        for name, score in scores.items()
        if score is not None and score < 0.5 - VALUE_TOLERANCE
    }
    if not scores_below_half:
        return ""
    names = join_words(list(scores_below_half))
    said = f"Level {names} scores" if len(scores_below_half) == 1 else f"Levels {names} score"
    least = percent(min(scores_below_half.values()), 2)
    least = "by less than 0.01%" if least == "50%" else f"{least} at the lowest"
    return f"{said} below 50% against the level below: {least}."


def are_levels_alike(found: Strengths) -> bool:
    """Whether all ways to play score the same: nothing can be gained against any level."""
    return all(abs(level.best_opponent - 0.5) < VALUE_TOLERANCE for level in found.levels)


def describe_skill_range(
    perfect_score: float, value: float, *, simultaneous: bool, alike: bool
) -> str:
    """A sentence on how much skill matters, by the score of perfect play against random play.

    `alike` says that all ways to play score the same.
    """
    if alike:
        return "There is no room for skill: however you play, the result is the same."
    scored = f"A perfect player scores {percent(perfect_score)} against random picks"
    if DECIDES.reached_by(perfect_score):
        return f"{scored}. That is {DECIDES} or more: skill decides."
    if MUCH.reached_by(perfect_score):
        return f"{scored}. That is {MUCH} or more: skill counts for much."
    if not simultaneous:
        return f"{scored}. Nothing is left to chance: {under_best_play(value)}."
    if COUNTS.reached_by(perfect_score):
        return f"{scored}. That is {COUNTS} or more: skill counts, and so does guessing right."
    if perfect_score <= 0.5 + VALUE_TOLERANCE:
        return f"{scored}: perfect play is safe, but wins nothing from them."
    return f"{scored}. That is less than {COUNTS}: guessing right counts for most."


def under_best_play(value: float) -> str:
    """Who wins a game of turns from the start with best play by both."""
    if is_fair(value):
        return "with best play by both it is a draw"
    return f"with best play by both whoever goes {'first' if value > 0 else 'second'} wins"


def as_json(game: AnyGame, rulings: Settled, found: Strengths) -> dict[str, Any]:
    """The strengths of all levels as data."""
    return {
        "game": game.name,
        "rules": as_data(rulings),
        "perfect_score": found.perfect_score,
        "value": found.value,
        "repetition": found.repetition,
        "levels": [dict(zip(LEVEL_KEYS, level, strict=True)) for level in found.levels],
    }
