"""What a request carries: a JSON body, and the token of a seat in a header or in a cookie."""

import re
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_type_hints
from urllib.parse import parse_qs

import msgspec
from litestar import Request
from litestar.datastructures import Cookie
from litestar.exceptions import ClientException
from litestar.openapi.spec import Reference, SecurityScheme

from evenodds.core.vocabulary import SEAT_NAMES, SEATS, Seat
from evenodds.protocol.messages import NEW_TOKEN
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import MatchSession, NotAuthorized
from evenodds.server.matches.match_state import MatchState
from evenodds.system.text import shorten

T = TypeVar("T")
HttpRequest = Request[Any, Any, Any]
VALIDATION_MESSAGE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)
"""A validation message of msgspec: the error, and the path of the field."""
EXPECTED: Final = re.compile(r"Expected `(.+?)`(?:, got `(.+)`)?(.*)", re.DOTALL)
"""One of a value of the wrong kind or out of range: the kinds, that of the value, the range."""
JSON_KINDS: Final = {
    "int": "a whole number",
    "float": "a decimal number",
    "str": "a text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
"""The kinds of values in words, by the names that msgspec has for them."""
LONE_SURROGATE: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\)")
SEAT_TOKEN_HEADER: Final = "x-seat-token"
"""The header with the token of a seat, for clients without cookies."""


def cookie_name(id: str, seat: str) -> str:
    """The name of a seat's cookie: by match and seat, since a browser may hold both seats."""
    return f"seat-{id}-{seat}"


SCHEMES: Final[dict[str, SecurityScheme | Reference]] = {
    "token": SecurityScheme(
        type="apiKey",
        security_scheme_in="header",
        name=SEAT_TOKEN_HEADER,
        description="The token of a seat, as programs send it. Where a seat is asked for, "
        f"`{NEW_TOKEN}`: only then the answer tells its token.",
    ),
    "cookie": SecurityScheme(
        type="apiKey",
        security_scheme_in="cookie",
        name=cookie_name("{id}", "{seat}"),
        description="The same in a browser, in a cookie named after the match and the seat. "
        "Whoever holds both seats says which is meant: `?seat=first` or `?seat=second`.",
    ),
}
"""Security schemes of the OpenAPI document."""
SEAT_REQUIRED: Final[list[dict[str, list[str]]]] = [{name: []} for name in SCHEMES]
"""Security of routes that need a seat."""
TOKEN_OPTIONAL: Final[list[dict[str, list[str]]]] = [{}, {"token": []}]
"""Security of routes that grant a seat."""
SEAT_OPTIONAL: Final[list[dict[str, list[str]]]] = [{}, *SEAT_REQUIRED]
"""Security of routes for everyone that tell a seat more."""
COOKIE_LIFETIME_S: Final = 60 * 60 * 24 * 90
"""Lifetime of a cookie since the last visit to the match."""
FINISHED_MATCH_COOKIE_LIFETIME_S: Final = 60 * 60
"""The same once the match is over: enough for a rematch. Browsers keep some 180 cookies per host,
and cookies of finished matches must not displace those of open ones."""


class StrictJsonRequest(HttpRequest):
    """A request of the framework whose JSON is decoded by `decode_body`."""

    async def body(self) -> bytes:
        """The body; an empty one is refused where the handler takes data."""
        body = await super().body()
        return body if self.route_handler.parsed_data_field is None else _nonempty(body)

    async def json(self) -> Any:
        """The body decoded to the type of the handler's `data`."""
        field = self.route_handler.parsed_data_field
        return decode_body(await self.body(), Any if field is None else field.annotation)


def decode_body(body: bytes, shape: type[T]) -> T:
    """JSON decoded without coercion: neither "1" nor 1.0 is an integer; `ClientException`."""
    try:
        return msgspec.json.decode(_nonempty(body), type=shape)
    except msgspec.ValidationError as error:
        found = VALIDATION_MESSAGE.fullmatch(str(error))
        what, where = (found["what"], found["where"]) if found else (str(error), None)
        raise ClientException(f"{where or 'the body'}: {in_words(what, shape, where)}") from None
    except UnicodeDecodeError:
        raise ClientException("the body is not UTF-8") from None
    except msgspec.DecodeError as error:
        cut = str(error) == "Input data was truncated"  # so msgspec says of a surrogate, too
        alone = cut and LONE_SURROGATE.search(body)
        place = "it ends too soon" if cut else f"see {str(error).rpartition('(')[2].rstrip(')')}"
        reason = "half of a surrogate pair stands alone" if alone else place
        raise ClientException(f"the body is not JSON: {reason}") from None


