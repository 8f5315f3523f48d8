"""Runs one server process: the application under uvicorn, until a signal stops it."""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from evenodds.server import logs
from evenodds.server.app import App
from evenodds.server.http.connections import (
    KEEP_ALIVE_S,
    BoundedProtocol,
    Connections,
    connection_cap,
    proxy_networks,
)
from evenodds.server.settings import Settings
from evenodds.server.storage.connect import connect, default_url, lock_sqlite_file
from evenodds.system.environment import choose_device
from evenodds.system.network import address_for_others, is_loopback, listen, origin, own_host_names

THREAD_JOIN_TIMEOUT_S: Final = 1.0
"""Seconds that the exit waits for threads."""
STREAM_PERCENT: Final = 75
"""The share of connections that streams may take; the rest is for requests."""


class UvicornServer(uvicorn.Server):
    """Uvicorn, which ends the event streams before it waits for open requests."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams and stop."""
        app = self.config.app
        if isinstance(app, App) and app.registry is not None:
            app.registry.close()
        super().handle_exit(sig, frame)


def run(
    *,
    host: str,
    port: int,
    database: str | None,
    proxies: Sequence[str],
    names: Sequence[str],
    log: str,
    settings: Settings,
    say: Callable[[str], None],
) -> None:
    """Serve until a signal; `BadSetting`, `NoDatabase` and the like where it cannot start.

    Where the folder of a game has changed, the process runs the same command again.
    """
    choose_device(None)  # or every solve would fail
    starts_again = threading.Event()

    def restart() -> None:
        starts_again.set()
        signal.raise_signal(signal.SIGTERM)

    url = database or default_url()
    trusted_proxies = proxy_networks(proxies)
    with ExitStack() as stack:
        stack.enter_context(lock_sqlite_file(url))
        asyncio.run(_prepare(url))
        most = connection_cap()
        listener = stack.enter_context(listen(host, port, most // 4))
        connections = Connections(settings, most, trusted_proxies)
        logs.configure_logging(log)
        known_names = own_host_names() | {name.lower() for name in names}
        reached_at = address_for_others(host)
        port = listener.getsockname()[1]
        address = origin("http", reached_at, port)
        for_others = None if is_loopback(reached_at) else address
        streams = max(1, most * STREAM_PERCENT // 100)
        settings = settings._replace(streams=min(settings.streams, streams))
        config = uvicorn.Config(
            App(url, settings, say, known_names, for_others, restart),
            interface="asgi3",
            http=partial(BoundedProtocol, connections),  # type: ignore[arg-type]
            timeout_keep_alive=KEEP_ALIVE_S,
            ws="none",
            backlog=most // 4,
            log_config=None,
            access_log=log in ("info", "debug"),
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=",".join(proxies) or None,
            timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        )
        say(f"Even Odds is at {address}/ (Ctrl-C stops it)")
        _tune_interpreter()
        server = UvicornServer(config)
        for number in (signal.SIGINT, signal.SIGTERM):
            # For what comes before uvicorn listens, and what it raises again in the end: the exit
            # status of a server that a signal has stopped is 0.
            signal.signal(number, server.handle_exit)
        server.run(sockets=[listener])
        if not starts_again.is_set():
            _exit()
    if starts_again.is_set():
        sys.stdout.flush()
        os.execv(sys.executable, [*sys.orig_argv, "--port", str(port)])


def _exit() -> None:
    """Exit without waiting for threads that still compute: everything durable is on disk."""
    here = threading.current_thread()
    others = [each for each in threading.enumerate() if each is not here and not each.daemon]
    end = time.monotonic() + THREAD_JOIN_TIMEOUT_S
    for thread in others:
        thread.join(max(0.0, end - time.monotonic()))
    if any(thread.is_alive() for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        logging.shutdown()
        os._exit(0)  # a normal exit would join the threads of all executors


def _tune_interpreter() -> None:
    """Have the event loop wait neither for garbage collection nor for threads that compute.

    A full collection, over all modules and open matches, would pause the server for 40 ms.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    sys.setswitchinterval(0.001)


async def _prepare(url: str) -> None:
    """Open the database before the port, so that its errors end the command."""
    await (await connect(url)).close()
