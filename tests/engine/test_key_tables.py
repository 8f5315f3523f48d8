"""Tables of keys: what a dictionary would say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenodds.core import catalog
from tests.support.engine import kernels_of, key_tables

KERNELS = kernels_of(catalog.get("duel"), False)
KEYS = st.lists(
    st.integers(0, 2**62 - 1) | st.integers(0, 40) | st.integers(2**40, 2**40 + 99), max_size=40
)


@given(KEYS)
def test_keys_are_inserted_once(keys: list[int]) -> None:
    found = key_tables.KeySet(KERNELS, 1)
    fresh = found.add(np.array([*keys, *keys], np.int64)).tolist()
    assert fresh == list(dict.fromkeys(keys))
    assert sorted(found.keys().tolist()) == sorted(fresh)
    assert found.held == len(fresh)


@given(KEYS.filter(bool), KEYS)
def test_keys_are_found_at_their_places_in_order(one: list[int], two: list[int]) -> None:
    listed = sorted(set(one))
    table = key_tables.key_table(KERNELS, np.array(listed, np.int64))
    assert [key_tables.find(table, key) for key in listed] == list(range(len(listed)))
    for key in set(two) - set(one):
        with pytest.raises(LookupError):
            key_tables.find(table, key)
