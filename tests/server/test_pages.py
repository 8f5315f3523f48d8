"""The pages as files: all served, none of them needs another host or anything inline."""

import gzip
import re
import struct
from html import unescape
from pathlib import Path

import httpx
import pytest

import evenodds
from tests.support.registries import PLAIN_BOARD, _board
from tests.support.servers import Pair, Server
from tests.support.strategies import GAMES

STATIC = Path(evenodds.__file__).parent / "server" / "static"
FILES = [f"/static/{path.relative_to(STATIC)}" for path in STATIC.rglob("*") if path.is_file()]
BOARDS = [f"/boards/{game.name}.js" for game in GAMES]
DRAWN = [game for game in GAMES if (Path(game.page).parent / "board.js").exists()]
"""The games that bring a board of their own."""
SCRIPTS = ("lobby", "map", "match", "puzzle", "review", "rules")
"""The scripts of pages."""
SHARED = ["dom", "boards/kit"]
"""The modules that boards import as well."""


@pytest.fixture
def client(server: Server) -> httpx.Client:
    return server.client()


@pytest.fixture(scope="module")
def served(worker_server: Server) -> dict[str, httpx.Response]:
    match = f"/match/{Pair(worker_server, 'duel').id}"
    pages = ("/", "/daily", match, f"{match}/review", "/rules/duel", "/map/duel")
    client = worker_server.client()
    return {path: client.get(path) for path in (*pages, *FILES, *BOARDS)}


Served = dict[str, httpx.Response]


def test_everything_is_served_and_names_no_other_host(served: Served, server: Server) -> None:
    for path, page in served.items():
        assert page.status_code == 200, path
        text = page.text.replace(server.url, "")
        assert not re.search(r"https?://(?!www\.w3\.org)", text), path
        if path.endswith(".js"):
            assert page.headers["content-type"] == "text/javascript; charset=utf-8", path


def test_what_a_file_asks_for_is_there(served: Served, client: httpx.Client) -> None:
    named: set[str] = set()
    for path, page in served.items():
        named |= set(re.findall(r'(?:from|href=|src=) ?"(/static/[^"$]+)"', page.text))
        named |= {f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', page.text)}
        if path in (*FILES, *BOARDS):
            for name in re.findall(r"[\"'`]/(?:static|boards)/([^\"'`]*)", page.text):
                assert re.match(r"[0-9a-f]{16}/", name), (path, name)
    for name in named:
        assert client.get(name).status_code == 200, name


def test_pages_hold_nothing_inline(served: Served) -> None:
    for path, page in served.items():
        if path not in (*FILES, *BOARDS):
            assert not re.search(r"<script(?![^>]* src=)", page.text), path
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page.text), path
            assert 'lang="en"' in page.text, path


def test_a_board_is_found_by_the_name_of_its_game(client: httpx.Client) -> None:
    assert DRAWN
    for game in DRAWN:
        text = client.get(f"/boards/{game.name}.js").text
        assert text != PLAIN_BOARD
        assert "export function draw(" in text
        assert "export function picture(" in text


def test_a_board_that_cannot_be_read_is_the_plain_one(tmp_path: Path) -> None:
    (tmp_path / "board.js").mkdir()
    game = GAMES[0]._replace(page=str(tmp_path / "rulebook.md"))
    assert _board(game) == PLAIN_BOARD.encode()


def test_files_carry_a_version_and_are_kept(client: httpx.Client) -> None:
    page = client.get("/")
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert {re.sub("/[0-9a-f]{16}/", "/", name) for name in named} >= {
        "/static/style.css",
        "/static/lobby.js",
        "/static/dom.js",  # imported by it and by boards: loaded at once, not in turn
        "/static/icon.svg",
        "/static/manifest.webmanifest",
    }
    for name in named:
        asset = client.get(name)
        assert re.match(r"/static/[0-9a-f]{16}/", name), name
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        if name.endswith(".js"):
            assert asset.headers["content-encoding"] == "gzip"
            assert asset.headers["vary"] == "accept-encoding"
    assert page.headers["cache-control"] == "no-cache"
    again = client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_script_of_a_page_holds_all_its_modules(served: Served) -> None:
    for name in SCRIPTS:
        text = served[f"/static/{name}.js"].text
        imported = re.findall(r'^import \* as \$\w+ from "/static/\w+/([\w/]+)\.js";$', text, re.M)
        assert imported == SHARED, name
        assert len(re.findall("^(?:import|export) ", text, re.M)) == len(SHARED), name


@pytest.mark.parametrize("encoding", ["", "identity", "br"])
def test_files_come_plain_to_those_who_cannot_unpack(encoding: str, client: httpx.Client) -> None:
    plain = client.get("/static/lobby.js", headers={"accept-encoding": encoding})
    assert "content-encoding" not in plain.headers
    with client.stream("GET", "/static/lobby.js", headers={"accept-encoding": "gzip"}) as packed:
        assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content


def test_another_version_is_not_kept(client: httpx.Client) -> None:
    asset = client.get("/static/0123456789abcdef/lobby.js")
    assert asset.status_code == 200
    assert asset.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/nowhere", "/?game=duel"),
        ("/rules/chess", "/rules/duel"),
        ("/practice/chess", "/practice/duel"),
        ("/boards/chess.js", "/?game=duel"),
        ("/match", "/?game=duel"),
        ("/match/nope", "/?game=duel"),
        ("/match/nope/review", "/?game=duel"),
    ],
)
def test_an_unknown_page_leads_on(path: str, leads_to: str, client: httpx.Client) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = client.get(path, headers=browser)
    assert page.status_code == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Not found</h1>" in page.text
    assert "There is no" in page.text
    assert "underdog," not in page.text  # titles lead on, not code names
    for link in ("/", "/daily", leads_to):
        assert f'href="{link}"' in page.text
    assert page.headers["x-frame-options"] == "DENY"
    for asked, headers in ((path, {}), ("/api/matches/none", browser)):
        data = client.get(asked, headers=headers)
        assert data.status_code == 404
        assert data.headers["content-type"] == "application/problem+json"


