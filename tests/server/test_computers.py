"""Computers on a server: never late by their own fault, never in others' way, and heard of."""

import asyncio
import logging
import threading
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evenodds.client.snapshot import parse_snapshot
from evenodds.core import catalog
from evenodds.core.match import IllegalPick, Match
from evenodds.core.record import View
from evenodds.core.terms import Terms, agree
from evenodds.players import registry as player_registry
from evenodds.players.player import UnknownPlayer
from evenodds.players.search.player import SearchPlayer
from evenodds.server.jobs import solve_queue
from evenodds.server.jobs.fair_queue import FairQueue
from evenodds.server.jobs.solve_queue import SolveQueue
from evenodds.server.logs import LOG
from evenodds.server.matches import computers
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.match_session import Delay, MatchSession
from evenodds.server.matches.opening import MatchOptions
from evenodds.server.offered_games import offered_games
from evenodds.server.routes.lobby import _check_computers
from evenodds.solver.on_demand import NotSolved, SolveTimeout, solution_for
from evenodds.system import cache_folder
from evenodds.terminal.remote.notices import COMPUTER_DELAY_MESSAGES, MatchNotices
from tests.support.foreign_server import changed
from tests.support.registries import registry_at, run, until
from tests.support.servers import Pair, next_view, serving
from tests.support.waiting import TIMEOUT_S, wait_until

GAMES = [game.name for game in catalog.list_games()]


async def opened(registry: MatchRegistry, opponent: str, clock: int | None = None) -> MatchSession:
    """A match of Ann against a computer."""
    terms = agree("duel", computers=("", opponent))
    found = await registry.open(terms, MatchOptions(clock), "Ann", 1, "ann")
    return await registry.session(found.match)


async def play_round(registry: MatchRegistry, session: MatchSession) -> None:
    """Pick as Ann, and wait until the computer has, too."""
    round = session.state.match.round
    await registry.referee.pick(session, 0, round, 3)
    await until(lambda: session.state.match.round > round)


# The solutions that computers play by


@pytest.fixture(autouse=True)
def local_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved by another process, but by servers."""
    monkeypatch.setattr(solve_queue, "table_path", lambda *_: None)


def test_a_game_that_is_refused_keeps_no_server_from_being_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor does one of a package that fails for ever; both are logged, and the others are solved."""
    duel = catalog.get("duel")
    refused = duel._replace(name="refused", simultaneous=False)
    failing = duel._replace(name="failing")
    listing = catalog.GameListing([refused, failing, duel], [])
    monkeypatch.setattr(catalog, "list_games", lambda: listing)
    offered_games.cache_clear()
    solved: list[str] = []

    def solve(terms: Terms) -> Any:
        if terms.game is failing:
            raise RuntimeError("a fault of the package")
        solved.append(terms.game.name)
        return "solution"

    monkeypatch.setattr(solve_queue, "_solve_terms", solve)

    async def prepare() -> bool:
        found = SolveQueue()
        await asyncio.wait_for(found.prepare(), TIMEOUT_S)
        return found.ready

    with caplog.at_level(logging.INFO, LOG.name):
        assert run(prepare())
    offered_games.cache_clear()
    assert solved == ["duel"]
    told = {record.game: record for record in caplog.records}  # type: ignore[attr-defined]
    assert told["refused"].why.startswith("refused: legal lets both seats pick")  # type: ignore[attr-defined]
    assert "failing" in told


@pytest.mark.parametrize("error", [SolveTimeout("too slow"), OSError("the disk is full")])
def test_what_failed_for_now_is_tried_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time-out or a full disk is told to whoever waits, and is no answer for those who follow."""
    answers: list[Any] = [error, "solution"]

    def solve(_: Terms) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(solve_queue, "_solve_terms", solve)

    async def ask() -> Any:
        found = SolveQueue()
        with pytest.raises((NotSolved, OSError)):
            await found.solution(agree("duel"))
        return await found.solution(agree("duel"))

    assert run(ask()) == "solution"


def test_only_what_cannot_be_solved_refuses_a_computer(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What failed for now does not: the computer plays by search meanwhile."""
    terms = agree("duel", computers=("", "perfect"))
    errors: list[Exception] = [OSError("the disk is full"), NotSolved("too large")]

    def fail(_: Terms) -> Any:
        raise errors.pop(0)

    monkeypatch.setattr(solve_queue, "_solve_terms", fail)

    async def ask() -> None:
        async with registry_at(home) as registry:
            await _check_computers(registry, terms, "ann")
            with pytest.raises(UnknownPlayer, match="too large"):
                await _check_computers(registry, terms, "ann")

    run(ask())


