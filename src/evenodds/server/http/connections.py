"""Connections: uvicorn's HTTP protocol with limits on their number, on request size and time.

uvicorn itself accepts any number of connections and waits for ever for a request of any size, and
offers no way to limit that. So this module, and no other, rests on what the protocol may change
any day. Tried with uvicorn 0.38.0 and 0.54.0, httptools 0.6.0 and 0.9.0.
"""

import asyncio
import logging
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from evenodds.server.rate_limits import SharedPlaces
from evenodds.server.settings import Settings
from evenodds.system import EvenOddsError
from evenodds.system.network import network_of, unmapped
from evenodds.system.text import shorten

KEEP_ALIVE_S: Final = 75
"""Seconds that an idle connection stays open, for the next pick."""
MAX_OPEN_FILES: Final = 65_536
"""File descriptors that a server asks the system for."""
WRITE_TIMEOUT_S: Final = 60.0
"""Time after which a connection is closed whose client does not read the response."""
MAX_REFUSED_BODIES: Final = 4
"""The rest of a refused body that is passed over, in bodies of the largest size allowed."""
PIECE_BYTES: Final = 1024
"""Bytes that are parsed at once: at most some 50 requests on a connection wait for their turn."""
LOG: Final = logging.getLogger("uvicorn.error.connections")
"""Without warnings, for all of them are about clients: anyone could fill the log."""
LOG.setLevel(logging.ERROR)
ABSOLUTE_URI: Final = re.compile(rb"[^/?#:]+://([^/?#]*)")
Network = IPv4Network | IPv6Network


def connection_cap() -> int:
    """Connections that a process may have, once its limit of open files is raised as far as it can.

    Two thirds of the files: the rest is for all else, and for those that are accepted all at once
    and then refused; a quarter as many may wait to be accepted.
    """
    files = MAX_OPEN_FILES
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY:
            files = min(hard, files)
        if soft != resource.RLIM_INFINITY:
            files = max(soft, files)
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return min(files, MAX_OPEN_FILES) * 2 // 3


