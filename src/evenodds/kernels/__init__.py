"""Kernels: loops over positions in plain Python, compiled by Numba with the rules of a game.

Also packed position keys, random streams, worker threads and the cache of compiled kernels. Other
packages import the names below, never the modules; each module is imported when one of its names is
first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports import lazy_attributes

if TYPE_CHECKING:
    from evenodds.kernels.compiler import KERNEL_KIND
    from evenodds.kernels.compiler.compile import (
        GameKernels,
        kernels_of,
        playout_kernel,
        shared_kernel,
        stepping_kernels,
    )
    from evenodds.kernels.compiler.compile_errors import compile_error_line, is_compile_error
    from evenodds.kernels.compiler.small_games import (
        are_small_games_compiled,
        compile_small_games,
    )
    from evenodds.kernels.gpu import IS_SIMULATED
    from evenodds.kernels.gpu.game_kernels import (
        gpu_listing_kernels,
        gpu_matrix_kernel,
        gpu_solve_kernel,
    )
    from evenodds.kernels.gpu.sizes import MATRIX_SIZES, matrix_size
    from evenodds.kernels.key_tables import EMPTY_SLOT
    from evenodds.kernels.playouts import uniform
    from evenodds.kernels.position_keys import (
        KEY_BITS,
        MISFIT,
        Layout,
        fields_of,
        fields_reader,
        flatten,
        layout_of,
        packing,
        sample_layout,
    )
    from evenodds.kernels.rng import PICK_RANDOM_BITS, stream
    from evenodds.kernels.solve import UNSOLVED
    from evenodds.kernels.stepping import (
        STATUS_CUT_OFF,
        STATUS_ILLEGAL,
        STATUS_OPEN,
        MatchArrays,
        ObservationArrays,
    )
    from evenodds.kernels.threads import (
        CHUNK_POSITIONS,
        MIN_LISTED_ITEMS,
        WorkerThreads,
        split_range,
        worker_threads,
    )
    from evenodds.kernels.turns.components import ComponentGraph, ComponentWorkspace
    from evenodds.kernels.turns.link_flows import MAX_ELIMINATED
    from evenodds.kernels.turns.link_graph import LinkGraph, PickWorkspace, pick_workspace
    from evenodds.kernels.turns.retrograde import fill_parents, settle
    from evenodds.kernels.turns.winning_picks import fill_winning_picks
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.kernels.compiler": "KERNEL_KIND",
            "evenodds.kernels.compiler.compile": "GameKernels kernels_of playout_kernel "
            "shared_kernel stepping_kernels",
            "evenodds.kernels.compiler.compile_errors": "compile_error_line is_compile_error",
            "evenodds.kernels.compiler.small_games": "are_small_games_compiled compile_small_games",
            "evenodds.kernels.gpu": "IS_SIMULATED",
            "evenodds.kernels.gpu.game_kernels": "gpu_listing_kernels gpu_matrix_kernel "
            "gpu_solve_kernel",
            "evenodds.kernels.gpu.sizes": "MATRIX_SIZES matrix_size",
            "evenodds.kernels.key_tables": "EMPTY_SLOT",
            "evenodds.kernels.playouts": "uniform",
            "evenodds.kernels.position_keys": "KEY_BITS Layout MISFIT fields_of fields_reader "
            "flatten layout_of packing sample_layout",
            "evenodds.kernels.rng": "PICK_RANDOM_BITS stream",
            "evenodds.kernels.solve": "UNSOLVED",
            "evenodds.kernels.stepping": "MatchArrays ObservationArrays STATUS_CUT_OFF "
            "STATUS_ILLEGAL STATUS_OPEN",
            "evenodds.kernels.threads": "CHUNK_POSITIONS MIN_LISTED_ITEMS WorkerThreads "
            "split_range worker_threads",
            "evenodds.kernels.turns.components": "ComponentGraph ComponentWorkspace",
            "evenodds.kernels.turns.link_flows": "MAX_ELIMINATED",
            "evenodds.kernels.turns.link_graph": "LinkGraph PickWorkspace pick_workspace",
            "evenodds.kernels.turns.retrograde": "fill_parents settle",
            "evenodds.kernels.turns.winning_picks": "fill_winning_picks",
        },
    )
