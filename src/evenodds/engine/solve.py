"""Entry point of the solver: loads the cached solution of a game or computes it."""

from typing import TYPE_CHECKING, Final

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.rule_checks import refuse_unsolvable
from evenodds.core.validation import validate
from evenodds.core.vocabulary import Settled
from evenodds.engine.gpu.device import is_for_gpu
from evenodds.engine.solution import Solution
from evenodds.engine.solution_files import SolvedPositions, load_table, save_table, table_path
from evenodds.system import Progress, cache_folder, silent
from evenodds.system.environment import Device, choose_device, memory_limit
from evenodds.system.imports import needs

if TYPE_CHECKING:
    from evenodds.engine.positions import Listing

MIN_POSITIONS_FOR_GPU: Final = 2_000_000
"""With fewer the processor is done before the GPU has its kernels."""


def solve(
    game: GameLike,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    notes: list[str] | None = None,
    device: Device | None = None,
) -> Solution:
    """The solution of a game under its rulings, from the cache or computed and cached.

    Rulings come with the game, `solve(game("duel", hp=3))`; and so in every function. `device` is
    "cpu", "gpu" or "auto", which takes the GPU for large games where there is one; the usual one is
    that of EVENODDS_DEVICE, or "auto". Raises `BadRuling`, `TooLarge` or `BadGame` in one line.
    """
    given = catalog.settle(game, {})
    return solve_settled(*given, progress=progress, fresh=fresh, notes=notes, device=device)


def solve_settled(
    game: AnyGame,
    settled: Settled,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    notes: list[str] | None = None,
    memory: int | None = None,
    keep: bool = True,
    device: str | None = None,
    listing: "Listing | None" = None,
) -> Solution:
    """The solution of a game whose rulings are settled already.

    `memory` is a limit in bytes, where that is less than the setting. With `keep=False` it is not
    cached: a sweep over many rulings should not evict other files. `listing` has its positions, and
    is used if it is compiled.
    """
    notes = notes if notes is not None else []
    where, most = choose_device(device), min(memory_limit(), memory or memory_limit())
    cache_folder.size_limit()  # wrong settings are refused before the work, and where it was done
    # Once: the source of the rules may be edited during the solve.
    path = table_path(game, settled)
    solved, note = (None, "") if fresh or path is None else load_table(path)
    if device == "gpu" and not (_fits_gpu(game) and solved is None):
        why = "this solution is stored; --fresh solves it again"
        others = "games of turns, with chance or about points are solved on the processor"
        notes.append(f"The GPU was not used: {why if _fits_gpu(game) else others}.")
    if solved is None:
        solved = _solve(game, settled, progress or silent, most, where, listing)
        save_note = save_table(path, solved, settled) if path and keep else ""
        notes += [text for text in (note, save_note) if text]
    return Solution(game, settled, solved)


def takes_gpu(game: AnyGame, rulings: Settled, device: str | None = None) -> bool:
    """Whether `solve` takes the GPU; games of turns never do. Raises what `check_device` does."""
    where = check_device(game, device)
    is_large = game.bound is not None and game.bound(rulings) >= MIN_POSITIONS_FOR_GPU
    return _fits_gpu(game) and is_for_gpu(where, is_large)


def _fits_gpu(game: AnyGame) -> bool:
    return game.simultaneous and not (game.chance or game.reward or game.representative)


def check_device(game: AnyGame, device: str | None = None) -> Device:
    """The device for a game; `BadSetting`, `MissingExtra` or `NoGpu` where it is not there.

    Calls no function of the game, whose rules may be wrong.
    """
    where = choose_device(device)
    if _fits_gpu(game):
        is_for_gpu(where, is_large=False)
    return where


def _solve(
    game: AnyGame,
    rulings: Settled,
    progress: Progress,
    memory: int,
    device: str | None,
    listing: "Listing | None",
) -> SolvedPositions:
    """On the GPU, or interpreted where that is quick, or compiled."""
    refuse_unsolvable(game)
    validate(game, rulings)
    if takes_gpu(game, rulings, device):
        from evenodds.engine.gpu.solve import solve_on_gpu

        return solve_on_gpu(game, rulings, memory, progress)
    narrows = game.loops and not game.is_combinatorial
    if not narrows and (listing is None or not listing.is_compiled):
        from evenodds.engine.small_games import solve_interpreted

        listing, solved = None, solve_interpreted(game, rulings, progress=progress)
        if solved is not None:
            return solved
    with needs("solver"):
        from evenodds.engine.large_games import solve_compiled
    return solve_compiled(game, rulings, memory, progress, listing)
