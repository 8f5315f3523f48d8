"""What is refused at every door, and the one line that says what was wrong and what is allowed."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from evenodds import EvenOddsError, Match, make_player, run_arena
from tests.support.commands import evenodds_here
from tests.support.servers import Server


def seated(name: str) -> Callable[[], Any]:
    """A call that asks for an opponent."""
    return lambda: make_player(name, Match("duel"), 0)


NO_MODEL: Final = "is not allowed; allowed: llm:MODEL@https://HOST/v1"

# Calls of Python, room by room, and what the line begins with.
CALLS: Final[list[tuple[Callable[[], Any], str]]] = [
    # core
    (lambda: Match("duel", {"hp": 0}), "hp=0 is not allowed; allowed: 1 to 100"),
    # api, arena
    *(
        (seated(name), f'there is no opponent called "{name}"; there are random, high, copy, per')
        for name in ("level:0", "level:9", "level:x", "level", "", "Perfect")
    ),
    (seated("search:0"), "search:0 is not allowed; allowed: search:1 to search:10000000 playouts"),
    (seated("llm:"), "llm: needs a model and its address"),
    (seated("cmd: "), "cmd: needs a command"),
    *(
        (seated(name), f"{name} {NO_MODEL}")
        for name in (
            *("llm:m", "llm:m@", "llm:@https://example.com", "llm:m@example.com"),
            *("llm:m@ftp://example.com", "llm:m@file:///etc/passwd", "llm:m@https://"),
            *("llm:m@https://example.com/v1#x", "llm:m@https://example.com:port/v1"),
            *("llm:m@https://exa mple.com/v1", "llm:m m@https://example.com"),
        )
    ),
    *(  # what is harmful or may be a password is not repeated
        (seated(f"llm:{detail}"), said)
        for detail, said in (
            ("m@https://user:pass@example.com/v1", NO_MODEL),
            ("m@https://example.com/v1?key=hush", NO_MODEL),
            ("m\x1b[2J@https://example.com", f"llm:m[2J@https://example.com {NO_MODEL}"),
            ("m@https://example.com/\r\nX: y", "llm:m@https://example.com/"),
        )
    ),
    (lambda: run_arena("duel", ["random"]), "an arena takes 2 to 32 players, not 1"),
    (
        lambda: run_arena("duel", ["random", "high", "random"]),
        "random is named twice; each player is named once",
    ),
    # solver, policy, study
    # adapters
]

# Commands, and what the line on standard error begins with.
COMMANDS: Final[list[tuple[str, str]]] = [
    # play, list, games, rules
    ("play circle --rule numbers=99", "numbers=99 is not allowed; allowed: 1 to 24"),
    # solve, odds, study, sweep, repair
    # arena, benchmark
    *(
        (
            f"arena duel --player random --player high --{option}",
            f"--{option} is not allowed; {what}",
        )
        for option, what in (
            *(
                (f"matches {count}", "allowed: an even number up to 10,000,000")
                for count in (9, -2)
            ),
            *(
                (f"sprt {elo}", "allowed: above 0, up to 1000")
                for elo in ("0", "-5", "1001", "nan")
            ),
        )
    ),
    *(
        (
            f"play duel --vs random --bot-seconds {seconds}",
            f"--bot-seconds {seconds} is not allowed; allow",
        )
        for seconds in ("nan", "0", "-1", "inf", "86401")
    ),
    ("play underdog numbers=20 --vs perfect", "perfect cannot play this, but search can: "),
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
