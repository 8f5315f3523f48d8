"""Callers of the tools over MCP: in this process, over standard input, over HTTP.

It enters the adapter because registries and limits are handed in, which no command takes.
"""

import asyncio
import re
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evenodds.adapters.mcp import tool_matches
from tests.support.commands import surroundings
from tests.support.paths import COMMAND
from tests.support.waiting import TIMEOUT_S

if TYPE_CHECKING:  # where they are used: slow, and every worker reads this file
    from mcp import Client

    from evenodds.adapters.mcp.tools import ToolSolveQueue

T = TypeVar("T")


def run(talk: Callable[[], Awaitable[T]]) -> T:
    """Run a conversation in a thread of its own: a browser's tests leave a loop in this one."""

    async def bounded() -> T:
        async with asyncio.timeout(TIMEOUT_S):
            return await talk()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(bounded())).result()


class Caller:
    """Somebody who calls tools and remembers every answer."""

    def __init__(self, client: "Client") -> None:
        self.client = client
        self.answers: list[str] = []
        self.progress: list[tuple[float, float | None, str | None]] = []

    async def call(self, tool: str, **given: Any) -> dict[str, Any]:
        done = await self.client.call_tool(tool, given, progress_callback=self._told)
        self.answers.append(done.model_dump_json())
        assert not done.is_error, done.content
        found = done.structured_content
        assert isinstance(found, dict)
        return found

    async def refused(self, tool: str, **given: Any) -> str:
        done = await self.client.call_tool(tool, given)
        self.answers.append(done.model_dump_json())
        assert done.is_error
        (content,) = done.content
        text = str(getattr(content, "text", ""))
        assert text
        assert "\n" not in text
        return text

    async def play(self, seen: dict[str, Any]) -> dict[str, Any]:
        while seen["result"] is None:
            seen = await self.call("pick", match=seen["match"], number=seen["legal"][0])
        return seen

    async def _told(self, progress: float, total: float | None, message: str | None) -> None:
        self.progress.append((progress, total, message))


def talk_to(server: Any, talk: Callable[[Caller], Awaitable[T]]) -> T:
    """A conversation with a server: one in this process, a program to start, or a URL."""
    from mcp import Client

    async def there() -> T:
        async with Client(server) as client:
            return await talk(Caller(client))

    return run(there)


def in_process(
    talk: Callable[[Caller], Awaitable[T]],
    matches: tool_matches.ToolMatchRegistry | None = None,
    queue: "ToolSolveQueue | None" = None,
) -> T:
    from evenodds.adapters.mcp.serve import ToolServer
    from evenodds.adapters.mcp.tools import Tools

    return talk_to(ToolServer(Tools(matches, queue)), talk)


def solve_queue(**given: Any) -> "ToolSolveQueue":
    from evenodds.adapters.mcp.tools import ToolSolveQueue

    return ToolSolveQueue(**given)


def conversation(talk: Callable[[Caller], Awaitable[None]]) -> Callable[[], None]:
    return lambda: in_process(talk)


def over_stdio(home: Path, talk: Callable[[Caller], Awaitable[T]]) -> T:
    from mcp import StdioServerParameters

    return talk_to(
        StdioServerParameters(command=COMMAND, args=["mcp"], env=surroundings(home)), talk
    )


@contextmanager
def serving(home: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [COMMAND, "mcp", "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings(home),
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        found = re.search(r"http://\S+/mcp", said)
        assert found, said
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
