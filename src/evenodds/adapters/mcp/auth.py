"""ASGI middleware of the MCP server: host, origin and bearer token checks."""

import hmac

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class AuthMiddleware:
    """ASGI middleware that rejects requests with a wrong host, origin or bearer token.

    On a loopback address the Host header must name this machine, which stops DNS rebinding by web
    pages; on other addresses the token is required. A request with an Origin must be same-origin.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one line."""
        refusal = self._refusal(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        # Repeated headers are joined, so that they match no allowed value.
        host, origin, given = (
            ", ".join(headers.getlist(name)) for name in ("host", "origin", "authorization")
        )
        if self._hosts and host.lower() not in self._hosts:
            return PlainTextResponse("this server is not called so", 421)
        if "origin" in headers and origin.partition("://")[2] != host:
            return PlainTextResponse("pages of other servers may not use these tools", 403)
        kind, _, token = given.partition(" ")
        same = hmac.compare_digest(token.strip().encode(), self._token.encode())
        if self._token and not (same and kind.lower() == "bearer"):
            needed = "a token is needed: Authorization: Bearer TOKEN"
            return PlainTextResponse(needed, 401, {"WWW-Authenticate": "Bearer"})
        return None
