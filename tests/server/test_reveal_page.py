"""The reveal of a round and the end of a match, step by step in real browsers."""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.browsers import DESKTOP, LANDSCAPE, Invite, edges
from tests.support.servers import Pair, Server
from tests.support.waiting import wait_until

RECORD = """() => {
  window.film = [];
  const text = (selector) => document.querySelector(selector)?.textContent ?? "";
  const shoot = () => {
    const frame = {
      turning: document.querySelectorAll(".turn.turning").length,
      faces: [...document.querySelectorAll(".turn.up .face")].map((face) => face.textContent),
      won: document.querySelector(".slot.won")?.classList.contains("first") ? "first"
        : document.querySelector(".slot.won") ? "second" : "",
      event: text(".underdog-event"),
      changes: [...document.querySelectorAll(".change")].map((change) => change.textContent),
      score: text(".plate.first .more .beads") + text(".health.second"),
      points: document.querySelector(".plate.first .beads")?.getAttribute("aria-label") ?? "",
      played: text(".heart b") + text(".deed .card"),
      ring: document.querySelector(".closed")?.getAttribute("class") ?? "",
      pawns: [...document.querySelectorAll(".pawn")].map((pawn) => pawn.textContent),
      summary: text("#summary"),
      over: !document.querySelector("#end").hidden,
    };
    if (JSON.stringify(frame) !== JSON.stringify(window.film.at(-1))) window.film.push(frame);
  };
  const watched = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(shoot).observe(document.body, watched);
  shoot();
}"""


TURN_MS = 1100
TOAST_MS = 4000


def film(page: Page) -> list[dict[str, Any]]:
    """The different pictures that were drawn, in order; a busy machine leaves none out."""
    frames: list[dict[str, Any]] = page.evaluate("window.film")
    return frames


@pytest.mark.parametrize(
    ("game", "picks", "event", "change", "summary"),
    [
        ("underdog", (7, 8), "Underdog!", "+1", "Underdog! 7 is one less than 8, so you score."),
        ("margin", (5, 3), "", "+2", "5 beats 3: you gain 2 points."),
    ],
)
def test_a_round_is_revealed_in_stages(
    game: str, picks: tuple[int, int], event: str, change: str, summary: str,
    server: Server, person: Invite,
) -> None:  # fmt: skip
    pair = Pair(server, game)
    ann = person(reduced_motion="no-preference").sit(pair, 0)
    ann.pick(picks[0])
    ann.page.evaluate(RECORD)
    pair.pick(1, picks[1], 1)
    expect(ann.page.locator(".slot.won")).to_have_count(1)
    ann.sees("Pick a number")
    frames = film(ann.page)
    turning = [frame for frame in frames if frame["turning"]]
    settled = frames[frames.index(turning[-1]) + 1 :]
    assert settled
    for frame in turning:
        assert (frame["turning"], frame["faces"]) == (2, [str(number) for number in picks])
        assert (frame["won"], frame["event"], frame["changes"]) == ("", "", [])
        assert game == "margin" or frame["points"] == "0 of 3 points"
    for frame in settled:
        assert (frame["won"], frame["event"], frame["changes"]) == ("first", event, [change])
        assert frame["summary"] == summary
        assert game == "margin" or frame["points"] == "1 of 3 points"


