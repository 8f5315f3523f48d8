"""Hash tables of keys: what a dictionary would say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.engine import key_tables

KEYS = st.lists(st.integers(0, 2**62 - 1) | st.integers(0, 40), max_size=20)


@given(KEYS, KEYS)
def test_keys_are_inserted_once_and_found_with_their_values(one: list[int], two: list[int]) -> None:
    table, values = np.full(64, key_tables.EMPTY_SLOT), np.zeros(64)
    found = np.array([*one, key_tables.EMPTY_SLOT, *one], np.int64)
    fresh = found[: key_tables.insert_all(table, found, found)].tolist()
    assert fresh == list(dict.fromkeys(one))
    key_tables.write_values(table, values, np.array(fresh), np.arange(1.0, 1 + len(fresh)))
    back = np.zeros(len(fresh))
    key_tables.read_values(table, values, np.array(fresh), back)
    assert back.tolist() == list(range(1, 1 + len(fresh)))
    for key in set(two) - set(one):
        with pytest.raises(LookupError):
            key_tables.find(table, key)
