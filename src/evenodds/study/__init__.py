"""Exact analysis of a game under some rulings: metrics, claims, verdict, sweeps, report pages.

From below: `solved_game`, `metrics`, `named_odds`, `level_strength`, `study` (all figures
together), `measures`, `sweep`, `verdict`, `claim_results`, `report`; pages and repairs are built on
these.
"""

from typing import Final

from evenodds.engine.solution_files import SOLVER_CODE
from evenodds.system.cache_folder import CacheKind

STUDY_CODE: Final = (
    *SOLVER_CODE,
    "claims/study_figures.py",
    "claims/thresholds.py",
    "core/terms.py",
    "players/levels.py",
    "study/__init__.py",
    "study/measures.py",
    "study/metrics",
    "study/named_odds.py",
    "study/solved_game.py",
    "study/study.py",
)
"""The modules and packages that compute the figures of studies."""
ODDS_KIND: Final = CacheKind("odds", "odds between players", STUDY_CODE)
STUDY_KIND: Final = CacheKind("study", "studies", STUDY_CODE)
SWEEP_KIND: Final = CacheKind("sweep", "rows of sweeps", STUDY_CODE)
