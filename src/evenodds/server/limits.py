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
    """Somebody asks too often; `wait` is how many seconds they should wait."""

    def __init__(self, wait: float) -> None:
        super().__init__("too many requests; wait a moment")
        self.wait = wait


class TokenBuckets:
    """For each key a bucket of requests, which fills up again at a steady pace."""

    def __init__(self, pace: float, size: int) -> None:
        self.pace = pace
        self.size = size
        self._kept: dict[Hashable, tuple[float, float]] = {}
        """For each key how much it had left, and when; the one used last comes last."""

    def take(self, key: Hashable) -> None:
        """Take one request out of a bucket; `RateLimited` when it is empty."""
        now = time.monotonic()
        left, at = self._kept.get(key, (float(self.size), now))
        left = min(self.size, left + (now - at) * self.pace)
        if left < 1:
            raise RateLimited((1 - left) / self.pace)
        self._kept.pop(key, None)
        self._kept[key] = (left - 1, now)
        self._tidy(now)

    def give(self, key: Hashable) -> None:
        """Put one request back."""
        if key in self._kept:
            left, at = self._kept[key]
            self._kept[key] = (left + 1, at)

    def _tidy(self, now: float) -> None:
        """Forget two old buckets for each new one: they are full again, or too many are kept."""
        for _ in range(2):
            oldest = next(iter(self._kept))
            if (
                now - self._kept[oldest][1] < self.size / self.pace
                and len(self._kept) <= MAX_BUCKETS
            ):
                return
            del self._kept[oldest]


class ServerLimits:
    """The limits of one process, by address and by seat."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests = TokenBuckets(settings.requests_per_second, settings.requests_at_once)
        self.picks = TokenBuckets(settings.picks_per_second, settings.picks_at_once)
        self.streams: Counter[str] = Counter()
        self.all_streams = 0

    def check_stream(self, address: str) -> None:
        """Refuse a stream when there are too many, here or from one address: `LimitReached`."""
        if (
            self.all_streams >= self.settings.streams
            or self.streams[address] >= self.settings.streams_per_address
        ):
            raise LimitReached("too many streams are open; close one and try again")

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """A stream for a while."""
        self.streams[address] += 1
        self.all_streams += 1
        try:
            yield
        finally:
            self.all_streams -= 1
            self.streams[address] -= 1
            if not self.streams[address]:
                del self.streams[address]
