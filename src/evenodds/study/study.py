"""The whole study of a game under some rulings, as data.

The fields of its named tuples are the keys of its JSON and of the cache.
"""

from typing import Final

from evenodds.claims.study_figures import Study
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled
from evenodds.players.level_strength import LEVELS_CODE
from evenodds.players.levels import ladder_of
from evenodds.study.figure_serialization import cached_figures
from evenodds.study.game_building import SolvedGameFactory, build_solved_game
from evenodds.system.cache_folder import CacheKind
from evenodds.system.progress import Progress, silent

STUDY_CODE: Final = (
    *LEVELS_CODE,
    "claims/study_figures.py",
    "claims/thresholds.py",
    "study/figure_serialization.py",
    "study/measures.py",
    "study/metrics",
    "study/named_odds.py",
    "study/solved_game.py",
    "study/study.py",
    "study/summary.py",
)
"""The modules and packages that compute the figures of studies."""
STUDY_KIND: Final = CacheKind("study", "studies", STUDY_CODE)
SWEEP_KIND: Final = CacheKind("sweep", "rows of sweeps", STUDY_CODE)


def study_of(
    game: AnyGame,
    rulings: Settled,
    progress: Progress = silent,
    build: SolvedGameFactory = build_solved_game,
) -> Study:
    """The study of a game, from the cache where it is there.

    `build` solves the game where it is not; a caller that needs the solved game for more can share
    it. Raises `TooLarge` or `BadGame`, and whatever `build` raises.
    """

    def compute() -> Study:
        solved = build(game, rulings, progress)
        from evenodds.study.metrics.all_metrics import compute_study  # needs the solver

        return compute_study(solved)

    return cached_figures(Study, compute, game, rulings, STUDY_KIND, str(ladder_of(game)))