def test_a_blow_costs_what_is_said_and_the_end_waits_for_it(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel", rulings={"hp": 2})
    ann = person(reduced_motion="no-preference").sit(pair, 0)
    ann.pick(3)
    ann.page.evaluate(RECORD)
    pair.pick(1, 1, 1)
    ann.sees("You win!")
    frames = film(ann.page)
    turning = next(frame for frame in frames if frame["turning"])
    assert "2 of 2 HP" in turning["score"]
    settling = [frame for frame in frames if frame["won"] == "first" and not frame["over"]]
    assert settling
    for frame in settling:
        assert frame["changes"] == ["−3 HP"]
        assert "0 of 2 HP" in frame["score"]
        assert frame["summary"].startswith("3 beats 1: Bob loses 3 HP.")
    assert frames[-1]["over"]


def test_the_ring_closes_around_who_cannot_move(server: Server, person: Invite) -> None:
    pair = Pair(server, "circle", rulings={"numbers": 2})
    ann = person(reduced_motion="no-preference").sit(pair, 0)
    ann.pick(1)
    ann.sees("Waiting for Bob")
    ann.page.evaluate(RECORD)
    pair.pick(1, 2, 2)
    ann.sees("You lose.")
    frames = film(ann.page)
    assert {(frame["played"], frame["ring"], frame["over"]) for frame in frames} == {
        ("1", "", False),
        ("2", "closed second", False),
        ("2", "closed second", True),
    }


def test_a_number_moves_both_scores_by_what_it_says(server: Server, person: Invite) -> None:
    pair = Pair(server, "factors", name="Anneli")
    pair.pick(0, 6, 1)
    bob = person(reduced_motion="no-preference").sit(pair, 1)
    place = "() => document.querySelector('[data-pick]').offsetTop - board.offsetTop"
    one_moved = bob.page.evaluate(place)
    bob.pick(3)
    bob.sees("Waiting for Anneli")
    bob.page.evaluate(RECORD)
    pair.pick(0, 9, 3)
    bob.sees("It is your turn.")
    before, *_, after = film(bob.page)
    assert (before["played"], before["pawns"]) == ("3", ["Anneli: 6", "You: 3"])
    assert (after["played"], after["pawns"]) == ("9", ["Anneli: 15", "You: 0"])
    assert after["changes"] == ["+9", "−3"]
    assert bob.page.evaluate(place) == one_moved


def test_a_tap_skips_and_who_wants_no_motion_sees_none(server: Server, person: Invite) -> None:
    pair = Pair(server, "margin")
    ann, bob = person(reduced_motion="no-preference").sit(pair, 0), person().sit(pair, 1)
    for one in (ann, bob):
        one.page.evaluate(RECORD)
    ann.hold(TURN_MS)
    ann.pick(5)
    bob.pick(1)
    expect(ann.page.locator(".turn.turning")).to_have_count(2)
    ann.page.locator("[data-pick='4']").click(force=True)
    ann.sees("Waiting for Bob")
    bob.sees("has picked", ".plate.first")
    bob.sees("Round 2last15face down", ".arena")
    expect(bob.page.locator(".turn.up")).to_have_count(0)
    assert not any(frame["turning"] for frame in film(bob.page))


def test_the_end_stands_on_one_screen_and_leads_on(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel", rulings={"hp": 4, "numbers": 4, "overreach": 1})
    for round, picks in enumerate([(3, 2), (2, 3)], 1):
        for seat in (0, 1):
            pair.pick(seat, picks[seat], round)
    size: ViewportSize = {"width": 390, "height": 844}
    ann, bob = person(viewport=size).sit(pair, 0), person(viewport=size).sit(pair, 1)
    eve = person().go(f"/match/{pair.id}")
    top = ann.page.evaluate("board.offsetTop")
    ann.pick(2)
    bob.pick(1)
    ann.sees("You win!")
    bob.sees("You lose.")
    eve.sees("Ann wins!")
    ann.sees("Bob has no health left.", "#summary")
    ann.sees("You outguessed Bob in round 3. None of your picks was a mistake.", "#decisive")
    bob.sees("Ann outguessed you in round 3.", "#decisive")
    assert ann.page.evaluate("board.offsetTop") == top
    lines = [ann.page.locator(line) for line in ("#status", "#summary", "#decisive")]
    buttons = [ann.button("Ask for a rematch"), ann.button("Review")]
    assert all(edges(what)[1] <= size["height"] for what in (*lines, *buttons))
    ann.keep("end-phone")
    expect(ann.page.locator("[data-pick]:not([tabindex='-1'])")).to_have_count(0)  # Tab skips them
    ann.page.set_viewport_size(LANDSCAPE)
    assert all(edges(what)[1] <= LANDSCAPE["height"] for what in (*lines[:2], *buttons))
    assert edges(lines[1])[1] <= edges(buttons[0])[0]  # neither covers the other
    assert edges(ann.button("All games"))[1] <= LANDSCAPE["height"]
    ann.page.set_viewport_size({"width": 360, "height": 640})
    assert edges(ann.page.locator("#board"))[1] <= edges(buttons[0])[0]  # the board is whole
    ann.page.set_viewport_size(DESKTOP)
    assert edges(buttons[0])[1] < edges(ann.page.locator("#board"))[1]  # they stand beside it
    ann.page.set_viewport_size(size)
    for _ in range(2):
        ann.press("Ask for a rematch")
        ann.sees("Waiting for Bob to accept the rematch.", "#actions")
        bob.sees("Ann asks for another match on the same rules.", "#actions")
        ann.press("Never mind")
        expect(bob.button("Ask for a rematch")).to_be_visible()
    ann.press("Ask for a rematch")
    bob.press("Accept the rematch")
    for one in (ann, bob, eve):
        one.page.wait_for_url(lambda url: pair.id not in url)
    ann.sees("You 1 : 0 Bob", "#series")
    bob.sees("You 0 : 1 Ann", "#series")
    eve.sees("1", "#series")
    expect(ann.page.locator(".plate.second")).to_contain_text("You")
    ann.go(f"/match/{pair.id}")
    ann.press("To the rematch")
    ann.page.wait_for_url(lambda url: pair.id not in url)


def test_who_resigns_ahead_has_decided_the_match(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    ann = person().sit(pair, 0)
    ann.pick(1)
    pair.pick(1, 3, 1)
    ann.sees("Pick a number")
    pair.act(1, "resignation")
    ann.sees("You win!")
    ann.sees("The turning point was the resignation: Bob's expected score was", "#decisive")
    ann.page.click("#decisive a")
    ann.sees("Round 1", "#round-title")


FELT = """window.felt = [];
AudioContext.prototype.createOscillator = new Proxy(AudioContext.prototype.createOscillator, {
  apply: (make, audio) => { felt.push("tone"); return make.call(audio); } });
navigator.vibrate = (pattern) => felt.push(pattern);"""
"""Notes what can be heard and felt."""


def test_the_rules_are_one_tap_away(server: Server, person: Invite) -> None:
    ann = person().prepare(FELT)
    ann.sit(Pair(server, "duel", rulings={"hp": 7}), 0)
    ann.sees("The health each player starts with: 7", "#terms")
    ann.page.click("#rules-link")
    ann.sees("Both players start with 7 health points", "#rules")
    ann.page.keyboard.press("Escape")
    sound = ann.page.locator("#effects")
    expect(sound).to_have_attribute("aria-pressed", "false")  # off until asked for
    sound.click()
    expect(sound).to_have_text("Sound: on")
    assert ann.page.evaluate("felt") == ["tone", 30]
    ann.pick(3)


def test_people_send_each_other_signs(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    ann, bob = person().sit(pair, 0), person().sit(pair, 1)
    expect(ann.page.locator("#reactions button")).to_have_count(6)
    expect(bob.page.locator("#reactions button")).to_have_count(6)
    bob.hold(TOAST_MS)
    ann.press("Bravo")
    bob.sees("Ann: 👏", "#toast")
    toast, status = (edges(bob.page.locator(part)) for part in ("#toast", "#status"))
    assert toast[1] <= status[0]  # it covers no result
    bob.sees("Ann: Bravo", "#said")
    assert pair.act(1, "reactions", {"sign": "👍"}).status_code == 200
    wait_until(lambda: pair.act(1, "reactions", {"sign": "👍"}).status_code == 429)
    assert pair.act(0, "reactions", {"sign": "<b>"}).status_code == 400
    assert pair.watcher.post(f"{pair.path}/reactions", json={"sign": "👍"}).status_code == 403
