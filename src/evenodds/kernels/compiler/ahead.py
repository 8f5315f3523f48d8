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
        of_turns = last in ("fill_winning_picks", "respond")
        kernels = "turn_kernels" if of_turns else "shared_kernels"
        start_second_process("kernels", __name__, f"compile_{kernels}({last!r})")


def is_cached(kernel: str, game: str = "") -> bool:
    """Whether some process has compiled a kernel, by this release or another.

    `game` is the name of the game whose kernel it is, where it is not shared by all.
    """
    name = f"{kernel}-{game}" if game else kernel
    return any(cache_folder.folder().glob(f"{name}-*.{KERNEL_KIND.suffix}"))


def compile_turn_kernels(last: str) -> None:
    """Call the shared kernels of games of turns with the types of arguments of a study.

    Up to the last that is needed: `fill_winning_picks` to solve, `respond` for a study, too.
    """
    import numpy as np

    from evenodds.kernels.compiler.compile import shared_kernel
    from evenodds.kernels.turns.components import ComponentGraph, ComponentWorkspace
    from evenodds.kernels.turns.link_graph import LinkGraph, pick_workspace

    place, ends = np.zeros(1, np.int64), np.array([1, 1, 0, -1])
    begins, targets, share = np.arange(2), np.full(1, -1, np.int32), np.ones(1)
    shared_kernel("settle_links")(begins, targets, place.astype(np.int8), ends, 1, place.copy())
    graph = LinkGraph(np.arange(2), place + 1, place.astype(np.int8), place + 1, ends, ends)
    shared_kernel("fill_winning_picks")(graph, pick_workspace(1, 1), place.astype(np.uint8))
    if last == "fill_winning_picks":
        return
    work = ComponentWorkspace(*np.zeros((5, 1), np.int64))
    shared_kernel("fill_components")(begins, targets, work, place, place, place)
    found = ComponentGraph(begins, targets, place > 0, place, place, begins, place > 0)
    shared_kernel("follow_matches")(
        found, share, place > 0, 0, 0, np.ones(2), np.ones(1), np.zeros(3), np.zeros((1, 4))
    )
    shared_kernel("advance_masses")(begins, targets, share, share, np.zeros(2))
    shared_kernel("mark_ending")(found, share, place > 0)
    shared_kernel("raise_worths")(found, share, place > 0, place, 1, np.ones(2), place)
    shared_kernel("respond")(found, share, place > 0, 3, np.ones(2), place)


@cache
def compile_shared_kernels(last: str) -> None:
    """Call the shared kernels with the types of arguments that a study calls them with.

    Up to the last that is needed: `solve_matrix` to solve, `fill_selected_mixes` for odds, too.
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
