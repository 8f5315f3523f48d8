"""Entry point of the solver: loads the cached solution of a game or computes it."""

from typing import Any

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.validation import validate
from evenodds.graph import (
    SolvedPositions,
    load_table,
    memory_limit,
    refuse_unsolvable,
    save_table,
    table_path,
)
from evenodds.kernels import are_small_games_compiled
from evenodds.solver.solution import Solution
from evenodds.system import cache_folder
from evenodds.system.imports.extras import needs
from evenodds.system.progress import Progress, silent


@catalog.accept_keyword_rulings
def solve(
    game: GameLike,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    notes: list[str] | None = None,
) -> Solution:
    """The solution of a game under its rulings, from the cache or computed and cached.

    Rulings come with the game, `solve(game("duel", hp=3))`; and so in every function. Raises
    `BadRuling`, `TooLarge` or `BadGame` in one line.
    """
    return solve_settled(
        *catalog.settle(game, {}),
        progress=progress,
        fresh=fresh,
        notes=notes,
    )


def solve_settled(
    game: AnyGame,
    settled: Any,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    notes: list[str] | None = None,
    memory: int | None = None,
    keep: bool = True,
) -> Solution:
    """The solution of a game whose rulings are settled already.

    `memory` is a limit in bytes, where that is less than the setting. With `keep=False` it is not
    cached: a sweep over many rulings should not evict other files.
    """
    notes = notes if notes is not None else []
    # Once: the source of the rules may be edited during the solve.
    path = table_path(game, settled)
    solved, note = (None, "") if fresh or path is None else load_table(path)
    if solved is None:
        cache_folder.size_limit()  # refuses a wrong setting before the work, not after
        solved = _solve(game, settled, progress or silent, memory)
        save_note = save_table(path, solved, settled) if path and keep else ""
        notes += [text for text in (note, save_note) if text]
    return Solution(game, settled, solved)


def _solve(
    game: AnyGame, rulings: Any, progress: Progress, max_memory: int | None
) -> SolvedPositions:
    """Interpreted where that is quick, compiled otherwise."""
    refuse_unsolvable(game)
    validate(game, rulings)
    memory = min(memory_limit(), max_memory or memory_limit())
    if not are_small_games_compiled():
        from evenodds.solver.interpreted import solve_interpreted

        solved = solve_interpreted(game, rulings, progress=progress)
        if solved is not None:
            return solved
    with needs("solver"):
        from evenodds.solver.compiled import solve_compiled
    return solve_compiled(game, rulings, memory, progress)
