"""Many tabs of one browser: more than it has connections to a server."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.browsers import Person
from tests.support.servers import Pair, Server

Invite = Callable[..., Person]
TABS = 8
"""A browser has six connections to a host."""


def tabs_of(one: Person, *paths: str) -> list[Page]:
    """A tab for each path, all open at once, each with its table."""
    pages = [one.page, *(one.tab() for _ in paths[1:])]
    for page, path in zip(pages, paths, strict=True):
        page.goto(path)
        page.wait_for_selector(".mat")
    return pages


def test_eight_tabs_of_one_match_are_all_alive(server: Server, person: Invite) -> None:
    """Each hears of what happens, and each can pick."""
    pair = Pair(server, "duel")
    ann = person()
    ann.take_seat(pair.id, pair.tokens[0])
    pages = tabs_of(ann, *[f"/match/{pair.id}"] * TABS)
    for round, page in enumerate((pages[-1], pages[0]), 1):
        page.locator(f"[data-pick='{round}'].open").click()
        assert pair.pick(1, round, round).status_code == 200
        for each in pages:
            expect(each.locator("#history li")).to_have_count(round)


def test_eight_matches_in_eight_tabs(server: Server, person: Invite) -> None:
    """Each in a tab of its own, the lobby in a ninth; and all of them count as being there."""
    pairs = [Pair(server, "margin") for _ in range(TABS)]
    ann = person()
    for pair in pairs:
        ann.take_seat(pair.id, pair.tokens[0])
    pages = tabs_of(ann, *(f"/match/{pair.id}" for pair in pairs))
    lobby = ann.tab()
    lobby.goto("/")
    lobby.wait_for_selector("body[data-ready=yes]")
    for pair, page in zip(pairs, pages, strict=True):
        assert pair.view(1)["connected"] == [True, False]
        assert pair.pick(1, 2, 1).status_code == 200
        expect(page.locator(".plate.second")).to_contain_text("has picked")
        page.locator("[data-pick='4'].open").click()
        expect(page.locator("#history li")).to_have_count(1)


HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def streams(page: Page) -> int:
    """How many tabs of a browser read a stream."""
    found: int = page.evaluate("Object.keys(JSON.parse(localStorage.streams ?? '{}')).length")
    return found


def test_hidden_tabs_give_way_to_the_one_that_is_looked_at(server: Server, person: Invite) -> None:
    """A stream goes to whoever is looked at; the others catch up when they are shown again."""
    pair = Pair(server, "margin")
    ann = person()
    ann.take_seat(pair.id, pair.tokens[0])
    pages = tabs_of(ann, *[f"/match/{pair.id}"] * 4)
    for page in pages:
        page.evaluate(HIDE, True)
    assert streams(ann.page) == 4
    asked: list[str] = []
    shown = ann.tab()
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto(f"/match/{pair.id}")
    shown.wait_for_selector(".mat")
    assert any("/events" in url for url in asked)
    assert streams(ann.page) == 4
    pair.pick(0, 4, 1)
    pair.pick(1, 2, 1)
    expect(shown.locator("#history li")).to_have_count(1)
    for page in pages:
        page.evaluate(HIDE, False)
        expect(page.locator("#history li")).to_have_count(1)
    assert pair.view(1)["connected"] == [True, False]


def test_a_tab_that_is_closed_leaves_its_stream_to_another(server: Server, person: Invite) -> None:
    """Which then hears of what happens at once."""
    pair = Pair(server, "margin")
    ann = person()
    ann.take_seat(pair.id, pair.tokens[0])
    pages = tabs_of(ann, *[f"/match/{pair.id}"] * 5)
    with pages[4].expect_request("**/events*"):
        pages[1].close(run_before_unload=True)
    assert streams(ann.page) == 4
