"""Play in real browsers, against a real server."""

import hashlib
import json
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from evenodds.core.catalog import get
from tests.support.browsers import (
    DESKTOP,
    FAILED,
    LANDSCAPE,
    PHONE,
    SMALL_LANDSCAPE,
    Invite,
    Person,
    edges,
)
from tests.support.commands import UNMEASURED
from tests.support.examples import SIMULTANEOUS_GAME, TURN_GAME
from tests.support.game_data import data_of
from tests.support.servers import Pair, Server, free_port, pair_in_time, serving
from tests.support.strategies import GAMES
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.xdist_group("browser")


def open_by_form(one: Person, game: str, rulings: dict[str, Any], company: str) -> None:
    one.go("/")
    one.page.locator(f"[data-game={game}] [data-do=options]").click()
    one.page.locator("#name").fill("Ann")
    one.page.locator(f"input[name=with][value={company}]").check()
    one.page.locator("#rulings-fold summary").click()
    for key, value in rulings.items():
        one.page.locator(f"#ruling-{key}").fill(str(value))


PICK_IS_SHOWN: Final = """round => !document.querySelector("[data-pick].open")
    || document.querySelectorAll("#history li").length >= round"""


def play_out(seats: list[Person]) -> None:
    """Each picks once on the page, and then by a program: a click takes as long as a visit."""
    chance, clicked = Random(1), list[Person]()
    for seat in _turns(seats):
        number = chance.choice(seat.open_numbers())
        round = seat.page.locator("#history li").count() + 1
        if seat not in clicked:
            clicked.append(seat)
            seat.pick(number)
        else:
            seat.send("picks", {"round": round, "number": number})
        seat.page.wait_for_function(PICK_IS_SHOWN, arg=round)


def _turns(seats: list[Person]) -> Iterator[Person]:
    """Whoever has something to pick, until the match is over; nobody is waited for for ever."""
    end = time.monotonic() + TIMEOUT_S
    while not seats[0].page.locator("#end:visible").count():
        able = [seat for seat in seats if seat.open_numbers()]
        yield from able
        end = time.monotonic() + TIMEOUT_S if able else end
        assert time.monotonic() < end, "nobody can pick, and the match is not over"
        seats[0].page.wait_for_timeout(25)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_two_browsers_play_every_game_to_its_end(game: Any, server: Server, person: Invite) -> None:
    ann, bob = person(has_touch=True), person(viewport=DESKTOP, color_scheme="dark")
    open_by_form(ann, game.name, data_of(game).small, "link")
    ann.page.click("#open button.main")
    ann.page.wait_for_selector("#invite:not([hidden])")
    link = ann.page.locator("#link").input_value()
    bob.go(link.removeprefix(server.url))
    bob.sees("Ann wants to play", "#join-told")
    bob.page.fill("#name", "Bob")
    bob.page.click("#join button")
    bob.page.wait_for_selector(".mat")
    assert "#" not in bob.page.url
    ann.sees("Bob", "#board")
    play_out([ann, bob])
    for one in (ann, bob):
        view = one.page.evaluate(f"fetch('/api/matches/{_id(bob)}').then(r => r.json())")
        one.sees(view["result"]["told"][-1], "#told")
        one.sees(view["result"]["why"], "#summary")
        assert one.page.locator("#history li").count() == len(view["history"])
    ann.keep(f"{game.name}-end-phone")
    bob.keep(f"{game.name}-end-wide-dark")


def _id(one: Person) -> str:
    return one.page.url.rsplit("/", 1)[1]


