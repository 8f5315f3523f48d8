"""Static files, loaded once and served under versioned URLs with caching headers.

All scripts, styles and boards share one version, a hash of their contents, which is inserted into
every URL below /static/ or /boards/ that they contain. So a page never mixes two versions, and a
browser requests each file once. A page has one script, so that a phone waits for one answer and
not for thirty: each module of `static/` becomes a function that returns what the module exports.
Modules that boards import, too, stay files: there must not be two of each.
"""

import gzip
import hashlib
import json
import mimetypes
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from litestar import Request
from litestar.exceptions import NotFoundException
from litestar.response import Response

from evenodds.claims.fixed_outcome import lively_variant, rules_line
from evenodds.core import catalog
from evenodds.core.rulings import as_data
from evenodds.players.profiles import BUILT_IN_PROFILES
from evenodds.render.narration import goal_of
from evenodds.render.pages import render_page
from evenodds.server.logs import LOG
from evenodds.server.matches.opening import offered_games

STATIC: Final = Path(__file__).with_name("static")
SHARED: Final = ("dom", "boards/kit")
"""The modules that boards import as well."""
PLAIN_BOARD: Final = 'export * from "/static/boards/plain.js";\n'
"""The board of a game without `board.js`: its text drawing."""
PAGES: Final = ("index", "offline", "review")
"""The pages that are the same for everyone; scripts fill them."""
SCRIPTS: Final = ("lobby", "map", "match", "puzzle", "review", "rules")
"""The scripts of pages, each served with all modules that it imports."""
KINDS: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
"""Media types that not every system knows."""
MIN_COMPRESSED_BYTES: Final = 500
"""Smaller files are sent uncompressed."""
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
CACHE_REVALIDATE: Final = "no-cache"
_ASSET_URL: Final = re.compile(rb"(?<=[\"'`]/)(static|boards)/")
_IMPORT: Final = re.compile(r'^import (?:\* as (\w+)|\{ ([^}]+) \}) from "([^"]+)\.js";$', re.M)
_COMMENT: Final = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.M)
"""A comment on lines of its own."""
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.M)
_VERSION: Final = re.compile(r"[0-9a-f]{16}/")


class Asset(NamedTuple):
    """A static file as it is sent."""

    content: bytes
    compressed: bytes
    """The content as gzip; empty for a small file."""
    kind: str


class Assets(NamedTuple):
    """All static files by their path without the version."""

    files: dict[str, Asset]
    version: str


@cache
def assets() -> Assets:
    """All static files, read at the first request."""
    raw = {
        f"static/{path.relative_to(STATIC).as_posix()}": path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
    }
    raw |= {f"static/{name}.html": _render(name, **in_lobby()).encode() for name in PAGES}
    raw |= {f"static/{name}.js": bundle(name).encode() for name in SCRIPTS}
    raw |= {f"boards/{game.name}.js": _board(game) for game in offered_games()}
    digest = hashlib.blake2b(digest_size=8)
    for name, content in raw.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version = digest.hexdigest()
    return Assets({name: _asset(name, raw[name], version) for name in raw}, version)


@cache
def in_lobby() -> dict[str, Any]:
    """What the page of the lobby shows."""
    return {"games": list(map(_card, offered_games())), "opponents": BUILT_IN_PROFILES}


def bundle(page: str) -> str:
    """The script of a page with all modules below it, each after those that it imports."""
    shared: dict[str, str] = {}
    own: dict[str, str] = {}

    def add(name: str) -> str:
        """Add a module; the variable that holds what it exports."""
        variable = "$" + name.replace("/", "_")
        if name in SHARED:
            shared[name] = f'import * as {variable} from "/static/{name}.js";'
        elif name not in own:
            text = _COMMENT.sub("", (STATIC / f"{name}.js").read_text(encoding="utf-8"))
            text = _IMPORT.sub(lambda found: taken(found, name), text)
            exported, body = ", ".join(_EXPORT.findall(text)), _EXPORT.sub("", text)
            function = f"(() => {{\n{body}\nreturn {{ {exported} }};\n}})()"
            own[name] = text if name == page else f"const {variable} = {function};"
        return variable

    def taken(found: re.Match[str], importer: str) -> str:
        """What takes the place of an import."""
        path = normpath(join("/static", dirname(importer), found[3]))
        names = found[1] or f"{{ {found[2].replace(' as ', ': ')} }}"
        return f"const {names} = {add(path.removeprefix('/static/'))};"

    add(page)
    return "\n".join([*shared.values(), *own.values()])