def test_solutions_of_custom_rulings_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_queue, "_solve_terms", lambda _: "solution")
    monkeypatch.setattr(SolveQueue, "MAX_CACHED", 1)

    async def ask() -> list[bool]:
        found = SolveQueue()
        asked = [agree("duel", {"hp": hp}) for hp in (10, 3, 4)]  # the first are those of the book
        for terms in asked:
            await found.solution(terms)
        return [found.is_cached(terms) for terms in asked]

    assert run(ask()) == [True, False, True]


def test_what_cannot_be_solved_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Terms] = []

    def refuse(terms: Terms) -> Any:
        asked.append(terms)
        raise NotSolved("too large")

    monkeypatch.setattr(solve_queue, "_solve_terms", refuse)

    async def ask() -> None:
        found = SolveQueue()
        for _ in range(2):
            with pytest.raises(NotSolved, match="too large"):
                await found.solution(agree("duel"))

    run(ask())
    assert len(asked) == 1


@pytest.mark.long
def test_the_games_as_they_are_are_solved_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are ready when the queue says so, and custom rulings do not evict them."""
    monkeypatch.setattr(solve_queue, "SOLVE_CPU_LIMIT_S", -1.0)
    monkeypatch.setattr(SolveQueue, "MAX_CACHED", 1)

    async def prepare() -> None:
        found = SolveQueue()
        assert not found.ready
        await found.prepare()
        assert found.ready
        for reach in (1, 2):
            terms = agree("circle", {"numbers": 6, "reach": reach})
            await asyncio.gather(found.solution(terms), return_exceptions=True)
        assert all(found.is_cached(agree(game)) for game in GAMES)

    run(prepare())


def test_only_custom_rulings_have_a_limit_of_time_and_others_work_counts_for_nobody(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game as its book has it is solved however long it takes; a busy machine is no reason."""
    monkeypatch.setattr(cache_folder, "PRECOMPUTED", home)
    custom = agree("margin", {"last_round": "decisive"})
    hours = count(step=1e4)
    slow = SimpleNamespace(process_time=lambda: 0.0, monotonic=lambda: next(hours))
    monkeypatch.setattr(solve_queue, "time", slow)
    assert solve_queue._solve_terms(custom).start
    monkeypatch.setattr(solve_queue, "SOLVE_CPU_LIMIT_S", -1.0)
    assert solve_queue._solve_terms(agree("margin")).start
    with pytest.raises(SolveTimeout):
        solve_queue._solve_terms(agree("margin", {"numbers": 9}))


