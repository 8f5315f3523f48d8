"""uvicorn's HTTP protocol with limits on request size, time and connections.

uvicorn itself accepts any number of connections and waits for ever for a request of any size.
"""

import asyncio
import logging
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from uvicorn.protocols.http.flow_control import FlowControl

from evenodds.system.http.connection_limits import KEEP_ALIVE_S, Connections
from evenodds.system.network import unmapped

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Base
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as Base

WRITE_TIMEOUT_S: Final = 60.0
"""Time after which a connection is closed whose client does not read the response."""
EXTENSION: Final = "evenodds.direct_writer"
"""The name of our ASGI extension."""
HEADER_LINE_OVERHEAD_BYTES: Final = 4
"""Bytes of a header line besides name and value: colon, space, CR, LF."""
PIECE_BYTES: Final = 1024
"""Bytes that are parsed at once: at most some 50 requests on a connection wait for their turn."""
LOG: Final = logging.getLogger("uvicorn.error.connections")
"""Without warnings, for all of them are about clients: anyone could fill the log."""
LOG.setLevel(logging.ERROR)
IS_HTTPTOOLS: Final = hasattr(Base, "on_body")
"""Whether httptools parses requests, which calls us for each part; h11 does not."""
ABSOLUTE_URI: Final = re.compile(rb"[^/?#:]+://([^/?#]*)")


class HeadJoiningTransport:
    """A transport that sends the head of a response with the first part of its body.

    uvicorn writes them one after the other, and each write is a system call that costs as much as
    many lines of Python. ASGI allows a server to wait for the body.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.write_through = transport.write
        """For who knows that no head is kept."""
        self._head = b""

    def write(self, data: bytes) -> None:
        """Keep a head for the next write; send all else."""
        if self._head:
            data, self._head = self._head + data, b""
        elif data.endswith(b"\r\n\r\n") and data.startswith(b"HTTP/1.1 ") and data[9:12] != b"100":
            self._head = data
            return
        self._transport.write(data)

    def flush(self) -> None:
        """Send a head without a body."""
        if self._head:
            self.write(b"")

    def close(self) -> None:
        """Send what is kept, and close the connection."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's."""
        return getattr(self._transport, name)


