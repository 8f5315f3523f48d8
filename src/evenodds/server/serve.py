"""A server process: one application under uvicorn."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from evenodds.server.app import create_app
from evenodds.server.database import connect, usual_url


class NoAddress(OSError):
    """An address that cannot be listened on."""


def run(host: str, port: int, database: str | None, say: Callable[[str], None]) -> None:
    """Serve until interrupted; `NoDatabase` or `NoAddress` before anything is served."""
    url = database or usual_url()
    asyncio.run(_check(url))
    listener = _listen(host, port)
    app = create_app(url)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    name = f"[{host}]" if ":" in host else host
    say(f"Even Odds is at http://{name}:{listener.getsockname()[1]}/ (Ctrl-C stops it)")
    uvicorn.Server(config).run(sockets=[listener])


async def _check(url: str) -> None:
    """Bring the database up to date, so that what is wrong with it is said at once."""
    await (await connect(url)).dispose()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise NoAddress(f"{host} port {port} cannot be used: {error.strerror or error}") from None
