"""HTTP client for one match: JSON requests with size limits and timeouts, no redirects."""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from random import random
from typing import Any, Final

import httpx
import msgspec

from evenodds.client.address import Address
from evenodds.system import EvenOddsError, __version__
from evenodds.system.http_request import ProtocolError, open_response, read_body
from evenodds.system.network import connection_failure_reason, is_plain_http
from evenodds.system.text import sanitized, shorten

MAX_RESPONSE_BYTES: Final = 1 << 20
"""Largest response, or single event, that is read; the view of a long match takes far less."""
REQUEST_TIMEOUT_S: Final = 10.0
"""Timeout of each socket operation of a request."""
STREAM_SILENCE_TIMEOUT_S: Final = 45.0
"""Timeout of a read from the stream: three of the server's keep-alive intervals."""
EVENT_STREAM_TYPE: Final = "text/event-stream"


class RemoteError(EvenOddsError):
    """A request to a server failed; the message is one line."""


class ServerUnreachable(RemoteError):
    """The server does not respond; a retry may succeed."""


class RequestRefused(RemoteError):
    """The server answered with an error status; the message is its `detail`."""

    def __init__(self, status: int, detail: str, view: object = None) -> None:
        super().__init__(detail)
        self.status = status
        self.view = view
        """The match as it is, where the answer tells."""


class InvalidResponse(RemoteError):
    """The response is not that of an Even Odds server, or contradicts the rules."""


def retry_delays() -> Iterator[float]:
    """Seconds between attempts: exponential backoff up to 8 s.

    The jitter of a quarter keeps clients that lost the same server from returning all at once.
    """
    pause = 0.25
    while True:
        yield pause * (0.75 + random() / 2)
        pause = min(2 * pause, 8.0)


def parse_json(text: bytes | str, fault: str) -> Any:
    """What a text in JSON says; `InvalidResponse` with a fault where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidResponse(fault) from None


class Client:
    """HTTP client for one match; with a token its requests act for a seat.

    Each request opens a connection of its own, so that the stream's thread shares none with others.
    """

    def __init__(self, address: Address, token: str = "") -> None:
        self.address = address
        self.token = token
        self._no_server = f"no Even Odds server answers at {address.origin}"

    def get(self, path: str) -> Any:
        """The JSON response to a GET."""
        return parse_json(self._request("GET", path), self._no_server)

    def post(self, path: str, body: msgspec.Struct | None = None) -> Any:
        """The JSON response to a POST of a request body, or of an empty one."""
        content = b"{}" if body is None else msgspec.json.encode(body)
        return parse_json(self._request("POST", path, content), self._no_server)

    def text(self, path: str) -> str:
        """The response to a GET as text."""
        return self._request("GET", path).decode(errors="replace")

    @contextmanager
    def events(self, last: str) -> Iterator[httpx.Response]:
        """The open event stream of the match, from the event after `last` on."""
        headers = {"Accept": EVENT_STREAM_TYPE} | ({"Last-Event-ID": last} if last else {})
        path = f"{self.address.api_path}/events"
        with self._response("GET", path, headers, None, STREAM_SILENCE_TIMEOUT_S) as response:
            if response.status_code != 200:
                self._read(response)
            if not response.headers.get("Content-Type", "").startswith(EVENT_STREAM_TYPE):
                raise InvalidResponse(self._no_server)
            yield response

    def _request(self, method: str, path: str, body: bytes | None = None) -> bytes:
        headers = {} if body is None else {"Content-Type": "application/json"}
        with self._response(method, path, headers, body, REQUEST_TIMEOUT_S) as response:
            return self._read(response)

    @contextmanager
    def _response(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None, timeout_s: float
    ) -> Iterator[httpx.Response]:
        headers["User-Agent"] = f"evenodds/{__version__}"
        if self.token:
            headers["X-Seat-Token"] = self.token
        url = self.address.origin + path
        try:
            with open_response(method, url, headers, body, timeout_s) as response:
                yield response
        except OSError as error:
            raise self._connection_error(error) from None
        except ProtocolError:
            raise InvalidResponse(self._no_server) from None

    def _read(self, response: httpx.Response) -> bytes:
        """The body of a successful response; `RemoteError` for any other."""
        server, status = self.address.origin, response.status_code
        if response.is_redirect:
            raise InvalidResponse(f"{server} redirects to another address; open that one")
        if status in (502, 504):
            raise ServerUnreachable(f"{server} cannot be reached: error {status}")
        data = read_body(response, MAX_RESPONSE_BYTES)
        if len(data) > MAX_RESPONSE_BYTES:
            raise InvalidResponse(self._no_server)
        if status >= 400:
            match parse_json(data, self._no_server):
                case {"detail": str(detail), **rest}:
                    said = shorten(sanitized(detail), 160)
                    raise RequestRefused(status, said, rest.get("view"))
            raise InvalidResponse(self._no_server)
        return data

    def _connection_error(self, error: OSError) -> RemoteError:
        server, why = self.address.origin, connection_failure_reason(error)
        if isinstance(error, ssl.SSLCertVerificationError):
            return RemoteError(f"{server} cannot be trusted: {why}")
        if is_plain_http(error):
            said = "does not answer over https; perhaps the link is http://..."
            return RemoteError(f"{server} {said}")
        return ServerUnreachable(f"{server} cannot be reached: {why}")
