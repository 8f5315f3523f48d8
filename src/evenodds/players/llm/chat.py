"""A client of the chat completions API, with timeout, size limit and retry hints.

Redirects are not followed, since they would send the key elsewhere; no error message holds the key.
"""

import json
import time
from errno import EHOSTUNREACH, ENETUNREACH
from queue import Empty, Queue
from socket import create_connection, gaierror
from ssl import SSLCertVerificationError
from threading import Thread
from typing import Any, Final, NamedTuple

from evenodds.players.llm.endpoint import KEY_SETTING, Endpoint
from evenodds.system.http_request import ProtocolError, open_response, read_body, tls_context
from evenodds.system.network import connection_failure_reason, is_plain_http
from evenodds.system.text import sanitized, shorten
from evenodds.system.version import __version__

MAX_ANSWER_BYTES: Final = 1 << 20
"""The longest response that is read."""
DEFAULT_RETRY_DELAY_S: Final = 2.0
"""Seconds until a retry, where the service sends no Retry-After."""
NO_CONNECTION: Final = (ConnectionRefusedError, gaierror, SSLCertVerificationError)
"""Errors before anything is sent; after others the service may have taken the request."""
RETRYABLE_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses after which a retry may succeed."""
REQUEST_THREAD_NAME: Final = "asking a model"
"""The name of threads that wait for a response."""

Message = dict[str, str]


class ModelTimeout(Exception):
    """The deadline passed before the answer was there."""


class ServiceFailure(Exception):
    """A service gives no answer: why, in one line; and after how long a retry may help.

    A request that was `refused` by an HTTP status was not processed, and so costs no tokens; one
    that is `unsent`, since there was no connection, is none.
    """

    def __init__(
        self,
        problem: str,
        retry_after_s: float | None = None,
        body: Any = None,
        refused: bool = False,
        unsent: bool = False,
    ) -> None:
        super().__init__(problem)
        self.retry_after_s = retry_after_s
        self.body = body
        self.refused = refused
        self.unsent = unsent


class ModelAnswer(NamedTuple):
    """The text of an answer; the response body as data, without the key; its size in bytes."""

    text: str
    body: Any
    size: int


class RawResponse(NamedTuple):
    """An HTTP response: status, Retry-After, body."""

    status: int
    retry_after: str
    data: bytes


def request_answer(endpoint: Endpoint, messages: list[Message], deadline: float) -> ModelAnswer:
    """The answer to a conversation; `ServiceFailure` or `ModelTimeout` where there is none."""
    raw = _fetch(endpoint, request_body(endpoint, messages), deadline)
    return parse_answer(endpoint, raw, deadline)


def parse_answer(endpoint: Endpoint, raw: RawResponse, deadline: float) -> ModelAnswer:
    """The answer in a response that was read until the deadline."""
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
        problem, retry_after_s = _status_failure(endpoint, raw, shown)
        raise ServiceFailure(problem, retry_after_s, shown, refused=True)
    if not _has_message(body):
        if time.monotonic() > deadline:  # reading stopped there
            raise ModelTimeout
        problem = "gave no answer that can be read: it is cut off, or something else"
        raise ServiceFailure(f"{endpoint.origin} {problem}", DEFAULT_RETRY_DELAY_S, shown)
    return ModelAnswer(_answer_text(body), shown, len(raw.data))


def check_connection(endpoint: Endpoint, seconds: float) -> None:
    """Connect to a service and disconnect; `ServiceFailure` where that fails."""
    try:
        with create_connection(endpoint.socket_address, seconds) as plain:
            if endpoint.scheme == "https":
                tls_context().wrap_socket(plain, server_hostname=endpoint.host).close()
    except TimeoutError:
        raise ServiceFailure(
            f"{endpoint.origin} does not answer within {seconds:g} seconds"
        ) from None
    except OSError as error:
        raise _network_error(endpoint, error) from None


def request_body(endpoint: Endpoint, messages: list[Message]) -> bytes:
    """The JSON body of a request."""
    request = {"model": endpoint.model, "messages": messages, "stream": False}
    return json.dumps(request).encode()


def _has_message(body: Any) -> bool:
    """Whether a body holds something that the model said, be it without text."""
    match body:
        case {"choices": [{"message": {}}, *_]}:
            return True
    return False


def _answer_text(body: dict[str, Any]) -> str:
    """The text of an answer; empty where it holds none."""
    match body["choices"]:
        case [{"message": {"content": str(text)}}, *_]:
            return text
        case [{"message": {"content": list(parts)}}, *_]:
            return "\n".join(map(_part_text, parts))
        case [{"message": {"refusal": str(text)}}, *_]:
            return text
    return ""


def _part_text(part: Any) -> str:
    """The text of a part of an answer; empty for images and reasoning."""
    match part:
        case str(text) | {"type": "text" | "output_text", "text": str(text)}:
            return text
    return ""


def _fetch(endpoint: Endpoint, body: bytes, deadline: float) -> RawResponse:
    """Send a request in a daemon thread, which never keeps the process from exiting.

    The timeout of a socket holds for each operation alone, and a DNS lookup has none; the wait on
    the queue has a deadline, and Ctrl-C interrupts it.
    """
    answer: Queue[RawResponse | Exception] = Queue()

    def ask() -> None:
        try:
            answer.put(_ask(endpoint, body, deadline))
        except Exception as error:  # raised in the waiting thread
            answer.put(error)

    Thread(target=ask, name=REQUEST_THREAD_NAME, daemon=True).start()
    try:
        found = answer.get(timeout=max(0.0, deadline - time.monotonic()))
    except Empty:
        raise ModelTimeout from None
    if isinstance(found, RawResponse):
        return found
    raise _network_error(endpoint, found)


def _ask(endpoint: Endpoint, body: bytes, deadline: float) -> RawResponse:
    url = endpoint.origin + endpoint.address
    headers = {"User-Agent": f"evenodds/{__version__}", "Content-Type": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    timeout_s = max(0.001, deadline - time.monotonic())
    with open_response("POST", url, headers, body, timeout_s) as response:
        data = read_body(response, MAX_ANSWER_BYTES, deadline)
        return RawResponse(response.status_code, response.headers.get("Retry-After", ""), data)


def _network_error(endpoint: Endpoint, error: Exception) -> Exception:
    """A network error as `ServiceFailure` or `ModelTimeout`."""
    origin = endpoint.origin
    if isinstance(error, TimeoutError):
        return ModelTimeout()
    if is_plain_http(error):
        problem = f"{origin} does not answer over https; perhaps it is http://..."
        return ServiceFailure(problem, unsent=True)
    if isinstance(error, ProtocolError):
        return ServiceFailure(f"{origin} does not speak HTTP, or hung up", DEFAULT_RETRY_DELAY_S)
    if isinstance(error, OSError):
        problem = f"{origin} cannot be reached: {connection_failure_reason(error)}"
        unsent = isinstance(error, NO_CONNECTION) or error.errno in (EHOSTUNREACH, ENETUNREACH)
        return ServiceFailure(problem, DEFAULT_RETRY_DELAY_S, unsent=unsent)
    return error


def _status_failure(endpoint: Endpoint, raw: RawResponse, body: Any) -> tuple[str, float | None]:
    """The message for an HTTP status, and the seconds until a retry, None where none helps."""
    origin, status = endpoint.origin, raw.status
    if 300 <= status < 400:
        return f"{origin} redirects to another address, which is not followed ({status})", None
    if status in (401, 403):
        what = "refuses the key" if endpoint.key else f"wants a key, in {KEY_SETTING}"
        return f"{origin} {what} ({status})", None
    message = _error_message(body)
    problem = f"{origin} says no ({status}{f': {message}' if message else ''})"
    return problem, _retry_after_s(raw) if status in RETRYABLE_STATUSES else None


def _retry_after_s(raw: RawResponse) -> float:
    """The seconds of Retry-After, or the default; HTTP dates are not parsed."""
    text = raw.retry_after.strip()
    return (
        float(text)
        if text.isascii() and text.isdigit() and len(text) < 7
        else DEFAULT_RETRY_DELAY_S
    )


def _error_message(body: Any) -> str:
    """The error message in a JSON body; empty for other bodies, such as HTML pages."""
    match body:
        case {"error": {"message": str(text)}} | {"error": str(text)} | {"message": str(text)}:
            return shorten(" ".join(sanitized(text.replace("\n", " ")).split()), 100).rstrip(".")
    return ""