@pytest.mark.parametrize("name", [SIMULTANEOUS_GAME, TURN_GAME])
def test_one_match_is_played_by_keyboard_and_the_next_by_touch(name: str, person: Invite) -> None:
    game = get(name)
    ann = person(viewport=DESKTOP, has_touch=True)
    open_by_form(ann, game.name, data_of(game).small, "computer")
    ann.page.select_option("#opponent", "random")
    if not game.simultaneous:
        ann.page.select_option("#first", "1")
    ann.page.press("#name", "Enter")
    ann.page.wait_for_selector("[data-pick].open")
    ann.page.keyboard.press(str(ann.open_numbers()[0]))
    ann.button("Take back").press("Enter")
    expect(ann.page.locator("#history li")).to_have_count(0)
    for _ in _turns([ann]):
        with ann.page.expect_response("**/picks?*"):
            ann.page.keyboard.press(str(ann.open_numbers()[0]))
    over = ann.page.url
    ann.button("Play again").press("Enter")
    ann.page.wait_for_url(lambda url: url != over)
    ann.page.wait_for_selector("[data-pick].open")
    ann.page.set_viewport_size(LANDSCAPE)
    assert ann.page.evaluate("board.getBoundingClientRect().bottom <= innerHeight")
    ann.page.set_viewport_size(PHONE)
    ann.pick(ann.open_numbers()[0])
    ann.page.go_back()
    ann.page.wait_for_url(over)
    expect(ann.button("To the rematch")).to_be_visible()


def test_the_keys_of_a_number_with_two_digits(server: Server, person: Invite) -> None:
    pair = Pair(server, "underdog")
    ann = person().sit(pair, 0)
    ann.hold(800)  # for the second digit
    ann.page.keyboard.press("1")
    ann.sees("1…")
    ann.page.keyboard.press("0")
    ann.sees("Waiting for Bob")
    pair.pick(1, 3, 1)
    expect(ann.page.locator("#history li .chip").first).to_contain_text("10")


@pytest.mark.parametrize("game", ["margin", "circle"])
def test_enter_again_picks_no_other_card(game: str, server: Server, person: Invite) -> None:
    pair = Pair(server, game)
    ann = person().sit(pair, 0)
    ann.page.locator("[data-pick='4']").press("Enter")
    ann.sees("Waiting for Bob")
    pair.pick(1, 3, 1 if game == "margin" else 2)
    ann.page.wait_for_selector("[data-pick].open")
    ann.page.keyboard.press("Enter")
    focused = "document.activeElement.textContent"
    assert "4" in ann.page.evaluate(focused)
    expect(ann.page.locator(".choice.mine")).to_have_count(0)
    ann.page.keyboard.press("Tab")
    assert "5" in ann.page.evaluate(focused)


