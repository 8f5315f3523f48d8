"""The guard at the door: how often an address may ask, whose page may write, what pages may do."""

import time
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from evenodds.server.limits import Limits, TooOften
from evenodds.server.metrics import Metrics
from evenodds.server.problems import TYPE, broken, problem
from evenodds.wire import network_of

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Guard:
    """An ASGI application around another, which sees every request first and every answer last."""

    def __init__(self, app: ASGIApp, limits: Limits, metrics: Metrics) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        answered = False

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = {name.lower() for name, _ in message["headers"]}
                ours = [(name, value) for name, value in HEADERS if name not in own]
                message["headers"] = [*message["headers"], *ours]
                self.metrics.answered(scope, message["status"], time.perf_counter() - began)
            await send(message)

        if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # whoever sends the answer leaves out its body
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(answer, *refusal)
            return
        try:
            await self.app(scope, receive, answer)
        except Exception as error:  # none gets past with an answer that is not ours
            if answered:
                raise
            await _refuse(answer, broken(error, scope), {})

    def _refusal(self, scope: Any) -> tuple[dict[str, Any], dict[bytes, bytes]] | None:
        """Why a request is not let in, with headers that say more."""
        if scope["method"] not in READING and not _is_own(dict(scope["headers"])):
            return problem(403, "writing is allowed to this server's own pages only"), {}
        try:
            self.limits.requests.take(address_of(scope))
        except TooOften as error:
            wait = str(int(error.wait) + 1).encode()
            return problem(429, str(error)), {b"retry-after": wait}
        return None


def address_of(scope: Any) -> str:
    """Where a request comes from, as it is counted; proxies that are trusted have said so."""
    client = scope["client"]
    return network_of(str(client[0])) if client else ""


def _is_own(headers: dict[bytes, bytes]) -> bool:
    """Whether a request comes from a page of this server, or from a program."""
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin")
    return origin.partition(b"://")[2] == headers.get(b"host")


async def _refuse(send: Send, body: dict[str, Any], more: dict[bytes, bytes]) -> None:
    content = msgspec.json.encode(body)
    headers = [(b"content-type", TYPE.encode()), (b"content-length", str(len(content)).encode())]
    start = {
        "type": "http.response.start",
        "status": body["status"],
        "headers": [*headers, *more.items()],
    }
    await send(start)  # type: ignore[arg-type]
    await send({"type": "http.response.body", "body": content, "more_body": False})
