"""Rate limits (token buckets by key) and limits on open streams."""

import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.server.settings import Settings

MAX_BUCKETS: Final = 20_000
"""Buckets in memory; beyond that the least recently used are dropped."""


class LimitReached(Exception):
    """A limit of the server is reached."""


class RateLimited(Exception):
    """A bucket is empty; in `retry_after_s` seconds it has a token again."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__("too many requests; wait a moment")
        self.retry_after_s = retry_after_s


class TokenBuckets:
    """Token buckets by key."""

    def __init__(self, per_second: float, capacity: int) -> None:
        self.per_second = per_second
        self.capacity = capacity
        self._buckets: dict[Hashable, tuple[float, float]] = {}
        """For each key its tokens and when they were counted; the most recently used last."""

    def take(self, key: Hashable) -> None:
        """Take one token; `RateLimited` where there is none."""
        now = time.monotonic()
        tokens, at = self._buckets.get(key, (float(self.capacity), now))
        tokens = min(self.capacity, tokens + (now - at) * self.per_second)
        if tokens < 1:
            raise RateLimited((1 - tokens) / self.per_second)
        self._buckets.pop(key, None)
        self._buckets[key] = (tokens - 1, now)
        self._evict(now)

    def refund(self, key: Hashable) -> None:
        """Put one token back."""
        if key in self._buckets:
            tokens, at = self._buckets[key]
            self._buckets[key] = (tokens + 1, at)

    def _evict(self, now: float) -> None:
        """Drop up to two buckets that are full again, or beyond the limit.

        Two at each call, which adds one at most: so the number shrinks, and no call takes long.
        """
        for _ in range(2):
            oldest = next(iter(self._buckets))
            if (
                now - self._buckets[oldest][1] < self.capacity / self.per_second
                and len(self._buckets) <= MAX_BUCKETS
            ):
                return
            del self._buckets[oldest]


class ServerLimits:
    """The limits of one process, by address and by seat."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests = TokenBuckets(settings.requests_per_second, settings.requests_at_once)
        self.picks = TokenBuckets(settings.picks_per_second, settings.picks_at_once)
        self.streams_by_address: Counter[str] = Counter()
        self.open_streams = 0

    def check_stream(self, address: str) -> None:
        """`LimitReached` where too many streams are open, in all or from one address."""
        if (
            self.open_streams >= self.settings.streams
            or self.streams_by_address[address] >= self.settings.streams_per_address
        ):
            raise LimitReached("too many streams are open; close one and try again")

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Count a stream while the `with` block runs."""
        self.streams_by_address[address] += 1
        self.open_streams += 1
        try:
            yield
        finally:
            self.open_streams -= 1
            self.streams_by_address[address] -= 1
            if not self.streams_by_address[address]:
                del self.streams_by_address[address]
