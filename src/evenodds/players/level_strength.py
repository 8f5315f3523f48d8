"""Exact strength of the levels of a game, computed over all positions, not simulated."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.claims.mix_notes import named_mixes_note
from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds, format_threshold
from evenodds.core.terms import DEFAULT_REPETITION, check_repetition
from evenodds.core.vocabulary import SEATS
from evenodds.graph import PositionIndex, load_result, save_result, transition_graph_of
from evenodds.players.exact import level_policy
from evenodds.players.levels import LEVELS, ladder_of
from evenodds.policy import Policy, Uniform
from evenodds.policy.match_odds import odds_on
from evenodds.policy.optimal_mix_ranges import Extremes, Range
from evenodds.policy.responses import respond_on
from evenodds.policy.turn_play import counts_repetitions
from evenodds.solver import Progress, Solution, TooLarge, memory_limit, silent, solve_settled
from evenodds.system.cache_folder import CacheKind
from evenodds.system.text import listed, percent
from evenodds.system.tolerance import VALUE_TOLERANCE

STRENGTHS_KIND: Final = CacheKind("levels", "strengths of levels")
STRENGTHS_FORMAT_VERSION: Final = 3
"""Raised whenever levels are played or measured in another way: part of the cache key."""


class LevelStrength(NamedTuple):
    """What a level scores on average over both seats: a win 1, a draw 1/2, a loss 0.

    `taken` is what the best opponent scores against it. Where a position that comes up too often is
    a draw, `drawn` is how many matches against the one below are, and `played_on` is what a level
    would score against that one if no position were.
    """

    name: str
    below: float | None
    random: float
    perfect: float
    taken: float
    drawn: float | None
    played_on: float | None


class Strengths(NamedTuple):
    """The levels of a game, the score of perfect play against random play, the value of the start.

    `repetition` is the number of times of the same position after which these matches are a draw;
    0 where they never are.
    """

    levels: tuple[LevelStrength, ...]
    room: float
    value: float
    repetition: int
    range: Range | None
    """The score of perfect play against random play over all mixes that are best in every
    position; None in games with loops, and where memory does not allow it."""


def strengths(
    game: AnyGame, rulings: Any, progress: Progress = silent, repetition: int = DEFAULT_REPETITION
) -> Strengths:
    """The exact strength of every level under some rulings; cached on disk."""
    key = (
        STRENGTHS_KIND,
        str(STRENGTHS_FORMAT_VERSION),
        str(ladder_of(game)),
        str(check_repetition(repetition)),
    )
    try:
        found_levels, room, value, counted, range = load_result(game, rulings, *key)
        levels = tuple(LevelStrength(*level) for level in found_levels)
        known_range = range and Range(*map(float, range))
        return Strengths(levels, float(room), float(value), int(counted), known_range)
    except (TypeError, ValueError):  # not in the cache, or damaged
        pass
    found = _level_strengths(game, rulings, progress, repetition)
    save_result([list(map(list, found.levels)), *found[1:]], game, rulings, *key)
    return found


def _level_strengths(game: AnyGame, rulings: Any, progress: Progress, asked: int) -> Strengths:
    solution = solve_settled(game, rulings, progress=progress)
    index = PositionIndex(game, rulings, memory_limit(), progress)
    repetition = asked if game.loops and counts_repetitions(index) else 0
    scores, played_on = PolicyScores(index, repetition), PolicyScores(index, 0)
    uniform = Uniform(game)
    levels = [level_policy(game, solution, number) for number in LEVELS]
    found_levels: list[LevelStrength] = []
    for place, policy in enumerate(levels):
        progress("weighing levels", place, len(levels))
        below = levels[place - 1] if place else None
        counted = below if repetition else None
        found_levels.append(
            LevelStrength(
                f"level:{LEVELS[place]}",
                scores.score(policy, below) if below else None,
                scores.score(policy, uniform),
                scores.score(policy, levels[-1]),
                scores.best_opponent_score(policy),
                scores.drawn(policy, counted) if counted else None,
                played_on.score(policy, counted) if counted else None,
            )
        )
    value = solution.value(solution.start)
    range = _skill_range(index, solution)
    return Strengths(tuple(found_levels), found_levels[-1].random, value, repetition, range)


def _skill_range(index: PositionIndex, solution: Solution) -> Range | None:
    if index.game.loops:
        return None
    try:
        graph = transition_graph_of(index)
    except TooLarge:
        return None
    return Extremes(graph, graph.values(solution.solved)).score_against_chance()


def below_half(scores: Mapping[str, float | None]) -> str:
    """A sentence on levels that score below half against the level below; empty if none does."""
    scores_below_half = {
        name.removeprefix("level:"): score
        for name, score in scores.items()
        if score is not None and score < 0.5 - VALUE_TOLERANCE
    }
    if not scores_below_half:
        return ""
    names = listed(list(scores_below_half))
    said = f"Level {names} scores" if len(scores_below_half) == 1 else f"Levels {names} score"
    least = percent(min(scores_below_half.values()), 2)
    return f"{said} below 50 % against the level below: {least} at the lowest."


def describe_skill_range(
    room: float,
    value: float,
    *,
    simultaneous: bool,
    alike: bool,
    range: tuple[float, float] | None,
    lines: Thresholds = DEFAULT_THRESHOLDS,
) -> str:
    """How much skill matters in a game, by the score of perfect play against random play.

    `alike` says that all ways to play score the same; `range` is the score of other best mixes.
    """
    if alike:
        return "There is no room for skill: however you play, it comes to the same."
    scored = f"Perfect play scores {percent(room)}{named_mixes_note(range)} against random picks"
    if room >= lines.decides - VALUE_TOLERANCE:
        return f"{scored}, {format_threshold('decides', lines)} or more: skill decides."
    if room >= lines.much - VALUE_TOLERANCE:
        return f"{scored}, {format_threshold('much', lines)} or more: skill counts for much."
    if not simultaneous:
        return f"{scored}. There is no luck in it: {under_best_play(value)}."
    if room >= lines.counts - VALUE_TOLERANCE:
        counts = format_threshold("counts", lines)
        return f"{scored}, {counts} or more: skill counts, and so does luck."
    if room <= 0.5 + VALUE_TOLERANCE:
        return f"{scored}: it takes no risk, and they lose nothing to it."
    return f"{scored}, less than {format_threshold('counts', lines)}: luck counts for most of it."


def under_best_play(value: float) -> str:
    """Who wins a game of turns from the start with best play by both."""
    if value == 0:
        return "with best play by both it is a draw"
    return f"with best play by both whoever goes {'first' if value > 0 else 'second'} wins"


class PolicyScores:
    """Exact scores between policies on one position index, averaged over both seats."""

    def __init__(self, index: PositionIndex, repetition: int) -> None:
        self.index = index
        self.repetition = repetition
        """After how many times of the same position a match is a draw; 0 for never."""
        self.symmetric = index.game.mirror is not None
        """Whether the rules favour neither seat: then one order of the seats is enough."""

    def score(self, one: Policy, two: Policy) -> float:
        """What a policy scores against another."""
        results = self._results(one, two)
        return sum(won + drawn / 2 for won, drawn in results) / len(results)

    def drawn(self, one: Policy, two: Policy) -> float:
        """The share of drawn and endless matches between two policies."""
        results = self._results(one, two)
        return sum(drawn for _, drawn in results) / len(results)

    def best_opponent_score(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.symmetric else SEATS
        gains = [respond_on(self.index, policy, seat, self.repetition).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2

    @lru_cache(2)  # noqa: B019 - `score` and `drawn` of a pair need the same results; this object is short-lived
    def _results(self, one: Policy, two: Policy) -> list[tuple[float, float]]:
        """The shares of wins and draws of a policy against another, in each seat that matters."""
        found = odds_on(self.index, one, two, self.repetition)
        results = [(found.first, found.draw + found.endless)]
        if not self.symmetric:
            found = odds_on(self.index, two, one, self.repetition)
            results.append((found.second, found.draw + found.endless))
        return results
