"""Routes of the study pages: one game, or all games compared."""

import base64
import hashlib
from collections import Counter
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

from litestar import MediaType, Request, get
from litestar.response import Response

from evenodds.core import catalog
from evenodds.core.rulings import BadRuling, ruling_texts
from evenodds.render.pages import STUDY_CSS
from evenodds.server.assets import message_page
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.system.text import shorten

STUDY_PATH: Final = "/study"
REFRESH_INTERVAL_S: Final = "3"
"""Seconds after which the browser reloads a pending page, as its `Refresh` header says."""
_CSS_HASH: Final = base64.b64encode(hashlib.sha256(STUDY_CSS.read_bytes()).digest()).decode()
STUDY_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    f"style-src 'sha256-{_CSS_HASH}'"
)
"""Reports contain their style, known by its hash, and load nothing."""
PENDING_DETAIL: Final = (
    "Every position is being looked at. This page comes back with what was found."
)


@get(STUDY_PATH, media_type=MediaType.HTML, include_in_schema=False)
async def compared(registry: MatchRegistry) -> Response[Any]:
    """The page that compares all games."""
    return await _study_response(registry, "", {}, "")


@get(STUDY_PATH + "/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def studied(
    game: str, request: Request[Any, Any, Any], registry: MatchRegistry
) -> Response[Any]:
    """The study of a game with its default rulings, or those in the query."""
    found = catalog.get(game)
    given = list(request.query_params.multi_items())
    repeated = [key for key, count in Counter(key for key, _ in given).items() if count > 1]
    if repeated:
        raise BadRuling(f"{shorten(repeated[0])} is set more than once")
    rules = ruling_texts(found.settle_typed(dict(given)), changed_only=True)
    return await _study_response(registry, game, rules, address_of(request.scope))


async def _study_response(
    registry: MatchRegistry, game: str, rules: dict[str, str], address: str
) -> Response[Any]:
    page = await registry.report_queue.page(STUDY_PATH, game, rules, address)
    if page is None:
        progress = registry.report_queue.progress_of(game, rules)
        detail = PENDING_DETAIL + (f" At the moment: {progress}." if progress else "")
        pending, headers = message_page("Being studied", detail), {"Refresh": REFRESH_INTERVAL_S}
        return Response(pending, status_code=202, media_type=MediaType.HTML, headers=headers)
    headers = {"Content-Security-Policy": STUDY_CONTENT_SECURITY_POLICY}
    return Response(_linked(page, game, rules), media_type=MediaType.HTML, headers=headers)


def _linked(page: str, game: str, rules: dict[str, str]) -> str:
    """A report with links to the lobby and to the other pages of its game, under its rulings."""
    query = urlencode(rules)
    links = {"Even Odds": "/"}
    if game:
        links |= {
            "Play": f"/?{urlencode({'game': game, **rules})}",
            "Rules": f"/rules/{game}{query and f'?{query}'}",
            "Map": f"/map/{game}{query and f'?{query}'}",
        }
    made = " · ".join(f'<a href="{escape(link)}">{name}</a>' for name, link in links.items())
    return page.replace("<header>", f"<header>\n<p>{made}</p>", 1)


ROUTES: Final[list[Any]] = [compared, studied]