def test_preparing_goes_on_after_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and the game is tried again before anybody says that all are ready."""
    failed: list[str] = []
    queues: dict[int, SolveQueue] = {}
    ready: list[bool] = []

    def solve(terms: Terms) -> Any:
        ready.append(queues[0].ready)
        if not failed:
            failed.append(terms.game.name)
            raise RuntimeError("nobody knows")
        return "solution"

    monkeypatch.setattr(solve_queue, "_solve_terms", solve)
    monkeypatch.setattr(solve_queue, "PREPARE_RETRY_S", 0.0)

    async def prepare() -> list[bool]:
        found = queues[0] = SolveQueue()
        await found.prepare()
        return [found.is_cached(agree(game)) for game in GAMES]

    assert all(run(prepare()))
    assert not any(ready)
    assert [record.getMessage() for record in caplog.records] == ["a game could not be solved"]


@pytest.mark.processes
def test_a_fresh_server_says_when_its_games_are_ready(home: Path) -> None:
    """Games as their books have them come solved: nobody waits, and nothing is made anew."""
    (home / "cache").mkdir(parents=True)
    with serving(home) as server:
        assert Pair(server, "duel").pick(0, 3, 1).status_code == 200
        wish = {"game": "underdog", "opponent": "level:4"}
        match = server.client().post("/api/matches", json=wish).json()
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


# While a game is being solved


@pytest.mark.long
def test_while_its_game_is_being_solved_a_computer_plays_by_search(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits a while, says so, looks ahead, and is itself again as soon as it can."""
    gate = threading.Event()
    monkeypatch.setattr(solve_queue, "SOLUTION_TIMEOUT_S", 0.0)
    monkeypatch.setattr(computers, "SOLUTION_WAIT_S", 0.2)

    def solve(terms: Terms) -> Any:
        gate.wait(TIMEOUT_S)
        return solution_for(terms)

    monkeypatch.setattr(solve_queue, "_solve_terms", solve)

    async def play() -> list[Delay | None]:
        said: list[Delay | None] = []
        async with registry_at(home) as registry:
            session = await opened(registry, "level:4")
            session.watchers.add(lambda: said.append(session.delay))
            await play_round(registry, session)
            await play_round(registry, session)
            assert session.delay is Delay.SEARCH
            gate.set()
            await registry.solve_queue.solution(session.state.terms)
            await play_round(registry, session)
            assert session.state.result is None
            return [delay for at, delay in enumerate(said) if not at or delay != said[at - 1]]

    assert run(play()) == [Delay.SOLVING, Delay.SEARCH, None]


@pytest.mark.long
def test_a_game_that_cannot_be_solved_in_time_is_played_by_search(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Terms] = []

    def give_up(terms: Terms) -> Any:
        tried.append(terms)
        raise SolveTimeout("too slow")

    monkeypatch.setattr(solve_queue, "_solve_terms", give_up)

    async def play() -> None:
        async with registry_at(home) as registry:
            session = await opened(registry, "perfect")
            await play_round(registry, session)
            await play_round(registry, session)
            assert session.delay is Delay.UNSOLVED
            assert session.state.result is None

    run(play())
    assert len(tried) == 1


@pytest.mark.long
def test_a_computer_tries_again_after_any_error(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(computers, "FIRST_RETRY_S", 0.01)
    seated = player_registry.opponent
    said: list[Delay | None] = []

    def broken_at_first(*given: Any, **more: Any) -> Any:
        monkeypatch.setattr(player_registry, "opponent", seated)
        raise RuntimeError("nobody knows")

    monkeypatch.setattr(player_registry, "opponent", broken_at_first)

    async def play() -> None:
        async with registry_at(home) as registry:
            session = await opened(registry, "high")
            session.watchers.add(lambda: said.append(session.delay))
            await play_round(registry, session)
            assert session.delay is None

    with caplog.at_level(logging.ERROR):
        run(play())
    assert Delay.TROUBLE in said
    assert "a computer could not pick" in caplog.messages


def test_a_computer_is_on_no_clock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for it cannot win by that; a person's own time runs as ever."""
    gate = threading.Event()
    monkeypatch.setattr(solve_queue, "SOLUTION_TIMEOUT_S", 0.0)
    monkeypatch.setattr(
        solve_queue, "_solve_terms", lambda terms: gate.wait(TIMEOUT_S) and solution_for(terms)
    )

    async def play() -> None:
        async with registry_at(home) as registry:
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

    run(play())


# Shared fairly


def test_each_address_gets_its_turn() -> None:
    gate = threading.Event()
    done: list[str] = []

    async def work() -> None:
        pool = FairQueue()
        asked: list[Any] = [pool.run("a", gate.wait, TIMEOUT_S)]
        asked += [pool.run("a", done.append, f"a{turn}") for turn in range(3)]
        asked += [pool.run("b", done.append, f"b{turn}") for turn in range(2)]
        asked += [pool.run("c", done.append, "c0")]
        tasks = [asyncio.create_task(each) for each in asked]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)

    run(work())
    assert done == ["a0", "b0", "c0", "a1", "b1", "a2"]


