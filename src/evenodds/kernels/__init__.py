"""Kernels: loops over positions in plain Python, compiled by Numba with the rules of a game.

Also packed position keys, random streams, worker threads and the cache of compiled kernels. Other
packages import the names below, never the modules; each module is imported when one of its names is
first used.
"""

from evenodds.system.imports import lazy_imports

with lazy_imports(globals()):
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
