"""Network helpers: listening sockets, host names, origins, reasons of failed connections."""

import re
import ssl
from contextlib import suppress
from http.client import HTTP_PORT, HTTPS_PORT, HTTPConnection, HTTPSConnection
from socket import AF_INET, AF_INET6, SOCK_DGRAM, create_server, gethostname, socket
from typing import Final

from evenodds.system.text import brief, plain

HOST: Final = re.compile(r"[A-Za-z0-9_.:-]{1,253}")
"""What a machine may be called."""
NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")
"""How OpenSSL says that the other end speaks plainly."""


class CannotListen(OSError):
    """An address that cannot be listened on."""


def listen(host: str, port: int, backlog: int) -> socket:
    """Listen on an address; `CannotListen` says in one line why that cannot be."""
    try:
        return create_server(
            (host, port), family=AF_INET6 if ":" in host else AF_INET, backlog=backlog
        )
    except (OSError, UnicodeError) as error:
        why = str(getattr(error, "strerror", None) or error).partition(" (while ")[0]
        raise CannotListen(f"{host} port {port} cannot be used: {why}") from None


def connection(
    scheme: str, host: str, port: int | None, seconds: float, tls: ssl.SSLContext | None = None
) -> HTTPConnection:
    """A connection that is not open yet; without a port, to the usual one of its scheme.

    The port is always named: from the address `::1` alone the library would take one.
    """
    if scheme == "http":
        return HTTPConnection(host, port or HTTP_PORT, timeout=seconds)
    return HTTPSConnection(host, port or HTTPS_PORT, timeout=seconds, context=tls)


def origin(scheme: str, host: str, port: int | None) -> str:
    """The machine and its port as addresses name them."""
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}" + (f":{port}" if port is not None else "")


def is_this_machine(host: str) -> bool:
    """Whether what is sent to a host never leaves this machine."""
    import ipaddress

    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def network_of(address: str) -> str:
    """What an address is counted as: of IPv6 its /64, all of which is one customer's."""
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


def own_names() -> frozenset[str]:
    """What this machine is called on its network."""
    name = gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local"})


def is_known_host(header: str, names: frozenset[str]) -> bool:
    """Whether somebody calls by an address or by a known name, and not by one made to lead here.

    Whoever owns a name can let it lead to any address, and so let their pages speak to a server
    that only its visitors reach; with a plain address that cannot be done.
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


def reachable_from(host: str) -> str:
    """The address to tell others for one that is listened on: that of this machine, if all are."""
    import ipaddress

    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if not everywhere:
        return host
    six = ":" in host
    with socket(AF_INET6 if six else AF_INET, SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("2001:db8::1" if six else "192.0.2.1", 9))  # no packet is sent
        return str(probe.getsockname()[0])
    return "::1" if six else "127.0.0.1"


def speaks_plainly(error: Exception) -> bool:
    """Whether https was tried where only http is spoken."""
    return isinstance(error, ssl.SSLError) and error.reason in NOT_TLS


def connection_failure_reason(error: OSError) -> str:
    """Why a machine cannot be reached, in a few words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return brief(plain(error.verify_message), 80)
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return brief(plain(error.strerror or ""), 80) or "the connection was closed"
