"""The study of a game under some rulings: all its figures, computed once and cached.

Imports no NumPy: reading a study that is precomputed or cached needs none.
"""

from contextlib import suppress
from functools import cache, partial
from itertools import product
from typing import NoReturn

import msgspec

from evenodds.claims.study_figures import LEVEL_NAMES, Odds, Study
from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import load_result, save_result
from evenodds.core.vocabulary import Settled
from evenodds.players.levels import ladder_of
from evenodds.study import STUDY_KIND
from evenodds.study.named_odds import OddsTable, Solve, solve_for_study
from evenodds.system import Progress, silent


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
    solve = cache(solve or partial(solve_for_study, game, rulings, progress))
    table = OddsTable(game, rulings, None, progress, solve)
    with suppress(msgspec.ValidationError):  # not in the cache, or damaged
        study = msgspec.convert(load_result(*key), Study, str_keys=True)
        # Odds between levels are kept with those between other players, and not twice.
        pairs = list(product(LEVEL_NAMES, LEVEL_NAMES)) if study.skill.comparisons else []
        kept = table.of(pairs).pairs
        return _with_pairs(study, {pair: kept[pair] for pair in map(" ".join, pairs)})
    solved = solve()
    from evenodds.study.metrics import compute_study  # needs the solver

    study = compute_study(solved)
    table.keep(study.skill.pairs)
    save_result(_with_pairs(study, {}), *key)
    return study


def _with_pairs(study: Study, pairs: dict[str, Odds]) -> Study:
    return study._replace(skill=study.skill._replace(pairs=pairs))


def refuse_to_solve(*_: object) -> NoReturn:
    """Solve nothing: for reports from cached data only."""
    raise NotCached
