"""Sets of children: marks only where they take no more cells than is allowed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evenodds.kernels import CELL_BITS, Layout
from tests.support.engine import FEW_CELLS, MIN_MARKED_LAYER, MarkedKeys


@pytest.mark.parametrize(
    ("unused", "is_marked"), [(0b1001 << 8, True), (1 << 8, False), (0, False)]
)
def test_cells_are_counted_by_the_bits_that_keys_leave_out(unused: int, is_marked: bool) -> None:
    """Two unused bits leave just as many as may be; with one or none it would be more."""
    bits = (FEW_CELLS.bit_length() - 1) + CELL_BITS + 2
    layer = np.array([((1 << bits) - 1) & ~unused])
    compiled: Any = SimpleNamespace(compiled=True, is_hashing=False)
    assert MarkedKeys.is_faster(compiled, Layout((0,), (bits,)), layer) == is_marked


@pytest.mark.parametrize("size", [1, MIN_MARKED_LAYER - 1, MIN_MARKED_LAYER])
def test_small_layers_are_hashed_where_hashing_is_compiled(size: int) -> None:
    kernels: Any = SimpleNamespace(compiled=True, is_hashing=True)
    is_large = size == MIN_MARKED_LAYER
    assert MarkedKeys.is_faster(kernels, Layout((0,), (16,)), np.arange(size)) == is_large
