"""Limits by address: what is remembered of addresses stays small."""

import time

import pytest

from evenodds.server.rate_limits import MAX_BUCKETS, RateLimited, TokenBuckets


@pytest.mark.long
def test_the_table_of_addresses_stays_small() -> None:
    """However many come, and without a walk over all of them."""
    buckets = TokenBuckets(per_second=0.001, capacity=10)
    for key in range(2 * MAX_BUCKETS):
        buckets.take(key)
    assert len(buckets._buckets) == MAX_BUCKETS
    for _ in range(9):
        buckets.take(2 * MAX_BUCKETS - 1)
    with pytest.raises(RateLimited):
        buckets.take(2 * MAX_BUCKETS - 1)


def test_what_is_full_again_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket that is full says no more than none; each request clears two, and not all."""
    buckets = TokenBuckets(per_second=1, capacity=10)
    for key in range(100):
        buckets.take(key)
    later = time.monotonic() + 11
    monkeypatch.setattr(time, "monotonic", lambda: later)
    buckets.take("new")
    assert len(buckets._buckets) == 99
    for _ in range(100):
        has_tokens = buckets._buckets.get("new", (10, 0))[0] > 1
        buckets.take("new") if has_tokens else buckets.refund("new")
    assert set(buckets._buckets) == {"new"}
