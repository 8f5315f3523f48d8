"""A client of the chat completions API: the endpoint with its key, a request, and the answer.

Redirects are not followed, since they would send the key elsewhere; no error message holds the key.
"""

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from errno import EHOSTUNREACH, ENETUNREACH
from socket import create_connection, gaierror
from ssl import SSLCertVerificationError
from threading import Thread
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from evenodds.players.player import CannotPlay
from evenodds.system import __version__, http_request, network
from evenodds.system.http_request import ProtocolError, open_response, read_body, tls_context
from evenodds.system.text import parse_whole, sanitized, shorten

KEY_SETTING: Final = "EVENODDS_LLM_KEY"
"""The environment variable with the API key; empty for no key."""
OPENAI_KEY_SETTING: Final = "OPENAI_API_KEY"
OPENAI_HOST: Final = "api.openai.com"
"""The only host that gets the key of OPENAI_API_KEY."""

_MODEL: Final = re.compile(r"[!-~]{1,100}")
_PATH: Final = re.compile(r"[A-Za-z0-9._~/-]*")
_KEY: Final = re.compile(r"[A-Za-z0-9._~+/=:|-]{1,1000}")
REDACTED_KEY: Final = "[key]"

MAX_ANSWER_BYTES: Final = 1 << 20
DEFAULT_RETRY_DELAY_S: Final = 2.0
"""Seconds until a retry, where the service sends no Retry-After."""
NO_CONNECTION: Final = (ConnectionRefusedError, gaierror, SSLCertVerificationError)
"""Errors before anything is sent; after others the service may have taken the request."""
RETRYABLE_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
REQUEST_THREAD_NAME: Final = "asking a model"

Message = dict[str, str]
Result = TypeVar("Result")


class Endpoint(NamedTuple):
    """A model, the base URL of its service, and the key, which `repr` does not show."""

    model: str
    origin: str
    """Scheme, host and port, as errors name the service."""
    path: str
    socket_address: tuple[str, int]
    key: str = ""

    @property
    def encrypted(self) -> bool:
        """Whether it is reached by TLS."""
        return self.origin.startswith("https:")

    def scrubbed(self, value: Any) -> Any:
        """Any text, or data with texts, without the key."""
        if isinstance(value, str):
            return value.replace(self.key, REDACTED_KEY) if self.key else value
        if isinstance(value, list):
            return [self.scrubbed(one) for one in value]
        if isinstance(value, dict):
            return {self.scrubbed(key): self.scrubbed(one) for key, one in value.items()}
        return value

    def __repr__(self) -> str:
        return f"<Endpoint {self.model} at {self.origin}{self.path}>"


def parse_endpoint(detail: str) -> Endpoint:
    """Parse what follows `llm:`; `CannotPlay` in one line."""
    model, _, url = detail.rpartition("@")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        named = _MODEL.fullmatch(model) and network.HOST_PATTERN.fullmatch(host)
        bare = _PATH.fullmatch(parts.path) and not parts.query and not parts.fragment
        if parts.scheme not in ("http", "https") or not named or not bare:
            raise ValueError
    except ValueError:
        # One that may hold a password is not quoted.
        said = "" if "?" in detail or detail.count("@") > 1 else f"{shorten(f'llm:{detail}', 60)} "
        allowed = "is not allowed; allowed: llm:MODEL@https://HOST/v1"
        raise CannotPlay(f"{said}{allowed}") from None
    address = host, port or (443 if parts.scheme == "https" else 80)
    origin = network.origin(parts.scheme, host, port)
    return Endpoint(model, origin, parts.path.rstrip("/"), address)


def with_key(found: Endpoint) -> Endpoint:
    """The endpoint with the user's key, if any; `CannotPlay` where it would go out in clear."""
    name, (host, _) = KEY_SETTING, found.socket_address
    if KEY_SETTING not in os.environ and host == OPENAI_HOST:
        name = OPENAI_KEY_SETTING
    key = os.environ.get(name, "").strip()
    if not key:
        return found
    if not _KEY.fullmatch(key):
        raise CannotPlay(f"{name} is not a key: it has spaces or other characters that no key has")
    if not found.encrypted and not network.is_loopback(host):
        raise CannotPlay(
            f"{found.origin} is not encrypted, so others could read your key; "
            f"use https, or an empty {KEY_SETTING}"
        )
    return found._replace(key=key)


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
        self.retry_after_s, self.body = retry_after_s, body
        self.refused, self.unsent = refused, unsent


class ModelAnswer(NamedTuple):
    """The text of an answer; the response body as data; its size in bytes."""

    text: str
    body: Any
    size: int


class RawResponse(NamedTuple):
    """An HTTP response: status, Retry-After, body."""

    status: int
    retry_after: str
    data: bytes


