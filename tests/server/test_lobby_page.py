"""The lobby in real browsers: a match is one tap away, on a phone and on a laptop."""

import re
from typing import Any

from playwright.sync_api import Browser, Route, expect

from tests.support.browsers import Invite, keep
from tests.support.servers import Pair, Server
from tests.support.strategies import GAMES


def test_every_game_can_be_started_from_the_first_screen(person: Invite) -> None:
    ann = person().go("/")
    expect(ann.page.get_by_role("link", name="Studies")).to_have_attribute("href", "/study")
    for width, height in ((390, 844), (1280, 800)):
        ann.page.set_viewport_size({"width": width, "height": height})
        for game in GAMES:
            card = ann.page.locator(f"[data-game={game.name}]")
            expect(card.locator("svg")).to_be_visible()
            expect(card).to_contain_text(game.words.goal(game.rulings()))
            box = card.locator("[data-do=options]").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width
        ann.keep(f"lobby-{width}")
    ann.page.set_viewport_size({"width": 320, "height": 640})  # the narrowest: nothing is cut off
    for card in ann.page.locator("[data-game]").all():
        assert card.evaluate("card => card.scrollWidth <= card.clientWidth")


BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw Error('blocked') } })"
"""A browser that blocks cookies lets no page near its storage."""


def test_a_browser_that_blocks_storage_is_told(server: Server, browser: Browser) -> None:
    with browser.new_context(base_url=server.url) as context:
        context.add_init_script(BLOCKED)
        page = context.new_page()
        for path in ("/", f"/match/{Pair(server, 'duel').id}", "/daily"):
            page.goto(path)
            told = page.get_by_role("alert").filter(has_text="Your browser blocks cookies")
            expect(told).to_be_in_viewport()
            keep(page, f"blocked-{path.split('/')[1] or 'lobby'}")


def test_one_tap_plays_a_computer_and_one_invites_a_friend(person: Invite) -> None:
    ann = person(has_touch=True)
    ann.prepare("navigator.share = async (data) => { window.shared = data; };").go("/")
    ann.page.evaluate("localStorage.setItem('level-duel', '7')")
    ann.page.locator("[data-game=duel] [data-do=play]").tap()
    ann.page.wait_for_selector("[data-pick].open")
    kept = "() => import('/static/strength.js').then(m => { m.adjustLevel('duel', 'level:7', 1);"
    opponents = "{ usual: 'level:4', players: { 'level:1': '', 'level:2': '' } }"
    assert ann.page.evaluate(f"{kept} return m.fitting('duel', {opponents}); }})") == "level:2"
    assert ann.page.evaluate("localStorage.getItem('level-duel')") == "8"
    ann.go("/")
    ann.page.locator("[data-game=duel] [data-do=friend]").tap()
    ann.page.wait_for_selector("#invite:not([hidden])")
    expect(ann.page.locator("#qr svg")).to_be_visible()
    ann.sees("works on this machine only", "#reach")
    ann.press("Share")
    assert ann.page.evaluate("shared.url") == ann.page.locator("#link").input_value()
    ann.keep("invite-phone")
    ann.sees("By the book: 3 is always a best pick.", "#invite")
    ann.press("Invite to livelier rules")
    expect(ann.page.get_by_label("A friend (by link)")).to_be_checked()
    expect(ann.page.locator("#ruling-overreach")).to_have_value("1")


def test_a_game_that_its_rules_decide_says_so_and_has_a_variant(person: Invite) -> None:
    ann = person().go("/")
    told = ann.page.locator(".decided")
    expect(told).to_have_count(sum(bool(game.lively) for game in GAMES))
    expect(told.last).to_contain_text("By the book: 3 is always a best pick.")
    circle = told.first
    expect(circle).to_contain_text("By the book: the player who goes second always wins")
    expect(circle).to_contain_text("Livelier rules: picks decide, but with best play the second")
    expect(told.last).to_contain_text("Livelier rules: no number is always best")
    circle.get_by_role("link", name="Why livelier?").click()
    ann.sees("Livelier rules: picks decide, but", "header")
    ann.sees("A perfect player scores", "#verdict")
    ann.page.go_back()
    buttons = [
        ann.button(f"Play {rules}Number Circle Duel") for rules in ("", "livelier rules of ")
    ]
    expect(buttons[1]).to_have_text("Play livelier rules")
    sizes: list[Any] = [button.bounding_box() for button in buttons]
    assert [abs(sizes[0][way] - sizes[1][way]) < 1 for way in ("width", "height")] == [True, True]
    ann.press("Play livelier rules of Number Circle Duel")
    ann.page.wait_for_selector(".mat")
    expect(ann.page.locator("#terms")).to_have_text("Livelier rules")


def test_a_match_that_takes_a_while_to_open_says_so(person: Invite) -> None:
    ann, held = person().go("/"), list[Route]()

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "POST" else route.continue_()

    ann.page.route("**/api/matches", hold)
    play = ann.page.locator("[data-game=duel] [data-do=play]")
    play.click()
    expect(play).to_have_text(re.compile(r"^Getting ready… \d+ s$"))
    held[0].continue_()
    ann.page.wait_for_selector("[data-pick].open")
    ann.page.unroute("**/api/matches")


