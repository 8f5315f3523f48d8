"""The pages as files: all served, none of them needs another host or anything inline."""

import re

import httpx
import pytest

from evenodds.server.pages import PLAIN_BOARD, STATIC
from tests.servers import Server
from tests.strategies import GAMES

PAGES = ("/", "/match/x", "/match/x/review", "/rules/duel", "/explore/duel")
FILES = [f"/static/{path.relative_to(STATIC)}" for path in STATIC.rglob("*") if path.is_file()]
BOARDS = [f"/boards/{game.name}.js" for game in GAMES]


@pytest.fixture
def client(server: Server) -> httpx.Client:
    """Somebody who fetches."""
    return server.client()


def test_everything_is_served_and_names_no_other_host(client: httpx.Client) -> None:
    """Pages, modules, styles, boards: with a kind that a browser takes."""
    for path in (*PAGES, *FILES, *BOARDS):
        page = client.get(path)
        assert page.status_code == 200, path
        assert not re.search(r"https?://(?!www\.w3\.org)", page.text), path
        if path.endswith(".js"):
            assert page.headers["content-type"].startswith("text/javascript"), path


def test_what_a_file_asks_for_is_there(client: httpx.Client) -> None:
    """Every module, style and picture that is named can be had."""
    for path in (*PAGES, *FILES, *BOARDS):
        text = client.get(path).text
        named = re.findall(r'(?:from|href=|src=) ?"(/static/[^"$]+)"', text)
        named += [f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', text)]
        for name in named:
            assert client.get(name).status_code == 200, (path, name)


@pytest.mark.parametrize("path", PAGES)
def test_pages_hold_nothing_inline(path: str, client: httpx.Client) -> None:
    """No script or style but from files, as the policy demands."""
    text = client.get(path).text
    assert not re.search(r"<script(?![^>]* src=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
    assert 'lang="en"' in text


def test_a_board_is_found_by_the_name_of_its_game(client: httpx.Client) -> None:
    """Each built-in game brings one of its own; what is no game has none."""
    for path in BOARDS:
        text = client.get(path).text
        assert text != PLAIN_BOARD
        assert "export function draw(" in text
        assert "export function picture(" in text
    assert client.get("/boards/chess.js").status_code == 404
    assert client.get("/boards/..%2Fpages.py").status_code == 404
    for path in ("/rules/chess", "/explore/chess"):
        assert "there is no game called" in client.get(path).json()["detail"]
