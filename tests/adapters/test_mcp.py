"""The games as tools over MCP: with the official client, in good order and in bad."""

import asyncio
import json
import socket
import threading
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest

from evenodds import FIRST, notation
from evenodds.adapters.mcp import tool_matches
from evenodds.core.catalog import add
from evenodds.core.match import pending_picks
from evenodds.engine.on_demand import SolveLimitExceeded
from tests.support.commands import Terminal, evenodds, evenodds_here
from tests.support.examples import example
from tests.support.mcp_callers import (
    Caller,
    conversation,
    in_process,
    over_stdio,
    serving,
    solve_queue,
    talk_to,
)
from tests.support.packages import GOOF, install
from tests.support.strategies import GAMES
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("mcp")]

NAMES = ["list_games", "read_rules", "open_match", "see_match", "pick", "resign", "review_match"]


class Watched(tool_matches.ToolMatchRegistry):
    """A registry that shows the matches it holds."""

    def __init__(self, limit: int = 9) -> None:
        super().__init__(limit)
        self.held: list[tool_matches.ToolMatch] = []

    def add(self, tool_match: tool_matches.ToolMatch) -> None:
        self.held.append(tool_match)
        super().add(tool_match)


@conversation
async def test_the_tools_are_listed_with_what_they_take(caller: Caller) -> None:
    listed = {tool.name: tool for tool in (await caller.client.list_tools()).tools}
    assert list(listed) == NAMES
    for tool in listed.values():
        assert tool.description
        assert tool.output_schema
        for given in tool.input_schema["properties"].values():
            assert given["description"]
    assert listed["pick"].input_schema["required"] == ["match", "number"]
    assert "ctx" not in listed["open_match"].input_schema["properties"]


@pytest.mark.processes
def test_every_game_is_played_reviewed_and_recorded_over_stdio(home_with_tables: Path) -> None:
    async def talk(caller: Caller) -> None:
        listed = await caller.call("list_games")
        assert {game["game"] for game in listed["games"]} == {game.name for game in GAMES}
        assert {"random", "level:1", "perfect"} <= set(listed["opponents"])
        for place, game in enumerate(GAMES):
            page = await caller.call("read_rules", game=game.name)
            assert page["page"].startswith(f"# {game.title}")
            seat = ("first", "second")[place % 2]
            opponent = ("random", "high", "copy", "search:50")[place % 4]
            seen = await caller.call("open_match", game=game.name, seat=seat, opponent=opponent)
            assert (seen["your_seat"], seen["opponent"]) == (seat, opponent)
            seen = await caller.play(seen)
            assert seen["legal"] == []
            assert seen["told"][-1]
            if place < 2:  # one game of turns, one of rounds
                await check_review(caller, seen)

    async def check_review(caller: Caller, seen: dict[str, Any]) -> None:
        found = await caller.call("review_match", match=seen["match"])
        match = notation.parse(found["record"])
        assert match.result is not None
        assert [[pick or None for pick in picks] for picks in match.history] == seen["history"]
        record = home_with_tables / "record.txt"
        record.write_text(found["record"])
        told = evenodds_here("review", str(record), "--json", home=home_with_tables)
        assert found["picks"] == json.loads(told.stdout)["picks"]
        assert found["summary"]

    over_stdio(home_with_tables, talk)


@pytest.mark.parametrize("game", [game for game in GAMES if game.simultaneous], ids=str)
def test_no_answer_tells_a_pick_that_is_not_revealed(game: Any) -> None:
    registry = Watched()

    async def talk(caller: Caller) -> None:
        seen = await caller.call("open_match", game=game.name, opponent="random", seat="second")
        (table,) = registry.held
        rounds = 0
        while seen["result"] is None and rounds < 4:
            assert seen["chosen"] == [True, False]
            assert list(pending_picks(table.match)) == [FIRST]
            told = set()
            for hidden in table.match.choices(FIRST):
                table.match._pending[FIRST] = hidden
                told.add(await everything(caller, seen))
            assert len(told) == 1, "an answer depends on a pick that is not revealed"
            number, rounds = seen["legal"][-1], rounds + 1
            seen = await caller.call("pick", match=seen["match"], number=number)
            assert seen["history"][-1] == [hidden, number]

    async def everything(caller: Caller, seen: dict[str, Any]) -> str:
        caller.answers.clear()
        id = seen["match"]
        await caller.call("see_match", match=id)
        await caller.refused("pick", match=id, number=99)
        await caller.refused("pick", match=id, number=0)
        await caller.refused("pick", match=id, number=seen["legal"][0], round=99)
        await caller.refused("review_match", match=id)
        return "\n".join(caller.answers)

    in_process(talk, registry)