def test_no_address_has_all_threads() -> None:
    """Others begin at once; what went wrong is told to whoever asked, and takes no thread along."""
    gate = threading.Event()

    async def work() -> Any:
        pool = FairQueue(2)
        held = [asyncio.create_task(pool.run("a", gate.wait, TIMEOUT_S)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ZeroDivisionError):
            await pool.run("b", divmod, 1, 0)
        found = await pool.run("b", divmod, 7, 2)
        assert not any(each.done() for each in held)
        gate.set()
        await asyncio.gather(*held)
        return found

    assert run(work()) == (3, 1)


def test_matches_nobody_watches_wait(home: Path) -> None:
    async def play() -> None:
        async with registry_at(home) as registry:
            registry.computers.unwatched_s = 0.0
            both = agree("duel", {"hp": 40}, computers=("random", "random"))
            alone, seen = [
                (await registry.open(both, MatchOptions(), "", 1, "a")).match for _ in range(2)
            ]
            session = await registry.session(seen)
            session.watchers.add(lambda: None)
            registry.computers.schedule(session)
            await until(lambda: session.state.over)
            waits = await registry.session(alone, watched=False)
            assert waits.state.seq == 1
            registry.computers.unwatched_s = 1e9
            await registry.session(alone)
            await until(lambda: waits.state.over)

    run(play())


def test_the_time_of_a_computer_is_its_openers(home: Path) -> None:
    """Also after a restart, when the match is read from the database."""

    async def play() -> list[str]:
        async with registry_at(home) as one:
            session = await opened(one, "high")
        async with registry_at(home) as two:
            return [session.opener, (await two.session(session.state.id)).opener]

    assert run(play()) == ["ann", "ann"]


@pytest.mark.long
def test_a_reply_does_not_wait_for_the_searches_of_another_address(home: Path) -> None:
    """Many matches of computers that think for long, all watched, take one turn and not all."""

    async def play() -> int:
        async with registry_at(home) as registry:
            slow = agree("underdog", computers=("search", "search"))
            others = [
                await registry.session(
                    (await registry.open(slow, MatchOptions(), "", 1, "eve")).match
                )
                for _ in range(5)
            ]
            for each in others:
                each.watchers.add(lambda: None)
            session = await opened(registry, "high")
            before = sum(each.state.seq for each in others)
            await play_round(registry, session)
            return sum(each.state.seq for each in others) - before

    assert run(play()) <= computers.COMPUTER_THREADS


def test_a_quick_computer_never_waits_for_search(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    thinking: list[SearchPlayer] = []

    def think(player: SearchPlayer, view: View) -> int:
        thinking.append(player)
        gate.wait(TIMEOUT_S)
        return view.choices[0]

    monkeypatch.setattr(SearchPlayer, "pick", think)

    async def play() -> None:
        async with registry_at(home) as registry:
            slow = agree("duel", computers=("search", "search"))
            for number in range(2 * computers.COMPUTER_THREADS):
                granted = await registry.open(slow, MatchOptions(), "", 1, f"eve {number}")
                (await registry.session(granted.match)).watchers.add(lambda: None)
            await until(lambda: len(thinking) == computers.COMPUTER_THREADS)
            try:
                await play_round(registry, await opened(registry, "level:4"))
            finally:
                gate.set()

    run(play())


def test_a_terminal_says_why_a_computer_is_late() -> None:
    """Once, in words of its own; what it does not know it does not say."""
    snapshot = parse_snapshot(changed(seat="first", waiting=[False, False]))
    place: Any = SimpleNamespace(
        snapshot=snapshot, presence=snapshot.view, online=True, time_left_s=None, extensions=0,
        absence_left_s=None,
    )  # fmt: skip
    notices = MatchNotices(place, Match("duel"))
    said = []
    for place.presence.delay in ("", "solving", "solving", "search", "whatever", ""):
        said.append(notices.collect())
    assert said == [
        [],
        [COMPUTER_DELAY_MESSAGES["solving"]],
        [],
        [COMPUTER_DELAY_MESSAGES["search"]],
        [],
        [],
    ]
