"""Limits on open connections by address; an idle one is closed to make room.

At a limit, the connection that has been idle longest is closed in favour of a new one.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, Protocol

from evenodds.system.network import network_of
from evenodds.system.shared_timer import SharedTimer
from evenodds.system.text import shorten

Network = IPv4Network | IPv6Network

KEEP_ALIVE_S: Final = 75
"""Seconds that an idle connection stays open, for the next pick."""
MAX_OPEN_FILES: Final = 65_536
"""File descriptors that a server asks the system for."""


class BadProxy(ValueError):
    """A text that is no address of a proxy."""


class ConnectionLimits(NamedTuple):
    """Limits of HTTP connections."""

    connections_per_address: int
    head_bytes: int
    """The largest request without its body."""
    request_seconds: float
    """Time for a request to arrive, its body included."""


class DescriptorBudget(NamedTuple):
    """How the file descriptors of a process are divided."""

    connections: int
    backlog: int
    """Connections that wait to be accepted. They are accepted all at once, beyond the limit, so
    they are fewer than the reserve, which is for the database and static files."""


def descriptor_budget() -> DescriptorBudget:
    """Raise the limit on file descriptors as far as possible, and keep some in reserve."""
    if sys.platform == "win32":
        return DescriptorBudget(MAX_OPEN_FILES, 2048)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else min(soft, MAX_OPEN_FILES)
    reserve = min(4096, files // 3)
    return DescriptorBudget(files - reserve, reserve // 2)


def proxy_networks(texts: Iterable[str]) -> list[Network]:
    """Addresses or networks of proxies; `BadProxy` in one line."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text))
        except ValueError:
            allowed = "allowed: an address such as 10.0.0.2, or a network such as 10.0.0.0/24"
            raise BadProxy(f"--proxy {shorten(text)} is not an address; {allowed}") from None
    return found


class Connection(Protocol):
    """A connection that can be closed in favour of another."""

    def close_now(self) -> None:
        """Close the connection at once."""


class Connections:
    """All connections of a process, counted by address.

    Used from the event loop only, so there are no locks.
    """

    def __init__(
        self, limits: ConnectionLimits, most: int, proxies: Iterable[Network] = ()
    ) -> None:
        self.limits = limits
        self.keep_alive = SharedTimer(KEEP_ALIVE_S)
        self._most = most
        self._proxies = list(proxies)
        self._open: dict[Connection, str] = {}
        self._counts: Counter[str] = Counter()
        self._idle: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        """Idle connections by address, the longest idle first; `""` has all of them."""

    def add(self, connection: Connection, address: str) -> bool:
        """Add a connection, closing an idle one at a limit; False where there is none to close."""
        network = "proxy" if self._is_proxy(address) else network_of(address)
        limit = self._most if network == "proxy" else self.limits.connections_per_address
        for count, most, idle in (
            (self._counts[network], limit, self._idle.get(network)),
            (len(self._open), self._most, self._idle.get("")),
        ):
            if count >= most:
                if not idle:
                    return False
                next(iter(idle)).close_now()
        self._open[connection] = network
        self._counts[network] += 1
        self.mark_idle(connection)
        return True

    def remove(self, connection: Connection) -> None:
        """Remove a connection."""
        self.mark_busy(connection)
        network = self._open.pop(connection, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]
                self._idle.pop(network, None)

    def mark_idle(self, connection: Connection) -> None:
        """Mark a connection as idle: it has no complete request."""
        network = self._open.get(connection)
        if network is not None:
            self._idle[""][connection] = None
            self._idle[network][connection] = None

    def mark_busy(self, connection: Connection) -> None:
        """Mark a connection as busy: it is not closed in favour of another."""
        network = self._open.get(connection)
        if network is not None:
            self._idle[""].pop(connection, None)
            self._idle[network].pop(connection, None)

    def _is_proxy(self, address: str) -> bool:
        """Whether an address is a trusted proxy, which has limits by address of its own."""
        if not self._proxies:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)
