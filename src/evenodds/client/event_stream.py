"""Reader of a match's server-sent events, which reconnects with growing delays."""

import time
from collections.abc import Iterator
from threading import Event
from typing import Final, NamedTuple

import httpx
from httpx_sse import EventSource, ServerSentEvent

from evenodds.client.http_client import (
    EVENT_STREAM_TYPE,
    MAX_RESPONSE_BYTES,
    Client,
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
    retry_delays,
)
from evenodds.system.http_request import body_chunks
from evenodds.system.text import shorten

RECONNECT_TIMEOUT_S: Final = 600.0
"""Seconds after which a server that cannot be reached is taken to be gone."""
STREAM_RETRY_STATUSES: Final = (429, 500, 503)
"""Statuses after which the stream is requested again."""


class StreamConnected(NamedTuple):
    """The stream is open, or interrupted and will be opened again."""

    online: bool


StreamMessage = ServerSentEvent | StreamConnected | RemoteError
"""A `RemoteError` is the last message: the reader has given up."""


class EventStreamReader:
    """Reads the stream, in a thread of its own.

    A thread, not a task: the terminal blocks on the keyboard and has no event loop.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stopped = Event()
        self._last_event_id = ""
        self._delays = retry_delays()
        self._received_at = time.monotonic()
        """When the server last sent something."""
        self._pending_bytes = 0
        """Received since the last complete event."""

    def stop(self) -> None:
        """Let `messages` end, when something is next received."""
        self._stopped.set()

    def messages(self) -> Iterator[StreamMessage]:
        """What the stream tells, until it is stopped or reconnecting is of no use."""
        try:
            while not self._stopped.is_set():
                yield from self._connection()
                self._stopped.wait(next(self._delays))
        except RemoteError as error:
            yield error
        except Exception as error:  # a thread that ended silently would be waited for without end
            yield RemoteError(f"the server cannot be listened to: {shorten(error)}")

    def _connection(self) -> Iterator[StreamMessage]:
        """The messages until the stream ends; `RemoteError` where reconnecting is of no use."""
        reason: RemoteError = ServerUnreachable("the server tells nothing of this match")
        try:
            with self._client.events(self._last_event_id) as response:
                yield StreamConnected(True)
                received = False
                for event in self._events(response):
                    received = True
                    yield event
            if received:
                return
        except ServerUnreachable as error:
            reason = error
        except RequestRefused as error:
            if error.status not in STREAM_RETRY_STATUSES:
                raise
            reason = error
        if time.monotonic() - self._received_at > RECONNECT_TIMEOUT_S:
            raise reason
        yield StreamConnected(False)

    def _events(self, response: httpx.Response) -> Iterator[ServerSentEvent]:
        """The events of a stream; an event without its closing empty line is dropped."""
        self._pending_bytes = 0
        headers = {"Content-Type": EVENT_STREAM_TYPE}
        stream = httpx.Response(200, headers=headers, content=self._chunks(response))
        for event in EventSource(stream).iter_sse():
            self._pending_bytes = 0
            if event.id:
                self._last_event_id = event.id if event.id.isascii() and event.id.isalnum() else ""
            if event.event in ("view", "presence"):
                yield event

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        """The stream as it arrives; limited, since an event is in memory until it is complete."""
        for chunk in body_chunks(response):
            if self._stopped.is_set():
                return
            # The backoff and the timeout begin anew: a keep-alive comment counts, too.
            self._delays = retry_delays()
            self._received_at = time.monotonic()
            self._pending_bytes += len(chunk)
            if self._pending_bytes > MAX_RESPONSE_BYTES:
                raise InvalidResponse("the server sent too much for a match")
            yield chunk
