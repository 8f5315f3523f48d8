"""Routes of the HTML pages, study pages among them, and of the static files."""

import base64
import hashlib
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

from litestar import MediaType, get
from litestar.response import Response

from evenodds.claims.fixed_outcome import lively_variant, rules_line
from evenodds.core import catalog
from evenodds.core.rulings import BadRuling, as_data, ruling_texts
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, SECOND
from evenodds.players.profiles import BUILT_IN_PROFILES, names_for_reader, profile_under
from evenodds.render.narration import goal_of
from evenodds.render.pages import STUDY_CSS
from evenodds.server.assets import assets, in_lobby, message_page, send, send_page
from evenodds.server.http.request import HttpRequest
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_state import MatchState
from evenodds.server.matches.views import host_name
from evenodds.server.routes.lobby import linked_terms
from evenodds.server.routes.puzzles import about, puzzle_key
from evenodds.server.routes.study import rules_page
from evenodds.server.storage.database import DatabaseError
from evenodds.system import EvenOddsError
from evenodds.system.text import shorten

page = partial(get, media_type=MediaType.HTML, include_in_schema=False)
STUDY_PATH: Final = "/study"
_CSS_HASH: Final = base64.b64encode(hashlib.sha256(STUDY_CSS.read_bytes()).digest()).decode()
STUDY_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    f"style-src 'sha256-{_CSS_HASH}'"
)
"""Reports contain their style, known by its hash, and load nothing."""


@page("/")
async def lobby(request: HttpRequest) -> Response[bytes]:
    """The page of the lobby, with what messengers show of a challenge."""
    tags = _challenge(request)
    if tags:
        return send_page("index", request, tags=tags, **in_lobby())
    return send("static/index.html", request)


@page("/match/{id:str}")
async def match_page(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[bytes]:
    """The page of a match, with what messengers show of a link to it."""
    state = await _match_state(registry, id)
    context = _match_context(state, request) if state else {}
    return send_page("match", request, **context)


@page("/match/{id:str}/review")
async def review(id: str, request: HttpRequest, registry: MatchRegistry) -> Response[bytes]:
    """The page of a match's review."""
    await _match_state(registry, id)
    return send("static/review.html", request)


@page("/map/{game:str}")
async def map_page(game: str, request: HttpRequest) -> Response[bytes]:
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


@page(["/daily", "/practice/{game:str}"])
async def puzzles(request: HttpRequest, game: str | None = None) -> Response[bytes]:
    """The page of the daily puzzle, and of practice in a game, whose puzzles the page draws."""
    day = request.query_params.get("day") or datetime.now(UTC).date().isoformat()
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
        tags=_tags(
            f"Can you solve the puzzle of the day? {terms.game.title}",
            about(terms),
            terms.game,
            request,
        ),
    )


@page("/rules/{game:str}")
async def rules(game: str, request: HttpRequest) -> Response[bytes]:
    """The page with the rules of a game."""
    found = catalog.get(game)
    text = rules_page(found, dict(request.query_params))
    return send_page("rules", request, text=text, board=found.name)


@get("/offline_worker.js", include_in_schema=False)
async def offline_worker(request: HttpRequest) -> Response[bytes]:
    """The service worker, which may serve only pages below its own address."""
    return send("static/offline_worker.js", request)


@get(["/static/{path:path}", "/boards/{path:path}"], include_in_schema=False)
async def file(request: HttpRequest) -> Response[bytes]:
    """A static file."""
    return send(request.url.path.removeprefix("/"), request)


@page(STUDY_PATH)
async def compared(registry: MatchRegistry) -> Response[Any]:
    """The page that compares all games."""
    return await _study_response(registry, "", {}, "")