@conversation
async def test_resigning_tells_no_pick_either(caller: Caller) -> None:
    seen = await caller.call("open_match", game="duel", opponent="high")
    seen = await caller.call("resign", match=seen["match"])
    assert seen["result"] == {"outcome": "second", "reason": "resigned"}
    assert seen["history"] == []
    assert "3" not in "".join(seen["told"])
    assert await caller.refused("pick", match=seen["match"], number=1) == "the match is over"
    assert await caller.refused("resign", match=seen["match"]) == "the match is over"


@conversation
async def test_in_a_game_of_turns_the_computer_answers_at_once(caller: Caller) -> None:
    seen = await caller.call("open_match", game="circle", opponent="high", seat="second")
    assert seen["history"] == [[10, None]]
    assert seen["legal"] == [1, 9]
    seen = await caller.call("pick", match=seen["match"], number=9, round=2)
    assert seen["history"] == [[10, None], [None, 9], [8, None]]
    assert any("8" in line for line in seen["told"])
    again = await caller.call("pick", match=seen["match"], number=9, round=2)
    assert again["history"] == seen["history"]
    assert again["legal"] == seen["legal"] == [7]


def test_tools_tell_what_was_drawn_and_the_points() -> None:
    for name in ("goofspiel", "pig"):
        add(example(name))

    async def talk(caller: Caller) -> None:
        given = {"game": "goofspiel", "opponent": "random", "seat": "second"}
        seen = await caller.call("open_match", rulings={"cards": 4, "score": "points"}, **given)
        points = 0
        for rounds in range(4):
            assert [len(drawn) for drawn in seen["draws"]] == [1] * (rounds + 1)
            assert seen["points"] == points
            ((prize,),) = seen["draws"][rounds:]
            seen = await caller.call("pick", match=seen["match"], number=seen["legal"][0])
            first, second = seen["history"][-1]
            points += prize * ((first > second) - (first < second))
        assert seen["points"] == points
        outcome = ["second", "draw", "first"][1 + (points > 0) - (points < 0)]
        assert seen["result"] == {"outcome": outcome, "reason": "rules"}
        seen = await caller.call("open_match", game="duel", opponent="random")
        assert not {"draws", "points"} & set(seen)
        seen = await caller.call("open_match", game="pig", opponent="random")
        refused = await caller.refused("pick", match=seen["match"], number=7)
        assert refused.endswith("allowed: 1 (roll)")
        page = await caller.call("read_rules", game="pig")
        assert "a 1 loses what the turn has brought" in page["page"]

    in_process(talk)


BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    (
        "read_rules",
        {"game": "chess"},
        'there is no game called "chess"; there are underdog, margin',
    ),
    ("read_rules", {}, "game: field required"),
    ("open_match", {"game": "duel", "opponent": "bob"}, 'no opponent called "bob"'),
    ("open_match", {"game": "duel", "opponent": "cmd:sh"}, "cmd: opponents are not allowed"),
    (
        "open_match",
        {"game": "duel", "opponent": "llm:m@http://x"},
        "llm: opponents are not allowed",
    ),
    ("open_match", {"game": "duel", "opponent": "search:21s"}, "up to search:100000 playouts"),
    ("open_match", {"game": "duel", "opponent": "search:0"}, "is not allowed; allowed: search:1"),
    ("open_match", {"game": "duel", "seat": "third"}, "should be 'first' or 'second'"),
    ("open_match", {"game": "duel", "rulings": {"hp": 0}}, "hp=0 is not allowed"),
    ("open_match", {"game": "duel", "rulings": {"hp": "x"}}, "hp=x is not allowed"),
    ("open_match", {"game": "duel", "seed": "x"}, "seed='x': input should be a valid integer"),
    ("open_match", {"game": "duel", "rulings": {"hp": True}}, "rulings.hp=True: input should be"),
    ("open_match", {"game": "duel", "rulings": [3]}, "rulings=[3]: input should be"),
    ("open_match", {"game": "duel", "ruling": {}}, "ruling: there is no such argument"),
    ("see_match", {"match": "x" * 1000}, 'there is no match "xxx'),
    ("pick", {"match": "nothing", "number": 1}, 'there is no match "nothing"; open one with'),
    ("pick", {"match": "MATCH", "number": 4}, "; allowed: 1, 2, 3"),
    ("pick", {"match": "MATCH", "number": "x"}, "number='x': input should be a valid integer"),
    ("pick", {"match": "MATCH", "number": True}, "number=True: input should be a valid integer"),
    ("pick", {"match": "MATCH"}, "number: field required"),
    ("pick", {"match": "MATCH", "number": 1, "round": 2}, "round 2 is not being played"),
    ("review_match", {"match": "MATCH"}, "the match is not over yet; pick, or resign"),
    ("cheat", {}, 'there is no tool "cheat"; there are list_games, read_rules'),
]


