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
    ("play chess", 'there is no game called "chess"; there are underdog, margin, circle'),
    ("play", "name a game to play: underdog, margin, circle, duel, factors"),
    ("play circle --rule numbers", "--rule numbers is not allowed; allowed: key=value"),
    ("play circle reach=1 reach=2", "reach=2 is not allowed: reach is given twice"),
    ("play circle size=3", "size=3: there is no such ruling; allowed: numbers, reach, leaps"),
    ("play underdog numbers=5 target=6", "target=6 is not allowed"),
    ("play duel --first 2", "--first does not apply: in duel both players pick at once"),
    ("play duel --first 1", "--first does not apply"),
    ("play circle --first 3", "--first 3 is not allowed; allowed: 1, 2, coin"),
    ("play circle --repetition 1", "repetition=1 is not allowed; allowed: 2 to 9"),
    ("play circle --names Red", "names=Red is not allowed; allowed: two different names"),
    ("play circle --names Red,Blue,Green", "names=Red,Blue,Green is not allowed"),
    ("play circle --vs bob", 'there is no opponent called "bob"; there are random, high'),
    ("play --vs bob", 'there is no opponent called "bob"; there are random, high'),
    ("play circle --vs high --vs high --vs high", "--vs may be given at most twice"),
    ("play circle --seat 2", "--seat goes with one --vs"),
    ("play circle --seed x", "--seed x is not allowed; allowed: whole numbers"),
    ("play circle --colour", "there is no option --colour; did you mean --record?"),
    ("play circle --record /no/file", '"/no/file" cannot hold records: No such folder'),
    ("play circle --record ''", '"" cannot hold records'),
    ("play circle --record /dev/null", '"/dev/null" cannot hold records: It is not a file'),
    ("play underdog numbers", '"numbers" is not expected; to change a rule type numbers=7.'),
    ("play --names", "--names needs a value. Example: evenodds play underdog"),
    ("play --pace 99", "--pace 99 is not allowed; allowed: 0 to 60. Example: evenodds play"),
    ("play --pace '5 is not 6'", "--pace 5 is not 6 is not allowed; allowed: 0 to 60."),
    ("play --pace nan", "--pace nan is not allowed; allowed: 0 to 60. Example: evenodds play"),
    ("paly", 'there is no command "paly"; did you mean play? Example: evenodds play'),
    ("zz", 'there is no command "zz"; evenodds --help lists all. Example: evenodds play'),
    ("games --all", "there is no option --all; evenodds games has none. Example: evenodds"),
    ("games x y", '"x y" is not expected; type evenodds games. Example: evenodds games'),
    ("games '(a) b (c)'", '"(a) b (c)" is not expected; type evenodds games. Example:'),
    ("completion sh", "sh is not allowed; allowed: bash, zsh, fish. Example: eval"),
    ("rules", "GAME is missing; type evenodds rules GAME. Example: evenodds rules"),
    ("rules chess", 'there is no game called "chess"'),
    ("show", "FILE is missing; type evenodds show FILE. Example: evenodds show duel --line"),
    # solve, odds, study, sweep, repair
    ("solve circle --after '4 9'", "--after, line 1, column 3: 9 is not next to 4"),
    ("solve circle numbers=99", "numbers=99 is not allowed"),
    ("solve chess", "there is no game"),
    ("odds margin", "FIRST is missing; type evenodds odds GAME FIRST SECOND. Example: evenodds"),
    ("study", "Name a GAME, or say --all."),
    ("study duel --all -o x", "Name a GAME, or say --all."),
    ("study --all", "--all goes with -o FOLDER"),
    ("study duel --json -o x", "--json and -o exclude each other."),
    ("study duel hp=0", "hp=0 is not allowed; allowed: 1 to 100"),
    ("study chess", "there is no game called"),
    # arena, benchmark
    ("arena duel --player random", "an arena takes 2 to 32 players, not 1"),
    ("arena duel --player random --player nobody", "there is no opponent called"),
    ("arena duel --player random --player high --matches 7", "--matches 7 is not allowed"),
    ("arena duel --player random --player high --sprt 0", "--sprt 0 is not allowed"),
    (
        "arena duel --player random --player high --player copy --sprt 5",
        "--sprt is between two players, not 3",
    ),
    (
        "arena duel --player random --player cmd:true --cluster tcp://127.0.0.1:1",
        "programs and language models play on this machine, not with --cluster",
    ),
    ("benchmark", "--player NAME is missing; type evenodds benchmark --player NAME. Example:"),
    ("benchmark --player nobody", 'there is no opponent called "nobody"'),
    ("benchmark --player high --matches 3", "--matches 3 is not allowed; allowed: an even"),
    # serve, join
    ("serve --port x", "--port x is not allowed; allowed: whole numbers 0 to 65535. Example:"),
    ("serve --port it\\'s", "--port it's is not allowed; allowed: whole numbers 0 to 65535."),
    (
        "join http://host/play/m#secret",
        '"http://host/play/m" is no link to a match; it looks like http://HOST/match/ID.',
    ),
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
