"""What the pages show, to everyone and at any size, in real browsers."""

import re
from random import Random
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

import evenodds
from tests.support.browsers import FAILED, Invite, edges, violations
from tests.support.game_data import data_of
from tests.support.registries import percent
from tests.support.servers import Pair, Server
from tests.support.strategies import GAMES

pytestmark = pytest.mark.xdist_group("screens")


def test_names_with_markup_are_only_text(server: Server, person: Invite) -> None:
    terms = {"game": "duel", "name": "<b>&amp;</b>", "listed": True}
    opened = server.client().post("/api/matches", json=terms).json()
    ann = person().go("/")
    expect(ann.page.locator("#matches")).to_contain_text("<b>&amp;</b>")
    ann.go(f"/match/{opened['match']}")
    expect(ann.page.locator(".plate.first .name")).to_have_text("<b>&amp;</b>")


def test_players_without_names_are_first_and_second(server: Server, person: Invite) -> None:
    terms = {"game": "duel", "listed": True, "rulings": {"hp": 3}}
    opened = server.client().post("/api/matches", json=terms).json()
    id, host = opened["match"], server.client(opened["token"])
    guest = server.client(server.client().post("/api/join", json={"match": id}).json()["token"])
    eve = person().go("/")
    listed = f"#matches [data-key='{id}']"
    eve.sees("The first player against the second player", listed)
    eve.page.locator(f"{listed} a").click()
    eve.page.wait_for_selector(".mat")
    for part in ("[data-pick]", "#actions button"):
        assert eve.page.locator(part).count() == 0
    title = eve.page.locator("meta[property='og:title']")
    expect(title).to_have_attribute(
        "content", "The first player against the second player: Number Duel"
    )
    expect(eve.page.locator(".plate .name")).to_have_text(["The second player", "The first player"])
    eve.sees("Both players are picking.")
    for client, number in ((host, 3), (guest, 1)):
        client.post(f"/api/matches/{id}/picks", json={"round": 1, "number": number})
    eve.sees("The first player wins!")
    eve.sees("3 beats 1: the second player loses 3 HP.", "#summary")
    expect(eve.page).to_have_title("Number Duel: The first player against the second player")
    eve.sees("The first player 3The second player 1", "#history")
    eve.sees("The first player won it in round 1.", "#decisive")
    expect(eve.page.locator(".slot .note")).to_have_text(["First", "Second"])
    eve.go(f"/match/{id}/review")
    eve.sees("The first player wins! The second player has no health left.")
    expect(eve.page.locator("#picks .name")).to_have_text(["First", "Second"])
    for part in ("#board", "#round", "#accuracy"):
        eve.sees("first player", part)
        expect(eve.page.locator(part)).not_to_contain_text("Player 1")


def test_an_invitation_is_checked_before_it_is_taken(server: Server, person: Invite) -> None:
    opened = server.client().post("/api/matches", json={"game": "duel"}).json()
    bob = person()
    bob.page.goto(f"/match/{opened['match']}#{opened['invitation']}")
    bob.sees("A friend wants to play Number Duel with you.", "#join-told")
    bob.sees("By the book: 3 is always a best pick.", "#join")
    cut = person().pardon(FAILED)
    cut.page.goto(f"/match/{opened['match']}#{opened['invitation'][:20]}")
    cut.sees("This invitation is not valid.", "#problem")
    expect(cut.page.locator("#board")).to_be_visible()
    expect(cut.page.locator("#join")).to_be_hidden()
    bob.press("Play")
    expect(bob.page.locator(".plate .name")).to_have_text(["Your opponent", "You"])


