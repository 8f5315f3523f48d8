"""Rate limits (token buckets by key) and limits on open streams."""

import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.server.settings import Settings

MAX_BUCKETS: Final = 20_000
"""Buckets that are kept; when there are more, those that were not used for longest go."""


class LimitReached(Exception):
    """A limit of the server is reached."""


class RateLimited(Exception):
    """Somebody asks too often; `retry_after_s` is how many seconds they should wait."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__("too many requests; wait a moment")
        self.retry_after_s = retry_after_s


class TokenBuckets:
    """For each key a bucket of requests, which fills up again at a steady pace."""

    def __init__(self, per_second: float, capacity: int) -> None:
        self.per_second = per_second
        self.capacity = capacity
        self._buckets: dict[Hashable, tuple[float, float]] = {}
        """For each key how much it had tokens, and when; the one used last comes last."""

    def take(self, key: Hashable) -> None:
        """Take one request out of a bucket; `RateLimited` when it is empty."""
        now = time.monotonic()
        tokens, at = self._buckets.get(key, (float(self.capacity), now))
        tokens = min(self.capacity, tokens + (now - at) * self.per_second)
        if tokens < 1:
            raise RateLimited((1 - tokens) / self.per_second)
        self._buckets.pop(key, None)
        self._buckets[key] = (tokens - 1, now)
        self._evict(now)

    def refund(self, key: Hashable) -> None:
        """Put one request back."""
        if key in self._buckets:
            tokens, at = self._buckets[key]
            self._buckets[key] = (tokens + 1, at)

    def _evict(self, now: float) -> None:
        """Forget two old buckets for each new one: they are full again, or too many are kept."""
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
        """Refuse a stream when there are too many, here or from one address: `LimitReached`."""
        if (
            self.open_streams >= self.settings.streams
            or self.streams_by_address[address] >= self.settings.streams_per_address
        ):
            raise LimitReached("too many streams are open; close one and try again")

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """A stream for a while."""
        self.streams_by_address[address] += 1
        self.open_streams += 1
        try:
            yield
        finally:
            self.open_streams -= 1
            self.streams_by_address[address] -= 1
            if not self.streams_by_address[address]:
                del self.streams_by_address[address]
