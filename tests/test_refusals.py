"""What is refused at every door, and the one line that says what was wrong and what is allowed."""

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

import evenodds
from evenodds import FIRST, EvenOddsError, Match
from tests.support.commands import evenodds_here
from tests.support.servers import Server

TWICE: Final = evenodds.game("factors", target=9, same="twice")
UNIFORM: Final = evenodds.Uniform("factors")
COUNTS: Final = {
    "matches": (-5, 1.5, "10"),
    "seed": (None, 1.5, 2**62, -1),
    "longest": (0, 10**12, None),
}
simulate: Any = evenodds.simulate
matrix: Any = evenodds.matrix

# Calls of Python, room by room, and what the line begins with.
CALLS: Final[list[tuple[Callable[[], Any], str]]] = [
    # core
    (lambda: Match("duel", {"hp": 0}), "hp=0 is not allowed; allowed: 1 to 100"),
    # api, arena
    # solver, policy, study
    *(
        (lambda ask=ask: ask(TWICE, UNIFORM), "How many matches the draw by repetition")
        for ask in (
            lambda game, policy: evenodds.odds(game, policy, policy),
            lambda game, policy: evenodds.best_response(game, policy, FIRST),
            evenodds.exploitability,
        )
    ),
    *(
        (partial(simulate, "duel", **{key: value}), f"{key}={value} is not allowed; allowed: ")
        for key, values in COUNTS.items()
        for value in values
    ),
    (partial(matrix.solve, [[1]], device="tpu"), "device=tpu is not allowed; allowed: auto, cpu, "),
    (lambda: evenodds.odds("factors", UNIFORM, UNIFORM, repetition=1), "repetition=1 is not"),
    (lambda: evenodds.simulate("factors", repetition=1), "repetition=1 is not allowed"),
    (lambda: evenodds.solve(evenodds.game("underdog", numbers=99)), "numbers=99 is not allowed"),
    (lambda: evenodds.solve(evenodds.game("duel", {"hp": 2}, hp=2)), "hp is given twice, as a "),
    (lambda: evenodds.solve(evenodds.game("duel", {"heap": 2})), "heap=2: there is no such ruling"),
    # adapters
]

# Commands, and what the line on standard error begins with.
COMMANDS: Final[list[tuple[str, str]]] = [
    # play, list, games, rules
    ("play circle --rule numbers=99", "numbers=99 is not allowed; allowed: 1 to 24"),
    # solve, odds, study, sweep, repair
    ("show duel --rule hp=3", "--rule goes with --line"),
    ("show duel --line 1-1 --match 1", "--match and --line exclude each other"),
    ("show nim --line 1", 'there is no game called "nim"'),
    ("show duel --line 1-1 --rule hp=0", "hp=0 is not allowed"),
    ("odds duel perfect clever", "there is no"),
    ("odds factors uniform uniform --repetition=1", "repetition=1 is not allowed"),
    ("sweep underdog --rule numbers=6..x", "numbers=6..x is not allowed; allowed: whole numbers, "),
    ("sweep underdog --rule numbers=*", "numbers=* is not allowed; allowed: whole numbers"),
    ("sweep underdog --rule numbers=", "numbers= is not allowed"),
    ("sweep underdog --rule numbers=1.5", "numbers=1.5 is not allowed"),
    ("sweep underdog --rule numbers=9..2", "numbers=9..2 is not allowed: 9..2 runs backwards"),
    ("sweep underdog --rule exhausted=never", "exhausted=never is not allowed; allowed: score or "),
    ("sweep underdog --rule numbers=1..99999", "99,999 combinations are too many; allowed: 10,000"),
    (
        "sweep duel --rule size=1..2",
        "size=1..2: there is no such ruling; allowed: hp, numbers, knock",
    ),
    ("sweep duel --rule hp", "--rule hp is not allowed; allowed: key=value"),
    ("sweep duel --rule hp=1 --rule hp=2", "hp=2 is not allowed: hp is given twice"),
    ("sweep duel --measure luck", 'there is no measure called "luck"; there are positions'),
    ("sweep duel --json -o x.csv", "--json and -o exclude each other."),
    ("repair duel --want ''", 'there is no wish called ""; there are fair, no-draws, skill'),
    ("repair duel --want fair,fun", 'there is no wish called "fun"'),
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
