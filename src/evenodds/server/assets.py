"""Static files, loaded once and served under versioned URLs with caching headers.

All modules and styles, and the boards of all games, have one version, made from what they hold; in
what is sent every address that begins with /static/ or /boards/ carries it. So a page never runs
with parts of two versions, and a browser asks for each file once.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from litestar import Request
from litestar.exceptions import NotFoundException
from litestar.response import Response

from evenodds.core import catalog
from evenodds.server.logs import LOG

STATIC: Final = Path(__file__).with_name("static")
PLAIN_BOARD: Final = 'export * from "/static/boards/plain.js";\n'
"""The board of a game that brings none: the drawing that its words make."""
JAVASCRIPT: Final = "text/javascript"
MIN_COMPRESSED_BYTES: Final = 500
"""Bytes that are not worth compressing."""
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
CACHE_REVALIDATE: Final = "no-cache"
_ASSET_URL: Final = re.compile(rb"(?<=[\"'`]/)(static|boards)/")
_VERSION: Final = re.compile(r"[0-9a-f]{16}/")


class Asset(NamedTuple):
    """A file as it is sent."""

    content: bytes
    compressed: bytes
    """Empty where it would not be smaller."""
    kind: str


class Assets(NamedTuple):
    """All files by their addresses, without the version."""

    files: dict[str, Asset]
    version: str


@cache
def assets() -> Assets:
    """All files, as they were when they were first asked for."""
    raw = {
        f"static/{path.relative_to(STATIC).as_posix()}": path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
    }
    raw |= {f"boards/{game.name}.js": _board(game) for game in catalog.list_games().games}
    digest = hashlib.blake2b(digest_size=8)
    for name, content in raw.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version = digest.hexdigest()
    return Assets({name: _asset(name, raw[name], version) for name in raw}, version)


def send(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file under its address with or without a version; one with this version is kept."""
    folder, _, rest = name.partition("/")
    versioned = _VERSION.match(rest)
    files, version = assets()
    asset = files.get(f"{folder}/{rest[versioned.end() :]}" if versioned else name)
    if asset is None:
        raise NotFoundException("there is no such file")
    current = versioned is not None and versioned[0] == f"{version}/"
    return answer(asset, request, CACHE_FOREVER if current else CACHE_REVALIDATE)


def answer(asset: Asset, request: Request[Any, Any, Any], caching: str) -> Response[bytes]:
    """A file as an answer; nothing but "the same as before" to those who have it."""
    tag = f'W/"{assets().version}"'
    headers = {"cache-control": caching, "etag": tag, "vary": "accept-encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, media_type=asset.kind, headers=headers)
    if asset.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(asset.compressed, media_type=asset.kind, headers=headers)
    return Response(asset.content, media_type=asset.kind, headers=headers)


def _board(game: catalog.AnyGame) -> bytes:
    """The board of a game as a module: `board.js` in its folder, or the plain one."""
    own = Path(game.page).with_name("board.js") if game.page else None
    try:
        return own.read_bytes() if own and own.exists() else PLAIN_BOARD.encode()
    except OSError as error:
        LOG.warning("a board cannot be read", extra={"game": game.name, "reason": str(error)})
        return PLAIN_BOARD.encode()


def _asset(name: str, content: bytes, version: str) -> Asset:
    kind = JAVASCRIPT if name.endswith(".js") else mimetypes.guess_type(name)[0]
    content = _ASSET_URL.sub(rb"\1/" + version.encode() + b"/", content)
    compressed = gzip.compress(content, mtime=0) if len(content) > MIN_COMPRESSED_BYTES else b""
    return Asset(content, compressed, kind or "application/octet-stream")
