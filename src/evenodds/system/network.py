"""Network helpers: listening sockets, host names, origins, reasons of failed connections."""

import re
import socket
import ssl
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from evenodds.system import EvenOddsError
from evenodds.system.text import sanitized, shorten

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

HOST_PATTERN: Final = re.compile(r"[A-Za-z0-9_.:-]{1,253}")
NOT_TLS_REASONS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
"""Reasons that OpenSSL gives when the server does not speak TLS."""


def _ip_address(text: str) -> "IPv4Address | IPv6Address | None":
    import ipaddress  # many commands need no network

    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def listen(host: str, port: int, backlog: int) -> socket.socket:
    """A listening socket; `EvenOddsError` in one line. On all of IPv6 it takes IPv4, too."""
    try:
        six = ":" in host
        both = six and _is_unspecified(host) and socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if six else socket.AF_INET
        return socket.create_server(
            (host, port), family=family, backlog=backlog, dualstack_ipv6=both
        )
    except (OSError, UnicodeError) as error:
        why = str(getattr(error, "strerror", None) or error).partition(" (while ")[0]
        raise EvenOddsError(f"{host} port {port} cannot be used: {why}") from None


def origin(scheme: str, host: str, port: int | None) -> str:
    """The origin of a URL: scheme, host and port."""
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}" + (f":{port}" if port is not None else "")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    address = _ip_address(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def unmapped(address: str) -> str:
    """An address of IPv4 in its own form, where it has come by a socket of IPv6."""
    return address.removeprefix("::ffff:") if "." in address else address


@lru_cache(4096)  # a server asks for each request
def network_of(address: str) -> str:
    """The unit of rate limits for an address: of IPv6 the /64, which one customer has."""
    found = _ip_address(address)
    if found is None or found.version == 4:
        return address
    from ipaddress import IPv6Network

    return str(found.ipv4_mapped or IPv6Network((found.packed[:8] + bytes(8), 64)))


def host_name(header: str) -> str:
    """The name in a Host header, without the port."""
    return re.sub(r":\d*$", "", header).lower().rstrip(".")


def own_host_names() -> frozenset[str]:
    """The names of this machine on its network."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local"})


@lru_cache(64)  # few, for a header may be large
def is_known_host(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header has an IP address or a known name: against DNS rebinding.

    The owner of a domain can resolve it to any address, and so let pages of that domain send
    requests to a server in the visitor's network; with an IP address that is not possible.
    """
    name = host_name(header)
    if name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    return _ip_address(name.removeprefix("[").removesuffix("]")) is not None


def address_for_others(host: str) -> str:
    """The address under which others reach a listening one; for 0.0.0.0 that of this machine.

    Of one that takes both kinds it is that of IPv4, which everybody has.
    """
    if not _is_unspecified(host):
        return host
    six = ":" in host
    families = [(socket.AF_INET6, "2001:db8::1")] if six else []
    if not six or socket.has_dualstack_ipv6():
        families.insert(0, (socket.AF_INET, "192.0.2.1"))
    for family, elsewhere in families:
        with socket.socket(family, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((elsewhere, 9))  # no packet is sent
            return str(probe.getsockname()[0])
    return "::1" if six else "127.0.0.1"


def _is_unspecified(host: str) -> bool:
    """Whether a host stands for all addresses."""
    address = _ip_address(host)
    return address is not None and address.is_unspecified


def is_plain_http(error: Exception) -> bool:
    """Whether TLS failed because the server speaks plain HTTP."""
    return isinstance(error, ssl.SSLError) and error.reason in NOT_TLS_REASONS


def connection_failure_reason(error: OSError) -> str:
    """Why a connection failed, in a few words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return shorten(sanitized(error.verify_message), 80)
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return shorten(sanitized(error.strerror or ""), 80) or "the connection was closed"