@conversation
async def test_bad_calls_say_what_is_wrong_and_what_is_allowed(caller: Caller) -> None:
    seen = await caller.call("open_match", game="duel", opponent="random")
    for tool, given, said in BAD_CALLS:
        given = {key: seen["match"] if one == "MATCH" else one for key, one in given.items()}
        problem = await caller.refused(tool, **given)
        assert said in problem, problem
        assert len(problem) < 250
    again = await caller.call("see_match", match=seen["match"])
    assert again == seen
    seen = await caller.play(again)
    assert seen["result"]["reason"] == "rules"


@conversation
async def test_a_number_may_be_sent_as_text(caller: Caller) -> None:
    seen = await caller.call("open_match", game="duel", rulings={"hp": "9"}, seed="4")
    assert seen["rulings"]["hp"] == 9
    seen = await caller.call("pick", match=seen["match"], number="2", round="1")
    assert seen["history"][0][0] == 2


@pytest.mark.parametrize("game", ["pig", "underdog"])
def test_a_match_goes_on_after_a_restart_as_it_would_have(game: str, tmp_path: Path) -> None:
    add(example("pig"))
    file = tmp_path / "data" / "mcp.json"

    def restarted(talk: Any) -> Any:
        return in_process(talk, tool_matches.ToolMatchRegistry(2, file))

    async def begin(caller: Caller) -> dict[str, Any]:
        return await caller.call("open_match", game=game, opponent="random", seat="second", seed=7)

    async def whole(caller: Caller) -> dict[str, Any]:
        return await caller.play(await begin(caller))

    async def one_pick(caller: Caller) -> dict[str, Any]:
        again = await caller.call("see_match", match=seen["match"])
        assert again | {"told": ""} == seen | {"told": ""}
        return await caller.call("pick", match=seen["match"], number=seen["legal"][0])

    played, seen = restarted(whole), restarted(begin)
    while seen["result"] is None:
        seen = restarted(one_pick)
    assert seen["history"] == played["history"]
    assert file.stat().st_mode & 0o077 == 0
    restarted(begin)
    kept = json.loads(file.read_text())
    assert next(iter(kept)) == seen["match"], "the one played first makes room"


def test_a_damaged_file_of_matches_is_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{")

    async def talk(caller: Caller) -> None:
        await caller.refused("see_match", match="x")
        await caller.call("open_match", game="duel", opponent="random")

    in_process(talk, tool_matches.ToolMatchRegistry(file=file))
    assert (tmp_path / "mcp.json.damaged").read_text() == "{"


def test_wrong_rules_are_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        tmp_path, "wrong", GOOF.replace("NAME", "wrong").replace("ending, True", "ending, False")
    )
    monkeypatch.syspath_prepend(tmp_path)

    async def talk(caller: Caller) -> None:
        refused = await caller.refused("open_match", game="wrong", opponent="high")
        assert "wrong: legal lets both seats pick" in refused
        assert (await caller.call("open_match", game="duel", opponent="high"))["game"] == "duel"

    in_process(talk)


def test_a_failure_of_ours_tells_nothing() -> None:
    async def talk(caller: Caller) -> None:
        assert "hush" not in await caller.refused("open_match", game="duel", opponent="high")

    with mock.patch.object(Watched, "add", side_effect=RuntimeError("hush")):
        in_process(talk, Watched())


def test_so_many_matches_and_no_more() -> None:
    registry = Watched(2)

    async def talk(caller: Caller) -> None:
        one, two = [await caller.call("open_match", game="duel", opponent="high") for _ in range(2)]
        refused = await caller.refused("open_match", game="duel", opponent="high")
        assert refused == "2 matches are open; end one of them with pick or resign first"
        await caller.call("resign", match=one["match"])
        three = await caller.call("open_match", game="duel", opponent="high")
        assert "there is no match" in await caller.refused("see_match", match=one["match"])
        registry.held[1].last_used -= 3590
        assert "2 matches are open" in await caller.refused("open_match", game="duel")
        registry.held[-1].last_used -= 3610
        four = await caller.call("open_match", game="duel", opponent="high")
        assert "there is no match" in await caller.refused("see_match", match=three["match"])
        registry.held[1].last_used -= 3610
        await caller.call("see_match", match=two["match"])
        assert "2 matches are open" in await caller.refused("open_match", game="duel")
        for each in (four, two):
            await caller.call("resign", match=each["match"])
        await caller.call("open_match", game="duel", opponent="high")
        assert "there is no match" in await caller.refused("see_match", match=four["match"])
        await caller.call("see_match", match=two["match"])

    in_process(talk, registry)