def test_the_options_of_a_game_speak_in_words(person: Invite) -> None:
    ann = person().go("/?game=underdog&gap=2")
    ann.sees("Number Clash: First to Three", "#chosen")
    expect(ann.page.locator("#ruling-gap")).to_have_value("2")
    for link, page in (("rules", "/rules"), ("map", "/map"), ("study", "/study")):
        address = f"{page}/underdog?gap=2"
        expect(ann.page.locator(f"#{link}-link")).to_have_attribute("href", address)
    ann.page.fill("#ruling-target", "2")
    ann.page.locator("#ruling-target").blur()
    expect(ann.page.locator("#map-link")).to_have_attribute("href", "/map/underdog?target=2&gap=2")
    ann.sees("The size of each hand", "#rulings")
    ann.sees('From 1 to the value of "The size of each hand".', "#rulings")
    expect(ann.page.locator("#ruling-exhausted")).to_contain_text("More points win")
    expect(ann.page.locator("#ruling-exhausted")).to_have_value("score")
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#setup")).not_to_be_visible()
    ann.go("/?game=underdog&gap=1")
    expect(ann.page.locator("#rulings-fold")).not_to_have_attribute("open", "")  # the usual rules


def test_a_link_that_asks_for_what_there_is_not_is_told(person: Invite) -> None:
    ann = person().go("/?game=nope")
    ann.sees('There is no game "nope". Choose one of these.', "#problem")
    strange = "opponent=level%3A99&target=2&gap=99&exhausted=never&colour=red"
    ann.go(f"/?game=underdog&{strange}")
    ann.sees("does not have (opponent, gap, exhausted). The usual", "#setup-problem")
    expect(ann.page.get_by_label("The computer")).to_be_checked()
    for key, value in (("target", "2"), ("gap", "1"), ("exhausted", "score")):
        expect(ann.page.locator(f"#ruling-{key}")).to_have_value(value)
    ann.go("/?game=duel&opponent=friend&hp=6")
    expect(ann.page.locator("#setup-problem")).to_be_empty()


def test_a_result_is_sent_with_a_link_that_challenges(server: Server, person: Invite) -> None:
    answer = server.client().post("/api/matches", json={"game": "duel", "opponent": "level:1"})
    ann = person().prepare("navigator.share = async (data) => { window.shared = data; };")
    ann.take_seat(answer.json()["match"], answer.json()["token"])
    ann.go(f"/match/{answer.json()['match']}")
    ann.press("Hint")
    ann.sees("Pick 3.", "#hinted")
    ann.press("Back to the match")
    while not ann.button("Share").count():
        ann.page.wait_for_selector("[data-pick='3'].open, #end:not([hidden])")
        if ann.open_numbers():
            ann.pick(3)
    ann.press("Share")
    said, url = ann.page.evaluate("[shared.text, shared.url]")
    assert said.endswith(("Can you?", "Can you do better?"))
    ann.press("Challenge a friend")
    ann.sees("Number Duel", "#chosen")
    expect(ann.page.get_by_label("A friend (by link)")).to_be_checked()
    ann.page.goto(url)
    ann.sees("Number Duel: can you beat Level 1?", "#chosen")
    expect(ann.button("Start")).to_be_focused()
    expect(ann.page.locator("#opponent")).to_have_value("level:1")
    ann.press("Start")
    ann.page.wait_for_selector("[data-pick].open")


def test_a_link_of_a_server_in_a_network_works_for_others(person: Invite) -> None:
    ann = person().go("/")
    shared = {"address": "http://192.0.2.7:8000"}
    ann.context.route("**/api/address", lambda route: route.fulfill(json=shared))
    ann.page.locator("[data-game=duel] [data-do=friend]").click()
    ann.page.wait_for_selector("#invite:not([hidden])")
    assert ann.page.locator("#link").input_value().startswith("http://192.0.2.7:8000/match/")
    ann.sees("everybody in your network", "#reach")


def test_what_cannot_be_copied_is_there_to_copy_by_hand(server: Server, person: Invite) -> None:
    ann = person().prepare(
        "navigator.share = navigator.clipboard.writeText = undefined;"
        "document.execCommand = () => false;"
        "window.prompt = (...asked) => { window.asked = asked; };"
    )
    ann.go("/")
    ann.page.locator("[data-game=duel] [data-do=friend]").click()
    ann.press("Copy")
    expect(ann.button("Copy by hand")).to_be_visible()
    link = ann.page.locator("#link").input_value()
    assert ann.page.evaluate("link.selectionEnd - link.selectionStart") == len(link)
    pair = Pair(server, "duel")
    pair.pick(0, 2, 1)
    pair.pick(1, 1, 1)
    pair.act(1, "resignation")
    ann.sit(pair, 0).press("Share")
    ann.page.wait_for_function("window.asked")
    said, offered = ann.page.evaluate("asked")
    assert said.startswith("This browser does not let pages copy.")
    assert "I beat Bob in 1 round of Number Duel." in offered
    pair = Pair(server, "underdog", rulings={"numbers": 3, "target": 1})
    pair.pick(0, 1, 1)
    pair.pick(1, 2, 1)
    ann.sit(pair, 0).press("Share")
    ann.page.wait_for_function("window.asked[1].includes('First to Three')")
    assert "I beat Bob, 1-0, at Number Clash: First to Three. Can you?" in ann.page.evaluate(
        "asked[1]"
    )
    ann.page.goto(offered.split()[-1])
    expect(ann.page.get_by_label("The computer")).to_be_checked()


def test_without_a_network_a_page_says_that_nothing_is_lost(person: Invite) -> None:
    ann = person().go("/rules/margin")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.context.set_offline(True)
    ann.page.goto("/rules/duel")
    ann.sees("Nothing is lost", "main")
    ann.context.set_offline(False)
    ann.press("Try again")
    ann.sees("Number Duel", "#page")