def message_page(title: str, detail: str, lost: str = "") -> bytes:
    """The HTML page that says why there is nothing else to show.

    `lost` is a path at which there is nothing: the page leads on to what is alike.
    """
    detail = detail.partition("; ")[0] if lost else detail  # what there is stands below
    is_ruling = "=" in detail.partition(" ")[0]
    begin = detail[:1] if is_ruling else detail[:1].upper()
    sentence = f"{begin}{detail[1:]}".rstrip(".") + "."
    games, kind = offered_games() if lost else (), lost[1:].partition("/")[0]
    return _page("message", title=title, detail=sentence, games=games, kind=kind).content


def send_page(name: str, request: Request[Any, Any, Any], **context: Any) -> Response[bytes]:
    """The response with a page that is made for each request."""
    return _response(_page(name, **context), request, _headers(CACHE_REVALIDATE))


def _page(name: str, **context: Any) -> Asset:
    return _asset(f"{name}.html", _render(name, **context).encode(), assets().version)


def send(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """The response for a path with or without a version; with the current one it is cacheable."""
    folder, _, rest = name.partition("/")
    versioned = _VERSION.match(rest)
    files, version = assets()
    asset = files.get(f"{folder}/{rest[versioned.end() :]}" if versioned else name)
    if asset is None:
        raise NotFoundException("there is no such file")
    tag = f'W/"{version}"'
    current = versioned is not None and versioned[0] == f"{version}/"
    headers = {"etag": tag} | _headers(CACHE_FOREVER if current else CACHE_REVALIDATE)
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, media_type=asset.kind, headers=headers)
    return _response(asset, request, headers)


def _headers(caching: str) -> dict[str, str]:
    return {"cache-control": caching, "vary": "accept-encoding"}


def _response(
    asset: Asset, request: Request[Any, Any, Any], headers: dict[str, str]
) -> Response[bytes]:
    """The response with a file, compressed where the client can read that."""
    if asset.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(asset.compressed, media_type=asset.kind, headers=headers)
    return Response(asset.content, media_type=asset.kind, headers=headers)


def _board(game: catalog.AnyGame) -> bytes:
    """The JavaScript module of a game's board: `board.js` beside its rules, or the plain one."""
    beside = game.page or game.rules_file
    own = Path(beside).with_name("board.js") if beside else None
    try:
        return own.read_bytes() if own and own.exists() else PLAIN_BOARD.encode()
    except OSError as error:
        LOG.warning("a board cannot be read", extra={"game": game.name, "reason": str(error)})
        return PLAIN_BOARD.encode()


def _asset(name: str, content: bytes, version: str) -> Asset:
    kind = KINDS.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    # every address of a static file gets the version
    content = _ASSET_URL.sub(rb"\1/" + version.encode() + b"/", content)
    compressed = gzip.compress(content, mtime=0) if len(content) > MIN_COMPRESSED_BYTES else b""
    return Asset(content, compressed, kind or "application/octet-stream")


def _card(game: catalog.AnyGame) -> dict[str, Any]:
    """What the lobby shows of a game; of one that its rules decide, rulings that change this."""
    book = game.rulings()
    variant = lively_variant(game, book)
    return {
        "name": game.name,
        "title": game.title,
        "goal": goal_of(game),
        "decided": rules_line(game, book),
        "lively": variant and rules_line(game, variant),
        "variant": json.dumps(as_data(variant)) if variant else "",
        "evidence": variant and f"/study/{game.name}?{urlencode(as_data(variant))}",
    }


def _render(name: str, **context: Any) -> str:
    return render_page(f"server/pages/{name}.html.jinja", modules=SHARED, **context)
