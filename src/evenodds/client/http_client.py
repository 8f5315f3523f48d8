"""HTTP client for one match: JSON requests with size limits and timeouts, no redirects."""

import json
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from random import random
from typing import Any, Final

from evenodds import __version__
from evenodds.client.address import Address
from evenodds.system.network import connection, connection_failure_reason, speaks_plainly
from evenodds.system.text import brief, plain

MAX_RESPONSE_BYTES: Final = 1 << 20
"""Bytes of an answer, or of one event, that any match could need."""
REQUEST_TIMEOUT_S: Final = 10.0
"""How long a server may take to answer."""
STREAM_SILENCE_TIMEOUT_S: Final = 45.0
"""How long a stream may say nothing; a server says every few seconds that it is still there."""
STREAM: Final = "text/event-stream"


class RemoteError(Exception):
    """Why something on a server cannot be done, in one line."""


class ServerUnreachable(RemoteError):
    """The server does not answer now; it may do so later."""


class RequestRefused(RemoteError):
    """The server says no, and why."""

    def __init__(self, status: int, detail: str, body: dict[str, Any]) -> None:
        super().__init__(detail)
        self.status = status
        self.body = body


class InvalidResponse(RemoteError):
    """What answers is no server of this house, or says what cannot be."""


def retry_delays() -> Iterator[float]:
    """Seconds between one try and the next: soon at first, and never all guests at once."""
    pause = 0.25
    while True:
        yield pause * (0.75 + random() / 2)
        pause = min(2 * pause, 8.0)


class Client:
    """Someone who asks a server about one match, as a seat if there is a token."""

    def __init__(self, address: Address, token: str = "") -> None:
        self.address = address
        self.token = token
        self._tls = ssl.create_default_context() if address.scheme == "https" else None

    def get(self, path: str) -> Any:
        """What a server answers to a question."""
        return self._decoded(self._ask("GET", path))

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """What a server answers to a wish."""
        return self._decoded(self._ask("POST", path, json.dumps(body).encode()))

    def text(self, path: str) -> str:
        """A text that a server has."""
        return self._ask("GET", path).decode(errors="replace")

    @contextmanager
    def events(self, last: str) -> Iterator[HTTPResponse]:
        """The stream of the match, from the event after `last` on."""
        headers = {"Accept": STREAM} | ({"Last-Event-ID": last} if last else {})
        path = f"{self.address.api}/events"
        with (
            closing(self._connection(STREAM_SILENCE_TIMEOUT_S)) as line,
            self._send(line, "GET", path, None, headers) as response,
        ):
            if response.status != 200:
                self._read(response)
            if not response.headers.get("Content-Type", "").startswith(STREAM):
                raise self._nonsense()
            yield response

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        with (
            closing(self._connection(REQUEST_TIMEOUT_S)) as line,
            self._send(line, method, path, body, {}) as response,
        ):
            return self._read(response)

    def _connection(self, seconds: float) -> HTTPConnection:
        to = self.address
        return connection(to.scheme, to.host, to.port, seconds, self._tls)

    def _send(
        self,
        line: HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
    ) -> HTTPResponse:
        headers = {"User-Agent": f"evenodds/{__version__}"} | headers
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["X-Seat-Token"] = self.token
        try:
            line.request(method, path, body, headers)
            return line.getresponse()
        except (OSError, HTTPException, UnicodeError) as error:
            raise self.trouble(error) from None

    def _read(self, response: HTTPResponse) -> bytes:
        """The body of an answer; `RequestRefused` and the like where it is none."""
        status = response.status
        if 300 <= status < 400:
            raise InvalidResponse(
                f"{self.address.origin} sends us elsewhere; open the link it leads to"
            )
        if status in (502, 504):
            raise ServerUnreachable(f"{self.address.origin} cannot be reached: error {status}")
        try:
            data = response.read(MAX_RESPONSE_BYTES + 1)
        except (OSError, HTTPException) as error:
            raise self.trouble(error) from None
        if len(data) > MAX_RESPONSE_BYTES:
            raise self._nonsense()
        if status >= 400:
            raise self._refusal(status, self._decoded(data))
        return data

    def _decoded(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise self._nonsense() from None

    def _refusal(self, status: int, body: Any) -> RemoteError:
        match body:
            case {"detail": str(detail)}:
                return RequestRefused(status, brief(plain(detail), 160), body)
        return self._nonsense()

    def trouble(self, error: Exception) -> RemoteError:
        """What went wrong on the way, in one line."""
        origin = self.address.origin
        if isinstance(error, ssl.SSLCertVerificationError):
            return RemoteError(f"{origin} cannot be trusted: {connection_failure_reason(error)}")
        if speaks_plainly(error):
            return RemoteError(
                f"{origin} does not answer over https; perhaps the link is http://..."
            )
        if isinstance(error, OSError):
            return ServerUnreachable(
                f"{origin} cannot be reached: {connection_failure_reason(error)}"
            )
        return self._nonsense()

    def _nonsense(self) -> InvalidResponse:
        return InvalidResponse(f"no Even Odds server answers at {self.address.origin}")
