"""The pages: a file for each, and the board that each game brings along in its own folder."""

from pathlib import Path
from typing import Any, Final

from litestar import MediaType, get
from litestar.datastructures import CacheControlHeader
from litestar.response import File, Response
from litestar.static_files import create_static_files_router

from evenodds import catalog

STATIC: Final = Path(__file__).with_name("static")
FRESH: Final = CacheControlHeader(no_cache=True)
"""Asked for anew each time, so that after an update no page runs with parts of two versions."""
PLAIN_BOARD: Final = 'export * from "/static/boards/plain.js";\n'
"""The board of a game that brings none: the drawing that its words make."""


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def lobby() -> File:
    """The page on which a game is chosen."""
    return _page("index")


@get("/match/{id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def table(id: str) -> File:
    """The page on which a match is played."""
    return _page("match")


@get("/match/{id:str}/review", media_type=MediaType.HTML, include_in_schema=False)
async def review(id: str) -> File:
    """The page on which a match is looked at again."""
    return _page("review")


@get("/explore/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def explorer(game: str) -> File:
    """The page on which the positions of a game are walked through."""
    catalog.get(game)
    return _page("explore")


@get("/rules/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def rules(game: str) -> File:
    """The page with the rules of a game."""
    catalog.get(game)
    return _page("rules")


@get("/boards/{file:str}", include_in_schema=False, sync_to_thread=False)
def board(file: str) -> Response[Any]:
    """The board of a game as a module: `board.js` in its folder, or the plain one."""
    game = catalog.get(file.removesuffix(".js"))
    own = Path(game.page).with_name("board.js") if game.page else None
    text = own.read_text(encoding="utf-8") if own and own.exists() else PLAIN_BOARD
    return Response(text, media_type="text/javascript; charset=utf-8")


def _page(name: str) -> File:
    return File(STATIC / f"{name}.html", content_disposition_type="inline")


ROUTES: Final[list[Any]] = [
    lobby,
    table,
    review,
    explorer,
    rules,
    board,
    create_static_files_router("/static", [STATIC], cache_control=FRESH),
]
