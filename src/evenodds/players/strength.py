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
from evenodds.policy.equilibrium_ranges import Extremes, Range
from evenodds.policy.match_odds import odds_on
from evenodds.policy.responses import respond_on
from evenodds.policy.turn_play import counts_repetitions
from evenodds.solver import Progress, Solution, TooLarge, memory_limit, silent, solve_settled
from evenodds.system import cache_folder
from evenodds.system.text import listed, percent
from evenodds.system.tolerance import VALUE_TOLERANCE

STRENGTHS_FORMAT_VERSION: Final = 3
"""Raised whenever levels are played or weighed in another way, so that no old figures are met."""


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
    """The levels of a game, what perfect play scores against chance, and what the start is worth.

    `repetition` says after how many times of the same position these matches are a draw: 0 where
    they never are.
    """

    standings: tuple[LevelStrength, ...]
    room: float
    value: float
    repetition: int
    range: Range | None
    """What perfect play scores against chance with all mixes that are best in every position;
    nothing where that was not found: in games with loops, and where memory does not allow it."""


def strengths(
    game: AnyGame, rulings: Any, progress: Progress = silent, repetition: int = DEFAULT_REPETITION
) -> Strengths:
    """The exact strength of every level under some rulings; found once, and kept."""
    key = (
        cache_folder.LEVELS,
        str(STRENGTHS_FORMAT_VERSION),
        str(ladder_of(game)),
        str(check_repetition(repetition)),
    )
    try:
        standings, room, value, counted, range = load_result(game, rulings, *key)
        told = tuple(LevelStrength(*standing) for standing in standings)
        known = range and Range(*map(float, range))
        return Strengths(told, float(room), float(value), int(counted), known)
    except (TypeError, ValueError):  # nothing is kept, or not what it should be
        pass
    found = _level_strengths(game, rulings, progress, repetition)
    save_result([list(map(list, found.standings)), *found[1:]], game, rulings, *key)
    return found


def _level_strengths(game: AnyGame, rulings: Any, progress: Progress, asked: int) -> Strengths:
    """Every level against the one below, against chance and against the last; and all it risks."""
    solution = solve_settled(game, rulings, progress=progress)
    ground = PositionIndex(game, rulings, memory_limit(), progress)
    repetition = asked if game.loops and counts_repetitions(ground) else 0
    contest, played_on = PolicyScores(ground, repetition), PolicyScores(ground, 0)
    uniform = Uniform(game)
    levels = [level_policy(game, solution, number) for number in LEVELS]
    standings: list[LevelStrength] = []
    for place, policy in enumerate(levels):
        progress("weighing levels", place, len(levels))
        below = levels[place - 1] if place else None
        counted = below if repetition else None
        standings.append(
            LevelStrength(
                f"level:{LEVELS[place]}",
                contest.score(policy, below) if below else None,
                contest.score(policy, uniform),
                contest.score(policy, levels[-1]),
                contest.taken(policy),
                contest.drawn(policy, counted) if counted else None,
                played_on.score(policy, counted) if counted else None,
            )
        )
    value = solution.value(solution.start)
    range = _skill_range(ground, solution)
    return Strengths(tuple(standings), standings[-1].random, value, repetition, range)


def _skill_range(ground: PositionIndex, solution: Solution) -> Range | None:
    """What perfect play scores against chance, whichever best mixes it takes."""
    if ground.game.loops:
        return None
    try:
        atlas = transition_graph_of(ground)
    except TooLarge:
        return None
    return Extremes(atlas, atlas.values(solution.solved)).score_against_chance()


def below_half(scores: Mapping[str, float | None]) -> str:
    """Which levels score less than half against the level below; nothing where none does."""
    fallen = {
        name.removeprefix("level:"): score
        for name, score in scores.items()
        if score is not None and score < 0.5 - VALUE_TOLERANCE
    }
    if not fallen:
        return ""
    who = listed(list(fallen))
    said = f"Level {who} scores" if len(fallen) == 1 else f"Levels {who} score"
    least = percent(min(fallen.values()), 2)
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
    """How much room for skill a game has: from what perfect play scores against chance.

    `alike` says that however somebody plays, it comes to the same; `range` is what other best mixes
    score.
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
    """Who wins a game of turns from the start, if both play as well as can be."""
    if value == 0:
        return "with best play by both it is a draw"
    return f"with best play by both whoever goes {'first' if value > 0 else 'second'} wins"


class PolicyScores:
    """Exact scores between policies on one ground, on average over both seats."""

    def __init__(self, ground: PositionIndex, repetition: int) -> None:
        self.ground = ground
        self.repetition = repetition
        """After how many times of the same position a match is a draw; 0 for never."""
        self.even = ground.game.mirror is not None
        """Whether the rules favour neither seat: then one way round says all."""

    def score(self, one: Policy, two: Policy) -> float:
        """What a policy scores against another."""
        met = self._met(one, two)
        return sum(won + drawn / 2 for won, drawn in met) / len(met)

    def drawn(self, one: Policy, two: Policy) -> float:
        """How many matches between two policies nobody wins."""
        met = self._met(one, two)
        return sum(drawn for _, drawn in met) / len(met)

    def taken(self, policy: Policy) -> float:
        """What the best opponent scores against a policy."""
        seats = SEATS[:1] if self.even else SEATS
        gains = [respond_on(self.ground, policy, seat, self.repetition).value for seat in seats]
        return 0.5 + sum(gains) / len(gains) / 2

    @lru_cache(2)  # noqa: B019 - a contest lives no longer than what it is about
    def _met(self, one: Policy, two: Policy) -> list[tuple[float, float]]:
        """What a policy wins and draws against another, in each seat that makes a difference."""
        found = odds_on(self.ground, one, two, self.repetition)
        ways = [(found.first, found.draw + found.endless)]
        if not self.even:
            found = odds_on(self.ground, two, one, self.repetition)
            ways.append((found.second, found.draw + found.endless))
        return ways
