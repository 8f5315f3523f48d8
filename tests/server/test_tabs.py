"""Many tabs of one browser: more than the six connections that it has to a server."""

from playwright.sync_api import Page, expect

from tests.support.browsers import Invite, Person
from tests.support.servers import Pair, Server
from tests.support.waiting import wait_until


def tabs_of(one: Person, *paths: str) -> list[Page]:
    pages = [one.page, *(one.tab() for _ in paths[1:])]
    for page, path in zip(pages, paths, strict=True):
        page.goto(path)
        page.wait_for_selector(".mat")
    return pages


def test_more_tabs_than_connections_are_all_alive(server: Server, person: Invite) -> None:
    pairs = [Pair(server, "margin") for _ in range(4)]
    ann = person()
    for pair in pairs:
        ann.take_seat(pair.id, pair.tokens[0])
    paths = [f"/match/{pair.id}" for pair in pairs]
    *same, _, _, last = tabs_of(ann, *[paths[0]] * 4, *paths[1:])
    same[-1].locator("[data-pick='1'].open").click()
    assert pairs[0].pick(1, 1, 1).status_code == 200
    for each in same:
        expect(each.locator("#history li")).to_have_count(1)
    for pair in pairs[1:]:
        wait_until_only_ann_is_there(pair)
    assert pairs[-1].pick(1, 2, 1).status_code == 200
    expect(last.locator(".plate.second")).to_contain_text("has picked")
    last.locator("[data-pick='4'].open").click()
    expect(last.locator("#history li")).to_have_count(1)


HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def wait_until_only_ann_is_there(pair: Pair) -> None:
    wait_until(lambda: pair.view(1)["connected"] == [True, False])


def wait_for_four_streams(page: Page) -> None:
    page.wait_for_function("Object.keys(JSON.parse(localStorage.streams ?? '{}')).length === 4")


def test_tabs_that_are_closed_or_hidden_give_way_to_others(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin")
    ann = person()
    ann.take_seat(pair.id, pair.tokens[0])
    pages = tabs_of(ann, *[f"/match/{pair.id}"] * 5)
    with pages[4].expect_request("**/events*"):
        pages.pop(1).close(run_before_unload=True)
    wait_for_four_streams(ann.page)
    for page in pages:
        page.evaluate(HIDE, True)
    wait_for_four_streams(ann.page)
    shown = ann.tab()
    with shown.expect_request("**/events*"):
        shown.goto(f"/match/{pair.id}")
    wait_for_four_streams(ann.page)
    pair.pick(0, 4, 1)
    pair.pick(1, 2, 1)
    expect(shown.locator("#history li")).to_have_count(1)
    for page in pages:
        page.evaluate(HIDE, False)
        expect(page.locator("#history li")).to_have_count(1)
    wait_until_only_ann_is_there(pair)
