"""Whoever holds a seat is led back to it; one browser holds both only knowingly, and keeps both."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.browsers import FAILED, Invite, Person
from tests.support.servers import Server


def host(one: Person, server: Server, **terms: Any) -> dict[str, Any]:
    terms = {"game": "duel", "name": "Ann", "listed": True} | terms
    one.go("/")
    opened: dict[str, Any] = one.page.evaluate(
        "terms => import('/static/api.js').then(api => api.ask('/api/matches', terms))", terms
    )
    one.go(f"/match/{opened['match']}")
    return opened


def test_joining_ones_own_match_in_a_second_tab_leads_back(server: Server, person: Invite) -> None:
    ann = person()
    opened = host(ann, server)
    path = f"/match/{opened['match']}"
    second = ann.tab()
    second.goto("/")
    line = second.locator(f"li[data-key='{opened['match']}']").last
    expect(line.locator("a")).to_have_text("Go on")
    expect(line.locator("button")).to_have_count(0)
    second.evaluate("localStorage.removeItem('matches')")
    second.reload()
    second.locator(f"#matches li[data-key='{opened['match']}'] button").click()
    second.wait_for_url(f"**{path}")
    expect(second.locator("#status")).to_have_text("Waiting for an opponent.")
    guest = {"match": opened["match"], "name": "Bob"}
    bob = server.client(server.client().post("/api/join", json=guest).json()["token"])
    url = f"/api/matches/{opened['match']}"
    for page, number in ((ann.page, 3), (second, 2)):
        page.locator(f"[data-pick='{number}'].open").click()
        round = len(bob.get(url).json()["history"]) + 1
        body = {"round": round, "number": 1}
        assert bob.post(f"{url}/picks", json=body).status_code == 200
        expect(ann.page.locator("#history li")).to_have_count(round)
    assert bob.get(url).json()["history"] == [[3, 1], [2, 1]]


def test_a_link_in_two_tabs_leads_both_to_the_seat(server: Server, person: Invite) -> None:
    opened = server.client().post("/api/matches", json={"game": "duel", "name": "Ann"}).json()
    link = f"/match/{opened['match']}#{opened['invitation']}"
    bob, eve = (person().pardon(FAILED).go(link) for _ in range(2))
    other = bob.tab()
    other.goto(link)
    for page in (bob.page, other):
        page.locator("#join button").click()
        expect(page.locator("[data-pick].open")).to_have_count(3)
        expect(page.locator("#problem")).to_be_empty()
        assert "#" not in page.url
    eve.page.locator("#join button").click()
    eve.sees("Somebody has taken this seat already.", "#problem")
    expect(eve.page.locator(".mat")).to_be_visible()
    assert eve.page.locator("[data-pick]").count() == 0


def test_the_page_of_a_seat_stays_when_the_other_is_taken(server: Server, person: Invite) -> None:
    ann = person()
    opened = host(ann, server, player=2)
    other = ann.tab()
    other.goto(f"/match/{opened['match']}#{opened['invitation']}")
    expect(other.locator("#held")).to_contain_text("This link is for somebody else")
    other.locator("#held-back").click()
    expect(other.locator("#status")).to_have_text("Waiting for an opponent.")
    assert "#" not in other.url
    other.goto(f"/match/{opened['match']}#{opened['invitation']}")
    other.reload()  # for to the browser another # is the same page
    other.get_by_role("button", name="Take the other seat, too").click()
    other.fill("#name", "Ann's cat")
    other.locator("#join button").click()
    other.wait_for_url("**?seat=first")
    other.locator("[data-pick='3'].open").click()
    expect(ann.page.locator(".plate.first")).to_contain_text("has picked")
    ann.page.locator("[data-pick='1'].open").click()
    for page in (ann.page, other):
        expect(page.locator("#history li")).to_have_count(1)
    view = server.client().get(f"/api/matches/{opened['match']}").json()
    assert view["history"] == [[3, 1]]
    assert view["players"] == ["Ann's cat", "Ann"]
    other.get_by_role("link", name="Play as Ann", exact=True).click()
    other.wait_for_url("**?seat=second")
    other.locator("[data-pick='2'].open").click()
    expect(other.locator("#status")).to_contain_text("Waiting for Ann's cat")


def test_both_seats_of_a_browser_go_on_to_the_rematch(server: Server, person: Invite) -> None:
    ann = person()
    opened = host(ann, server)
    ann.go("/")
    ann.page.goto(f"/match/{opened['match']}#{opened['invitation']}")
    ann.press("Take the other seat, too")
    ann.page.locator("#join button").click()
    ann.page.wait_for_url("**?seat=second")
    ann.press("Resign")
    ann.page.locator("dialog button[value=yes]").click()
    ann.press("Play again")
    ann.page.wait_for_url(lambda url: opened["match"] not in url)
    ann.sees("Pick a number")
    assert ann.page.url.endswith("?seat=first")
    ann.press("Play as Ann")
    ann.page.wait_for_url("**?seat=second")
    ann.sees("Pick a number")


@pytest.mark.parametrize("player", [1, 2])
def test_cookies_of_both_seats_stay_side_by_side(player: int, server: Server) -> None:
    client = server.client()
    terms = {"game": "duel", "name": "Ann", "listed": True, "player": player}
    opened = client.post("/api/matches", json=terms).json()
    path = f"/api/matches/{opened['match']}"
    joined = client.post("/api/join", json={"match": opened["match"], "name": "Bob"}).json()
    assert {opened["seat"], joined["seat"]} == {"first", "second"}

    def pick(seat: str, number: int) -> httpx.Response:
        return client.post(f"{path}/picks?seat={seat}", json={"round": 1, "number": number})

    assert client.get(path).json()["seat"] == "first"
    for seat in ("first", "second"):
        assert client.get(f"{path}?seat={seat}").json()["seat"] == seat
    assert pick("second", 1).json()["seat"] == "second"
    assert pick("first", 3).json()["history"] == [[3, 1]]
