"""What is refused at every door, and the one line that says what was wrong and what is allowed."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from evenodds import EvenOddsError, Match
from tests.support.commands import evenodds_here
from tests.support.servers import Pair, Server

# Calls of Python, room by room, and what the line begins with.
CALLS: Final[list[tuple[Callable[[], Any], str]]] = [
    # core
    (lambda: Match("duel", {"hp": 0}), "hp=0 is not allowed; allowed: 1 to 100"),
    # api, arena
    # solver, policy, study
    # adapters
]

# Commands, and what the line on standard error begins with.
COMMANDS: Final[list[tuple[str, str]]] = [
    # play, list, games, rules
    ("play circle --rule numbers=99", "numbers=99 is not allowed; allowed: 1 to 24"),
    # solve, odds, study, sweep, repair
    # arena, benchmark
    # files that people name
    ("study circle --rule numbers=3 -o x.pdf", "-o x.pdf is not allowed; allowed: a name in .html"),
    ("study --all -o x.html", "-o x.html is not allowed with --all"),
    # serve, join
    ("serve --port 99999", "--port 99999 is not allowed; allowed: whole numbers 0 to 65535"),
    ("serve --log loud", "--log loud is not allowed; allowed: warning, info, debug"),
]

OPEN: Final = "POST /api/matches"
PICK: Final = "POST {match}/picks"
NO_CHESS: Final = 'there is no game called "chess"'
NO_SERVER: Final = "takes longer than a server may"

# Requests, what is sent as JSON or as it is, the status, and what the detail holds.
REQUESTS: Final[list[tuple[str, object, int, str]]] = [
    ("GET /api/games/chess/position", None, 404, NO_CHESS),
    ("GET /api/games/duel/position?hp=0", None, 422, "hp=0 is not allowed; allowed: 1 to 100"),
    ("GET /api/games/duel/position?hip=3", None, 422, "there is no such ruling"),
    ("GET /api/games/duel/position?after=4-1", None, 422, "4 is not a number from 1 to 3"),
    ("GET /api/games/duel/position?after=x", None, 422, "column 1"),
    (f"GET /api/games/duel/position?after={'1-1+' * 2000}", None, 400, "after is too long"),
    ("GET /api/games/underdog/position?numbers=14", None, 422, NO_SERVER),
    ("GET /api/games/factors/position?target=1000&numbers=30", None, 422, NO_SERVER),
    ("GET /api/games/chess/rules", None, 404, NO_CHESS),
    ("GET /api/games/circle/rules?reach=9", None, 422, "reach=9 is not allowed"),
    ("GET /api/puzzles/chess-1", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/2026-13-01", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/margin-", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/margin-5/answers/99", None, 400, "99 is not one of the choices"),
    ("GET /api/puzzles/margin-5?strength=nan", None, 400, "a strength is a number, not nan"),
    ("GET /api/puzzles/margin-5/answers/1?strength=-inf", None, 400, "a number, not -inf"),
    ("GET /study/chess", None, 404, NO_CHESS),
    ("GET /study/duel?hp=0", None, 422, "hp=0 is not allowed"),
    ("GET /study/duel?hp=3&hp=4", None, 422, "hp is set more than once"),
    ("GET /study/underdog?numbers=20", None, 422, "positions at least"),
    ("GET /map/chess", None, 404, NO_CHESS),
    ("GET /static/../app.py", None, 404, "there is no"),
    ("GET /static", None, 404, "there is no"),
    ("GET /static/", None, 404, "there is no"),
    ("GET /static/boards", None, 404, "there is no"),
    ("GET /static/boards/", None, 404, "there is no"),
    ("GET /boards/..%2Fpages.py", None, 404, "there is no"),
    (OPEN, {"game": "chess"}, 404, NO_CHESS),
    (OPEN, {"game": "duel", "rulings": {"hp": 10**30}}, 422, "is not allowed; allowed: 1 to 100"),
    (OPEN, {"game": "duel", "rulings": {"x": 1}}, 422, "there is no such ruling"),
    (OPEN, {"game": "duel", "opponent": "robot"}, 422, "there is no opponent called"),
    (OPEN, {"game": "duel", "opponent": "cmd:true"}, 422, "is taken from the command line only"),
    (OPEN, {"game": "duel", "own": "cmd:true"}, 422, "is taken from the command line only"),
    (OPEN, {"game": "duel", "opponent": "search:9s"}, 422, "not allowed here; allowed: search"),
    (OPEN, {"game": "duel", "first": 2}, 422, "both players pick at once"),
    (OPEN, {"game": "duel", "name": "x" * 21}, 422, "allowed: 1 to 20 characters"),
    (OPEN, {"game": "duel", "nme": "x"}, 400, "unknown field"),
    (OPEN, {"game": "circle", "sealed": True, "clock": 60}, 422, "in circle no pick is secret"),
    (OPEN, {"game": "duel", "sealed": True}, 422, "sealed=true needs a clock"),
    (OPEN, {}, 400, "missing required field"),
    (OPEN, {"game": 1}, 400, "game: Expected `str`, got `int`"),
    (OPEN, b'{"game": "duel", "clock": 1e999}', 400, "clock"),
    (OPEN, b'{"game": "\xff"}', 400, "the body is not UTF-8"),
    (OPEN, b"[" * 10_000, 400, "Expected `object`, got `array`"),
    (OPEN, b'{"name": "' + b"x" * 20_000 + b'"}', 413, ""),
    ("POST /api/join", b'{"invitation": "\xff"}', 400, "the body is not UTF-8"),
    ("POST /api/join", {"match": "m", "key": "short"}, 400, "key"),
    (PICK, b"", 400, "the body is empty; send what is wanted as JSON"),
    (PICK, b"{", 400, "the body is not JSON: Input data was truncated"),
    (PICK, rb'{"commitment": "\ud800"}', 400, "half of a surrogate pair stands alone"),
    (PICK, b'{"round": 1, "commitment": "\xed\xa0\x80"}', 400, "the body is not UTF-8"),
    (PICK, {"round": 1, "number": "1"}, 400, "number: Expected `int | null`, got `str`"),
    (PICK, {"round": 1, "number": 1.0}, 400, "number: Expected `int | null`, got `float`"),
    (PICK, {"round": True, "number": 1}, 400, "round: Expected `int`, got `bool`"),
    (PICK, [], 400, "Expected `object`, got `array`"),
    (PICK, {"round": 1, "number": 1, "commitment": "0" * 64}, 422, "a number or a commitment"),
    (PICK, {"round": 1, "number": 9}, 422, "9 is not a number from 1 to 3"),
    ("POST {match}/takeback", b'{"\xff": 1}', 400, "the body is not UTF-8"),
    ("POST {match}/reactions", {"sign": "?"}, 400, "'?'; allowed: 👍 👏 😮 😅 🤔 🙏"),
]


def is_a_line(said: str) -> bool:
    return said.strip().count("\n") == 0 and "Traceback" not in said


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[said for _, said in CALLS])
def test_a_call_is_refused_in_a_line(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(EvenOddsError) as caught:
        call()
    assert str(caught.value).startswith(said)
    assert is_a_line(str(caught.value))


@pytest.mark.parametrize(("typed", "said"), COMMANDS)
def test_a_command_is_refused_in_a_line(typed: str, said: str, home: Path) -> None:
    done = evenodds_here(*shlex.split(typed), home=home)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert is_a_line(done.stderr)
    assert not done.stdout


@pytest.fixture(scope="module")
def pair(worker_server: Server) -> Pair:
    return Pair(worker_server, "duel")


@pytest.mark.parametrize(
    ("asked", "body", "status", "said"), REQUESTS, ids=[f"{each[0]} {each[3]}" for each in REQUESTS]
)
def test_a_request_is_refused_in_a_line(
    asked: str, body: object, status: int, said: str, pair: Pair
) -> None:
    method, _, path = asked.replace("/..", "/%2e%2e").format(match=pair.path).partition(" ")
    content = body if isinstance(body, bytes) else json.dumps(body) if method == "POST" else None
    headers = {"content-type": "application/json"} if method == "POST" else {}

    def ask() -> httpx.Response:
        return pair.seats[0].request(method, path, content=content, headers=headers)

    while (refused := ask()).status_code == 202:  # it is being solved
        pass
    assert refused.status_code == status, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert "content-security-policy" in refused.headers
    assert said in refused.json()["detail"]
    assert is_a_line(refused.json()["detail"])
    assert "evenodds/server" not in refused.text  # no path of the machine
    assert pair.view(0)["chosen"] == [False, False]
