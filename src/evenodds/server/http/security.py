"""Security middleware: rate limit, host check, same-origin JSON writes, security headers."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from evenodds.server.http.metrics import Metrics
from evenodds.server.http.problems import SAFE_METHODS, rendered_problem
from evenodds.server.rate_limits import ServerLimits
from evenodds.system.network import host_name, is_known_host, network_of
from evenodds.system.text import shorten

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
NO_STORE: Final = (b"cache-control", b"no-store")
"""For API responses and errors: neither browsers nor proxies may store them."""


@dataclass(eq=False)
class SecurityMiddleware:
    """ASGI middleware around the whole application: it checks requests and adds headers."""

    app: ASGIApp
    limits: ServerLimits
    metrics: Metrics
    names: frozenset[str] = frozenset()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        admitted = answered = False

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = [name for name, _ in message["headers"]]
                is_kept = message["status"] < 400 and not scope["path"].startswith("/api/")
                added = SECURITY_HEADERS if is_kept else [*SECURITY_HEADERS, NO_STORE]
                missing = [each for each in added if each[0] not in own]
                message["headers"] = [*message["headers"], *missing]
                self.metrics.answered(scope, message["status"], time.perf_counter() - began)
            await send(message)

        if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # uvicorn, which knows the method, omits the body
        try:
            self._check(scope)
            admitted = True
            await self.app(scope, receive, answer)
        except Exception as error:  # uvicorn's own error response would lack our headers
            if answered:
                raise
            content, kind, status, more = rendered_problem(error, scope, plain=not admitted)
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            await send_response(answer, status, kind + charset, content, more)

    def _check(self, scope: Any) -> None:
        """Refuse a request by the exception that says why."""
        self.limits.requests.take(address_of(scope))
        hosts = [value.decode("latin-1") for header, value in scope["headers"] if header == b"host"]
        for host in hosts:
            if host and not is_known_host(host, self.names):
                name = shorten(host_name(host))
                detail = f"this server does not know the name {name}; "
                raise _refusal(421, f"{detail}start it with --name {name}")
        if (len(hosts) != 1 or not hosts[0]) and scope["http_version"] == "1.1":
            raise _refusal(400, "a request of HTTP/1.1 needs one Host header")
        if scope["method"] not in SAFE_METHODS:
            headers = dict(scope["headers"])
            if not _is_same_origin(headers):
                raise _refusal(403, "writing is allowed to this server's own pages only")
            if not _is_json(headers):
                raise _refusal(415, "send what is wanted as JSON, as application/json")


def _refusal(status: int, detail: str) -> HTTPException:
    return HTTPException(detail, status_code=status)


def address_of(scope: Any) -> str:
    """The client's address or network, the key of limits; trusted proxies have set it."""
    client = scope["client"]
    return network_of(str(client[0])) if client else ""


def _is_same_origin(headers: dict[bytes, bytes]) -> bool:
    """Whether a request comes from a page of this server, or from no browser at all."""
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin")
    return origin.partition(b"://")[2] == headers.get(b"host") != b""


def _is_json(headers: dict[bytes, bytes]) -> bool:
    """Whether a body is called JSON, or there is none; browsers send the rest for any page."""
    kind = headers.get(b"content-type")
    if kind is None:
        return headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers
    return kind.partition(b";")[0].strip().lower() == b"application/json"


async def send_response(
    send: Send, status: int, kind: str, content: bytes, headers: Mapping[str, str] = {}
) -> None:
    """Send a whole response without the framework."""
    own = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(content))]
    own += [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": content, "more_body": False})
