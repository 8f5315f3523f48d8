"""Puzzles over HTTP and in a real browser."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import expect

from tests.support.attacks import ask_puzzles, client_at
from tests.support.browsers import Invite
from tests.support.registries import JobPending, in_a_loop, keep_puzzle, run_daily
from tests.support.servers import Pair, Server
from tests.support.strategies import GAMES

MARGIN_DAY = "2026-11-18"
BY_TURNS = ("circle", "factors")


def test_a_day_has_one_puzzle_for_everybody(server: Server) -> None:
    days = [f"/api/puzzles/2026-11-{day}" for day in range(10, 10 + len(GAMES))]
    asked = {day: server.client().get(day).json() for day in days}
    assert {puzzle["game"] for puzzle in asked.values()} == {game.name for game in GAMES}
    for day, puzzle in asked.items():
        path, by_turns = f"{day}/answers/{puzzle['legal'][0]}", puzzle["game"] in BY_TURNS
        assert (server.client().get(path).json()["reply"] is None) == by_turns
    one, two = (server.client().get(f"/api/puzzles/{MARGIN_DAY}").json() for _ in range(2))
    assert one == two
    assert one["game"] == "margin"
    client = server.client()
    answers = [
        client.get(f"/api/puzzles/{MARGIN_DAY}/answers/{number}").json() for number in one["legal"]
    ]
    assert [answer["right"] for answer in answers].count(True) == 1
    assert len({answer["answer"] for answer in answers}) == 1
    for answer in answers:
        assert answer["told"][0].startswith("Right" if answer["right"] else "No")


def test_practice_follows_the_strength(server: Server) -> None:
    client = server.client()
    weak, strong = (
        client.get("/api/puzzles/margin-5", params={"strength": strength}).json()["difficulty"]
        for strength in (-5, 5)
    )
    assert weak < strong


def test_a_few_greedy_addresses_shut_nobody_out(server: Server) -> None:
    pair, client = Pair(server, "duel"), server.client()
    pair.act(0, "resignation")
    paths = ("/api/games/duel/position", "/api/puzzles/duel-7", f"{pair.path}/review")
    with ask_puzzles(server, 3, 5):
        found = [client.get(path).status_code for _ in range(3) for path in paths]
    assert found == [200] * 9


def test_a_puzzle_that_is_known_waits_for_no_turn(server: Server) -> None:
    with client_at(server, "127.0.0.2") as client:
        known = client.get(f"/api/puzzles/{MARGIN_DAY}").json()
        paths = [f"/api/puzzles/{MARGIN_DAY}{end}" for end in ("", f"/answers/{known['legal'][0]}")]
        with ask_puzzles(server, 1, 5):
            found = [client.get(path).status_code for _ in range(5) for path in paths]
    assert found == [200] * 10


def test_the_puzzle_of_the_day_stays_however_many_others_are_asked_for() -> None:
    kept: dict[tuple[str, float], Any] = {}
    daily = f"puzzle {datetime.now(UTC).date()}", 2.0
    names = [daily, *((f"puzzle margin-{number}", 2.0) for number in range(5))]
    puzzle: Any = object()
    for name in names:
        keep_puzzle(name, puzzle, kept, limit=3)
    assert list(kept) == [daily, *names[-2:]]


@in_a_loop
async def test_the_puzzle_of_the_day_is_found_once_before_anybody_asks() -> None:
    finds: list[Any] = [JobPending("it is being solved"), object()]

    async def ask(*_: object) -> object:
        if isinstance(found := finds.pop(0), Exception):
            raise found
        return found

    registry: Any = SimpleNamespace(solve_queue=SimpleNamespace(ask=ask, ready=True))
    for _ in range(3):
        await run_daily(registry)
    assert finds == []


PLAIN_HTTP = """Object.defineProperty(navigator, 'clipboard', { value: undefined });
document.addEventListener('copy', () => { window.copied = getSelection().toString(); });"""
"""A browser without a clipboard for scripts, as on every address but https and this machine."""


def test_the_daily_puzzle_keeps_a_streak(server: Server, person: Invite) -> None:
    found = server.client().get(f"/api/puzzles/{MARGIN_DAY}").json()
    path = f"/api/puzzles/{MARGIN_DAY}/answers/{found['legal'][0]}"
    right = server.client().get(path).json()["answer"]
    ann = person().prepare(PLAIN_HTTP)
    ann.page.clock.set_fixed_time(f"{MARGIN_DAY}T12:00:00Z")
    ann.go("/daily")
    ann.sees(found["question"])
    assert f"Your opponent picks {found['reply']}." in found["question"]
    ann.sees(f"your pick?Round 2{found['reply']}their pick", ".arena")  # not the last round's
    ann.page.keyboard.press(str(right))
    ann.sees(f"Right: {right}.")
    ann.sees(f"{right}your pickRound 2{found['reply']}their pick", ".arena")
    expect(ann.page.locator(".choice.right")).to_have_accessible_name(
        f"{right}, your pick, the right answer"
    )
    expect(ann.page.locator("#told")).not_to_contain_text("Right")  # said once
    expect(ann.page.locator("#share")).to_be_visible()
    ann.sees("Streak: 1 day", "#streak")
    ann.press("Share the result")
    ann.sees("Copied", "#share")
    line = f"Even Odds {MARGIN_DAY} 🟩 Number Clash: Five Rounds"
    assert ann.page.evaluate("copied") == f"{line}\n{server.url}/daily?day={MARGIN_DAY}"
    ann.keep("daily-phone")
    ann.page.reload()
    ann.sees(f"Right: {right}.")
    expect(ann.page.locator("#share")).to_be_visible()
    ann.go("/")
    ann.sees("1 in a row", "#streak")
    ann.go("/daily?day=2026-11-10")  # of another day, which counts for no streak
    ann.page.locator("[data-pick].open").first.click()
    expect(ann.page.locator("#map-link")).to_be_visible()
    expect(ann.page.locator("#share")).to_be_hidden()
    ann.sees("Streak: 1 day", "#streak")
    ann.go("/practice/margin")
    link = ann.page.locator("#map-link")
    first = link.get_attribute("href") or ""
    assert first
    ann.page.locator("[data-pick].open").first.click()
    ann.press("Next puzzle")
    expect(ann.page.locator("[data-pick].open").first).to_be_visible()
    expect(link).not_to_have_attribute("href", first)


def test_of_a_trap_the_mistake_is_marked_and_answered(server: Server, person: Invite) -> None:
    client = server.client()
    for number in range(100):
        path = f"/api/puzzles/duel-{number}"
        found = client.get(path, params={"strength": 1.5}).json()
        if found["question"].startswith("One number is a mistake"):
            break
    ann = person().prepare(f"Math.random = () => {number + 0.5}e-9").go("/practice/duel")
    ann.sees("One number is a mistake")
    path += f"/answers/{found['legal'][0]}"
    trap = client.get(path, params={"strength": 1.5}).json()["answer"]
    fine = next(number for number in found["legal"] if number != trap)
    ann.page.keyboard.press(str(fine))
    ann.sees(f"No, {fine} is fine. {trap} is the mistake.")
    expect(ann.page.locator(f"[data-pick='{trap}']")).to_have_accessible_name(
        f"{trap}, the mistake"
    )
    expect(ann.page.locator(".choice .mark")).to_have_text("✗")
    reply = ann.page.locator(".slot").last.locator(".face").inner_text()
    ann.sees(f"gainst {reply}")
    ann.sees(f"{trap}the mistake", ".arena")
    ann.sees("(Cost: ", "#told")
