"""uvicorn's HTTP protocol with limits on request size, time and connections.

By itself uvicorn takes any number of connections and waits for ever for a request of any size.
"""

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from evenodds.system.connections import Connections

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Base
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as Base

UNREAD_SECONDS: Final = 60.0
"""Seconds after which a connection is closed whose other end does not read what it asked for."""
LINE_BYTES: Final = 4
"""What a line of a head takes beside its name and value: colon, space, and its end."""


class BoundedProtocol(Base):
    """One connection.

    `_overhead` counts what has come of a request and is not its body: uvicorn would gather heads,
    and what may follow a body, without a limit. (Where httptools is missing, h11 has a limit.)
    """

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._all = connections
        self._admitted = False
        self._overhead = 0
        self._too_large = False
        self._late: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or say that there is no room."""
        peer = transport.get_extra_info("peername")
        self._admitted = self._all.enter(self, str(peer[0]) if peer else "")
        if self._admitted:
            super().connection_made(transport)
            self._await_request()
        else:
            transport.write(_answer(503, "too many connections; wait a moment"))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._all.leave(self)
        for timer in (self._late, self._unread):
            if timer is not None:
                timer.cancel()
        if self._admitted:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request, and see that it is neither too large nor too slow."""
        if not self._admitted:
            return
        self._overhead += len(data)
        super().data_received(data)
        self._overhead = max(0, self._overhead)
        if self.transport.is_closing():
            return
        if self._overhead > self._all.bounds.head_bytes and hasattr(self, "on_body"):
            self._refuse(431, "the head of the request is too large")
        elif self._is_arriving():
            self._await_request()
        else:
            if self._late is not None:
                self._late.cancel()
                self._late = None
            self._all.serve(self)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._all.wait(self)
        super().on_response_complete()

    def give_way(self) -> None:
        """Make room for somebody else."""
        self._all.leave(self)
        self.transport.abort()

    def _is_arriving(self) -> bool:
        """Whether a request is not whole yet."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def _await_request(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self._all.bounds.request_seconds, self._be_late)

    def _be_late(self) -> None:
        self._late = None
        if self.flow.read_paused:  # it is our turn, not theirs
            self._await_request()
        else:
            self._refuse(408, "the request did not arrive in time")

    def _refuse(self, status: int, detail: str) -> None:
        """Close the connection, and say why unless an answer is under way."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_answer(status, detail))
            self.transport.close()
        else:
            self.transport.abort()

    # httptools

    def on_headers_complete(self) -> None:
        """The head is there: see that it was not too large, if it came all at once."""
        most = self._all.bounds.head_bytes
        if self._overhead > most:
            lines = sum(len(name) + len(value) + LINE_BYTES for name, value in self.headers)
            if len(self.url) + lines > most:
                self._too_large = True
                raise ValueError("the head is too large")  # the parser tells `data_received`
        self._overhead = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body, which the application limits."""
        self._overhead -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; what else has come belongs to the next."""
        self._overhead = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request."""
        if self._too_large:
            self._refuse(431, "the head of the request is too large")
        else:
            super().send_400_response(msg)

    def _unsupported_upgrade_warning(self) -> None:
        """Nothing is logged for a stranger's wish to speak another protocol."""

    def pause_writing(self) -> None:
        """The other end does not read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def _answer(status: int, detail: str) -> bytes:
    """An answer to somebody whose request cannot be answered by the application."""
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: text/plain\r\n"
    return f"{head}content-length: {len(detail)}\r\nconnection: close\r\n\r\n{detail}".encode()
