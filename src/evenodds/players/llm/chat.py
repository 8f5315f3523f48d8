"""A client of the chat completions API, with timeout, size limit and retry hints.

Within a time and a size, never sent on to anyone else, and without the key in anything said of it.
"""

import json
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from queue import Empty, Queue
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import Any, Final, NamedTuple

from evenodds import __version__
from evenodds.players.llm.endpoint import KEY_SETTING, Endpoint
from evenodds.system.network import connection, connection_failure_reason, speaks_plainly
from evenodds.system.text import brief, plain

MAX_ANSWER_BYTES: Final = 1 << 20
"""Bytes of an answer that anyone could mean."""
DEFAULT_RETRY_DELAY_S: Final = 2.0
"""Seconds until a service in passing trouble is asked again, if it does not say."""
RETRYABLE_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same question may be answered."""
REQUEST_THREAD_NAME: Final = "asking a model"
"""What threads are called that wait for an answer."""

Message = dict[str, str]


class ModelTimeout(Exception):
    """The time was over before the answer was there."""


class ServiceFailure(Exception):
    """A service gives no answer: why, in one line; and when to ask again, if that may help.

    One that `refused` has done nothing, and so costs nothing.
    """

    def __init__(
        self, problem: str, pause: float | None = None, body: Any = None, refused: bool = False
    ) -> None:
        super().__init__(problem)
        self.pause = pause
        self.body = body
        self.refused = refused


class ModelAnswer(NamedTuple):
    """What a model said; the whole answer as data, without the key; and its size in bytes."""

    text: str
    body: Any
    size: int


class RawResponse(NamedTuple):
    """An answer as it came."""

    status: int
    retry_after: str
    data: bytes


def request_answer(endpoint: Endpoint, messages: list[Message], deadline: float) -> ModelAnswer:
    """The answer to a conversation; `ServiceFailure` or `ModelTimeout` where there is none."""
    raw = _fetch(endpoint, request_body(endpoint, messages), deadline)
    if len(raw.data) > MAX_ANSWER_BYTES:
        raise ServiceFailure(
            f"{endpoint.origin} answered with more than {MAX_ANSWER_BYTES >> 20} MB"
        )
    text = raw.data.decode(errors="replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = text
    shown = endpoint.scrubbed(body)
    if raw.status != 200:
        problem, pause = _status_failure(endpoint, raw, shown)
        raise ServiceFailure(problem, pause, shown, refused=True)
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        problem = "gave no answer that can be read: it is cut off, or something else"
        raise ServiceFailure(f"{endpoint.origin} {problem}", DEFAULT_RETRY_DELAY_S, shown)
    return ModelAnswer(_answer_text(body), shown, len(raw.data))


def check_connection(endpoint: Endpoint, seconds: float) -> None:
    """Connect to a service and hang up again; `ServiceFailure` where nobody is there."""
    line = connection(endpoint.scheme, endpoint.host, endpoint.port, seconds)
    try:
        line.connect()
    except TimeoutError:
        raise ServiceFailure(
            f"{endpoint.origin} does not answer within {seconds:g} seconds"
        ) from None
    except (OSError, HTTPException) as error:
        raise _network_error(endpoint, error) from None
    finally:
        line.close()


def request_body(endpoint: Endpoint, messages: list[Message]) -> bytes:
    """A conversation as it is sent."""
    asked = {"model": endpoint.model, "messages": messages, "stream": False}
    return json.dumps(asked).encode()


def _answer_text(body: dict[str, Any]) -> str:
    """The text of an answer; nothing where it holds none."""
    match body["choices"]:
        case [{"message": {"content": str(text)}}, *_]:
            return text
        case [{"message": {"content": list(parts)}}, *_]:
            return "\n".join(map(_part_text, parts))
        case [{"message": {"refusal": str(text)}}, *_]:
            return text
    return ""


def _part_text(part: Any) -> str:
    """The text of a part of an answer; nothing of a picture, or of what the model thought."""
    match part:
        case str(text) | {"type": "text" | "output_text", "text": str(text)}:
            return text
    return ""


def _fetch(endpoint: Endpoint, body: bytes, deadline: float) -> RawResponse:
    """Ask in a thread of its own, so that the clock and Ctrl-C end whatever it waits for."""
    call = PendingRequest(endpoint, body, deadline)
    try:
        found = call.answer.get(timeout=max(0.0, deadline - time.monotonic()))
    except Empty:
        raise ModelTimeout from None
    finally:
        call.hang_up()
    if isinstance(found, RawResponse):
        return found
    raise _network_error(endpoint, found)


class PendingRequest:
    """One request under way."""

    def __init__(self, endpoint: Endpoint, body: bytes, deadline: float) -> None:
        self.answer: Queue[RawResponse | Exception] = Queue()
        self._endpoint = endpoint
        self._body = body
        self._deadline = deadline
        self._socket: socket | None = None
        self._given_up = False
        Thread(target=self._run, name=REQUEST_THREAD_NAME, daemon=True).start()

    def hang_up(self) -> None:
        """Wait no longer, wherever the thread is."""
        self._given_up = True
        if self._socket is not None:
            with suppress(OSError, ValueError):
                self._socket.shutdown(SHUT_RDWR)

    def _run(self) -> None:
        try:
            self.answer.put(self._ask())
        except Exception as error:  # it is told in the other thread, whatever it is
            self.answer.put(error)

    def _ask(self) -> RawResponse:
        line = self._connection()
        try:
            line.connect()
            self._socket = line.sock
            if self._given_up:
                raise ModelTimeout
            line.request("POST", self._endpoint.address, self._body, self._headers())
            with line.getresponse() as response:
                return self._read(response)
        finally:
            line.close()

    def _connection(self) -> HTTPConnection:
        to = self._endpoint
        seconds = max(0.001, self._deadline - time.monotonic())
        return connection(to.scheme, to.host, to.port, seconds)

    def _headers(self) -> dict[str, str]:
        own = {"User-Agent": f"evenodds/{__version__}", "Content-Type": "application/json"}
        key = self._endpoint.key
        return own | ({"Authorization": f"Bearer {key}"} if key else {})

    def _read(self, response: HTTPResponse) -> RawResponse:
        return RawResponse(
            response.status,
            response.headers.get("Retry-After", ""),
            response.read(MAX_ANSWER_BYTES + 1),
        )


def _network_error(endpoint: Endpoint, error: Exception) -> Exception:
    """What went wrong on the way, in one line."""
    origin = endpoint.origin
    if isinstance(error, TimeoutError | ModelTimeout):
        return ModelTimeout()
    if speaks_plainly(error):
        return ServiceFailure(f"{origin} does not answer over https; perhaps it is http://...")
    if isinstance(error, HTTPException):
        return ServiceFailure(f"{origin} does not speak HTTP, or hung up", DEFAULT_RETRY_DELAY_S)
    if isinstance(error, OSError):
        return ServiceFailure(
            f"{origin} cannot be reached: {connection_failure_reason(error)}", DEFAULT_RETRY_DELAY_S
        )
    return error


def _status_failure(endpoint: Endpoint, raw: RawResponse, body: Any) -> tuple[str, float | None]:
    """Why a service gives no answer, by its status; and when to ask again, if that may help."""
    origin, status = endpoint.origin, raw.status
    if 300 <= status < 400:
        return f"{origin} sends us elsewhere, which is not followed ({status})", None
    if status in (401, 403):
        wish = "refuses the key" if endpoint.key else f"wants a key, in {KEY_SETTING}"
        return f"{origin} {wish} ({status})", None
    said = _error_message(body)
    problem = f"{origin} says no ({status}{f': {said}' if said else ''})"
    return problem, _retry_after_s(raw) if status in RETRYABLE_STATUSES else None


def _retry_after_s(raw: RawResponse) -> float:
    """How long a service wants to be left alone."""
    text = raw.retry_after.strip()
    return (
        float(text)
        if text.isascii() and text.isdigit() and len(text) < 7
        else DEFAULT_RETRY_DELAY_S
    )


def _error_message(body: Any) -> str:
    """What a service says of its own about an error; a page is not repeated."""
    match body:
        case {"error": {"message": str(text)}} | {"error": str(text)} | {"message": str(text)}:
            return brief(" ".join(plain(text.replace("\n", " ")).split()), 100).rstrip(".")
    return ""
