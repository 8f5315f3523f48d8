"""The whole study of a game under some rulings, as data.

The fields of its named tuples are the keys of its JSON and of the cache.
"""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.graph import load_result, save_result
from evenodds.players.levels import ladder_of
from evenodds.solver import Progress, silent
from evenodds.study.metrics.choice import ChoiceMetrics, choice_metrics_of
from evenodds.study.metrics.drama import Drama, drama_of
from evenodds.study.metrics.match_length import LengthDistribution, length_distribution_of
from evenodds.study.metrics.opening import OpeningAnalysis, opening_analysis_of
from evenodds.study.metrics.optimal_mix_ranges import EquilibriumRanges, equilibrium_ranges_of
from evenodds.study.metrics.outcomes import OutcomeOdds, outcome_odds_of
from evenodds.study.metrics.score_values import ScoreValues, score_values_of
from evenodds.study.metrics.size import GameSize, game_size_of
from evenodds.study.metrics.skill import SkillMetrics, skill_metrics_of
from evenodds.study.metrics.solved_game import (
    MIDDLE_LEVEL,
    PERFECT_POLICY,
    RANDOM_POLICY,
    SolvedGame,
    SolvedGameFactory,
)
from evenodds.study.serialization import from_data, to_data
from evenodds.system.cache_folder import CacheKind

STUDY_KIND: Final = CacheKind("study", "studies")
STUDY_VERSION: Final = 7
"""Part of the cache key: raised whenever a figure is computed in another way."""


class SelfPlay(NamedTuple):
    """A policy against itself."""

    fate: OutcomeOdds
    """As matches are played: with the draw by repetition, where repetitions can be counted."""
    played_on: OutcomeOdds | None
    """The same without the draw by repetition; None where there is none."""
    lengths: LengthDistribution | None
    """Without the draw by repetition, as the drama is."""
    drama: Drama | None

    @property
    def endless(self) -> float:
        """The share of matches that would never end without the draw by repetition."""
        return (self.played_on or self.fate).endless


class Study(NamedTuple):
    """All exact figures of a game under some rulings."""

    game: str
    rules: dict[str, int | str]
    value: float
    """The value of the start to the first seat: 1 a win, 0 a draw or fair, -1 a loss."""
    gap: float
    """The certified error of the value."""
    distance: int | None
    """Picks to the end under best play, in won and lost games of turns."""
    size: GameSize
    plays: dict[str, SelfPlay]
    """By policy: random picks, a level in the middle, perfect play."""
    choice: ChoiceMetrics
    skill: SkillMetrics
    opening: OpeningAnalysis
    standings: list[ScoreValues]
    repetition: int
    """How often a position may come up before the match is a draw; 0 where no position can come up
    again, or repetitions cannot be counted and play goes on."""
    leeway: EquilibriumRanges


def study_of(
    game: AnyGame,
    rulings: Any,
    progress: Progress = silent,
    build: SolvedGameFactory = SolvedGame,
) -> Study:
    """The study of a game, from the cache where it is there.

    `build` solves the game where it is not; a caller that needs the solved game for more can share
    it. Raises `TooLarge` or `BadGame`, and whatever `build` raises.
    """
    key = (STUDY_KIND, str(STUDY_VERSION), str(ladder_of(game)))
    cached = load_result(game, rulings, *key)
    if cached is not None:
        try:
            return from_data(Study, cached)
        except (TypeError, ValueError, KeyError):  # a damaged cache file is computed again
            pass
    found = compute_study(build(game, rulings, progress))
    save_result(to_data(found), game, rulings, *key)
    return found


def compute_study(solved: SolvedGame) -> Study:
    """Compute the study of a solved game."""
    solution = solved.solution
    return Study(
        solved.game.name,
        as_data(solved.rulings),
        solved.value,
        solution.gap,
        solution.distance(solution.start),
        game_size_of(solved),
        {policy: _play(solved, policy) for policy in (RANDOM_POLICY, MIDDLE_LEVEL, PERFECT_POLICY)},
        choice_metrics_of(solved),
        skill_metrics_of(solved),
        opening_analysis_of(solved),
        score_values_of(solved),
        solved.repetition,
        equilibrium_ranges_of(solved),
    )


def _play(solved: SolvedGame, policy: str) -> SelfPlay:
    # In games with loops better players may go on for hundreds of rounds or for ever, so lengths
    # and drama, which follow matches round by round, are computed for random picks only.
    first, second = solved.shares(policy, FIRST), solved.shares(policy, SECOND)
    odds = outcome_odds_of(solved, first, second)
    played_on = outcome_odds_of(solved, first, second, 0) if solved.repetition else None
    if solved.loops and policy != RANDOM_POLICY:
        return SelfPlay(odds, played_on, None, None)
    lengths = length_distribution_of(solved, first, second)
    return SelfPlay(odds, played_on, lengths, drama_of(solved, first, second))
