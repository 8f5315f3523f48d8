"""Computers on a server: never late by their own fault, never in others' way, and heard of."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evenodds import IllegalPick, UnknownPlayer
from evenodds.client.snapshot import parse_snapshot
from evenodds.core.terms import agree
from evenodds.engine.on_demand import NotSolved, SolveTimeout, solution_for
from evenodds.table.notices import COMPUTER_DELAY_MESSAGES, MatchNotices
from tests.support import registries as rooms
from tests.support.foreign_server import changed
from tests.support.registries import registry_at, solving, until
from tests.support.servers import Pair, next_view, serving
from tests.support.waiting import TIMEOUT_S, wait_until


async def opened(
    registry: rooms.MatchRegistry, opponent: str, clock: int | None = None
) -> rooms.MatchSession:
    terms = agree("duel", computers=("", opponent))
    found = await registry.open(terms, rooms.MatchOptions(clock), "Ann", 1, "ann")
    return await registry.session(found.match)


class Seating(list[str]):
    """Who is seated, by name; a quick player sits in the place of one that searches."""

    def __call__(self, name: str, *given: Any, **more: Any) -> Any:
        self.append(name)
        return rooms.opponent("random" if name == "search" else name, *given, **more)


async def play_round(registry: rooms.MatchRegistry, session: rooms.MatchSession) -> None:
    round = session.state.match.round
    await registry.referee.pick(session, 0, round, 3)
    await until(lambda: session.state.match.round > round)


@rooms.in_a_loop
async def test_only_what_cannot_be_solved_refuses_a_computer(home: Path) -> None:
    terms = agree("duel", computers=("", "perfect"))
    errors: list[Exception] = [OSError("the disk is full"), NotSolved("too large")]

    def fail(_: Any) -> Any:
        raise errors.pop(0)

    async with registry_at(home, solve_queue=solving(fail)) as registry:
        await rooms._check_computers(registry, terms, "ann")
        with pytest.raises(UnknownPlayer, match="too large"):
            await rooms._check_computers(registry, terms, "ann")


@pytest.mark.processes
def test_a_fresh_server_says_when_its_games_are_ready(home: Path) -> None:
    (home / "cache").mkdir(parents=True)
    with serving(home) as server:
        assert Pair(server, "duel").pick(0, 3, 1).status_code == 200
        terms = {"game": "underdog", "opponent": "level:4"}
        match = server.client().post("/api/matches", json=terms).json()
        seat, path = server.client(match["token"]), f"/api/matches/{match['match']}"
        with seat.stream("GET", f"{path}/events") as stream:
            lines = stream.iter_lines()
            view = next_view(lines)
            seat.post(f"{path}/picks", json={"round": 1, "number": view["legal"][0]})
            while not view["history"]:
                assert (view["result"], view["delay"]) == (None, None)
                view = next_view(lines)
        server.wait_until_ready()
        wait_until(lambda: server.logged == ["All games are ready.\n"])
        assert not list((home / "cache").glob("*.table"))


@rooms.in_a_loop
async def test_while_its_game_is_being_solved_a_computer_plays_by_search(home: Path) -> None:
    gate = threading.Event()
    queue = solving(lambda terms: gate.wait(TIMEOUT_S) and solution_for(terms))
    names = Seating()

    said: list[str | None] = []
    async with registry_at(
        home, solve_queue=queue, opponent=names, solution_wait_s=0.1
    ) as registry:
        session = await opened(registry, "level:4")
        session.watchers.add(lambda: said.append(session.delay))
        await play_round(registry, session)
        await play_round(registry, session)
        assert session.delay == "search"
        gate.set()
        await registry.solve_queue.solution(session.state.terms)
        await play_round(registry, session)
        assert session.state.result is None
        await until(lambda: names[-1] == "level:4")
        assert set(names) == {"search", "level:4"}
        found = [delay for at, delay in enumerate(said) if not at or delay != said[at - 1]]
    assert found == ["solving", "search", None]


@rooms.in_a_loop
async def test_a_game_that_cannot_be_solved_in_time_is_played_by_search(home: Path) -> None:
    tried: list[Any] = []

    def give_up(terms: Any) -> Any:
        tried.append(terms)
        raise SolveTimeout("too slow")

    names = Seating()
    async with registry_at(home, solve_queue=solving(give_up), opponent=names) as registry:
        session = await opened(registry, "perfect")
        await play_round(registry, session)
        await play_round(registry, session)
        assert set(names) == {"search"}
        assert session.delay == "unsolved"
        assert session.state.result is None
    assert len(tried) == 1


@rooms.in_a_loop
async def test_a_computer_tries_again(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    said: list[str | None] = []
    errors = [RuntimeError("nobody knows")]

    def broken_at_first(*given: Any, **more: Any) -> Any:
        if errors:
            raise errors.pop()
        return rooms.opponent(*given, **more)

    async with registry_at(home, first_retry_s=0.01, opponent=broken_at_first) as registry:
        session = await opened(registry, "high")
        session.watchers.add(lambda: said.append(session.delay))
        await play_round(registry, session)
        assert session.delay is None
    assert "trouble" in said
    assert "a computer could not pick" in caplog.messages


@rooms.in_a_loop
async def test_a_computer_is_on_no_clock(home: Path) -> None:
    gate = threading.Event()
    queue = solving(lambda terms: gate.wait(TIMEOUT_S) and solution_for(terms))

    async with registry_at(home, solve_queue=queue) as registry:
        session = await opened(registry, "level:4", clock=60)
        state = session.state
        assert state.deadline is not None
        assert state.overdue(state.deadline + 1) == (0,)
        await registry.referee.pick(session, 0, 1, 3)
        assert state.deadline is None
        assert state.overdue(time.time() + 1000) == ()
        with pytest.raises(IllegalPick, match="no time is running out"):
            await registry.referee.claim(session, 0)
        gate.set()


@rooms.in_a_loop
async def test_matches_nobody_watches_wait(home: Path) -> None:
    async with registry_at(home, unwatched_s=0.0) as registry:
        both = agree("duel", {"hp": 40}, computers=("random", "random"))
        alone, seen = [
            (await registry.open(both, rooms.MatchOptions(), "", 1, "a")).match for _ in range(2)
        ]
        session = await registry.session(seen)
        session.watchers.add(lambda: None)
        registry.computers.schedule(session)
        await until(lambda: session.state.over)
        waits = await registry.session(alone, watched=False)
        assert waits.state.seq == 1
    async with registry_at(home) as registry:
        comes = await registry.session(alone)
        await until(lambda: comes.state.over)


@rooms.in_a_loop
async def test_the_time_of_a_computer_is_its_openers(home: Path) -> None:
    async with registry_at(home) as one:
        session = await opened(one, "high")
    async with registry_at(home) as two:
        found = [session.opener, (await two.session(session.state.id)).opener]
    assert found == ["ann", "ann"]


@pytest.mark.long
@rooms.in_a_loop
async def test_a_reply_does_not_wait_for_the_searches_of_another_address(home: Path) -> None:
    async with registry_at(home) as registry:
        slow = agree("underdog", computers=("search", "search"))
        others = [
            await registry.session(
                (await registry.open(slow, rooms.MatchOptions(), "", 1, "eve")).match
            )
            for _ in range(5)
        ]
        for each in others:
            each.watchers.add(lambda: None)
        session = await opened(registry, "high")
        before = sum(each.state.seq for each in others)
        await play_round(registry, session)
        found = sum(each.state.seq for each in others) - before
    assert found <= rooms.SolveQueue.CONCURRENCY


@pytest.mark.parametrize(("slow", "rulings"), [(True, {}), (False, {"hp": 3})])
@rooms.in_a_loop
async def test_a_quick_computer_waits_for_no_search_and_no_custom_rulings(
    slow: bool, rulings: dict[str, int], home: Path
) -> None:
    gate = threading.Event()
    thinking: list[Any] = []

    class Slow:
        is_slow = slow

        def pick(self, view: Any) -> int:
            thinking.append(self)
            gate.wait(TIMEOUT_S)
            number: int = view.choices[0]
            return number

    def seat(name: str, *given: Any, **more: Any) -> Any:
        return Slow() if name == "search" else rooms.opponent(name, *given, **more)

    async with registry_at(home, opponent=seat) as registry:
        terms = agree("duel", rulings, computers=("search", "search"))
        for number in range(2 * rooms.SolveQueue.CONCURRENCY):
            granted = await registry.open(terms, rooms.MatchOptions(), "", 1, f"eve {number}")
            (await registry.session(granted.match)).watchers.add(lambda: None)
        await until(lambda: len(thinking) == rooms.SolveQueue.CONCURRENCY)
        try:
            await play_round(registry, await opened(registry, "level:4"))
        finally:
            gate.set()


def test_a_terminal_says_why_a_computer_is_late() -> None:
    snapshot = parse_snapshot(changed(seat="first", waiting=[False, False]))
    place: Any = SimpleNamespace(
        snapshot=snapshot, online=True, time_left_s=None, extensions=0,
        absence_left_s=None,
    )  # fmt: skip
    notices = MatchNotices(place)
    solving, search = (COMPUTER_DELAY_MESSAGES[delay] for delay in ("solving", "search"))
    for delay, told in (
        ("", []), ("solving", [solving]), ("solving", []), ("search", [search]), ("what", []),
    ):  # fmt: skip
        place.snapshot.view.delay = delay
        assert notices.collect(None) == told
