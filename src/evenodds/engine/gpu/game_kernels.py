"""The CUDA kernels of a game, made once in a process."""

from functools import cache
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.engine.gpu.backward_induction import matrix_kernel, solve_kernel
from evenodds.engine.gpu.binding import DeviceRules, device_rules_of
from evenodds.engine.gpu.listing_kernels import ListingKernels, listing_kernels


def gpu_listing_kernels(game: AnyGame) -> ListingKernels:
    """The kernels that list the positions of a game."""
    return _listing_kernels(_rules_of(game), game.mirror is not None)


_listing_kernels = cache(listing_kernels)


def gpu_solve_kernel(game: AnyGame, size: int) -> Any:
    """The kernel that solves positions of a game."""
    return _solve_kernel(_rules_of(game), size)


_solve_kernel = cache(solve_kernel)
gpu_matrix_kernel = cache(matrix_kernel)


def _rules_of(game: AnyGame) -> DeviceRules:
    return _device_rules(game, device_rules_of(game))


@cache
def _device_rules(game: AnyGame, rules: tuple[tuple[str, Any], ...]) -> DeviceRules:
    """The same for one edition of the rules."""
    return DeviceRules(game)