@page(STUDY_PATH + "/{game:str}")
async def studied(game: str, request: HttpRequest, registry: MatchRegistry) -> Response[Any]:
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
    report = await registry.report_queue.page(STUDY_PATH, game, rules, address)
    if report is None:
        progress = registry.report_queue.progress_of(game, rules)
        detail = "Every position is being looked at. This page comes back with what was found."
        detail += f" At the moment: {progress}." if progress else ""
        pending = message_page("Being studied", detail)
        headers = {"Refresh": "3"}  # seconds after which a browser asks again
        return Response(pending, status_code=202, media_type=MediaType.HTML, headers=headers)
    headers = {"Content-Security-Policy": STUDY_CONTENT_SECURITY_POLICY}
    return Response(_linked(report, game, rules), media_type=MediaType.HTML, headers=headers)


def _linked(report: str, game: str, rules: dict[str, str]) -> str:
    """A report below the header of all pages, with links to those of its game under its rulings."""
    query = urlencode(rules)
    links = {"Daily puzzle": "/daily", "Studies": STUDY_PATH}
    if game:
        links = {
            "Play": f"/?{urlencode({'game': game, **rules})}",
            "Rules": f"/rules/{game}{query and f'?{query}'}",
            "Map": f"/map/{game}{query and f'?{query}'}",
        }
    made = " ".join(f'<a href="{escape(link)}">{name}</a>' for name, link in links.items())
    brand = '<a class="brand" href="/">Even Odds</a>'
    bar = f'<nav class="bar" aria-label="More">{brand}<span>{made}</span></nav>'
    return report.replace("<body>", f"<body>\n{bar}", 1)


async def _match_state(registry: MatchRegistry, id: str) -> MatchState | None:
    """`MatchNotFound` where there is none; while the database fails, the page finds out itself."""
    with suppress(DatabaseError):
        return (await registry.session(id, watched=False)).state
    return None


def _match_context(state: MatchState, request: HttpRequest) -> dict[str, Any]:
    """A match's game and rules, its board and view, and what messengers show of it."""
    terms = state.terms
    goal = goal_of(terms.game, terms.rulings)
    if state.ready:
        names = names_for_reader(terms)
        one, two = names.order
        title = f"{names[one]} against {names.inside(two)}: {terms.game.title}"
    else:
        title = f"{host_name(state)} invites you to {terms.game.title}"
    lively = lively_variant(terms.game, terms.rulings)
    return {
        "title": terms.game.title,
        "goal": goal,
        "note": rules_line(terms.game, terms.rulings),
        "lively": lively
        and f"/?{urlencode({'game': terms.game.name, 'opponent': 'friend', **as_data(lively)})}",
        "rules": terms.game.words.rules(terms.rulings) or [goal],
        "rules_page": f"/rules/{terms.game.name}?{urlencode(as_data(terms.rulings))}",
        "board": terms.game.name,
        "preloads": [] if request.query_params else [f"/api/matches/{state.id}"],
        "tags": _tags(title, goal, terms.game, request),
    }


def _challenge(request: HttpRequest) -> dict[str, str]:
    """The tags of a link to a game, maybe with an opponent and rulings; none of any other link."""
    query = request.query_params
    with suppress(EvenOddsError):  # the page itself says what is wrong
        terms, name = linked_terms(query), query.get("opponent", "")
        game, rulings, title = terms.game, terms.rulings, f"Can you win at {terms.game.title}?"
        opponent = BUILT_IN_PROFILES.get(name)
        if opponent and profile_under(terms, name) == opponent:
            title = f"Can you beat {opponent.name} at {game.title}?"
        return _tags(title, goal_of(game, rulings), game, request)
    return {}


def _tags(title: str, about: str, game: catalog.AnyGame, request: HttpRequest) -> dict[str, str]:
    """What messengers show of a link: Open Graph's title, text and image."""
    files, version = assets()
    own = f"previews/{game.name}.png"
    image = own if f"static/{own}" in files else "icon-512.png"
    return {
        "og:title": title,
        "og:description": about,
        "og:type": "website",
        "og:image": f"{str(request.base_url).rstrip('/')}/static/{version}/{image}",
    }
