"""What is refused at every door, and the one line that says what was wrong and what is allowed."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from evenodds import EvenOddsError, Match
from tests.support.commands import evenodds_here
from tests.support.servers import Server

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
    # serve, join
]

# Paths below /api/games, the status, and what the detail holds.
REQUESTS: Final[list[tuple[str, int, str]]] = [
    ("chess/rules", 404, 'there is no game called "chess"'),
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


@pytest.mark.parametrize(("path", "status", "said"), REQUESTS)
def test_a_request_is_refused_in_a_line(path: str, status: int, said: str, server: Server) -> None:
    with httpx.Client(base_url=server.url) as client:
        refused = client.get(f"/api/games/{path}")
    assert refused.status_code == status
    assert refused.headers["content-type"] == "application/problem+json"
    assert said in refused.json()["detail"]
    assert is_a_line(refused.json()["detail"])
