"""The MCP server: over standard input and output, or over HTTP."""

import os
import signal
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError
from starlette.applications import Starlette

from evenodds.adapters.mcp.tool_matches import ToolMatchRegistry
from evenodds.adapters.mcp.tools import Tools
from evenodds.figures import join_words
from evenodds.system import EvenOddsError, __version__
from evenodds.system.files import data_folder
from evenodds.system.network import listen
from evenodds.system.text import shorten

INSTRUCTIONS: Final = (
    "Even Odds: two-player number games, played against a computer. list_games first, read_rules "
    "for the game you choose, then open_match and pick one of `legal` until there is a result. "
    "Where both pick at once, your opponent's pick is shown only when yours is in. review_match "
    "tells afterwards what every pick gave away, exactly."
)
UNION_BRANCH_NAMES: Final = ("int", "str")
"""Names of union branches in pydantic's error locations, which are not shown."""
MATCHES_FILE: Final = "mcp.json"
LOOPBACK_ADDRESS: Final = "127.0.0.1"


class ToolServer(MCPServer[Any]):
    """The MCP server with our tools; an invalid call is answered with one line."""

    def __init__(self, tools: Tools | None = None) -> None:
        tools = tools or Tools(ToolMatchRegistry(file=data_folder() / MATCHES_FILE))
        super().__init__(
            "evenodds",
            title="Even Odds",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="ERROR",
        )
        for tool in tools.offered():
            self.add_tool(tool)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; an invalid call raises `ToolError` with one line."""
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in schemas:
            known = join_words([*schemas])
            raise ToolError(f'there is no tool "{shorten(name)}"; there are {known}')
        parameters = schemas[name]["properties"]
        unknown = [key for key in arguments if key not in parameters]
        if unknown:
            allowed = ", ".join(parameters) or "none"
            raise ToolError(f"{shorten(unknown[0])}: there is no such argument; allowed: {allowed}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, EvenOddsError | ValidationError | None):
                raise ToolError(_call_error_message(error)) from None
            error.args = (f"Error executing tool {name}",)  # mcp before 2.3 would tell the cause
            raise


def _call_error_message(error: ToolError) -> str:
    """What is wrong with a call, without the text that the library adds."""
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return str(cause or error)
    first = cause.errors()[0]
    place = ".".join(str(part) for part in first["loc"][:2] if part not in UNION_BRANCH_NAMES)
    given = "" if first["type"] == "missing" else f"={shorten(repr(first['input']))}"
    return f"{place}{given}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def run_stdio() -> None:
    """Serve the parent process until standard input ends.

    Ctrl-C ends the process at once: the thread blocked in reading a line cannot be interrupted.
    """
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    ToolServer().run("stdio")


def run_http(port: int, say: Callable[[str], None]) -> None:
    """Serve this machine over HTTP until interrupted."""
    with listen(LOOPBACK_ADDRESS, port, backlog=128) as listener:
        port = listener.getsockname()[1]
        config = uvicorn.Config(http_app(port), log_level="error", timeout_graceful_shutdown=1)
        say(f"Even Odds speaks MCP at http://{LOOPBACK_ADDRESS}:{port}/mcp (Ctrl-C stops it)")
        uvicorn.Server(config).run(sockets=[listener])


def http_app(port: int) -> Starlette:
    """The application that the library serves.

    A request must name this machine and port, and pages of other servers may not call: no page can
    use these tools, whatever its name leads to.
    """
    hosts = [f"{LOOPBACK_ADDRESS}:{port}", f"localhost:{port}"]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    return ToolServer().streamable_http_app(transport_security=security)
