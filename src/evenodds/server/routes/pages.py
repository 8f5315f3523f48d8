"""Routes of the HTML pages and of the static files."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from litestar import MediaType, Request, get
from litestar.response import Response

from evenodds.core import catalog
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.server.assets import send, send_page
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_state import MatchState
from evenodds.server.routes.match_page import page_context
from evenodds.server.routes.puzzles import about, puzzle_key
from evenodds.server.routes.study import rules_page
from evenodds.server.storage.database import DatabaseError


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def lobby(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page of the lobby."""
    return send("static/index.html", request)


@get("/match/{id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def match_page(
    id: str, request: Request[Any, Any, Any], registry: MatchRegistry
) -> Response[bytes]:
    """The page of a match, with what messengers show of a link to it."""
    state = await _match_state(registry, id)
    context = page_context(state, request) if state else {}
    return send_page("match", request, **context)


@get("/match/{id:str}/review", media_type=MediaType.HTML, include_in_schema=False)
async def review(
    id: str, request: Request[Any, Any, Any], registry: MatchRegistry
) -> Response[bytes]:
    """The page of a match's review."""
    await _match_state(registry, id)
    return send("static/review.html", request)


@get("/map/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def map_page(game: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page with what each pick is worth at any position of a game."""
    found = catalog.get(game)
    query = urlencode({"seat": SEAT_NAMES[FIRST], **request.query_params})  # as its script asks
    position = f"/api/games/{found.name}/position?{query}"
    return send_page(
        "map",
        request,
        game=found,
        second=request.query_params.get("seat") == SEAT_NAMES[SECOND],
        board=found.name,
        preloads=[position, "/api/games"],
    )


@get(["/daily", "/practice/{game:str}"], media_type=MediaType.HTML, include_in_schema=False)
async def puzzles(request: Request[Any, Any, Any], game: str | None = None) -> Response[bytes]:
    """The page of the daily puzzle, and of practice in a game, whose puzzles the page draws."""
    day = datetime.now(UTC).date().isoformat()
    key = day if game is None else f"{catalog.get(game).name}-0"
    terms = puzzle_key(key).terms
    return send_page(
        "puzzle",
        request,
        title="Practice" if game else "Daily puzzle",
        game=terms.game.title if game else f"{terms.game.title} · {day}",
        about=about(terms),
        games=[one for one in catalog.list_games() if one.name in catalog.built_in()],
        board=terms.game.name,
        preloads=[] if game else [f"/api/puzzles/{day}"],
    )


@get("/rules/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def rules(game: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page with the rules of a game."""
    found = catalog.get(game)
    text = rules_page(found, dict(request.query_params))
    return send_page("rules", request, text=text, board=found.name)


@get("/offline_worker.js", include_in_schema=False)
async def offline_worker(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The service worker, which may serve only pages below its own address."""
    return send("static/offline_worker.js", request)


@get(["/static/{path:path}", "/boards/{path:path}"], include_in_schema=False)
async def file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A static file."""
    return send(request.url.path.removeprefix("/"), request)


async def _match_state(registry: MatchRegistry, id: str) -> MatchState | None:
    """`MatchNotFound` where there is none; while the database fails, the page finds out itself."""
    with suppress(DatabaseError):
        return (await registry.session(id, watched=False)).state
    return None


ROUTES: Final[list[Any]] = [
    lobby,
    match_page,
    review,
    map_page,
    puzzles,
    rules,
    offline_worker,
    file,
]
