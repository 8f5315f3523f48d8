"""CUDA kernels: they list positions, check mirror images, solve positions and matrix games.

Each thread runs the loops of the processor over one position or game, then over the next that no
other thread takes. A kernel is called like one of the processor, runs on the whole device, and is
kept on disk.
"""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import Any, Final

from numba import float64, int8, int32

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import rule
from evenodds.engine.compile import Compiler, GameKernels
from evenodds.engine.game_functions import MIRRORED, kernel, legal, locate, unpack
from evenodds.engine.gpu.device import IS_SIMULATED, MATRIX_SIZES, launch_shape
from evenodds.engine.key_tables import EMPTY_SLOT, probe, slot_of
from evenodds.engine.large_games import fill_payoff
from evenodds.engine.matrix_batch import solve_matrices
from evenodds.engine.numba_cache import import_cuda, kept
from evenodds.engine.positions import expand_layer
from evenodds.engine.simplex import Dictionary, Workspace, make_workspace, solve_game
from evenodds.engine.symmetry import find_unmirrored

cuda: Final = import_cuda()
Names = tuple[tuple[str, Any], ...]
SIZE = LINES = LENGTH = SCRATCH = VARIABLES = 0
"""Sizes of a thread's own arrays, filled in: those of a `Workspace` up to a size of matrices."""
BLOCK = 128
MATRIX_BLOCK = 64


def compile_for_device(function: Any, is_kernel: bool) -> Any:
    """A named function: a kernel of ours, or what it calls, such as kernels of the processor.

    `BLOCK` in the namespace of a kernel is how many threads run in a block.
    """
    if not is_kernel or not function.__module__.startswith(__package__):
        return cuda.jit(function, device=True)
    compiled = cuda.jit(function)
    if not IS_SIMULATED:
        kept(compiled, function, "numba.cuda.dispatcher", "CUDACache")

    @wraps(function)
    def launch(*given: Any) -> None:
        compiled[launch_shape(function.__globals__["BLOCK"])](*given)

    return launch


ON_DEVICE: Final = Compiler(compile_for_device)


@rule
def insert(table: Any, key: int) -> int:
    """In place of that of `key_tables`, for many threads; 0 too where the set is full."""
    mask = table.size - 1
    slot = slot_of(key, mask)
    for _ in range(table.size):
        held = table[slot]
        if held == EMPTY_SLOT:
            held = cuda.atomic.cas(table, slot, EMPTY_SLOT, key)
            if held == EMPTY_SLOT:
                return 1
        if held == key:
            return 0
        slot = (slot + 1) & mask
    return 0


@kernel
def insert_children(rulings: Any, layout: Any, layer: Any, table: Any, counts: Any) -> None:
    """Insert the open children of a layer into a set, until it is three quarters full.

    `counts` takes how many are new, and the key of a position with a child that does not fit the
    layout.
    """
    for place in range(cuda.grid(1), layer.size, cuda.gridsize(1)):
        if counts[0] > table.size // 4 * 3:
            break
        _, new, misfits = expand_layer(
            rulings, layout, layer, place, place + 1, table, table.size, MIRRORED
        )
        cuda.atomic.add(counts, 0, new)
        if misfits:
            counts[1] = layer[place]


@kernel
def check_images(rulings: Any, layout: Any, layer: Any, found: Any) -> None:
    """Write the key of a position that violates the mirror symmetry, if there is one."""
    for place in range(cuda.grid(1), layer.size, cuda.gridsize(1)):
        if find_unmirrored(rulings, layout, layer, place, place + 1) == place:
            found[0] = layer[place]


@kernel
def survey(rulings: Any, layout: Any, layer: Any, found: Any) -> None:
    """The most picks of a seat at any position, and how many are their own mirror images."""
    most, own = 0, 0
    for place in range(cuda.grid(1), layer.size, cuda.gridsize(1)):
        state = unpack(layer[place], rulings, layout)
        most = max(most, cuda.popc(legal(state, 0)), cuda.popc(legal(state, 1)))
        own += 1 if locate(state, layout)[1] == 0 else 0
    cuda.atomic.max(found, 0, most)
    cuda.atomic.add(found, 1, own)