def proxy_networks(texts: Iterable[str]) -> list[Network]:
    """Addresses or networks of proxies; `EvenOddsError` in one line."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text))
        except ValueError:
            allowed = "allowed: an address such as 10.0.0.2, or a network such as 10.0.0.0/24"
            raise EvenOddsError(f"--proxy {shorten(text)} is not an address; {allowed}") from None
    return found


class Connections:
    """All connections of a process, with their places and limits."""

    def __init__(self, settings: Settings, most: int, proxies: Iterable[Network] = ()) -> None:
        self.settings = settings
        self.places = SharedPlaces(most, settings.connections_per_address)
        self._proxies = list(proxies)

    def share_of(self, address: str, port: int) -> str:
        """Who shares the limit of an address: its network, or that connection of a proxy alone.

        Trusted proxies have limits by address of their own.
        """
        if self._proxies:
            with suppress(ValueError):
                found = ip_address(address)
                if any(found in network for network in self._proxies):
                    return f"proxy {address} {port}"
        return network_of(address)


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.logger = LOG
        self._connections = connections
        self._is_admitted = False
        self._share = ""
        """Who shares its limit."""
        self._running: Any = None
        """The cycle of the request that is being answered; `cycle` is that of the last one."""
        self._unparsed = b""
        """What was received after a request that is not answered yet."""
        self._head_bytes = 0
        """Received bytes of a request other than its body: uvicorn buffers heads, and what follows
        a body, without a limit."""
        self._body_bytes = 0
        self._request_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or answer 503 at the limit."""
        peer = transport.get_extra_info("peername") or ("", 0)
        address = unmapped(str(peer[0]))
        self._share = self._connections.share_of(address, peer[1])
        self._is_admitted = not self._connections.places.refuse(self._share)
        if self._is_admitted:
            self._connections.places.take(self._share, self._close)
            super().connection_made(transport)
            if self.client is not None:
                self.client = address, self.client[1]
            self._await_request()
        else:
            transport.write(_answer(503, "too many connections; wait a moment"))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, its timers and the requests that wait."""
        self._connections.places.leave(self._share, self._close)
        for timer in (self._request_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        if self._is_admitted:
            self._unparsed = b""
            if self._running is not None:
                self.pipeline.clear()
                self.cycle = self._running  # which uvicorn tells that the client is gone
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a request; keep what follows it, and read no more, until it is answered."""
        if not self._is_admitted:
            return
        data = self._unparsed + data
        parsed = 0
        while parsed < len(data) and self._is_arriving() and not self.pipeline:
            piece = data[parsed : parsed + PIECE_BYTES]
            parsed += len(piece)
            self._head_bytes += len(piece)
            super().data_received(piece)
            if self._head_bytes > self._connections.settings.head_bytes:
                self._refuse(431, "the head of the request is too large")
            if self.transport.is_closing():
                return
        self._unparsed = data[parsed:]
        if self._unparsed:
            self.transport.pause_reading()
            self.flow.read_paused = False  # or uvicorn reads on as soon as a body is asked for
        if self._is_arriving():
            self._await_request()
        elif self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def on_response_complete(self) -> None:
        """Go on with what waits."""
        if self.pipeline:
            self._running = self.pipeline[-1][0]
        super().on_response_complete()
        if self._unparsed and not self.transport.is_closing():
            self.data_received(b"")
            if not self._unparsed and not self.transport.is_closing():
                self.transport.resume_reading()

    def _close(self) -> None:
        self.transport.abort()

    def _is_arriving(self) -> bool:
        """Whether the current request is incomplete."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def _await_request(self) -> None:
        if self._request_timer is None:
            self._request_timer = self.loop.call_later(
                self._connections.settings.request_seconds, self._on_request_timeout
            )

    def _on_request_timeout(self) -> None:
        self._request_timer = None
        if self._unparsed or self.flow.read_paused:  # we do not read: the client is not late
            self._await_request()
        else:
            self._refuse(408, "the request did not arrive in time")

    def _refuse(self, status: int, detail: str) -> None:
        """Close the connection, with a response where no other is due before it or has begun."""
        cycle = self.cycle
        is_next = cycle is None or cycle.response_complete
        if is_next or (cycle.more_body and not (cycle.response_started or self.pipeline)):
            self.transport.write(_answer(status, detail))
            self.transport.close()
        else:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """Check the size of a head, and begin with the request."""
        if self._head_bytes > self._connections.settings.head_bytes:
            raise ValueError("the head is too large")  # the parser calls it no request
        self._head_bytes = 0
        if absolute := ABSOLUTE_URI.match(self.url):  # its host counts, whatever the header says
            others = [header for header in self.headers if header[0] != b"host"]
            named = len(self.headers) - len(others) or self.parser.get_http_version() == "1.0"
            self.headers[:] = [*others, *[(b"host", absolute[1])] * named]
        super().on_headers_complete()
        if not self.pipeline:
            self._running = self.cycle

    def on_body(self, body: bytes) -> None:
        """Take a body, which the application limits; end one that goes on after its refusal."""
        self._head_bytes = max(0, self._head_bytes - len(body))
        self._body_bytes += len(body)
        most = MAX_REFUSED_BODIES * self._connections.settings.body_bytes
        if self._body_bytes > most and self.cycle.response_complete:
            self.transport.abort()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Count from 0 for the next request."""
        self._head_bytes = self._body_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, or whose head is too large."""
        if self._head_bytes > self._connections.settings.head_bytes:
            self._refuse(431, "the head of the request is too large")
        else:
            self._refuse(400, "this is not a request of HTTP")

    def pause_writing(self) -> None:
        """Start the timer of a client that does not read."""
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(WRITE_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timer."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None


def _answer(status: int, detail: str) -> bytes:
    """A complete response, for requests that never reach the application."""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: text/plain",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        f"content-length: {len(detail)}",
        "connection: close",
    )
    return ("\r\n".join(head) + f"\r\n\r\n{detail}").encode()
