"""The study of a game under some rulings: all its figures, computed once and cached.

Imports no NumPy: reading a study that is precomputed or cached needs none.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import msgspec

from evenodds.claims.study_figures import OutcomeOdds, Study
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import ladder_of
from evenodds.study import STUDY_KIND
from evenodds.study.named_odds import OddsTable
from evenodds.system import Progress, silent
from evenodds.system.imports import needs

if TYPE_CHECKING:
    from evenodds.study.solved_game import SolvedGame

Solve = Callable[[], "SolvedGame"]
"""Solves the game of a study where its figures are not cached."""


class NotCached(Exception):
    """Something is not cached and would have to be solved."""


def study_of(
    game: AnyGame, rulings: Settled, progress: Progress = silent, solve: Solve | None = None
) -> Study:
    """The study of a game, from the cache where it is there.

    `solve` solves the game where it is not; a caller that needs the solved game for more can share
    it. Raises `TooLarge` or `BadGame`, and whatever `solve` raises.
    """
    key = (game, rulings, STUDY_KIND, str(ladder_of(game)))
    with suppress(msgspec.ValidationError, KeyError):  # not in the cache, or damaged
        study = msgspec.convert(load_result(*key), Study, str_keys=True)
        # Odds between levels are kept with those between other players, and not twice.
        kept = OddsTable(game, rulings, None, progress)
        return _with_pairs(study, kept.level_odds() if study.skill.comparisons else {})
    solved = solve() if solve else solve_for_study(game, rulings, progress)
    from evenodds.study.metrics import compute_study  # needs the solver

    study = compute_study(solved)
    OddsTable(game, rulings, None, progress, solved).keep(study.skill.pairs)
    save_result(_with_pairs(study, {}), *key)
    return study


def _with_pairs(study: Study, pairs: dict[str, OutcomeOdds]) -> Study:
    return study._replace(skill=study.skill._replace(pairs=pairs))


def solve_for_study(game: AnyGame, rulings: Settled, progress: Progress) -> "SolvedGame":
    """Solve a game for a study; `MissingExtra` without the solver."""
    with needs("solver"):
        from evenodds.study.solved_game import SolvedGame
    return SolvedGame(game, rulings, progress, index_first=True)


def refuse_to_solve() -> NoReturn:
    """Solve nothing: for reports from cached data only."""
    raise NotCached