@kernel
def fill_table(keys: Any, values: Any, layer: Any, worths: Any) -> None:
    """Fill an empty table with keys that differ and their values."""
    mask = keys.size - 1
    for place in range(cuda.grid(1), layer.size, cuda.gridsize(1)):
        slot = slot_of(layer[place], mask)
        while cuda.atomic.cas(keys, slot, EMPTY_SLOT, layer[place]) != EMPTY_SLOT:
            slot = (slot + 1) & mask
        values[slot] = worths[place]


@kernel
def solve_positions(
    rulings: Any, layout: Any, layer: Any, keys: Any, values: Any, worths: Any, gaps: Any
) -> None:
    """Solve the positions of a layer whose children are in a table; the widest gap of all."""
    dictionary = Dictionary(
        cuda.local.array((LINES, LENGTH), float64),
        cuda.local.array(LINES, int32),
        cuda.local.array(LENGTH, int32),
        cuda.local.array(SCRATCH, float64),
    )
    work = Workspace(
        cuda.local.array((SIZE, SIZE), float64),
        dictionary,
        cuda.local.array(SIZE, float64),
        cuda.local.array(SIZE, float64),
        cuda.local.array(VARIABLES, int8),
    )
    widest = 0.0
    for place in range(cuda.grid(1), layer.size, cuda.gridsize(1)):
        state = unpack(layer[place], rulings, layout)
        worths[place] = 0.0
        if locate(state, layout)[1] != 0:
            height, width, _ = fill_payoff(state, layout, keys, values, values, work.payoff)
            lower, upper = solve_game(work, work.payoff, height, width)
            worths[place] = 0.5 * (lower + upper)
            widest = max(widest, upper - lower)
    cuda.atomic.max(gaps, 0, widest)


@kernel
def solve_games(payoffs: Any, values: Any, gaps: Any, row_mixes: Any, column_mixes: Any) -> None:
    """Solve matrix games of one size, with payoffs of any scale."""
    dictionary = Dictionary(
        cuda.local.array((LINES, LENGTH), float64),
        cuda.local.array(LINES, int32),
        cuda.local.array(LENGTH, int32),
        cuda.local.array(SCRATCH, float64),
    )
    work = Workspace(
        cuda.local.array((SIZE, SIZE), float64),
        dictionary,
        cuda.local.array(SIZE, float64),
        cuda.local.array(SIZE, float64),
        cuda.local.array(VARIABLES, int8),
    )
    for game in range(cuda.grid(1), payoffs.shape[0], cuda.gridsize(1)):
        solve_matrices(payoffs, game, game + 1, values, gaps, row_mixes, column_mixes, work)


def device_kernels(game: AnyGame) -> Callable[[int], GameKernels]:
    """The kernels of a game, for positions with at most so many picks of a seat."""
    return _device_kernels(game, tuple(ON_DEVICE.names_of(game).items()))


@lru_cache(64)
def _device_kernels(game: AnyGame, items: Names) -> Callable[[int], GameKernels]:
    """Made once in a process for each edition of the rules, and for each size."""
    names = dict(items) | {"insert": ON_DEVICE.shared(__name__)["insert"]}
    # Here a table is a set, and values have its slots.
    names["find"] = ON_DEVICE.shared(probe.__module__)[probe.__name__]
    loops = GameKernels(game, ON_DEVICE, names)
    for each in (expand_layer, fill_payoff, find_unmirrored):
        names[each.__name__] = loops.module(each.__module__)[each.__name__]
    made = cache(lambda size: GameKernels(game, ON_DEVICE, names | _array_sizes(size)))
    return lambda picks: made(matrix_size(picks))


@cache
def matrix_kernel(size: int) -> Callable[..., Any]:
    """The kernel that solves matrix games up to a size."""
    names = _array_sizes(size) | {"BLOCK": MATRIX_BLOCK}
    found: Callable[..., Any] = ON_DEVICE.bound(__name__, names)[solve_games.__name__]
    return found


def matrix_size(picks: int) -> int:
    """The least size of matrices that holds so many picks and that kernels are compiled for."""
    return next(size for size in MATRIX_SIZES if size >= picks)


def _array_sizes(size: int) -> dict[str, int]:
    work = make_workspace(size, size)
    cells, _, nonbasic, scratch = work.dictionary
    parts = {"LINES": cells, "LENGTH": nonbasic, "SCRATCH": scratch, "VARIABLES": work.marks}
    return {"SIZE": size} | {name: len(part) for name, part in parts.items()}
