"""Links to matches on a server, and addresses of servers: parsing and validation."""

import re
from typing import Final, NamedTuple, TypeGuard
from urllib.parse import urlsplit

from evenodds.system import InvalidInput
from evenodds.system.network import HOST_PATTERN, origin
from evenodds.system.text import shorten

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PATH: Final = re.compile(rf"/match/({_IDENTIFIER.pattern})/?")


class BadAddress(InvalidInput, ValueError):
    """An address at which no match can be."""


class Address(NamedTuple):
    """A match on a server, and the invitation to it if the link holds one."""

    origin: str
    """Scheme, host and port of the server."""
    match: str
    invitation: str = ""

    @property
    def link(self) -> str:
        """The link to the match, without the invitation, which is secret."""
        return f"{self.origin}/match/{self.match}"

    @property
    def api_path(self) -> str:
        """The path of the match in the server's HTTP API."""
        return f"/api/matches/{self.match}"


def address(link: str) -> Address:
    """The address in a link, or `BadAddress` in one line."""
    try:
        parts = urlsplit(link.strip())
        host, path = parts.hostname or "", _PATH.fullmatch(parts.path)
        if (
            path
            and parts.scheme in ("http", "https")
            and HOST_PATTERN.fullmatch(host)
            and "@" not in parts.netloc
            and not parts.query
            and (not parts.fragment or is_identifier(parts.fragment))
        ):
            server = origin(parts.scheme, host, parts.port)
            return Address(server, path[1], parts.fragment)
    except ValueError:  # of brackets, or a port
        pass
    shown = shorten(link.partition("#")[0], 60)
    raise BadAddress(f'"{shown}" is no link to a match; it looks like http://HOST/match/ID')


def server_address(typed: str) -> Address:
    """The address of a server, or `BadAddress` in one line; `http://` need not be typed."""
    typed = typed.strip() if "://" in typed else f"http://{typed.strip()}"
    try:
        where = urlsplit(typed)
        return address(f"{where.scheme}://{where.netloc}/match/new")
    except ValueError:  # also a `BadAddress`
        shown = shorten(typed, 60)
        raise BadAddress(f'"{shown}" is no server; it looks like http://HOST:8000') from None


def is_identifier(text: str | None) -> TypeGuard[str]:
    """Whether a text can be the id of a match, a token or an invitation."""
    return _IDENTIFIER.fullmatch(text or "") is not None
