"""Background reader of a match's server-sent events, which reconnects with growing delays."""

import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from threading import Event, Thread
from typing import Any, Final, NamedTuple

from evenodds.client.http_client import (
    MAX_RESPONSE_BYTES,
    Client,
    InvalidResponse,
    RemoteError,
    RequestRefused,
    ServerUnreachable,
    retry_delays,
)
from evenodds.system.text import brief

RECONNECT_TIMEOUT_S: Final = 600.0
"""Seconds after which a server that cannot be reached is taken to be gone."""
EVENTS: Final = ("view", "presence")
"""What a server tells that is listened to: how the match stands, and who is there."""
LATER: Final = (429, 500, 503)
"""What a server says that may say something else in a while."""


class ServerEvent(NamedTuple):
    """Something happened: the name of the event, and what is known now."""

    event: str
    data: Any


class StreamConnected(NamedTuple):
    """The server can be reached."""


class StreamDisconnected(NamedTuple):
    """The server cannot be reached; it is tried again."""


class StreamFailed(NamedTuple):
    """Nothing more will come, and why."""

    trouble: RemoteError


StreamMessage = ServerEvent | StreamConnected | StreamDisconnected | StreamFailed


class EventStreamReader:
    """A reader in the background, which hands on all that it hears."""

    def __init__(self, client: Client, tell: Callable[[StreamMessage], None]) -> None:
        self._client = client
        self._tell = tell
        self._stopped = Event()
        self._last = ""
        self._pauses = retry_delays()
        self._since = time.monotonic()
        """When something was last heard."""
        self._thread = Thread(target=self._run, name="stream", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more; whatever comes next is the last that is read."""
        self._stopped.set()

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._listen_once()
        except RemoteError as error:
            self._tell(StreamFailed(error))
        except Exception as error:  # whatever it is, nobody may wait for a reader that is gone
            self._tell(
                StreamFailed(RemoteError(f"the server cannot be listened to: {brief(error)}"))
            )

    def _listen_once(self) -> None:
        """Listen until the stream ends; `RemoteError` when there is no use in trying again."""
        try:
            with self._client.events(self._last) as response:
                self._tell(StreamConnected())
                heard = sum(map(self._hand_on, self._events(response)))
            if heard:
                return self._pause()
            trouble: RemoteError = ServerUnreachable("the server tells nothing of this match")
        except ServerUnreachable as error:
            trouble = error
        except RequestRefused as error:
            if error.status not in LATER:
                raise
            trouble = error
        if time.monotonic() - self._since > RECONNECT_TIMEOUT_S:
            raise trouble
        self._tell(StreamDisconnected())
        return self._pause()

    def _pause(self) -> None:
        self._stopped.wait(next(self._pauses))

    def _hand_on(self, event: ServerEvent) -> bool:
        self._tell(event)
        return True

    def _heard(self) -> None:
        """Something has come: the server is there."""
        self._pauses = retry_delays()
        self._since = time.monotonic()

    def _events(self, response: HTTPResponse) -> Iterator[ServerEvent]:
        """The events of a stream; what is cut off in the middle of one is dropped."""
        name, size = "", 0
        data: list[str] = []
        for field, value in self._fields(response):
            size += len(value)
            if size > MAX_RESPONSE_BYTES:
                raise InvalidResponse("the server sends more than a match can be")
            if field == "data":
                data.append(value)
            elif field == "event":
                name = value
            elif field == "id":
                self._last = value if value.isascii() and value.isalnum() else ""
            elif not field:
                if name in EVENTS:
                    yield ServerEvent(name, _decoded("\n".join(data)))
                name, size, data = "", 0, []

    def _fields(self, response: HTTPResponse) -> Iterator[tuple[str, str]]:
        """Line by line: the name of a field and its value; nothing where an event ends."""
        while not self._stopped.is_set():
            try:
                line = response.readline(MAX_RESPONSE_BYTES + 1)
            except (OSError, HTTPException, ValueError) as error:
                raise self._client.trouble(error) from None
            if not line:
                return
            if len(line) > MAX_RESPONSE_BYTES:
                raise InvalidResponse("the server sends more than a match can be")
            self._heard()
            field, _, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
            if field or not value:  # what begins with a colon says no more than that it is there
                yield field, value.removeprefix(" ")


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidResponse("the server sends something that cannot be read") from None
