"""Rate limits (token buckets by key) and limits on open streams."""

import time
from collections.abc import Callable, Hashable, Iterator
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

    def __init__(
        self,
        per_second: float,
        capacity: int,
        max_buckets: int = MAX_BUCKETS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.per_second = per_second
        self.capacity = capacity
        self._max_buckets = max_buckets
        self._clock = clock
        self._buckets: dict[Hashable, tuple[float, float]] = {}
        """For each key its tokens and when they were counted; the most recently used last."""

    def take(self, key: Hashable) -> None:
        """Take one token; `RateLimited` where there is none."""
        now = self._clock()
        tokens, at = self._buckets.get(key, (float(self.capacity), now))
        tokens = min(self.capacity, tokens + (now - at) * self.per_second)
        if tokens < 1:
            raise RateLimited((1 - tokens) / self.per_second)
        self._buckets.pop(key, None)
        self._buckets[key] = (tokens - 1, now)
        self._evict(now)

    def _evict(self, now: float) -> None:
        """Drop up to two buckets that are full again, or beyond the limit.

        Two at each call, which adds one at most: so the number shrinks, and no call takes long.
        """
        for _ in range(2):
            oldest = next(iter(self._buckets))
            if (
                now - self._buckets[oldest][1] < self.capacity / self.per_second
                and len(self._buckets) <= self._max_buckets
            ):
                return
            del self._buckets[oldest]


class ServerLimits:
    """The limits of one process, by address and by seat."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests = TokenBuckets(settings.requests_per_second, settings.requests_at_once)
        self.picks = TokenBuckets(settings.picks_per_second, settings.picks_at_once)
        self.open_streams = 0
        self._streams: dict[str, dict[Callable[[], None], None]] = {}
        """For each address what ends its streams, the oldest first."""

    def check_stream(self, address: str) -> None:
        """`LimitReached` where an address has too many streams, or no other can give way."""
        own = len(self._streams.get(address, ()))
        if own >= self.settings.streams_per_address or (
            self.open_streams >= self.settings.streams
            and own == 0
            and max(map(len, self._streams.values())) == 1
        ):
            raise LimitReached("too many streams are open; close one and try again")

    @contextmanager
    def stream(self, address: str, end: Callable[[], None]) -> Iterator[None]:
        """Count a stream while the `with` block runs.

        `end` is called where it must give way to a new one: the oldest of the address that has
        most. It counts no longer then.
        """
        self._streams.setdefault(address, {})[end] = None
        self.open_streams += 1
        if self.open_streams > self.settings.streams:
            _, _, greediest = max(
                (len(streams), each == address, each) for each, streams in self._streams.items()
            )
            oldest = next(iter(self._streams[greediest]))
            self._remove_stream(greediest, oldest)
            oldest()
        try:
            yield
        finally:
            self._remove_stream(address, end)

    def _remove_stream(self, address: str, end: Callable[[], None]) -> None:
        streams = self._streams.get(address, {})
        if end in streams:
            del streams[end]
            self.open_streams -= 1
            if not streams:
                del self._streams[address]
