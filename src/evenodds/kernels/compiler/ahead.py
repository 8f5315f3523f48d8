"""Compilation of kernels that all games share by a second process, while this one compiles others.

In one process Numba compiles one function at a time. What the second process has compiled, the
first finds in the cache; while it is being compiled, the first waits (`compile_lock`).
"""

from functools import cache

from evenodds.kernels.compiler import KERNEL_KIND
from evenodds.system import cache_folder
from evenodds.system.second_process import can_start_second_process, start_second_process


def compile_ahead(last: str) -> None:
    """Start the second process, once and where it is allowed and of use.

    `last` is the kernel that it compiles last: where that is cached, so are the others.
    """
    if can_start_second_process("kernels") and not is_cached(last):  # which reads the folder
        of_turns = last == "fill_winning_picks"
        call = "compile_winning_picks()" if of_turns else f"compile_shared_kernels({last!r})"
        start_second_process("kernels", __name__, call)


def is_cached(kernel: str, game: str = "") -> bool:
    """Whether some process has compiled a kernel, by this release or another.

    `game` is the name of the game whose kernel it is, where it is not shared by all.
    """
    name = f"{kernel}-{game}" if game else kernel
    return any(cache_folder.folder().glob(f"{name}-*.{KERNEL_KIND.suffix}"))


def compile_winning_picks() -> None:
    """Call the shared kernel of games of turns with the types of arguments of a study."""
    import numpy as np

    from evenodds.kernels.compiler.compile import shared_kernel
    from evenodds.kernels.winning_picks import LinkGraph, pick_workspace

    place, ends = np.zeros(1, np.int64), np.array([1, 1, 0, -1])
    graph = LinkGraph(np.arange(2), place + 1, place.astype(np.int8), place + 1, ends, ends)
    shared_kernel("fill_winning_picks")(graph, pick_workspace(1, 1), place.astype(np.uint8))


@cache
def compile_shared_kernels(last: str) -> None:
    """Call the shared kernels with the types of arguments that a study calls them with.

    Up to the last that is needed: `solve_matrix` to solve, `fill_selected_mixes` for odds, too, and
    `fill_extreme_mixes` for their ranges, too.
    """
    import numpy as np

    from evenodds.kernels.compiler.compile import shared_kernel
    from evenodds.simplex.arrays import as_arrays
    from evenodds.simplex.linear_program import make_linear_program
    from evenodds.simplex.tableau import make_simplex_workspace

    program, payoff, mix = as_arrays(make_linear_program(1, 1)), np.zeros((1, 1)), np.zeros(1)
    values, places = np.zeros(2), np.zeros(1, np.int64)
    targets, shares = np.ones((1, 1, 1), np.int32), np.ones((1, 1))
    shared_kernel("solve_matrix")(as_arrays(make_simplex_workspace(1)), 1, 1)
    if last != "solve_matrix":
        select = shared_kernel("fill_selected_mixes")
        select(values, places, targets, 0, 1, 0, (payoff, program, mix), shares)
    if last == "fill_extreme_mixes":
        fill = shared_kernel("fill_extreme_mixes")
        workspace = (payoff, mix, program, mix)
        fill(values, values, places, targets, shares, 0, 1.0, 0.0, workspace, shares)