def in_words(message: str, shape: Any, field: str | None) -> str:
    """What a validation message of msgspec says: what is wrong, and what is allowed.

    `shape` is what was expected, or the function that was to be called.
    """
    if expected := EXPECTED.fullmatch(message):
        kinds, given, limits = expected.groups()
        allowed = " or ".join(JSON_KINDS.get(kind, kind) for kind in kinds.split(" | "))
        allowed += limits.replace(">=", "from").replace("<=", "up to")
        return f"{JSON_KINDS.get(given, 'this value')} is not allowed; allowed: {allowed}"
    what, _, name = message.rstrip("`").partition(" field `")
    if what == "Object missing required":
        return f"{name} is missing"
    if what == "Object contains unknown":
        return f"there is no field {shorten(name)}; allowed: {', '.join(shape.__struct_fields__)}"
    if what.startswith("Invalid enum value"):
        parts = get_args(get_type_hints(shape).get(field or ""))  # of a `Literal`, or one or None
        values = [value for part in parts for value in get_args(part) or [part]]
        allowed = " ".join(str(value) for value in values if value is not NoneType)
        return f"this value is not allowed; allowed: {allowed}"
    return f"{message[:1].lower()}{message[1:]}"


def _nonempty(body: bytes) -> bytes:
    if not body:
        raise ClientException("the body is empty; send what is wanted as JSON")
    return body


def sent_token(scope: Any) -> str:
    """What a program has sent as its token, or to be told one; pages send nothing."""
    token: bytes = dict(scope["headers"]).get(SEAT_TOKEN_HEADER.encode(), b"")
    return token.decode("latin-1")


def token_of(scope: Any, id: str) -> str:
    """The token in a request for a match; empty where it has none.

    Of two cookies the one of the seat in the query counts, or else that of first.
    """
    if (token := sent_token(scope)) not in ("", NEW_TOKEN):
        return token
    cookies = _cookies(scope, id)
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("seat", [""])[0]
    return cookies.get(asked) or next(iter(cookies.values()), "")


def _cookies(scope: Any, id: str) -> dict[str, str]:
    """The tokens in cookies of a match, by the name of the seat."""
    sent = HttpRequest(scope).cookies
    names = [str(SEAT_NAMES[seat]) for seat in SEATS]
    return {name: token for name in names if (token := sent.get(cookie_name(id, name)))}


async def visitor(scope: Any, id: str, registry: MatchRegistry) -> tuple[MatchSession, Seat | None]:
    """The match of a request, and the seat that its token is for; None where it has no token."""
    session, token = await registry.session(id), token_of(scope, id)
    return session, await registry.seat_of(session, token) if token else None


async def player(scope: Any, id: str, registry: MatchRegistry) -> tuple[MatchSession, Seat]:
    """The match of a request, and its seat; `NotAuthorized` where it has no token."""
    token = token_of(scope, id)
    if not token:
        raise NotAuthorized("you have no seat in this match")
    session = await registry.session(id)
    return session, await registry.seat_of(session, token)


def cookie(
    request: HttpRequest, id: str, token: str, seat: str | None, over: bool = False
) -> Cookie:
    """A cookie with a token, hidden from scripts and sent to this match only."""
    return Cookie(
        cookie_name(id, str(seat)),
        value=token,
        path=f"/api/matches/{id}",
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
        max_age=FINISHED_MATCH_COOKIE_LIFETIME_S if over else COOKIE_LIFETIME_S,
    )


def renewed_cookies(request: HttpRequest, state: MatchState) -> list[Cookie]:
    """The cookies of a request with a new lifetime, a short one once the match is over."""
    found = _cookies(request.scope, state.id).items()
    return [cookie(request, state.id, token, seat, state.over) for seat, token in found]
