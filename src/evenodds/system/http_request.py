"""HTTP requests over a connection each: no redirects, no proxies, no cookies, no compression.

`httpx` is imported with the first request, since that takes a tenth of a second. Its transport is
used without its client, which would parse cookies and redirects of a server that may be anybody's.
"""

import signal
import ssl
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from math import inf
from socket import EAI_NONAME, gaierror
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx


class ProtocolError(Exception):
    """The server does not speak HTTP."""


class Disconnected(ProtocolError, ConnectionResetError):
    """The server closed the connection without an answer."""


def leave_signals_to_main_thread() -> None:
    """Take no signals in this thread: here they would not interrupt what the main one waits for."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


@contextmanager
def open_response(
    method: str, url: str, headers: dict[str, str], body: bytes | None, timeout_s: float
) -> Iterator["httpx.Response"]:
    """The response to a request, of which the body is yet to be read.

    OSError or `ProtocolError` where it fails, also later. The timeout is that of each operation of
    the socket.
    """
    import httpx

    headers = {"Accept-Encoding": "identity"} | headers
    timeouts = {"timeout": httpx.Timeout(timeout_s).as_dict()}
    try:
        request = httpx.Request(method, url, headers=headers, content=body, extensions=timeouts)
        tls = tls_context() if request.url.scheme == "https" else False
        with (
            httpx.HTTPTransport(verify=tls, trust_env=False) as transport,
            closing(transport.handle_request(request)) as response,
        ):
            yield response
    except (httpx.TransportError, httpx.InvalidURL, UnicodeError) as error:
        raise _failure(error) from None


def body_chunks(response: "httpx.Response") -> Iterator[bytes]:
    """The body as it arrives; where the server breaks off it ends, for the reader to judge."""
    import httpx

    with suppress(httpx.RemoteProtocolError):
        yield from response.iter_raw()


def read_body(response: "httpx.Response", limit: int, deadline: float = inf) -> bytes:
    """The body, or its beginning: what exceeds the limit, or has come by the deadline."""
    data = bytearray()
    for chunk in body_chunks(response):
        data += chunk
        if len(data) > limit or time.monotonic() > deadline:
            break
    return bytes(data)


@cache
def tls_context() -> ssl.SSLContext:
    """TLS with the certificates of the system."""
    return ssl.create_default_context()


def _failure(error: Exception) -> Exception:
    """The socket's error behind one of `httpx`, or what else is wrong with the server."""
    import httpx

    match error.__cause__:
        case BaseException(args=[OSError() as socket_error]):  # as `httpcore` passes it on
            return socket_error
    if not isinstance(error, httpx.TransportError):  # the host is neither a name nor an address
        return gaierror(EAI_NONAME, "Name or service not known")
    return Disconnected() if str(error).startswith("Server disconnected") else ProtocolError()
