"""ASGI middleware of the MCP server: host, origin and bearer token checks."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Any, Final

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

BEARER_PREFIX: Final = "bearer "


class AuthMiddleware:
    """ASGI middleware that rejects requests with a wrong host, origin or bearer token.

    On a loopback address the Host header must name this machine, which stops DNS rebinding by web
    pages; on other addresses the token is required. A request with an Origin must be same-origin.
    """

    def __init__(self, app: Application, hosts: frozenset[str], token: str) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one line."""
        if scope["type"] == "http":
            refusal = self._refusal(_headers(scope))
            if refusal is not None:
                await _refuse(send, *refusal)
                return
        await self._app(scope, receive, send)

    def _refusal(self, headers: dict[str, str]) -> tuple[int, str] | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts and host.lower() not in self._hosts:
            return 421, "this server is not called so"
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "pages of other servers may not use these tools"
        if self._token and not self._is_token(headers.get("authorization", "")):
            return 401, "a token is needed: Authorization: Bearer TOKEN"
        return None

    def _is_token(self, given: str) -> bool:
        kind, token = given[: len(BEARER_PREFIX)], given[len(BEARER_PREFIX) :]
        same = hmac.compare_digest(token.strip().encode(), self._token.encode())
        return same and kind.lower() == BEARER_PREFIX


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by name; repeated ones are joined, so that they match no allowed value."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


async def _refuse(send: Send, status: int, problem: str) -> None:
    body = problem.encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
