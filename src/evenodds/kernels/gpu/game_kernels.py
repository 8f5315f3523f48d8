"""The CUDA kernels of a game, made once in a process."""

from functools import cache

from evenodds.core.catalog import AnyGame
from evenodds.kernels.gpu.backward_induction import SolveKernels, solve_kernels
from evenodds.kernels.gpu.binding import DeviceRules
from evenodds.kernels.gpu.listing import ListingKernels, listing_kernels
from evenodds.kernels.gpu.matrix_batch import MatrixKernels, matrix_kernels
from evenodds.kernels.gpu.shared_memory import KernelShape


@cache
def gpu_listing_kernels(game: AnyGame) -> ListingKernels:
    """The kernels that list the positions of a game."""
    return listing_kernels(_rules_of(game), game.mirror is not None)


@cache
def gpu_solve_kernels(game: AnyGame, shape: KernelShape) -> SolveKernels:
    """The kernels that solve positions of a game."""
    return solve_kernels(_rules_of(game), shape)


@cache
def gpu_matrix_kernels(shape: KernelShape) -> MatrixKernels:
    """The kernels that solve matrix games of any origin."""
    return matrix_kernels(shape)


@cache
def _rules_of(game: AnyGame) -> DeviceRules:
    return DeviceRules(game)