def test_the_map_shows_what_the_solver_knows(person: Invite) -> None:
    ann = person(viewport={"width": 1280, "height": 900}).go("/map/margin?numbers=4")
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    state = solution.game.step(solution.start, (2, 3))
    ann.page.locator("[data-pair='2-3']").click()
    ann.page.wait_for_url("**/map/margin?numbers=4&after=2-3")
    ann.sees("Your opponent is ahead")
    shared = person().go("/map/margin?numbers=4&after=2-3")
    for one in (ann, shared):
        matrix = solution.matrix(state)
        for y, first in enumerate(matrix.first):
            for x, second in enumerate(matrix.second):
                field = one.page.locator(f"[data-pair='{first}-{second}']")
                score = percent((1 + matrix.payoff[y][x]) / 2)
                expect(field).to_have_attribute("aria-label", re.compile(f" {re.escape(score)}$"))
    ann.page.go_back()
    expect(ann.page.locator(".step")).to_have_count(1)
    shared.page.locator("[data-place='0,0']").focus()
    shared.page.keyboard.press("ArrowDown")
    assert shared.page.evaluate("document.activeElement.dataset.place") == "1,0"


def test_the_map_walks_games_of_turns(person: Invite) -> None:
    ann = person().go("/map/circle?numbers=3")
    ann.sees("You always win, whatever anybody picks.")
    for pick in ("2", "3", "1"):
        ann.page.locator(f"[data-pair='{pick}']").click()
        ann.page.wait_for_selector(f".step[aria-current]:has-text('{pick}')")
    ann.sees("You have won.")
    assert not ann.page.locator("#heat").is_visible()


def test_what_is_too_large_for_a_map_says_so(person: Invite) -> None:
    ann = person().pardon(FAILED)
    ann.page.goto("/map/factors?target=1000&numbers=30")
    ann.sees("Solving this ruling takes longer", "#problem")


