"""Limits on open connections: by address, and one cap below the limit of open files."""

import sys
from collections import defaultdict
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, Protocol

from evenodds.system.errors import EvenOddsError
from evenodds.system.network import network_of
from evenodds.system.text import shorten

Network = IPv4Network | IPv6Network

KEEP_ALIVE_S: Final = 75
"""Seconds that an idle connection stays open, for the next pick."""
MAX_OPEN_FILES: Final = 65_536
"""File descriptors that a server asks the system for."""
PROXY: Final = "proxy"
"""Stands for all addresses of trusted proxies, which have limits by address of their own."""


class BadProxy(EvenOddsError, ValueError):
    """A text that is no address of a proxy."""


class ConnectionLimits(NamedTuple):
    """Limits of HTTP connections."""

    connections_per_address: int
    head_bytes: int
    """The largest request without its body."""
    request_seconds: float
    """Time for a request to arrive, its body included."""


def connection_cap() -> int:
    """Connections that a process may have, once its limit of open files is raised as far as it can.

    Two thirds of the files: the rest is for all else, and for those that are accepted all at once
    and then refused; a quarter as many may wait to be accepted.
    """
    files = MAX_OPEN_FILES
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY:
            files = min(hard, files)
        if soft != resource.RLIM_INFINITY:
            files = max(soft, files)
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return min(files, MAX_OPEN_FILES) * 2 // 3


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
        self.most = most
        self._proxies = list(proxies)
        self._networks: dict[Connection, str] = {}
        self._open: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        """Connections by network, the oldest first; those of trusted proxies under `PROXY`."""

    def add(self, connection: Connection, address: str) -> bool:
        """Add a connection; False where its address has enough, or none can give way to it.

        At the cap the oldest of the address that has most gives way.
        """
        network = PROXY if self._is_proxy(address) else network_of(address)
        own = len(self._open.get(network, ()))
        if network != PROXY and own >= self.limits.connections_per_address:
            return False
        if len(self._networks) >= self.most:
            counts = [
                (len(found), each == network, each)
                for each, found in self._open.items()
                if each != PROXY
            ]
            count, _, greediest = max(counts, default=(0, False, ""))
            if count < 2:
                return False
            next(iter(self._open[greediest])).close_now()
        self._networks[connection] = network
        self._open[network][connection] = None
        return True

    def remove(self, connection: Connection) -> None:
        """Remove a connection."""
        network = self._networks.pop(connection, None)
        if network is not None:
            del self._open[network][connection]
            if not self._open[network]:
                del self._open[network]

    def _is_proxy(self, address: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        if not self._proxies:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)
