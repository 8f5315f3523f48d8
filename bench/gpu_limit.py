"""`underdog` by CUDA code written by hand for this one game (`gpu_limit.cu`): the limit.

NVRTC compiles it, which comes with CUDA; so a machine with CuPy needs nothing else.
"""

from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import cupy
import numpy as np

EMPTY = np.uint64(2**64 - 1)
GRID, BLOCK = 132 * 16, 256
SOLVE_BLOCK = 128
TARGET = 3


class Limit(NamedTuple):
    """What was measured, and a checksum of the values."""

    list_s: float
    solve_s: float
    keys: int
    sum_of_values: float
    """Of their magnitudes: which of two mirror images is kept does not change it."""


def measure_limit(numbers: int) -> Limit:
    """List and solve all positions twice; the second run counts."""
    module = cupy.RawModule(code=Path(__file__).with_suffix(".cu").read_text(encoding="utf-8"))
    kernels = [
        module.get_function(name) for name in ("list_children", "store_values", "solve_positions")
    ]
    _run(numbers, *kernels)
    return _run(numbers, *kernels)


def _now() -> float:
    cupy.cuda.runtime.deviceSynchronize()
    return perf_counter()


def _run(numbers: int, list_children: Any, store_values: Any, solve_positions: Any) -> Limit:
    begin = _now()
    hand = (1 << numbers) - 1
    layers = [cupy.array([hand << 16 | hand], np.uint64)]
    growth = numbers * numbers
    while True:
        parents = layers[-1]
        slots = _slots(min(parents.size * growth, 1 << 31))
        table = cupy.full(slots, EMPTY, np.uint64)
        arguments: tuple[Any, ...]
        arguments = (parents, parents.size, table, np.uint64(slots - 1), numbers, TARGET)
        list_children((GRID,), (BLOCK,), _sized(arguments))
        found = table[table != EMPTY]
        del table
        if not found.size:
            break
        growth = found.size // parents.size + 1  # layers grow ever more slowly
        layers.append(found)
    listed = _now()
    values: list[Any] = []
    slots, table = 2, cupy.full((2, 2), EMPTY, np.uint64)
    for layer in reversed(layers):
        worths = cupy.empty(layer.size)
        arguments = (layer, worths, layer.size, table, np.uint64(slots - 1), TARGET)
        solve_positions((GRID,), (SOLVE_BLOCK,), _sized(arguments))
        del table
        slots = _slots(layer.size)
        table = cupy.full((slots, 2), EMPTY, np.uint64)
        arguments = (layer, worths, layer.size, table, np.uint64(slots - 1))
        store_values((GRID,), (BLOCK,), _sized(arguments))
        values.append(worths)
    solved = _now()
    total = float(sum(cupy.abs(worths).sum() for worths in values))
    keys = sum(layer.size for layer in layers)
    return Limit(listed - begin, solved - listed, keys, total)


def _slots(count: int) -> int:
    """A power of two, at most three quarters full."""
    return 1 << (count * 4 // 3 + 1).bit_length()


def _sized(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Counts as 64 bits, the last small numbers as 32, as the kernels take them."""
    return tuple(
        (np.int64(value) if place in (1, 2) else np.int32(value)) if type(value) is int else value
        for place, value in enumerate(arguments)
    )
