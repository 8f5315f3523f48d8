"""The exact solver: every position of a game, from the same rules that play uses."""

import os
from typing import Any

from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.extras import needs
from evenodds.home import megabytes
from evenodds.solver.chain import Odds, odds, uniform_policy
from evenodds.solver.listing import BadGame, Progress, TooLarge
from evenodds.solver.plain import solve_plain
from evenodds.solver.responses import BadPolicy, Policy, Response, best_response, exploitability
from evenodds.solver.simulator import Simulation, simulate
from evenodds.solver.solution import Matrix, Mix, Solution, Unreachable
from evenodds.solver.solved import Solved

__all__ = [
    "BadGame",
    "BadPolicy",
    "Matrix",
    "Mix",
    "Odds",
    "Policy",
    "Response",
    "Simulation",
    "Solution",
    "TooLarge",
    "Unreachable",
    "best_response",
    "exploitability",
    "odds",
    "simulate",
    "solve",
    "uniform_policy",
]


def solve(
    game: AnyGame | str,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    notes: list[str] | None = None,
    **rulings: object,
) -> Solution:
    """The solution of a game under some rulings: opened if it is kept, else made and kept.

    Raises `BadRuling`, `TooLarge` or `BadGame` in one line.
    """
    from evenodds.solver import cache

    game = catalog.get(game) if isinstance(game, str) else game
    settled = game.settle(rulings)
    notes = notes if notes is not None else []
    path = cache.table_path(game, settled)  # once: the rules may be edited while they are solved
    solved, note = (None, "") if fresh or path is None else cache.load(path)
    if solved is None:
        solved = _solve(game, settled, progress or _silent)
        kept = cache.save(path, solved) if path else ""
        notes += [said for said in (note, kept) if said]
    return Solution(game, settled, solved)


def memory_limit() -> int:
    """Bytes that a solve may take: EVENODDS_MEMORY_MB, or half of what the machine has."""
    return megabytes("EVENODDS_MEMORY_MB", _half_of_memory())


def _half_of_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):  # not every system tells
        return 2 << 30


def _solve(game: AnyGame, rulings: Any, progress: Progress) -> Solved:
    """By the rules as they stand where that is quick, and compiled otherwise."""
    if game.simultaneous and game.loops:
        raise BadGame(f"{game.name} has simultaneous rounds and loops, which is not solved yet")
    solved = solve_plain(game, rulings)
    if solved is not None:
        return solved
    with needs("solver"):
        from evenodds.solver.large import solve_large
    return solve_large(game, rulings, memory_limit(), progress)


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
