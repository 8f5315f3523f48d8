"""Every command as the installed program, which has imported nothing yet.

Other tests run commands in a process that has imported them all: what one of them forgets to
import would be there. One core, for the workers of a pool import alike.
"""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import pytest

from tests.support.commands import UNMEASURED, command_names, surroundings
from tests.support.paths import COMMAND
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.processes

RECORD: Final = """[Game "duel"]

3-1 3-1 *
"""


class Start(NamedTuple):
    """A small task of a command: its arguments, what is typed, what it says, its exit code."""

    arguments: str
    said: str
    code: int = 0
    typed: str = ""


STARTS: Final = {
    "play": Start("circle numbers=1", "Player 1 wins the game!", typed="1\n"),
    "resume": Start("", "you have no open match to resume", 1),
    "join": Start("http://127.0.0.1:9/match/abcdefgh", "cannot be reached", 1),
    "matches": Start("", "no saved matches"),
    "games": Start("", "Number Duel"),
    "rules": Start("duel", "overreach"),
    "train": Start("circle numbers=8", "has no puzzles", 1),
    "review": Start("match.txt", "Player 1's expected score"),
    "show": Start("duel --line 3-1", "The match is not over."),
    "solve": Start("duel hp=3 --fresh", "5 positions, exact"),
    "odds": Start("duel hp=3 uniform perfect", "The first player scores"),
    "study": Start("circle numbers=3", "Every figure is exact"),
    "sweep": Start("circle numbers=3..4", "steps: how many levels"),
    "repair": Start("circle --want fair", "the others pair up", 1),
    "players": Start("duel hp=3", "A perfect player scores"),
    "arena": Start("duel hp=3 --player random --player high --matches 2", "-o DIR stores them"),
    "benchmark": Start("--player high --game duel --matches 2", "exploitability"),
    "cards": Start("none.json -o page.html", "none.json cannot be read", 1),
    "mcp": Start("", ""),
    "cache": Start("", "MB"),
    "completion": Start("bash", "complete "),
    "forget": Start("Ann", "has no data on a player", 1),
    "habits": Start("", "has not met a named player yet"),
    "new": Start("9", "9 is no name", 2),
    "check": Start("./match.txt", "match.txt:1:7: invalid syntax", 1),
    "verify": Start("match.txt", "no picks were sealed in this match", 1),
}


def test_every_command_is_started_once() -> None:
    assert {*STARTS, "serve"} == {*command_names()}


@pytest.mark.parametrize("name", STARTS)
def test_a_command_imports_all_that_it_needs(name: str, home: Path, tmp_path: Path) -> None:
    arguments, said, code, typed = STARTS[name]
    (tmp_path / "match.txt").write_text(RECORD)
    done = subprocess.run(
        [COMMAND, name, *arguments.split()],
        input=typed,
        capture_output=True,
        text=True,
        env=surroundings(home, EVENODDS_CORES="1"),
        cwd=tmp_path,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_imports_all_that_it_needs(home: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=surroundings(home, **UNMEASURED),
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[4]
            terms = {"game": "duel", "opponent": "level:1"}
            with httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
                for path in ("/", "/api/schema/openapi.json", "/metrics"):
                    assert client.get(path).status_code == 200, path
                assert client.post("/api/matches", json=terms).status_code == 201
        finally:
            server.terminate()
        assert "Traceback" not in server.stdout.read()
    assert server.returncode == 0
