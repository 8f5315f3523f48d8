"""Network helpers: listening sockets, host names, origins, reasons of failed connections."""

import re
import ssl
from contextlib import suppress
from functools import lru_cache
from socket import (
    AF_INET,
    AF_INET6,
    SOCK_DGRAM,
    create_server,
    gethostname,
    has_dualstack_ipv6,
    socket,
)
from typing import Final

from evenodds.system.errors import EvenOddsError
from evenodds.system.text import sanitized, shorten

HOST_PATTERN: Final = re.compile(r"[A-Za-z0-9_.:-]{1,253}")
"""The form of a host name or address."""
NOT_TLS_REASONS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
"""Reasons that OpenSSL gives when the server does not speak TLS."""


class CannotListen(EvenOddsError, OSError):
    """An address that cannot be listened on."""


def listen(host: str, port: int, backlog: int) -> socket:
    """A listening socket; `CannotListen` in one line. On all of IPv6 it takes IPv4, too."""
    try:
        six = ":" in host
        both = six and _is_unspecified(host) and has_dualstack_ipv6()
        return create_server(
            (host, port),
            family=AF_INET6 if six else AF_INET,
            backlog=backlog,
            dualstack_ipv6=both,
        )
    except (OSError, UnicodeError) as error:
        why = str(getattr(error, "strerror", None) or error).partition(" (while ")[0]
        raise CannotListen(f"{host} port {port} cannot be used: {why}") from None


def origin(scheme: str, host: str, port: int | None) -> str:
    """The origin of a URL: scheme, host and port."""
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}" + (f":{port}" if port is not None else "")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    import ipaddress

    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def unmapped(address: str) -> str:
    """An address of IPv4 in its own form, where it has come by a socket of IPv6."""
    return address.removeprefix("::ffff:") if "." in address else address


@lru_cache(4096)  # a server asks for each request
def network_of(address: str) -> str:
    """The unit of rate limits for an address: of IPv6 the /64, which one customer has."""
    import ipaddress

    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.IPv6Network((found.packed[:8] + bytes(8), 64)))


def host_name(header: str) -> str:
    """The name in a Host header, without the port."""
    return re.sub(r":\d*$", "", header).lower().rstrip(".")


def own_host_names() -> frozenset[str]:
    """The names of this machine on its network."""
    name = gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local"})


@lru_cache(64)  # few, for a header may be large
def is_known_host(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header has an IP address or a known name: against DNS rebinding.

    The owner of a domain can resolve it to any address, and so let pages of that domain send
    requests to a server in the visitor's network; with an IP address that is not possible.
    """
    import ipaddress

    name = host_name(header)
    if name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def address_for_others(host: str) -> str:
    """The address under which others reach a listening one; for 0.0.0.0 that of this machine.

    Of one that takes both kinds it is that of IPv4, which everybody has.
    """
    if not _is_unspecified(host):
        return host
    six = ":" in host
    families = [(AF_INET6, "2001:db8::1")] if six else []
    if not six or has_dualstack_ipv6():
        families.insert(0, (AF_INET, "192.0.2.1"))
    for family, elsewhere in families:
        with socket(family, SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((elsewhere, 9))  # no packet is sent
            return str(probe.getsockname()[0])
    return "::1" if six else "127.0.0.1"


def _is_unspecified(host: str) -> bool:
    """Whether a host stands for all addresses."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


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
