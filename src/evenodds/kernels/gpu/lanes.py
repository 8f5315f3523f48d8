"""Operations of a group of lanes, which solve one matrix game together.

Lanes of a group run in one warp and exchange values without memory. The simulator of numba-cuda has
no such operations: there a group is one lane, for which each of them is trivial.
"""

from typing import Any, Final, NamedTuple

from evenodds.kernels.gpu.cuda import cuda, device_function

WARP_LANES: Final = 32


class LaneOperations(NamedTuple):
    """Device functions that all lanes of a group call together, with the mask of the group."""

    mask_of: Any
    """The bits of a group in its warp, from the index of a thread in its block."""
    sync: Any
    """Wait for all lanes; what they wrote into shared memory is seen by all afterwards."""
    least: Any
    """The smallest value of all lanes."""
    total: Any
    """The sum of the values of all lanes."""
    first_least: Any
    """The smallest value and its index; of equal values the smallest index."""


def lane_operations(lanes: int) -> LaneOperations:
    """The operations for groups of so many lanes: a power of two up to 32; 1 needs no hardware."""
    if lanes == 1:
        return LaneOperations(
            device_function(_no_mask),
            device_function(_no_sync),
            device_function(_itself),
            device_function(_itself),
            device_function(_pair_itself),
        )
    ones = (1 << lanes) - 1
    farthest = lanes // 2

    @device_function
    def mask_of(thread: int) -> int:
        return ones << (thread % WARP_LANES // lanes * lanes)

    @device_function
    def sync(mask: int) -> None:
        cuda.syncwarp(mask)

    @device_function
    def least(mask: int, value: float) -> float:
        offset = farthest
        while offset > 0:
            value = min(value, cuda.shfl_xor_sync(mask, value, offset))
            offset >>= 1
        return value

    @device_function
    def total(mask: int, value: float) -> float:
        offset = farthest
        while offset > 0:
            value += cuda.shfl_xor_sync(mask, value, offset)
            offset >>= 1
        return value

    @device_function
    def first_least(mask: int, value: float, index: int) -> tuple[float, int]:
        offset = farthest
        while offset > 0:
            other = cuda.shfl_xor_sync(mask, value, offset)
            place = cuda.shfl_xor_sync(mask, index, offset)
            if other < value or (other == value and place < index):
                value, index = other, place
            offset >>= 1
        return value, index

    return LaneOperations(mask_of, sync, least, total, first_least)


def _no_mask(thread: int) -> int:
    return 1


def _no_sync(mask: int) -> None:
    return None


def _itself(mask: int, value: float) -> float:
    return value


def _pair_itself(mask: int, value: float, index: int) -> tuple[float, int]:
    return value, index