@pytest.mark.long
@pytest.mark.own_tables
def test_what_takes_too_long_to_solve_is_refused() -> None:
    async def talk(caller: Caller) -> None:
        given = {"game": "margin", "rulings": {"numbers": 9}}
        said = await caller.refused("open_match", opponent="perfect", **given)
        assert said.endswith("but search can: solving this ruling takes longer than 0 seconds")
        seen = await caller.call("open_match", opponent="high", **given)
        await caller.call("resign", match=seen["match"])
        said = await caller.refused("review_match", match=seen["match"])
        assert said == "solving this ruling takes longer than 0 seconds"

    in_process(talk, queue=solve_queue(solve_s=0.0))


def test_those_who_wait_are_told_how_far_it_is() -> None:
    at_work, told, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(terms: Any, seconds: float, progress: Any = None) -> Any:
        try:
            progress("solving positions", 5, 10)
            at_work.set()
            while True:
                told.wait()
                progress("solving positions", 6, 10)
        except SolveLimitExceeded:
            ended.set()
            raise

    async def talk(caller: Caller) -> None:
        waiting = asyncio.create_task(caller.call("open_match", game="duel", opponent="perfect"))
        while not any(said == "solving positions: 5 of 10" for _, _, said in caller.progress):
            await asyncio.sleep(0.001)
        assert all(total == 60 for _, total, _ in caller.progress)
        seen = await caller.call("open_match", game="duel", opponent="high")
        assert seen["round"] == 1, "others need not wait"
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        told.set()
        assert await asyncio.to_thread(ended.wait, TIMEOUT_S)

    in_process(talk, queue=solve_queue(progress_s=0.001, solve=slow))


def test_one_ruling_is_solved_at_a_time() -> None:
    queue = solve_queue(queue_s=0.0)

    async def talk(caller: Caller) -> None:
        await asyncio.create_task(queue._lock.acquire())
        said = await caller.refused("open_match", game="duel", opponent="perfect")
        assert said == "another ruling is being solved; try again in a minute"

    in_process(talk, queue=queue)


async def a_match(caller: Caller) -> None:
    seen = await caller.play(await caller.call("open_match", game="duel", opponent="high"))
    assert seen["result"]["outcome"] == "second"


def status(client: Any, url: str, **headers: str) -> tuple[int, str]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    done = client.post(url, json=message, headers={"Accept": "application/json"} | headers)
    return done.status_code, done.text


@pytest.mark.processes
def test_over_http(home: Path) -> None:
    with serving(home) as url:
        talk_to(url, a_match)
        assert status(httpx, url, Host="evil.example")[0] == 421


def test_no_page_of_another_server_is_let_in_under_any_name() -> None:
    from starlette.testclient import TestClient

    from evenodds.adapters.mcp.serve import http_app

    with TestClient(http_app(8100), "http://127.0.0.1:8100") as client:
        ask = partial(status, client, "/mcp")
        pages = ("http://evil.example", "http://evil.example:8100", "null", "http://127.0.0.1")
        for origin in (*pages, "http://localhost:3000", "https://127.0.0.1:8100"):
            assert ask(Origin=origin)[0] == 403, origin
        for host in ("evil.example", "evil.example:8100", "127.0.0.1", "127.0.0.1:8100.evil.ex"):
            assert ask(Host=host)[0] == 421, host
            assert ask(Host=host, Origin=f"http://{host}")[0] == 421
        for host in ("127.0.0.1:8100", "localhost:8100"):
            assert ask(Host=host, Origin=f"http://{host}")[0] not in (403, 421)


def test_a_port_that_is_taken_is_not_served(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = str(listener.getsockname()[1])
        done = evenodds_here("mcp", "--http", "--port", taken, home=home)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith(f"127.0.0.1 port {taken} cannot be used: Address alr")


@pytest.mark.processes
def test_the_end_of_the_input_is_the_end(home: Path) -> None:
    done = evenodds(
        "mcp", typed='{"jsonrpc": "2.0", "id": 1, "method": "ping"}\nwhat?\n', home=home
    )
    assert done.returncode == 0
    for line in done.stdout.splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"


@pytest.mark.processes
def test_control_c_ends_it_at_once(home: Path) -> None:
    terminal = Terminal("mcp", home=home)
    terminal.see("A program starts this and speaks MCP to it")
    terminal.press("c")
    assert terminal.end() == 130