def test_a_reveal_is_heard(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    ann = person().sit(pair, 0)
    said = ann.page.locator("#said")
    expect(said).to_have_attribute("aria-live", "polite")
    pair.pick(1, 3, 1)
    expect(ann.page.locator(".plate.second")).to_contain_text("has picked")
    assert "3" not in (said.text_content() or "").replace("1-3", "")
    ann.pick(2)
    expect(said).to_contain_text("3 beats 2: you lose 3 HP.")
    ann.pick(1)
    expect(said).to_contain_text("Waiting for Bob.")
    assert (said.text_content() or "").count("3 beats 2") == 1


def test_reload_and_a_second_tab_come_back_to_the_position(server: Server, person: Invite) -> None:
    pair = Pair(server, "underdog")
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    ann.pick(7)
    ann.page.reload()
    ann.sees("Waiting for Bob")
    expect(ann.page.locator(".choice.mine")).to_have_text("7")
    assert ann.open_numbers() == []
    second = ann.tab()
    second.goto(f"/match/{pair.id}")
    expect(second.locator(".choice.mine")).to_have_text("7")
    bob.sees("has picked", ".plate.first")
    assert bob.page.locator(".turn.up").count() == 0
    bob.pick(8)
    for page in (ann.page, second, bob.page):
        told = page.locator("#told")
        expect(told).to_contain_text("Underdog Rule Activated! Ann wins the round!")
        expect(page.locator("#history li")).to_have_count(1)


def test_a_pick_without_a_network_is_sent_when_it_is_back(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin")
    ann = person().sit(pair, 0)
    ann.context.set_offline(True)
    ann.sees("The connection is lost", "#connection")
    ann.page.locator("[data-pick='4'].open").click()
    ann.sees("You picked 4. It is sent as soon as the server can be reached.")
    assert pair.view(1)["chosen"] == [False, False]
    assert pair.pick(1, 2, 1).status_code == 200
    ann.context.set_offline(False)
    expect(ann.page.locator("#history li")).to_have_count(1)
    expect(ann.page.locator("#connection")).to_be_empty()
    assert pair.view(1)["history"] == [[4, 2]]
    ann.sees("Pick a number")
    ann.context.set_offline(True)
    ann.sees("The connection is lost", "#connection")
    for seat in (0, 1):
        assert pair.pick(seat, 3, 2).status_code == 200
    ann.context.set_offline(False)
    expect(ann.page.locator("#history li")).to_have_count(2)


def test_a_card_says_what_it_would_do(server: Server, person: Invite) -> None:
    pair = Pair(server, "factors")
    pair.pick(0, 6, 1)
    pair.pick(1, 3, 2)
    ann = person().sit(pair, 0)
    nine = ann.page.locator("[data-pick='9']")
    expect(nine).to_contain_text("them −3")
    expect(nine).to_have_accessible_name("Pick 9: +9, they lose 3.")
    top = ann.page.evaluate("actions.offsetTop")
    nine.hover()
    ann.sees("+9, they lose 3.", "#tells")
    assert abs(edges(ann.page.locator("#tells"))[1] - edges(nine)[0]) < 20  # right above it
    assert ann.page.evaluate("actions.offsetTop") == top
    ann.page.locator("[data-pick='5']").focus()
    ann.sees("+5.", "#tells")
    ann.pick(5)
    ann.sees("Waiting for Bob")
    assert ann.page.evaluate("actions.offsetTop") == top
    bob = person().sit(Pair(server, "underdog", rulings={"numbers": 4}), 0)
    bob.page.locator("[data-pick='2']").hover()
    bob.sees("Beats 3.", "#tells")


def test_a_first_touch_asks_and_a_second_one_picks(server: Server, person: Invite) -> None:
    pair = Pair(server, "circle", rulings={"numbers": 6})
    ann = person(has_touch=True).sit(pair, 0)
    tells = "#tells"
    ann.page.tap("[data-pick='5']")
    ann.sees("Tap 5 again to play it.", tells)
    ann.page.tap("[data-pick='2']")
    ann.sees("Tap 2 again to play it.", tells)
    expect(ann.page.locator(".touched")).to_have_text("2")
    ann.sees("Tap 2 again to play it.", "#said")
    assert pair.view(0)["history"] == []
    ann.page.tap("[data-pick='2']")
    ann.sees("Waiting for Bob")
    expect(ann.page.locator(tells)).to_be_empty()
    pair.pick(1, 3, 2)
    ann.page.tap("[data-pick='4']")  # there is nothing to choose
    ann.sees("Waiting for Bob")
    assert pair.view(0)["history"][-1] == [4, None]
    ann.sit(Pair(server, "duel"), 0)
    ann.page.click("[data-pick='2']")  # by a mouse at the same screen
    ann.sees("Waiting for Bob")


def test_a_pick_on_its_way_is_said_to_be_sent(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin")
    ann = person().pardon(FAILED).sit(pair, 1)
    held: list[Route] = []
    ann.page.route("**/picks?*", lambda route: held.append(route), times=1)
    ann.page.locator("[data-pick='4'].open").click()
    ann.sees("You picked 4. Sending…")
    held[0].fulfill(status=503, json={"detail": "the database cannot be reached"})
    ann.sees("You picked 4. Sending…")
    ann.sees("Waiting for Ann.")
    own, other = (ann.page.locator(f".plate.{seat} .name") for seat in ("second", "first"))
    colours = [name.evaluate("name => getComputedStyle(name).color") for name in (own, other)]
    assert colours == ["rgb(13, 95, 112)", "rgb(150, 32, 95)"]  # as in the first seat


def test_a_pick_that_could_not_be_sent_survives_a_reload(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin")
    ann = person().pardon(FAILED).sit(pair, 0)
    ann.context.route("**/picks?*", lambda route: route.abort())
    ann.page.locator("[data-pick='4'].open").click()
    expect(ann.page.locator(".choice.mine")).to_have_text("4")
    ann.page.reload()
    expect(ann.page.locator(".choice.mine")).to_have_text("4")
    assert ann.open_numbers() == []
    assert pair.view(1)["chosen"] == [False, False]
    ann.context.unroute("**/picks?*")
    ann.sees("have picked", ".plate.first")
    assert pair.pick(1, 2, 1).status_code == 200
    expect(ann.page.locator("#history li")).to_have_count(1)
    assert pair.view(1)["history"] == [[4, 2]]


def test_a_sealed_match_sends_no_number_before_promises(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin", rulings={"numbers": 2}, sealed=True, clock=3600)
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    sent: list[tuple[str, dict[str, Any]]] = []

    def hear(request: Request) -> None:
        if request.method == "POST":
            kind = request.url.rpartition("?")[0].rsplit("/", 1)[1]
            sent.append((kind, json.loads(request.post_data or "{}")))

    ann.tell(hear)
    ann.pick(2)
    assert [kind for kind, _ in sent] == ["picks"]
    assert set(sent[0][1]) == {"round", "commitment"}
    expect(ann.page.locator(".choice.mine")).to_have_text("2")
    bob.pick(1)
    for one in (ann, bob):
        expect(one.page.locator("#history li")).to_have_count(1)
    kind, reveal = sent[-1]
    assert kind == "reveals"
    promised = f"{pair.id}:first:1:2:{reveal['salt']}"
    assert hashlib.sha256(promised.encode()).hexdigest() == sent[0][1]["commitment"]
    false = dict(pair.view(0), seals=[["0" * 64, "1" * 32]] * 2)
    check = "async (view) => new (await import('/static/seal.js')).Sealer(view.match).broken(view)"
    assert ann.page.evaluate(check, pair.view(0)) == ""
    assert ann.page.evaluate(check, false).startswith("Ann did not promise 2 in round 1.")
    ann.page.evaluate('id => localStorage.setItem(`seen-${id}-1`, \'["x","x"]\')', pair.id)
    assert ann.page.evaluate(check, pair.view(0)).startswith("Ann did not promise 2 in round 1.")
    ann.page.reload()
    ann.sees("You did not promise 2 in round 1. Do not trust this match.", "#problem")
    for one in (ann, bob):
        one.pick(one.open_numbers()[0])
    expect(ann.button("Ask for a rematch")).to_be_visible()
    ann.keep("sealed-end")


def test_a_sealed_pick_is_opened_by_who_has_its_salt(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin", rulings={"numbers": 3}, sealed=True, clock=3600)
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    ann.pick(2)
    ann.page.goto("about:blank")
    bob.pick(3)
    bob.sees("Now they are opened")
    ann.go(f"/match/{pair.id}")
    for one in (ann, bob):
        expect(one.page.locator("#history li")).to_have_count(1)
    assert ann.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('seal'))") == []
    ann.pick(1)
    ann.page.evaluate("localStorage.clear()")
    ann.page.goto("about:blank")
    bob.pick(1)
    ann.go(f"/match/{pair.id}")
    ann.sees("no longer has the salt")
    ann.press("Resign")
    ann.page.locator("dialog button[value=yes]").click()
    bob.sees("Ann resigns.", "#told")
    bob.sees("You win!")


def test_a_clock_at_zero_ends_the_match(server: Server, person: Invite) -> None:
    slow = Pair(server, "duel", clock=600)
    fast = pair_in_time(server, "duel", lambda pair: pair.pick(0, 3, 1))
    ann, bob = person().sit(slow, 0), person().sit(fast, 1)
    expect(ann.page.locator("#clock")).to_have_text(re.compile(r"^(10:00|\d:\d\d)$"))
    ann.sit(fast, 0)
    for one in (ann, bob):
        one.sees("Bob took too long.", "#told")
    bob.sees("You lose.")
    ann.sees("You win!")


def test_a_server_that_was_killed_is_found_again(browser: Browser, home: Path) -> None:
    port = free_port()
    first = Server(home, "--port", port, **UNMEASURED)
    pair = Pair(first, "margin")
    ann = Person(browser, first).pardon(FAILED).sit(pair, 0)
    ann.pick(4)
    first.end(signal.SIGKILL)
    ann.sees("The connection is lost", "#connection")
    with serving(home, "--port", port) as second:
        expect(ann.page.locator("#connection")).to_be_empty()
        ann.sees("Waiting for Bob")
        body = {"round": 1, "number": 2}
        bob = second.client(pair.tokens[1])
        assert bob.post(f"{pair.path}/picks", json=body).status_code == 200
        ann.sees("Pick a number")
        expect(ann.page.locator("#history li")).to_have_count(1)
        ann.leave()


def test_a_lost_answer_loses_no_seat(server: Server, person: Invite) -> None:
    opened = server.client().post("/api/matches", json={"game": "duel", "name": "Ann"}).json()
    bob = person().pardon(FAILED).go(f"/match/{opened['match']}#{opened['invitation']}")
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        route.fetch()
        route.abort()

    bob.context.route("**/api/join", lose)
    bob.page.fill("#name", "Bob")
    bob.page.locator("#join button").dblclick()
    bob.sees("cannot be reached", "#problem")
    assert len(asked) == 1
    bob.context.unroute("**/api/join")
    bob.page.reload()
    bob.page.wait_for_selector("[data-pick].open")
    assert "#" not in bob.page.url
    assert bob.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('key'))") == []


def test_a_match_is_opened_once_however_often_it_is_clicked(server: Server, person: Invite) -> None:
    ann, asked = person(), []
    ann.tell(lambda made: asked.append(made.url) if made.method == "POST" else None)
    open_by_form(ann, "duel", {}, "computer")
    ann.page.locator("#open button.main").dblclick()
    ann.page.wait_for_selector("[data-pick].open")
    assert asked == [f"{server.url}/api/matches"]


def test_whoever_comes_too_late_watches(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    eve = person()
    eve.page.goto(f"/match/{pair.id}#{pair.invitation}")
    eve.page.wait_for_selector(".mat")
    assert "#" not in eve.page.url
    assert eve.page.locator("[data-pick]").count() == 0
    eve.sees("Somebody else has joined already. You can watch.", "#problem")


def test_who_is_there_is_seen(server: Server, person: Invite) -> None:
    """Who is gone is called away, but not at once; a page that asked as it is left would count."""
    pair = Pair(server, "duel")
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    away = ann.page.locator(".plate.second .dot.away")
    expect(away).to_have_count(0)
    asked: list[str] = []
    bob.tell(lambda made: asked.append(made.url))
    bob.page.click(".brand")
    expect(away).to_have_count(1)
    word = ann.page.get_by_text("away", exact=True)
    assert word.evaluate("word => getComputedStyle(word).animationDelay") == "3s"
    expect(word).to_be_visible()
    assert not any("present=true" in url for url in asked)


def test_a_pick_is_taken_back_when_the_other_allows_it(server: Server, person: Invite) -> None:
    pair = Pair(server, "circle")
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    ann.pick(4)
    ann.press("Ask to take back")
    ann.sees("You ask to take back your last pick.")
    bob.sees("Ann asks to take back their last pick.")
    bob.press("Do not allow")
    ann.sees("Bob does not allow it.", "#problem")
    bob.pick(5)
    ann.press("Ask to take back")
    bob.button("Allow").press("Enter")
    for one in (ann, bob):
        expect(one.page.locator("#history li")).to_have_count(0)
    ann.pick(7)
    bob.sees("It is your turn.")
    assert bob.open_numbers() == [6, 8]


def test_a_listed_match_is_joined_from_the_lobby(person: Invite) -> None:
    ann, bob = person(), person().go("/")
    open_by_form(ann, "duel", {"hp": 3}, "listed")
    ann.page.click("#open button.main")
    ann.page.wait_for_selector(".mat")
    bob.page.locator(f"li[data-key='{_id(ann)}'] button").click()
    bob.page.wait_for_selector("[data-pick].open")


def test_a_match_that_was_left_is_found_in_the_lobby(server: Server, person: Invite) -> None:
    pair = Pair(server, "circle", rulings={"numbers": 2})
    ann = person().sit(pair, 0)
    expect(ann.page.locator("[data-pick].open")).to_have_count(2)
    ann.go("/")
    expect(ann.page.locator("#own li")).to_contain_text("Turn 1 against Bob, your pick")
    own, games = (edges(ann.page.locator(part)) for part in ("#own", "#games"))
    assert own[1] + 8 < games[0]  # they do not touch
    ann.page.locator("#own").get_by_role("link", name="Go on").click()
    ann.page.wait_for_selector("[data-pick].open")
    ann.pick(1)
    pair.pick(1, 2, 2)
    ann.sees("You lose.")
    ann.go("/")
    expect(ann.page.locator("#own-section")).to_be_hidden()


def test_a_phone_held_sideways_shows_the_whole_board(server: Server, person: Invite) -> None:
    ann = person(viewport=LANDSCAPE)
    for game in GAMES:
        pair = Pair(server, game.name)
        pair.pick(0, pair.view(0)["legal"][0], 1)
        ann.sit(pair, 0)
        for size in (LANDSCAPE, SMALL_LANDSCAPE):
            ann.page.set_viewport_size(size)
            assert edges(ann.page.locator("#board"))[1] <= size["height"], (game.name, size)


BROKEN = {
    "no module": "export function (",
    "fails at once": "throw new Error('no');",
    "draws nothing": "export const picture = () => null; export const draw = () => undefined;",
    "fails to draw": "export function picture() { nope(); } export function draw() { nope(); }",
    "never ready": "await new Promise(() => {});",
}


def test_a_broken_board_takes_nothing_down(server: Server, person: Invite) -> None:
    ann = person().pardon("cannot be loaded", "makes no element", "nope")
    texts = dict(zip([game.name for game in GAMES], BROKEN.values(), strict=True))

    def fulfil(route: Route) -> None:
        game = route.request.url.rpartition("/")[2].removesuffix(".js")
        route.fulfill(body=texts[game], content_type="text/javascript")

    ann.context.route("**/boards/*/*.js", fulfil)
    ann.page.goto("/")
    expect(ann.page.locator("#games svg")).to_have_count(len(GAMES))
    for text in BROKEN.values():
        texts["duel"], pair = text, Pair(server, "duel", rulings={"hp": 2})
        ann.sit(pair, 0)
        ann.sees("2", ".drawing")
        ann.pick(3)
        ann.sees("your secret", "#board")
        pair.pick(1, 1, 1)
        ann.sees("You win!")
    ann.keep("plain-board")


def test_a_board_that_comes_late_replaces_the_plain_one(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    ann, held = person(), list[Route]()
    ann.context.route("**/boards/*/duel.js", lambda route: held.append(route))
    ann.sit(pair, 0)
    ann.sees("Pick a number")
    ann.sees("Resign", "#actions")
    ann.pick(3)
    expect(ann.page.locator(".mat.plain")).to_be_visible()
    held[0].continue_()
    expect(ann.page.locator(".mat:not(.plain)")).to_be_visible()
    ann.sees("your secret", "#board")
    ann.sees("Youhave picked", ".plate.first")


def test_a_second_visit_loads_no_file_again(person: Invite) -> None:
    ann = person()
    ann.go("/")
    session = ann.context.new_cdp_session(ann.page)
    session.send("Network.enable")
    kept: set[str] = set()
    loaded: set[str] = set()

    def answered(event: dict[str, Any]) -> None:
        if event["requestId"] not in kept and not event["response"]["fromDiskCache"]:
            loaded.add(event["response"]["url"].removeprefix(ann.origin))

    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    session.on("Network.responseReceived", answered)
    ann.go("/")
    assert loaded == {"/", "/api/games", "/api/opponents", "/api/matches"}