class PipelineFlow(FlowControl):
    """Flow control that does not read on while received bytes wait to be parsed."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self.unparsed = b""
        """What was received after a request that is not answered yet."""

    def resume_reading(self) -> None:
        """Read on, unless bytes wait: uvicorn asks for it after each response."""
        if not self.unparsed:
            super().resume_reading()


class DirectWriter:
    """Reads requests and writes responses past ASGI, whose coroutines cost more than a pick."""

    def __init__(self, cycle: Any) -> None:
        self._cycle = cycle

    async def whole_body(self) -> bytes | None:
        """The body, where it comes in one piece; it stays to be received."""
        cycle = self._cycle
        if cycle.more_body and not cycle.waiting_for_100_continue:
            await cycle.message_event.wait()
        return None if cycle.more_body or cycle.disconnected else bytes(cycle.body)

    def is_chunk_possible(self) -> bool:
        """Whether a chunk can be written; if not, `send` waits until the client reads."""
        cycle = self._cycle
        return bool(
            cycle.chunked_encoding
            and not (cycle.flow.write_paused or cycle.disconnected or cycle.response_complete)
        )

    def write_chunk(self, body: bytes) -> None:
        """Write a chunk of a response that has begun."""
        self._cycle.transport.write_through(b"%x\r\n%b\r\n" % (len(body), body))

    def is_response_possible(self) -> bool:
        """Whether a whole response can be written; if not, `send` must be used."""
        cycle = self._cycle
        return not (
            cycle.response_started
            or cycle.access_log
            or not cycle.keep_alive
            or cycle.disconnected
            or cycle.flow.write_paused
        )

    def respond(self, headers: bytes, body: bytes) -> None:
        """Write a whole response with status 200."""
        cycle = self._cycle
        default = b"".join([b"%b: %b\r\n" % header for header in cycle.default_headers])
        cycle.transport.write_through(
            b"HTTP/1.1 200 OK\r\n%b%bcontent-length: %d\r\n\r\n%b"
            % (default, headers, len(body), body)
        )
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        cycle.on_response()


def direct_writer(scope: Any) -> DirectWriter | None:
    """The writer for the response to a request; None under other ASGI servers."""
    return (scope.get("extensions") or {}).get(EXTENSION)


class BoundedProtocol(Base):
    """One connection.

    `_head_bytes` counts received bytes of a request other than its body: uvicorn buffers heads, and
    what follows a body, without a limit. (Where httptools is missing, h11 has a limit.)
    """

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.logger = LOG
        self._connections = connections
        self.timeout_keep_alive = KEEP_ALIVE_S
        self._is_admitted = False
        self._running: Any = None
        """The cycle of the request that is being answered; `cycle` is that of the last one."""
        self._head_bytes = 0
        self._too_large = False
        self._request_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or answer 503 at the limit."""
        peer = transport.get_extra_info("peername")
        address = unmapped(str(peer[0])) if peer else ""
        self._is_admitted = self._connections.add(self, address)
        if self._is_admitted:
            super().connection_made(transport)
            if self.client is not None:
                self.client = address, self.client[1]
            self.flow = self._flow = PipelineFlow(transport)
            self.transport = HeadJoiningTransport(transport)  # type: ignore[assignment]
            self._await_request()
        else:
            transport.write(_answer(503, "too many connections; wait a moment"))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, its timers and the requests that wait."""
        self._connections.remove(self)
        for timer in (self._request_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        if self._is_admitted:
            self._flow.unparsed = b""
            if self._running is not None:
                self.pipeline.clear()
                self.cycle = self._running  # which uvicorn tells that the client is gone
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a request; keep what follows it, and read no more, until it is answered."""
        if not self._is_admitted:
            return
        data = self._flow.unparsed + data
        parsed = 0
        while parsed < len(data) and self._is_arriving() and not getattr(self, "pipeline", None):
            self._parse(data[parsed : parsed + PIECE_BYTES])
            parsed += PIECE_BYTES
            if self.transport.is_closing():
                return
        self._flow.unparsed = data[parsed:]
        if self._flow.unparsed:
            self._flow.pause_reading()
        if self._is_arriving():
            self._await_request()
        else:
            if self._request_timer is not None:
                self._request_timer.cancel()
                self._request_timer = None

    def _parse(self, piece: bytes) -> None:
        """Pass on a part of a request; refuse a large head."""
        self._head_bytes += len(piece)
        super().data_received(piece)
        self._head_bytes = max(0, self._head_bytes)
        if self.transport.is_closing():
            return
        if self._head_bytes > self._connections.limits.head_bytes and IS_HTTPTOOLS:
            self._refuse(431, "the head of the request is too large")

    def on_response_complete(self) -> None:
        """Go on with what waits."""
        if isinstance(self.transport, HeadJoiningTransport):
            self.transport.flush()
        if pipeline := getattr(self, "pipeline", None):
            self._running = pipeline[-1][0]
        super().on_response_complete()
        if self._flow.unparsed and not self.transport.is_closing():
            self.data_received(b"")
            self.flow.resume_reading()

    def close_now(self) -> None:
        """Close the connection at once."""
        self._connections.remove(self)
        self.transport.abort()

    def _is_arriving(self) -> bool:
        """Whether the current request is incomplete."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def _await_request(self) -> None:
        if self._request_timer is None:
            self._request_timer = self.loop.call_later(
                self._connections.limits.request_seconds, self._on_request_timeout
            )

    def _on_request_timeout(self) -> None:
        self._request_timer = None
        if self.flow.read_paused:  # we do not read: the client is not late
            self._await_request()
        else:
            self._refuse(408, "the request did not arrive in time")

    def _refuse(self, status: int, detail: str) -> None:
        """Close the connection, with a response unless another has begun."""
        if self._is_next_response():
            self.transport.write(_answer(status, detail))
            self.transport.close()
        else:
            self.transport.abort()

    def _is_next_response(self) -> bool:
        """Whether what is written now answers the request that is arriving, and none before it."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return True
        return cycle.more_body and not (cycle.response_started or getattr(self, "pipeline", None))

    # httptools

    def on_headers_complete(self) -> None:
        """Check the size of a head that arrived in one piece with more data."""
        most = self._connections.limits.head_bytes
        if self._head_bytes > most:
            lines = sum(
                len(name) + len(value) + HEADER_LINE_OVERHEAD_BYTES for name, value in self.headers
            )
            if len(self.url) + lines > most:
                self._too_large = True
                raise ValueError("the head is too large")  # the parser raises it in `data_received`
        self._head_bytes = 0
        if absolute := ABSOLUTE_URI.match(self.url):  # its host counts, whatever the header says
            self.headers[:] = [
                (name, absolute[1] if name == b"host" else value) for name, value in self.headers
            ]
        super().on_headers_complete()
        if not self.pipeline:
            self._running = self.cycle
        self.scope["extensions"] = {EXTENSION: cast(Any, DirectWriter(self.cycle))}

    def on_body(self, body: bytes) -> None:
        """Do not count the body: the application limits it."""
        self._head_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Count from 0 for the next request."""
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer 431 instead of 400 to a head that `on_headers_complete` refused."""
        if self._too_large:
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