def test_a_challenge_to_the_puzzle_of_a_day_is_of_that_day(client: httpx.Client) -> None:
    assert "2026-11-18" in client.get("/daily?day=2026-11-18").text
    assert client.get("/daily?day=never").status_code == 404


def test_what_a_page_says_is_only_text(client: httpx.Client) -> None:
    page = client.get("/rules/<b>x", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "<b>x" not in page.text


def test_a_link_to_a_match_has_a_preview(client: httpx.Client) -> None:
    nameless = client.post("/api/matches", json={"game": "duel"}).json()
    assert "A friend invites you to Number Duel" in client.get(f"/match/{nameless['match']}").text
    terms = {"game": "duel", "name": '<"Ann">'}
    opened = client.post("/api/matches", json=terms).json()
    page = client.get(f"/match/{opened['match']}").text
    tags = dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', page))
    assert unescape(tags["og:title"]) == '<"Ann"> invites you to Number Duel'
    assert "<" not in tags["og:title"]
    assert tags["og:description"] == (
        "Bring your opponent from 10 HP to 0: the higher number takes that many HP from the other."
    )
    image = client.get(tags["og:image"])
    assert image.headers["content-type"] == "image/png"
    assert image.content.startswith(b"\x89PNG")
    client.post("/api/join", json={"invitation": opened["invitation"], "name": "Bob"})
    assert "against Bob: Number Duel" in client.get(f"/match/{opened['match']}").text


@pytest.mark.parametrize(
    ("query", "title", "goal"),
    [
        (
            {"game": "underdog", "opponent": "level:4"},
            "Can you beat Level 4 at Number Clash: First to Three?",
            "First to 3 points",
        ),
        ({"game": "duel", "hp": "7", "opponent": "me"}, "Can you win at Number Duel?", "from 7 HP"),
        ({"game": "circle", "opponent": "level:4"}, "Can you win at Number Circle Duel?", "cannot"),
        ({"game": "duel", "hp": "x"}, "Even Odds: number games for two", "Play the computer"),
        ({"opponent": "level:4"}, "Even Odds: number games for two", "Play the computer"),
    ],
)
def test_a_challenge_has_a_preview(
    client: httpx.Client, query: dict[str, str], title: str, goal: str
) -> None:
    page = client.get("/", params=query).text
    tags = re.findall(r'property="(og:\w+)" content="([^"]*)">', page)
    assert [unescape(text) for key, text in tags if key == "og:title"] == [title]
    assert goal in dict(tags)["og:description"]
    assert 'id="games"' in page


def test_skill_is_promised_only_where_picks_matter(client: httpx.Client) -> None:
    for rulings, said in ({}, "How it picks changes nothing"), ({"leaps": "one"}, "Plays well"):
        asked = client.get("/api/opponents", params={"game": "circle"} | rulings).json()
        assert asked["players"]["level:4"].startswith(said)


def test_the_pages_can_be_installed(client: httpx.Client) -> None:
    page = client.get("/").text
    found = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert found
    manifest = client.get(found[1])
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        content = client.get(icon["src"]).content
        width, height = struct.unpack(">II", content[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_a_page_loads_at_once_what_it_shows_first(client: httpx.Client) -> None:
    puzzle = client.get("/daily").text
    (asked,) = re.findall(r'<link rel="preload" as="fetch" href="([^"]+)"', puzzle)
    game = evenodds.game(client.get(asked).json()["game"]).game
    assert re.search(rf'modulepreload" href="/boards/\w+/{game.name}\.js"', puzzle)
    assert game.words.goal(game.rulings()) in unescape(puzzle)
    page = client.get("/map/duel?hp=4").text
    asked = re.findall(r'<link rel="preload" as="fetch" href="([^"]+)"', page)
    assert asked == ["/api/games/duel/position?seat=first&amp;hp=4", "/api/games"]
    rules = client.get("/rules/duel?hp=4").text
    for section in client.get("/api/games/duel/rules?hp=4").json()["sections"]:
        assert f"{section['title']}</h{section['level']}>" in unescape(rules)


def test_practice_says_which_rule_the_book_lacks(client: httpx.Client) -> None:
    for game in GAMES:
        assert ("adds a rule" in client.get(f"/practice/{game.name}").text) == bool(game.lively)


LIMIT_BYTES = 60 * 1024


def test_the_scripts_of_a_match_are_small(client: httpx.Client) -> None:
    largest = max(BOARDS, key=lambda path: len(client.get(path).content))
    todo, sizes = {"/static/match.js", largest}, dict[str, int]()
    while todo:
        path = todo.pop()
        with client.stream("GET", path) as answer:
            sizes[path] = len(b"".join(answer.iter_raw()))
        text = client.get(path).text
        folder = path.rpartition("/")[0]
        found = {f"{folder}/{name}" for name in re.findall(r'from "\./([^"]+)"', text)}
        found |= {
            re.sub(r"/[0-9a-f]{16}/", "/", name) for name in re.findall(r'from "(/[^"]+)"', text)
        }
        todo |= found - sizes.keys()
    assert len(sizes) == 2 + len(SHARED)
    assert sum(sizes.values()) < LIMIT_BYTES, sizes