def test_the_review_shows_each_round(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel", rulings={"hp": 4})
    for round, picks in enumerate([(3, 1), (2, 1)], 1):
        for seat in (0, 1):
            pair.pick(seat, picks[seat], round)
    ann = person().go(f"/match/{pair.id}/review")
    ann.sees("Ann wins! Bob has no health left.")
    ann.sees("Ann won it in round 1. The turning point was round 1: ", "#turning")
    review = ann.page.evaluate(f"fetch('/api/matches/{pair.id}/review').then(r => r.json())")
    dots = ann.page.locator(".dot-button")
    expect(dots).to_have_count(3)
    for place, score in enumerate(review["curve"]):
        expect(dots.nth(place)).to_have_attribute(
            "aria-label", re.compile(f"{re.escape(percent(score))}$")
        )
    dots.nth(1).click()
    ann.sees("Round 1", "#round-title")
    ann.sees("1 of 4", ".health.second")
    ann.sees("Ann picked 3: no mistake.", "#round")
    ann.sees("Bob picked 1: a mistake.Better: 3. Against 3, 1 loses 3 HP.", "#round")
    assert "Round" not in ann.page.locator("#round").inner_text()  # the heading says it
    dots.nth(1).press("ArrowRight")
    ann.sees("Round 2", "#round-title")
    ann.keep("review-phone")
    table = ann.page.locator("[aria-label='Table of picks']")
    assert table.evaluate("place => place.scrollWidth <= place.clientWidth")  # fits a phone
    ann.take_seat(pair.id, pair.tokens[1])
    ann.go(f"/match/{pair.id}/review")
    ann.sees("You lose. You have no health left.")
    ann.sees("Your expected score", "#curve-about")
    expect(dots.last).to_have_attribute("aria-label", "After round 2: 0%")


def test_the_review_of_a_game_of_turns_speaks_of_turns(server: Server, person: Invite) -> None:
    pair = Pair(server, "circle", rulings={"numbers": 2})
    pair.pick(0, 1, 1)
    pair.pick(1, 2, 2)
    ann = person().go(f"/match/{pair.id}/review")
    ann.sees("Bob went second, and the rules favour whoever does. There was no", "#turning")
    ann.sees("before each turn, in per cent. Pick a point to see that turn.", "#curve-about")
    expect(ann.button("The next turn")).to_be_visible()
    assert "round" not in ann.page.locator("main").inner_text().lower()


def test_rules_are_there_to_read(person: Invite) -> None:
    ann = person().go("/rules/circle?reach=2")
    ann.sees("Number Circle Duel", "h1")
    ann.sees("reach [2], 1 to 3", "#page")
    ann.page.click("#map-link")
    ann.page.wait_for_url("**/map/circle?reach=2")
    ann.page.wait_for_selector("body[data-ready=yes]")
    ann.page.click("#play-link")
    expect(ann.page.locator("#ruling-reach")).to_have_value("2")


@pytest.fixture(scope="module")
def pages(worker_server: Server) -> dict[str, str]:
    server = worker_server
    found = {"lobby": "/", "rules": "/rules/factors", "practice": "/practice/margin"}
    found |= {"daily": "/daily", "problem": "/nowhere"}
    for game in GAMES:
        pair = Pair(server, game.name, rulings=data_of(game).large)
        chance = Random(5)
        for _ in range(3):
            round = pair.view(0)["round"]
            for seat in (0, 1):
                view = pair.view(seat)
                if view["legal"] and view["round"] == round:
                    pair.pick(seat, chance.choice(view["legal"]), round)
        found[f"{game.name}-match"] = f"/match/{pair.id}#{pair.tokens[0]}"
    found["watch"] = found["circle-match"].partition("#")[0]
    pair = Pair(server, "underdog", name="W" * 20, rulings={"numbers": 3, "target": 1})
    for seat in (0, 1):
        pair.pick(seat, (1, 2)[seat], 1)
    found["map-rounds"] = "/map/underdog?numbers=5"
    found["map-turns"] = "/map/factors?target=12&after=6"
    found["over"] = f"/match/{pair.id}"
    found["review"] = f"/match/{pair.id}/review"
    opened = server.client().post("/api/matches", json={"game": "duel", "listed": True}).json()
    found["invited"] = f"/match/{opened['match']}#{opened['invitation']}"
    return found


CONTRAST: Final = "color-contrast"
LOOKS: Final[list[tuple[str, tuple[int, int], Literal["light", "dark"], dict[str, object]]]] = [
    ("phone", (360, 740), "light", {}),
    ("tablet", (768, 1024), "dark", {"runOnly": CONTRAST}),
    ("wide", (1280, 800), "light", {"rules": {CONTRAST: {"enabled": False}}}),
]
"""Sizes and schemes in which a page is looked at, and the rules of axe: the scheme changes nothing
but colours, and the size none of them."""


def test_every_page_fits_and_can_be_used_by_everyone(pages: dict[str, str], person: Invite) -> None:
    one = person().pardon(FAILED)  # the page of an error is one of them
    found: list[str] = []
    for what, path in pages.items():
        if what.endswith("-match"):  # as the first seat, who has numbers to pick
            path, token = path.split("#")
            one.take_seat(path.rsplit("/", 1)[1], token)
        one.go(path)
        if what in ("rules", "map-turns"):
            _fits_in_one_line(one.page)
        for name, (width, height), scheme, rules in LOOKS:
            look = f"{what}-{name}-{scheme}"
            one.page.set_viewport_size({"width": width, "height": height})
            one.page.emulate_media(color_scheme=scheme)
            if one.page.evaluate("document.documentElement.scrollWidth") > width:
                found.append(f"{look} scrolls to the side")
            found += [f"{look}: {each}" for each in violations(one.page, **rules)]
            one.keep(look)
        if what.endswith("-match"):
            one.context.clear_cookies()
    assert found == []


def _fits_in_one_line(page: Page) -> None:
    """The head of a page on a phone, with room for a thumb."""
    (top, bottom), *links = map(edges, page.locator(".brand, .bar nav a").all())
    assert bottom - top < 40
    assert links
    for upper, lower in links:
        assert top <= (upper + lower) / 2 <= bottom
        assert lower - upper >= 40
