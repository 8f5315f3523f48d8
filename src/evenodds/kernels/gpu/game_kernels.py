"""The CUDA kernels of a game, made once in a process."""

from functools import cache
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.kernels.gpu.backward_induction import SolveKernels, solve_kernels
from evenodds.kernels.gpu.binding import DeviceRules, device_rules_of
from evenodds.kernels.gpu.listing import ListingKernels, listing_kernels
from evenodds.kernels.gpu.matrix_batch import MatrixKernels, matrix_kernels
from evenodds.kernels.gpu.shared_memory import KernelShape


def gpu_listing_kernels(game: AnyGame) -> ListingKernels:
    """The kernels that list the positions of a game."""
    return _listing_kernels(_rules_of(game), game.mirror is not None)


_listing_kernels = cache(listing_kernels)


def gpu_solve_kernels(game: AnyGame, shape: KernelShape) -> SolveKernels:
    """The kernels that solve positions of a game."""
    return _solve_kernels(_rules_of(game), shape)


_solve_kernels = cache(solve_kernels)


@cache
def gpu_matrix_kernels(shape: KernelShape) -> MatrixKernels:
    """The kernels that solve matrix games of any origin."""
    return matrix_kernels(shape)


def _rules_of(game: AnyGame) -> DeviceRules:
    return _device_rules(game, device_rules_of(game))


@cache
def _device_rules(game: AnyGame, rules: tuple[tuple[str, Any], ...]) -> DeviceRules:
    """The same for one edition of the rules."""
    return DeviceRules(game)
