"""Background reader of a match's server-sent events, which reconnects with growing delays."""

import json
import time
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
from evenodds.system.http_request import body_chunks, leave_signals_to_main_thread
from evenodds.system.text import shorten

if TYPE_CHECKING:
    import httpx

RECONNECT_TIMEOUT_S: Final = 600.0
"""Seconds after which a server that cannot be reached is taken to be gone."""
HANDLED_EVENTS: Final = ("view", "presence")
"""Events that are passed on; events of other names are ignored."""
STREAM_RETRY_STATUSES: Final = (429, 500, 503)
"""Statuses after which the stream is requested again."""


class ServerEvent(NamedTuple):
    """One server-sent event: its name, and its data decoded from JSON."""

    event: str
    data: Any


class StreamConnected(NamedTuple):
    """The stream is open."""


class StreamDisconnected(NamedTuple):
    """The stream is interrupted; the reader reconnects."""


class StreamFailed(NamedTuple):
    """The reader has given up, and why; this is its last message."""

    error: RemoteError


StreamMessage = ServerEvent | StreamConnected | StreamDisconnected | StreamFailed


class EventStreamReader:
    """Reads the stream in a daemon thread and passes each message to a callback.

    A thread, not a task: the terminal blocks on the keyboard and has no event loop. The callback
    runs in this thread.
    """

    def __init__(self, client: Client, on_message: Callable[[StreamMessage], None]) -> None:
        self._client = client
        self._on_message = on_message
        self._stopped = Event()
        self._last_event_id = ""
        self._delays = retry_delays()
        self._received_at = time.monotonic()
        """When the server last sent something."""
        self._pending_bytes = 0
        """Received since the last complete event."""
        self._thread = Thread(target=self._run, name="stream", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end; it does so when it next receives something, and is not joined."""
        self._stopped.set()

    def _run(self) -> None:
        leave_signals_to_main_thread()
        try:
            while not self._stopped.is_set():
                self._read_stream()
        except RemoteError as error:
            self._on_message(StreamFailed(error))
        except Exception as error:  # a thread that ended silently would be waited for without end
            self._on_message(
                StreamFailed(RemoteError(f"the server cannot be listened to: {shorten(error)}"))
            )

    def _read_stream(self) -> None:
        """Read until the stream ends; `RemoteError` where reconnecting is of no use."""
        try:
            with self._client.events(self._last_event_id) as response:
                self._on_message(StreamConnected())
                received = sum(map(self._emit, self._events(response)))
            if received:
                return self._wait_before_reconnect()
            reason: RemoteError = ServerUnreachable("the server tells nothing of this match")
        except ServerUnreachable as error:
            reason = error
        except RequestRefused as error:
            if error.status not in STREAM_RETRY_STATUSES:
                raise
            reason = error
        if time.monotonic() - self._received_at > RECONNECT_TIMEOUT_S:
            raise reason
        self._on_message(StreamDisconnected())
        return self._wait_before_reconnect()

    def _wait_before_reconnect(self) -> None:
        self._stopped.wait(next(self._delays))

    def _emit(self, event: ServerEvent) -> bool:
        self._on_message(event)
        return True

    def _data_received(self) -> None:
        """Restart the backoff and the timeout: a keep-alive comment counts, too."""
        self._delays = retry_delays()
        self._received_at = time.monotonic()

    def _events(self, response: "httpx.Response") -> Iterator[ServerEvent]:
        """The events of a stream; an event without its closing empty line is dropped."""
        import httpx
        from httpx_sse import EventSource

        self._pending_bytes = 0
        headers = {"Content-Type": EVENT_STREAM_TYPE}
        stream = httpx.Response(200, headers=headers, content=self._chunks(response))
        for event in EventSource(stream).iter_sse():
            self._pending_bytes = 0
            if event.id:
                self._last_event_id = event.id if event.id.isascii() and event.id.isalnum() else ""
            if event.event in HANDLED_EVENTS:
                yield ServerEvent(event.event, _decoded(event.data))

    def _chunks(self, response: "httpx.Response") -> Iterator[bytes]:
        """The stream as it arrives; limited, since an event is in memory until it is complete."""
        for chunk in body_chunks(response):
            if self._stopped.is_set():
                return
            self._data_received()
            self._pending_bytes += len(chunk)
            if self._pending_bytes > MAX_RESPONSE_BYTES:
                raise InvalidResponse("the server sent too much for a match")
            yield chunk


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidResponse("the server sent something that cannot be read") from None
