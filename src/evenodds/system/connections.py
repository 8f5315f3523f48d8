"""Limits on open connections by address; an idle one is closed to make room.

Where there is no room, the connection that has waited longest without a request gives way.
"""

from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, Protocol

from evenodds.system.network import network_of
from evenodds.system.text import brief

try:
    import resource
except ImportError:  # not every system limits files like this
    resource = None  # type: ignore[assignment]

Network = IPv4Network | IPv6Network

MAX_OPEN_FILES: Final = 65_536
"""Files that a server asks the system for."""


class BadProxy(ValueError):
    """What is no address of a proxy."""


class Bounds(NamedTuple):
    """What connections may take."""

    connections_per_address: int
    head_bytes: int
    """The largest request without its body."""
    request_seconds: float
    """How long a request may take to arrive, its body included."""


class Files(NamedTuple):
    """How the files that a process may open are shared out."""

    connections: int
    backlog: int
    """Connections that wait to be accepted, and are then all accepted at once: fewer than are in
    reserve, so that the database and the pages always find a file left."""


def shared_out() -> Files:
    """Ask the system for as many files as it gives, and keep some in reserve."""
    if resource is None:  # pragma: no cover - Windows
        return Files(MAX_OPEN_FILES, 2048)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else min(soft, MAX_OPEN_FILES)
    reserve = min(4096, files // 3)
    return Files(files - reserve, reserve // 2)


def proxy_networks(texts: Iterable[str]) -> list[Network]:
    """Addresses or networks of proxies; `BadProxy` in one line."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text))
        except ValueError:
            allowed = "allowed: an address such as 10.0.0.2, or a network such as 10.0.0.0/24"
            raise BadProxy(f"--proxy {brief(text)} is no address; {allowed}") from None
    return found


class Connection(Protocol):
    """A connection that can be closed for another's sake."""

    def give_way(self) -> None:
        """Make room for somebody else."""


class Connections:
    """All connections of a process, counted by address."""

    def __init__(self, bounds: Bounds, most: int, proxies: Iterable[Network] = ()) -> None:
        self.bounds = bounds
        self._most = most
        self._proxies = list(proxies)
        self._open: dict[Connection, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[str, dict[Connection, None]] = {}
        """Those without a request, the oldest first, by address; `""` has all of them."""

    def enter(self, connection: Connection, address: str) -> bool:
        """Count a new connection; False where there is no room, even if others give way."""
        network = "proxy" if self._is_proxy(address) else network_of(address)
        limit = self._most if network == "proxy" else self.bounds.connections_per_address
        for count, most, waiting in (
            (self._counts[network], limit, self._waiting.get(network)),
            (len(self._open), self._most, self._waiting.get("")),
        ):
            if count >= most:
                if not waiting:
                    return False
                next(iter(waiting)).give_way()
        self._open[connection] = network
        self._counts[network] += 1
        self.wait(connection)
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        self.serve(connection)
        network = self._open.pop(connection, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    def wait(self, connection: Connection) -> None:
        """A connection has no request that is whole."""
        if connection in self._open:
            for key in ("", self._open[connection]):
                self._waiting.setdefault(key, {})[connection] = None

    def serve(self, connection: Connection) -> None:
        """A connection has one, and gives way to nobody."""
        for key in ("", self._open.get(connection, "")):
            waiting = self._waiting.get(key)
            if waiting is not None and connection in waiting:
                del waiting[connection]
                if not waiting:
                    del self._waiting[key]

    def _is_proxy(self, address: str) -> bool:
        """Whether a proxy is trusted, which then has its own limits by address."""
        if not self._proxies:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)
