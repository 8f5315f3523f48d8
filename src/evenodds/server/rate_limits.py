"""Rate limits (token buckets by key), and limits on open streams and connections."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from evenodds.server.settings import Settings


class LimitReached(Exception):
    """A limit of the server is reached."""


class RateLimited(Exception):
    """A bucket is empty; in `retry_after_s` seconds it has a token again."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__("too many requests; wait a moment")
        self.retry_after_s = retry_after_s


@dataclass(eq=False)
class TokenBuckets:
    """Token buckets by key."""

    per_second: float
    capacity: int
    max_buckets: int = 20_000
    """Buckets in memory; beyond that the least recently used are dropped."""
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[Hashable, tuple[float, float]] = field(default_factory=dict)
    """For each key its tokens and when they were counted; the most recently used last."""

    def take(self, key: Hashable) -> None:
        """Take one token; `RateLimited` where there is none."""
        now = self.clock()
        tokens, at = self._buckets.get(key, (float(self.capacity), now))
        tokens = min(self.capacity, tokens + (now - at) * self.per_second)
        if tokens < 1:
            raise RateLimited((1 - tokens) / self.per_second)
        self._buckets.pop(key, None)
        self._buckets[key] = (tokens - 1, now)
        if len(self._buckets) > self.max_buckets:
            del self._buckets[next(iter(self._buckets))]


class SharedPlaces:
    """Places for streams or connections that all addresses share, so many of them each.

    Where no place is left, the oldest of the address that has most gives way to a new one.
    """

    def __init__(self, most: int, per_address: int) -> None:
        self.most = most
        self.per_address = per_address
        self.taken = 0
        self._held: dict[str, dict[Callable[[], None], None]] = {}
        """For each address what ends those it has, the oldest first."""

    def refuse(self, address: str) -> bool:
        """Whether an address has enough, or nobody can give way to its first."""
        own = len(self._held.get(address, ()))
        is_full = self.taken >= self.most and max(map(len, self._held.values())) == 1
        return own >= self.per_address or (is_full and own == 0)

    def take(self, address: str, end: Callable[[], None]) -> None:
        """Take a place; `end` is called where it must give way, and holds none any more."""
        self._held.setdefault(address, {})[end] = None
        self.taken += 1
        if self.taken > self.most:
            _, _, greediest = max(
                (len(held), each == address, each) for each, held in self._held.items()
            )
            oldest = next(iter(self._held[greediest]))
            self.leave(greediest, oldest)
            oldest()

    def leave(self, address: str, end: Callable[[], None]) -> None:
        """Leave a place, unless it was left before."""
        held = self._held.get(address, {})
        if end in held:
            del held[end]
            self.taken -= 1
            if not held:
                del self._held[address]


class ServerLimits:
    """The limits of one process, by address and by seat."""

    def __init__(self, settings: Settings) -> None:
        self.requests = TokenBuckets(settings.requests_per_second, settings.requests_at_once)
        self.picks = TokenBuckets(settings.picks_per_second, settings.picks_at_once)
        self.streams = SharedPlaces(settings.streams, settings.streams_per_address)
