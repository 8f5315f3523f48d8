"""Routes of the HTML pages and of the static files."""

from contextlib import suppress
from typing import Any, Final

from litestar import MediaType, Request, get
from litestar.response import Response

from evenodds.core import catalog
from evenodds.server.assets import CACHE_REVALIDATE, asset_response, assets, send
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.storage.database import DatabaseError


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def lobby(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page of the lobby."""
    return _page("index", request)


@get("/match/{id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def match_page(
    id: str, request: Request[Any, Any, Any], registry: MatchRegistry
) -> Response[bytes]:
    """The page of a match."""
    await _check_match(registry, id)
    return _page("match", request)


@get("/match/{id:str}/review", media_type=MediaType.HTML, include_in_schema=False)
async def review(
    id: str, request: Request[Any, Any, Any], registry: MatchRegistry
) -> Response[bytes]:
    """The page of a match's review."""
    await _check_match(registry, id)
    return _page("review", request)


@get("/explore/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def explorer(game: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page that explores the positions of a game."""
    catalog.get(game)
    return _page("explore", request)


@get("/rules/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def rules(game: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page with the rules of a game."""
    catalog.get(game)
    return _page("rules", request)


@get(["/static/{path:path}", "/boards/{path:path}"], include_in_schema=False)
async def file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A static file."""
    return send(request.url.path.removeprefix("/"), request)


async def _check_match(registry: MatchRegistry, id: str) -> None:
    """`MatchNotFound` where there is none; while the database fails, the page finds out itself."""
    with suppress(DatabaseError):
        await registry.session(id, watched=False)


def _page(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    return asset_response(assets().files[f"static/{name}.html"], request, CACHE_REVALIDATE)


ROUTES: Final[list[Any]] = [lobby, match_page, review, explorer, rules, file]
