"""Links to matches on a server: parsing and validation."""

import re
from typing import Final, NamedTuple
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

    scheme: str
    host: str
    port: int | None
    match: str
    invitation: str = ""

    @property
    def origin(self) -> str:
        """Scheme, host and port of the server."""
        return origin(self.scheme, self.host, self.port)

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
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadAddress(_refusal(link)) from None
    path = _PATH.fullmatch(parts.path)
    fits = (
        parts.scheme in ("http", "https")
        and HOST_PATTERN.fullmatch(host)
        and "@" not in parts.netloc
        and not parts.query
        and (not parts.fragment or is_identifier(parts.fragment))
    )
    if not fits or path is None:
        raise BadAddress(_refusal(link))
    return Address(parts.scheme, host, port, path[1], parts.fragment)


def is_identifier(text: str) -> bool:
    """Whether a text can be the id of a match, a token or an invitation."""
    return _IDENTIFIER.fullmatch(text) is not None


def _refusal(link: str) -> str:
    shown = shorten(link.partition("#")[0], 60)
    return f'"{shown}" is no link to a match; it looks like http://HOST/match/ID'
