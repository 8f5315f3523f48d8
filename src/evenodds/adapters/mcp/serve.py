"""The MCP server process: over standard input and output, or over HTTP."""

import inspect
import os
import re
import signal
from collections.abc import Callable
from functools import partial
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from evenodds.adapters.mcp.auth import AuthMiddleware
from evenodds.adapters.mcp.tools import ToolServer
from evenodds.system.http.connection_limits import (
    KEEP_ALIVE_S,
    ConnectionLimits,
    Connections,
    connection_cap,
)
from evenodds.system.http.protocol import BoundedProtocol
from evenodds.system.network import address_for_others, is_loopback, listen, origin

TOKEN_SETTING: Final = "EVENODDS_MCP_TOKEN"
"""The environment variable with the bearer token of HTTP clients."""
_BEARER_TOKEN_PATTERN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{16,1000}")
MCP_PATH: Final = "/mcp"
MAX_REQUEST_BYTES: Final = 64 << 10
"""More than any call needs."""
CONNECTION_BOUNDS: Final = ConnectionLimits(
    connections_per_address=100, head_bytes=32 << 10, request_seconds=15
)
MAX_SESSIONS: Final = 64


class NoToken(ValueError):
    """The token is missing or malformed."""


class NoSessionLimit(ValueError):
    """The installed `mcp` cannot limit how many sessions others open."""


def run_stdio() -> None:
    """Serve the parent process until standard input ends.

    Ctrl-C ends the process at once: the thread blocked in reading a line cannot be interrupted.
    """
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    ToolServer().run("stdio")


def run_http(host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve over HTTP until interrupted; `NoToken` and the like before anything is served."""
    token = _token(host)
    if "max_sessions" not in inspect.signature(ToolServer.streamable_http_app).parameters:
        raise NoSessionLimit('--http needs mcp 2.3 or newer; add it with: pip install "mcp>=2.3"')
    most = connection_cap()
    with listen(host, port, most // 4) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(
            authenticated_app(token, _allowed_hosts(host, port)),
            http=partial(BoundedProtocol, Connections(CONNECTION_BOUNDS, most)),  # type: ignore[arg-type]
            timeout_keep_alive=KEEP_ALIVE_S,
            backlog=most // 4,
            log_level="error",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        base_url = origin("http", address_for_others(host), port)
        say(f"Even Odds speaks MCP at {base_url}{MCP_PATH} (Ctrl-C stops it)")
        uvicorn.Server(config).run(sockets=[listener])


def authenticated_app(token: str, names: frozenset[str]) -> AuthMiddleware:
    """The MCP application behind `AuthMiddleware`, which does the host and origin checks."""
    app = ToolServer().streamable_http_app(
        streamable_http_path=MCP_PATH,
        max_request_body_size=MAX_REQUEST_BYTES,
        max_sessions=MAX_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return AuthMiddleware(app, names, token)


def _token(host: str) -> str:
    """The token; `NoToken` where others can reach the address and none is set."""
    token = os.environ.get(TOKEN_SETTING, "").strip()
    if token and not _BEARER_TOKEN_PATTERN.fullmatch(token):
        raise NoToken(
            f"{TOKEN_SETTING} is not a token; allowed: 16 letters, digits or .-_~+/= and more"
        )
    if not token and not is_loopback(host):
        raise NoToken(f"others can reach {host}: put a token into {TOKEN_SETTING} first")
    return token


def _allowed_hosts(host: str, port: int) -> frozenset[str]:
    """The Host headers allowed on a loopback address; elsewhere any, since a token is required."""
    if not is_loopback(host):
        return frozenset()
    hosts = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host}
    return frozenset(f"{one}:{port}" for one in hosts) | (hosts if port == 80 else set())
