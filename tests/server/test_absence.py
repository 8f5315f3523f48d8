"""Matches that are left: cancelled, no longer listed, won after an absence, ended by the clock."""

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from evenodds import FIRST, SECOND
from evenodds.core.terms import agree
from tests.support.browsers import Invite, Person
from tests.support.commands import UNMEASURED
from tests.support.postgres import Postgres
from tests.support.registries import ARRIVAL_S, MatchOptions, in_a_loop, registry_at
from tests.support.servers import (
    Opener,
    Pair,
    Server,
    an_hour_passes,
    detail,
    hear,
    pair_in_time,
    serving,
    sql,
    wait_for_the_end,
)
from tests.support.waiting import wait_until

pytestmark = pytest.mark.processes

SOON = {"EVENODDS_SERVER_ABSENCE_MINUTES": "0.02", "EVENODDS_SERVER_AWAY_SECONDS": "0.1"}
"""Little more than a second."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("hasty"), **SOON) as found:
        yield found


CANCELLED = "The match was cancelled before it began."


def test_a_match_that_nobody_joined_is_cancelled(server: Server) -> None:
    ann = Opener(server, "duel", listed=True)
    stranger = server.client().post(f"{ann.path}/cancellation")
    assert detail(stranger, 403).startswith("you have no seat")
    told = {"outcome": "draw", "reason": "void", "told": [CANCELLED], "why": CANCELLED}
    assert ann.act("cancellation").json()["result"] == told
    assert '[Reason "cancelled"]' in ann.client.get(f"{ann.path}/record").text
    assert detail(ann.act("cancellation")) == "the match is over"
    assert detail(ann.act("rematch")) == "you have no opponent yet"
    late = server.client().post("/api/join", json={"invitation": ann.secret})
    assert detail(late, 403) == "the match is over"
    assert ann.id not in server.client().get("/api/matches").text


def test_a_match_that_has_begun_is_not_cancelled(server: Server) -> None:
    refused = Pair(server, "duel").act(0, "cancellation")
    assert detail(refused) == "the match has begun; it can be resigned"


@in_a_loop
async def test_a_cancelled_match_is_cancelled_after_a_restart(home: Path) -> None:
    async with registry_at(home) as one:
        opened = await one.open(agree("duel"), MatchOptions(), "Ann", 1, "")
        await one.referee.end(await one.session(opened.match), None)
    async with registry_at(home) as two:
        state = (await two.session(opened.match)).state
        assert state.over
        assert not state.ready


def test_a_match_leaves_the_list_when_its_host_is_gone(server: Server) -> None:
    ann = Opener(server, "duel", listed=True)

    def is_listed() -> bool:
        return ann.id in server.client().get("/api/matches").text

    assert is_listed()
    sql(server.home, f"UPDATE matches SET touched = touched - 300 WHERE id = '{ann.id}'")
    assert not is_listed()
    with hear(ann.client, ann.path) as stream:
        stream.next()
        wait_until(is_listed)


def claim_at_last(seat: httpx.Client, path: str) -> httpx.Response:
    """Claim until it is neither too early nor not known that the other is away."""
    answers: list[httpx.Response] = []

    def is_settled() -> bool:
        answers.append(seat.post(f"{path}/claim"))
        said = answers[-1].json().get("detail", "")
        return "s left" not in said and said != "no time is running out"

    wait_until(is_settled)
    return answers[-1]


def is_away(view: dict[str, Any]) -> bool:
    return view["absence"][1] is not None


def test_a_win_is_claimed_after_an_absence(hasty: Server) -> None:
    pair = Pair(hasty, "duel")
    with hear(pair.seats[0], pair.path) as stream:
        assert stream.next()["absence"] == [None, None]
        view = stream.when(is_away)
        assert view["absence"][1] - view["now"] <= 1.2
        assert detail(claim_at_last(pair.seats[0], pair.path)) == "it is your turn, too: pick first"
        pair.pick(0, 3, 1)
        done = claim_at_last(pair.seats[0], pair.path).json()
    assert (done["result"]["outcome"], done["result"]["reason"]) == ("first", "time")
    assert '[Reason "time"]' in pair.watcher.get(f"{pair.path}/record").text


def test_who_comes_back_is_no_longer_away(hasty: Server) -> None:
    pair = Pair(hasty, "duel")
    pair.pick(0, 3, 1)
    with hear(pair.seats[0], pair.path) as stream:
        stream.when(is_away)
        assert pair.seats[1].get(f"{pair.path}?present=true").json()["connected"] == [True, True]
        stream.when(lambda view: not is_away(view))
        assert detail(pair.act(0, "claim")) == "no time is running out"
        assert pair.pick(1, 2, 1).json()["history"] == [[3, 2]]


def test_the_time_of_an_outage_is_nobodys_absence(home: Path) -> None:
    first = Server(home, **SOON | {"EVENODDS_SERVER_ABSENCE_MINUTES": "10"}, **UNMEASURED)
    pair = Pair(first, "duel")
    pair.pick(0, 3, 1)
    with hear(pair.seats[0], pair.path) as stream:
        stream.when(is_away)
    first.end(signal.SIGKILL)
    an_hour_passes(home)
    with serving(home, EVENODDS_SERVER_ABSENCE_MINUTES="10") as second:
        ann = second.client(pair.tokens[0])
        said = detail(ann.post(f"{pair.path}/claim"))
        left = int(said.removeprefix("the other has ").removesuffix(" s left"))
        assert 500 < left <= 600


@in_a_loop
async def test_who_misses_a_rematch_is_away(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with registry_at(home) as registry:
        opened = await registry.open(agree("duel"), MatchOptions(), "Ann", 1, "")
        await registry.join(opened.invitation, "Bob")
        session = await registry.session(opened.match)
        registry.record_poll(session, FIRST)
        await registry.referee.end(session, FIRST)
        await registry.rematch(session, FIRST, "")
        following = await registry.rematch(session, SECOND, "")
        rematch = await registry.session(following)
        registry.expire_polls()
        assert rematch.connected() == (False, True)
        now = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: now() + ARRIVAL_S)
        registry.expire_polls()
        assert rematch.connected() == (False, False)


@pytest.mark.xdist_group("postgres")
def test_any_process_ends_a_match_and_hears_a_claim(postgres: Postgres, home: Path) -> None:
    url = postgres.database()
    with (
        serving(home / "one", "--database", url, **SOON) as one,
        serving(home / "two", "--database", url, **SOON) as two,
    ):
        absent = Pair(one, "duel")
        absent.pick(0, 3, 1)
        elsewhere = two.client(absent.tokens[0])
        with hear(absent.seats[0], absent.path) as stream:
            stream.when(is_away)
            assert claim_at_last(elsewhere, absent.path).json()["result"]["reason"] == "time"
        pair = pair_in_time(one, "duel", lambda pair: pair.pick(0, 3, 1))
        one.end(signal.SIGKILL)
        ended = wait_for_the_end(two.client(pair.tokens[0]), pair.path)
        assert ended["result"]["outcome"] == "first"


def test_a_match_is_cancelled_on_its_page_and_in_the_lobby(server: Server, person: Invite) -> None:
    ann = person()
    for place in ("page", "lobby"):
        made = Opener(server, "duel", listed=True)
        ann.take_seat(made.id, made.token)
        ann.go(f"/match/{made.id}")
        ann.sees("Waiting for an opponent.")
        ann.keep(f"cancel-{place}")
        if place == "page":
            ann.page.evaluate(f"localStorage['invitation-{made.id}'] = 'secret'")
            ann.page.reload()
            expect(ann.page.locator("#invite")).to_be_visible()
            ann.press("Cancel the match")
            ann.sees("The match is cancelled.")
            expect(ann.page.locator("#summary")).to_be_empty()  # it says so already
            expect(ann.page.locator("#invite")).to_be_hidden()
            assert ann.button("Play again").count() == 0
        else:
            ann.go("/")
            ann.keep("cancel-lobby-list")
            ann.page.locator(f"#own li[data-key='{made.id}'] button").click()
            expect(ann.page.locator("#own-section")).to_be_hidden()
    found = server.client().get(f"/api/matches/{made.id}").json()
    assert found["result"]["why"] == CANCELLED


def test_an_absence_is_counted_down(server: Server, person: Invite) -> None:
    pair = Pair(server, "duel")
    ann = person(viewport={"width": 1280, "height": 800}).sit(pair, 0)
    ann.sees("Pick a number. It stays secret. Bob is away.")
    ann.pick(3)
    ann.sees("Bob is away. When the time is up you can claim the win.")
    expect(ann.page.locator("#clock")).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    assert ann.button("Claim the win").count() == 0
    ann.keep("absence-countdown")


@pytest.mark.xdist_group("browsers")
def test_an_absence_is_claimed(hasty: Server, browser: Browser) -> None:
    pair = Pair(hasty, "duel")
    ann = Person(browser, hasty).sit(pair, 0)
    ann.pick(1)
    pair.pick(1, 3, 1)
    ann.sees("Once you have picked you can claim the win.")
    asked: list[str] = []
    ann.tell(lambda made: asked.append(made.url))
    ann.pick(3)
    ann.sees("Now you can claim the win.")
    ann.press("Claim the win")
    ann.sees("You win!")
    expect(ann.button("Review")).to_be_visible()
    assert not any(url.endswith("/review") for url in asked)
    ann.leave()