def parse_answer(endpoint: Endpoint, raw: RawResponse, deadline: float) -> ModelAnswer:
    """The answer in a response that was read until the deadline."""
    if len(raw.data) > MAX_ANSWER_BYTES:
        much = f"more than {MAX_ANSWER_BYTES >> 20} MB"
        raise ServiceFailure(f"{endpoint.origin} answered with {much}")
    text = raw.data.decode(errors="replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = text
    if raw.status != 200:
        raise _status_failure(endpoint, raw, body)
    answer = answer_text(body)
    if answer is None:
        if time.monotonic() > deadline:  # reading stopped there
            raise TimeoutError
        problem = "gave no answer that can be read: it is cut off, or something else"
        raise ServiceFailure(f"{endpoint.origin} {problem}", DEFAULT_RETRY_DELAY_S, body)
    return ModelAnswer(answer, body, len(raw.data))


def check_connection(endpoint: Endpoint, seconds: float) -> None:
    """Connect to a service and disconnect; `ServiceFailure` where that fails."""
    try:
        with create_connection(endpoint.socket_address, seconds) as plain:
            if endpoint.encrypted:
                host, _ = endpoint.socket_address
                tls_context().wrap_socket(plain, server_hostname=host).close()
    except TimeoutError:
        late = f"{endpoint.origin} does not answer within {seconds:g} seconds"
        raise ServiceFailure(late) from None
    except OSError as error:
        raise _network_error(endpoint, error) from None


def request_body(
    endpoint: Endpoint,
    messages: list[Message],
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> bytes:
    """The JSON body of a request, with parameters such as `temperature` passed on as they are."""
    request = {"model": endpoint.model, "messages": messages, "stream": False}
    return json.dumps(dict(parameters) | request).encode()


def is_cut_off(body: Any) -> bool:
    """Whether an answer ends where the limit of its length was reached."""
    match body:
        case {"choices": [{"finish_reason": "length"}, *_]}:
            return True
    return False


def answer_text(body: Any) -> str | None:
    """What the model said, empty where it holds no text; None for a body without an answer."""
    match body:
        case {"choices": [{"message": {"content": list(parts)}}, *_]}:
            return "\n".join(map(_part_text, parts))
        case {"choices": [{"message": {"content": str(text)} | {"refusal": str(text)}}, *_]}:
            return text
        case {"choices": [{"message": {}}, *_]}:
            return ""
    return None


def _part_text(part: Any) -> str:
    """The text of a part of an answer; empty for images and reasoning."""
    match part:
        case str(text) | {"type": "text" | "output_text", "text": str(text)}:
            return text
    return ""


def in_daemon_thread(work: Callable[[], Result]) -> "Future[Result]":
    """What some work comes to, in a thread that never keeps the process from exiting."""
    found: Future[Result] = Future()
    found.set_running_or_notify_cancel()  # whoever waits may give up, and the work goes on

    def run() -> None:
        http_request.leave_signals_to_main_thread()
        try:
            found.set_result(work())
        except BaseException as error:  # raised in the waiting thread
            found.set_exception(error)

    Thread(target=run, name=REQUEST_THREAD_NAME, daemon=True).start()
    return found


def request_answer(endpoint: Endpoint, body: bytes, deadline: float) -> ModelAnswer:
    """The answer to a request; `ServiceFailure` or `TimeoutError` where there is none.

    It is sent in a daemon thread, which never keeps the process from exiting. The timeout of a
    socket holds for each operation alone, and a DNS lookup has none; the wait for the thread has a
    deadline, and Ctrl-C interrupts it.
    """
    url = f"{endpoint.origin}{endpoint.path}/chat/completions"
    headers = {"User-Agent": f"evenodds/{__version__}", "Content-Type": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"

    def ask() -> RawResponse:
        timeout_s = max(0.001, deadline - time.monotonic())
        with open_response("POST", url, headers, body, timeout_s) as response:
            data = read_body(response, MAX_ANSWER_BYTES, deadline)
        return RawResponse(response.status_code, response.headers.get("Retry-After", ""), data)

    answer = in_daemon_thread(ask)
    try:
        raw = answer.result(max(0.0, deadline - time.monotonic()))
    except Exception as error:
        raise _network_error(endpoint, error) from None
    return parse_answer(endpoint, raw, deadline)


def _network_error(endpoint: Endpoint, error: Exception) -> Exception:
    origin = endpoint.origin
    if isinstance(error, TimeoutError):
        return error
    if network.is_plain_http(error):
        problem = f"{origin} does not answer over https; perhaps it is http://..."
        return ServiceFailure(problem, unsent=True)
    if isinstance(error, ProtocolError):
        return ServiceFailure(f"{origin} does not speak HTTP, or hung up", DEFAULT_RETRY_DELAY_S)
    if isinstance(error, OSError):
        problem = f"{origin} cannot be reached: {network.connection_failure_reason(error)}"
        unsent = isinstance(error, NO_CONNECTION) or error.errno in (EHOSTUNREACH, ENETUNREACH)
        return ServiceFailure(problem, DEFAULT_RETRY_DELAY_S, unsent=unsent)
    return error


def _status_failure(endpoint: Endpoint, raw: RawResponse, body: Any) -> ServiceFailure:
    status, retry_after_s = raw.status, None
    if 300 <= status < 400:
        problem = f"redirects to another address, which is not followed ({status})"
    elif status in (401, 403):
        what = "refuses the key" if endpoint.key else f"wants a key, in {KEY_SETTING}"
        problem = f"{what} ({status})"
    else:
        message = _error_message(endpoint, body)
        problem = f"says no ({status}{f': {message}' if message else ''})"
        if status in RETRYABLE_STATUSES:  # HTTP dates are not parsed
            seconds = parse_whole(raw.retry_after.strip())
            usable = seconds is not None and seconds < 10**6
            retry_after_s = float(seconds or 0) if usable else DEFAULT_RETRY_DELAY_S
    return ServiceFailure(f"{endpoint.origin} {problem}", retry_after_s, body, refused=True)


def _error_message(endpoint: Endpoint, body: Any) -> str:
    """The error message in a JSON body; empty for other bodies, such as HTML pages."""
    match endpoint.scrubbed(body):
        case {"error": {"message": str(text)}} | {"error": str(text)} | {"message": str(text)}:
            return shorten(" ".join(sanitized(text.replace("\n", " ")).split()), 100).rstrip(".")
    return ""
