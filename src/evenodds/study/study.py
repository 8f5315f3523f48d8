"""The whole study of a game under some rulings, as data."""

from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.graph import load_result, save_result
from evenodds.players.levels import ladder_of
from evenodds.solver import Progress, silent
from evenodds.study.metrics.choice import ChoiceMetrics, choice_metrics_of
from evenodds.study.metrics.drama import Drama, drama_of
from evenodds.study.metrics.equilibrium_ranges import EquilibriumRanges, equilibrium_ranges_of
from evenodds.study.metrics.opening import OpeningAnalysis, opening_analysis_of
from evenodds.study.metrics.outcomes import (
    LengthDistribution,
    OutcomeOdds,
    length_distribution_of,
    outcome_odds_of,
)
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
"""Raised whenever a figure is found in another way, so that no old study is met."""


class SelfPlay(NamedTuple):
    """A way of playing against itself."""

    fate: OutcomeOdds
    """As matches are played: a position that comes up too often is a draw, where that can be told.
    """
    played_on: OutcomeOdds | None
    """How they would end if no position were; nothing where none is."""
    lengths: LengthDistribution | None
    """As if play went on, where it can come back to a position; and so is the drama."""
    drama: Drama | None

    @property
    def endless(self) -> float:
        """The share of matches that would never end if no position were a draw."""
        return (self.played_on or self.fate).endless


class Study(NamedTuple):
    """Everything that is exactly known about a game under some rulings."""

    game: str
    rules: dict[str, int | str]
    value: float
    """What the start is worth to the first seat: 1 a win, 0 a draw or fair, -1 a loss."""
    gap: float
    """How far the value may be off."""
    distance: int | None
    """Picks to the end under best play, in won and lost games of turns."""
    size: GameSize
    plays: dict[str, SelfPlay]
    """By way of playing: chance, a level in the middle, perfect play."""
    choice: ChoiceMetrics
    skill: SkillMetrics
    opening: OpeningAnalysis
    standings: list[ScoreValues]
    repetition: int
    """After how many times of the same position matches are a draw; 0 where play never comes back
    to one, or where that cannot be told exactly and play goes on."""
    leeway: EquilibriumRanges


def study_of(
    game: AnyGame,
    rulings: Any,
    progress: Progress = silent,
    build: SolvedGameFactory = SolvedGame,
) -> Study:
    """The study of a game: opened if it is kept, else made and kept.

    Whoever needs the game spread out for more says how that is done. Raises `TooLarge` or
    `BadGame` in one line, and whatever `build` raises.
    """
    key = (STUDY_KIND, str(STUDY_VERSION), str(ladder_of(game)))
    kept = load_result(game, rulings, *key)
    if kept is not None:
        try:
            return from_data(Study, kept)
        except (TypeError, ValueError, KeyError):  # not what it should be
            pass
    found = compute_study(build(game, rulings, progress))
    save_result(to_data(found), game, rulings, *key)
    return found


def compute_study(solved: SolvedGame) -> Study:
    """The study, made anew."""
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
    """How a way of playing fares against itself; in games with loops only chance is told at length.

    There, others may play for hundreds of rounds, or for ever.
    """
    first, second = solved.shares(policy, FIRST), solved.shares(policy, SECOND)
    odds = outcome_odds_of(solved, first, second)
    played_on = outcome_odds_of(solved, first, second, 0) if solved.repetition else None
    if solved.loops and policy != RANDOM_POLICY:
        return SelfPlay(odds, played_on, None, None)
    lengths = length_distribution_of(solved, first, second)
    return SelfPlay(odds, played_on, lengths, drama_of(solved, first, second))
