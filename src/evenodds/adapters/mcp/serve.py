"""The MCP server process: over standard input and output, or over HTTP."""

import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from evenodds.adapters.mcp.tools import ToolServer
from evenodds.system.network import listen

if TYPE_CHECKING:
    from starlette.applications import Starlette

LOOPBACK_ADDRESS: Final = "127.0.0.1"
BACKLOG: Final = 128
"""Connections that may wait to be accepted."""


def run_stdio() -> None:
    """Serve the parent process until standard input ends.

    Ctrl-C ends the process at once: the thread blocked in reading a line cannot be interrupted.
    """
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    ToolServer().run("stdio")


def run_http(port: int, say: Callable[[str], None]) -> None:
    """Serve this machine over HTTP until interrupted."""
    with listen(LOOPBACK_ADDRESS, port, BACKLOG) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(http_app(port), log_level="error", timeout_graceful_shutdown=1)
        say(f"Even Odds speaks MCP at http://{LOOPBACK_ADDRESS}:{port}/mcp (Ctrl-C stops it)")
        uvicorn.Server(config).run(sockets=[listener])


def http_app(port: int) -> "Starlette":
    """The application that the library serves.

    A request must name this machine and port, and pages of other servers may not call: no page can
    use these tools, whatever its name leads to.
    """
    hosts = [f"{LOOPBACK_ADDRESS}:{port}", f"localhost:{port}"]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    return ToolServer().streamable_http_app(transport_security=security)
