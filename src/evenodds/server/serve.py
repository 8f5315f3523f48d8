"""Runs one server process: the application under uvicorn, until a signal stops it."""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from evenodds.server import logs
from evenodds.server.app import App
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import connect, default_url, lock_sqlite_file
from evenodds.system.connections import Bounds, Connections, proxy_networks, shared_out
from evenodds.system.http_protocol import BoundedProtocol
from evenodds.system.network import listen, origin, own_names, reachable_from

KEEP_ALIVE_S: Final = 75
"""Seconds that a connection is kept for the next pick."""
THREAD_JOIN_TIMEOUT_S: Final = 1.0
"""Seconds in which threads may end by themselves."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class UvicornServer(uvicorn.Server):
    """Uvicorn, which ends the streams before it waits for requests to end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen to signals while serving; being stopped by one is no failure."""
        before = {number: signal.signal(number, self.handle_exit) for number in STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal."""
        app = self.config.app
        if isinstance(app, App) and app.registry is not None:
            app.registry.close()
        super().handle_exit(sig, frame)


def run(
    host: str,
    port: int,
    database: str | None,
    say: Callable[[str], None],
    *,
    settings: Settings,
    proxies: Sequence[str] = (),
    names: Sequence[str] = (),
    log: str = "warning",
) -> None:
    """Serve until interrupted; `NoDatabase`, `NoAddress` or `BadProxy` before that."""
    url = database or default_url()
    trusted_proxies = proxy_networks(proxies)
    with ExitStack() as stack:
        stack.enter_context(lock_sqlite_file(url))
        asyncio.run(_check(url))
        files = shared_out()
        listener = stack.enter_context(listen(host, port, files.backlog))
        bounds = Bounds(
            settings.connections_per_address, settings.head_bytes, settings.request_seconds
        )
        connections = Connections(bounds, files.connections, trusted_proxies)
        logs.configure_logging(log)
        config = uvicorn.Config(
            App(url, settings, say, own_names() | {name.lower() for name in names}),
            http=partial(BoundedProtocol, connections),  # type: ignore[arg-type]
            h11_max_incomplete_event_size=settings.head_bytes,
            ws="none",
            backlog=files.backlog,
            log_config=None,
            access_log=log in ("info", "debug"),
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=",".join(proxies) or None,
            timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        )
        address = origin("http", reachable_from(host), listener.getsockname()[1])
        say(f"Even Odds is at {address}/ (Ctrl-C stops it)")
        _tune_garbage_collector()
        _shorten_switch_interval()
        UvicornServer(config).run(sockets=[listener])
        _exit()


def _exit() -> None:
    """Leave: all is on disk, and a computer that still thinks in a thread is not waited for."""
    others = [each for each in threading.enumerate() if each is not threading.current_thread()]
    end = time.monotonic() + THREAD_JOIN_TIMEOUT_S
    for thread in others:
        thread.join(max(0.0, end - time.monotonic()))
    if any(thread.is_alive() and not thread.daemon for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _shorten_switch_interval() -> None:
    """Let computers who think in threads give way within a millisecond."""
    sys.setswitchinterval(0.001)


def _tune_garbage_collector() -> None:
    """Let the garbage collector leave alone what is there for good, and look less often.

    Otherwise it stops everyone for some 40 ms whenever it looks at all modules and open matches.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


async def _check(url: str) -> None:
    """Bring the database up to date, so that what is wrong with it is said at once."""
    await (await connect(url)).close()
