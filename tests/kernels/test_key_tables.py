"""Cells of dense keys: what a dictionary would say, whichever bits keys leave out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenodds.kernels import CELL_BITS, GAP, KeyCells, masks_of_keys, squeeze
from tests.support.engine import key_tables

BITS = 9
KEYS = st.builds(
    lambda used, keys: sorted({key & used for key in keys}),
    st.integers(0, 2**BITS - 1),
    st.sets(st.integers(0, 2**BITS - 1), min_size=1),
)


def cells_for(keys: list[int], kind: type) -> KeyCells:
    masks = masks_of_keys(int(np.bitwise_or.reduce(keys)), BITS)
    last = squeeze(2**BITS - 1, masks)
    return KeyCells(np.zeros((last >> CELL_BITS) + 1, kind), masks)


@given(KEYS)
def test_each_key_is_found_at_its_place_and_no_other_key_is(keys: list[int]) -> None:
    table = cells_for(keys, np.int64)
    key_tables.fill_cells(np.array(keys), table)
    assert [key_tables.find_in_cells(table, key) for key in keys] == list(range(len(keys)))
    for key in set(range(2**BITS)) - set(keys):
        if not key & table.masks.gaps:
            with pytest.raises(LookupError):
                key_tables.find_in_cells(table, key)


@given(KEYS, st.data())
def test_marked_keys_are_listed_in_order_and_once(keys: list[int], data: st.DataObject) -> None:
    tables = [cells_for(keys, np.uint32) for _ in range(2)]
    marked = data.draw(st.lists(st.sampled_from(keys)))
    new = [key_tables.mark(tables[place % 2], key) for place, key in enumerate(marked)]
    assert sum(new) == len(set(marked[::2])) + len(set(marked[1::2]))
    key_tables.add_marks(tables[0].cells, tables[1].cells)
    found = np.zeros(sum(new), np.int64)
    assert found[: key_tables.list_marked(tables[0], found)].tolist() == sorted(set(marked))


def test_a_key_with_a_bit_that_was_taken_for_unused_is_refused() -> None:
    table = cells_for([0b101], np.uint32)
    assert key_tables.mark(table, 0b100) == 1
    assert key_tables.mark(table, 0b010) == GAP
