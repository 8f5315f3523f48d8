"""The endpoint of a language model, `MODEL@BASE_URL`, and its API key."""

import os
import re
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from evenodds.players.player import CannotPlay
from evenodds.system.network import HOST_PATTERN, is_loopback, origin
from evenodds.system.text import shorten

KEY_SETTING: Final = "EVENODDS_LLM_KEY"
"""The environment variable with the API key; empty for no key."""
OPENAI_KEY_SETTING: Final = "OPENAI_API_KEY"
OPENAI_HOST: Final = "api.openai.com"
"""The only host that gets the key of OPENAI_API_KEY."""

ENDPOINT_PATTERN: Final = "llm:MODEL@https://HOST/v1"
_MODEL: Final = re.compile(r"[!-~]{1,100}")
_PATH: Final = re.compile(r"[A-Za-z0-9._~/-]*")
_KEY: Final = re.compile(r"[A-Za-z0-9._~+/=:|-]{1,1000}")
REDACTED_KEY: Final = "[key]"
"""The replacement of a key in logs and messages."""


class Endpoint(NamedTuple):
    """A model, the base URL of its service, and the key, which `repr` does not show."""

    model: str
    scheme: str
    host: str
    port: int | None
    path: str
    key: str = ""

    @property
    def origin(self) -> str:
        """Scheme, host and port, as errors name the service."""
        return origin(self.scheme, self.host, self.port)

    @property
    def socket_address(self) -> tuple[str, int]:
        """Host and port; without a port, the default of the scheme."""
        return self.host, self.port or (443 if self.scheme == "https" else 80)

    def scrubbed(self, value: Any) -> Any:
        """Any text, or data with texts, without the key."""
        if isinstance(value, str):
            return value.replace(self.key, REDACTED_KEY) if self.key else value
        if isinstance(value, list):
            return [self.scrubbed(one) for one in value]
        if isinstance(value, dict):
            return {self.scrubbed(key): self.scrubbed(one) for key, one in value.items()}
        return value

    def __repr__(self) -> str:
        return f"<Endpoint {self.model} at {self.origin}{self.path}>"


def parse_endpoint(detail: str) -> Endpoint:
    """Parse what follows `llm:`; `CannotPlay` in one line."""
    model, _, url = detail.rpartition("@")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _refusal(detail) from None
    fits = (
        _MODEL.fullmatch(model)
        and parts.scheme in ("http", "https")
        and HOST_PATTERN.fullmatch(host)
        and _PATH.fullmatch(parts.path)
        and not parts.query
        and not parts.fragment
    )
    if not fits:
        raise _refusal(detail)
    return Endpoint(model, parts.scheme, host, port, parts.path.rstrip("/"))


def _refusal(detail: str) -> CannotPlay:
    """The error for a bad endpoint; it does not quote one that may hold a password."""
    said = "" if "?" in detail or detail.count("@") > 1 else f"{shorten(f'llm:{detail}', 60)} "
    return CannotPlay(f"{said}is not allowed; allowed: {ENDPOINT_PATTERN}".removeprefix(" "))


def with_key(found: Endpoint) -> Endpoint:
    """The endpoint with the user's key, if any; `CannotPlay` where it would go out in clear."""
    name = KEY_SETTING
    if KEY_SETTING not in os.environ and found.host == OPENAI_HOST:
        name = OPENAI_KEY_SETTING
    key = os.environ.get(name, "").strip()
    if not key:
        return found
    if not _KEY.fullmatch(key):
        raise CannotPlay(f"{name} is not a key: it has spaces or other characters that no key has")
    if found.scheme == "http" and not is_loopback(found.host):
        raise CannotPlay(
            f"{found.origin} is not encrypted, so others could read your key; "
            f"use https, or an empty {KEY_SETTING}"
        )
    return found._replace(key=key)
