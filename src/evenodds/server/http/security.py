"""Security middleware: rate limit, host check, same-origin JSON writes, security headers."""

import time
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from evenodds.protocol.problems import Problem
from evenodds.server.assets import message_page
from evenodds.server.http.metrics import Metrics
from evenodds.server.http.problems import PROBLEM_MEDIA_TYPE, internal_error_problem, problem
from evenodds.server.rate_limits import RateLimited, ServerLimits
from evenodds.system.network import host_name, is_known_host, network_of
from evenodds.system.text import shorten

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
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


class SecurityMiddleware:
    """ASGI middleware around the whole application: it checks requests and adds headers."""

    def __init__(
        self,
        app: ASGIApp,
        limits: ServerLimits,
        metrics: Metrics,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.app = app
        self.names = names
        self.limits = limits
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        answered = False
        accepts_html = _accepts_html(scope)
        send = problems_as_html(send) if accepts_html else send

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = {name.lower() for name, _ in message["headers"]}
                added = [*SECURITY_HEADERS]
                if scope["path"].startswith("/api/") or message["status"] >= 400:
                    added.append(NO_STORE)
                missing = [(name, value) for name, value in added if name not in own]
                message["headers"] = [*message["headers"], *missing]
                self.metrics.answered(scope, message["status"], time.perf_counter() - began)
            await send(message)

        if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # uvicorn, which knows the method, omits the body
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(answer, *refusal, plain=accepts_html)  # a page would cost more
            return
        try:
            await self.app(scope, receive, answer)
        except Exception as error:  # uvicorn's own error response would lack our headers
            if answered:
                raise
            await _refuse(answer, internal_error_problem(error, scope), {})

    def _refusal(self, scope: Any) -> tuple[Problem, dict[bytes, bytes]] | None:
        """The problem and additional headers for a request that is refused, or None."""
        try:
            self.limits.requests.take(address_of(scope))
        except RateLimited as error:
            retry_after = str(int(error.retry_after_s) + 1).encode()
            return problem(429, str(error)), {b"retry-after": retry_after}
        hosts = [value.decode("latin-1") for header, value in scope["headers"] if header == b"host"]
        for host in hosts:
            if host and not is_known_host(host, self.names):
                name = shorten(host_name(host))
                detail = f"this server does not know the name {name}; "
                return problem(421, f"{detail}start it with --name {name}"), {}
        if (len(hosts) != 1 or not hosts[0]) and scope["http_version"] == "1.1":
            return problem(400, "a request of HTTP/1.1 needs one Host header"), {}
        if scope["method"] not in SAFE_METHODS:
            headers = dict(scope["headers"])
            if not _is_same_origin(headers):
                return problem(403, "writing is allowed to this server's own pages only"), {}
            if not _is_json(headers):
                return problem(415, "send what is wanted as JSON, as application/json"), {}
        return None


def address_of(scope: Any) -> str:
    """The client's address or network, the key of limits; trusted proxies have set it."""
    client = scope["client"]
    return network_of(str(client[0])) if client else ""


def _is_same_origin(headers: dict[bytes, bytes]) -> bool:
    """Whether a request comes from a page of this server, or from no browser at all."""
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin")
    return origin.partition(b"://")[2] == headers.get(b"host")


def _is_json(headers: dict[bytes, bytes]) -> bool:
    """Whether a body is called JSON, or there is none; browsers send the rest for any page."""
    kind = headers.get(b"content-type")
    if kind is None:
        return headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers
    return kind.partition(b";")[0].strip().lower() == b"application/json"


def _accepts_html(scope: Any) -> bool:
    """Whether a browser navigates to a page."""
    if scope["method"] not in SAFE_METHODS or scope["path"].startswith("/api/"):
        return False
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def problems_as_html(send: Send) -> Send:
    """Wrap `send` so that problem responses become HTML pages."""
    start: Any = None

    async def forward(message: Any) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            headers = {name.lower(): value for name, value in message["headers"]}
            if headers.get(b"content-type") == PROBLEM_MEDIA_TYPE.encode():
                start = message
                return
        elif start is not None:
            details = msgspec.json.decode(message["body"])
            title = "Not found" if details["status"] == 404 else "That does not work"
            page = message_page(title, details["detail"])
            own = [
                (b"content-type", b"text/html; charset=utf-8"),
                (b"content-length", str(len(page)).encode()),
            ]
            others = [each for each in start["headers"] if each[0].lower() not in dict(own)]
            start["headers"] = [*others, *own]
            await send(start)
            start = None
            message = {**message, "body": page}
        await send(message)

    return forward


async def _refuse(
    send: Send, body: Problem, more: dict[bytes, bytes], *, plain: bool = False
) -> None:
    content = body.detail.encode() if plain else msgspec.json.encode(body)
    kind = "text/plain; charset=utf-8" if plain else PROBLEM_MEDIA_TYPE
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(content)).encode()),
    ]
    start = {
        "type": "http.response.start",
        "status": body.status,
        "headers": [*headers, *more.items()],
    }
    await send(start)  # type: ignore[arg-type]
    await send({"type": "http.response.body", "body": content, "more_body": False})
