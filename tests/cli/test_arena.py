"""The commands that compare players, as they are used: killed, interrupted, with bad programs."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from evenodds import notation
from tests.players.test_programs import unruly
from tests.support import models
from tests.support.commands import Terminal, evenodds, evenodds_here, surroundings
from tests.support.models import refuses, says
from tests.support.paths import COMMAND, ROOT
from tests.support.task_runners import workers_of
from tests.support.waiting import TIMEOUT_S

EXAMPLES = ROOT / "examples" / "bots"
DUEL = ("arena", "duel", "--rule=hp=4")


@pytest.mark.processes
def test_an_arena_tells_who_is_how_strong(home: Path) -> None:
    players = ("--player=random", "--player=level:3", "--player=copy")
    done = evenodds_here(*DUEL, *players, "--matches=40", "--seed=3", home=home)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Number Duel (hp=4): 120 matches, seed 3.\n\n")
    assert "score %" in done.stdout
    assert "= is exact, summed over positions; the rest sampled." in done.stdout
    assert done.stdout.endswith("No matches are stored; -o DIR stores them.\n")
    told = evenodds_here(*DUEL, *players, "--matches=40", "--seed=3", "--json", home=home)
    data = json.loads(told.stdout)
    assert data["played"] == 120
    matches = {row["player"]: row["matches"] for row in data["standings"]}
    assert matches == dict.fromkeys(["random", "level:3", "copy"], 80)


def test_what_is_known_needs_no_match(home: Path) -> None:
    done = evenodds_here(*DUEL, "--player=random", "--player=perfect", "--matches=0", home=home)
    assert done.returncode == 0
    assert "Score of the row against the column, in %, exact." in done.stdout
    assert "Elo" not in done.stdout


@pytest.mark.processes
def test_a_run_that_is_killed_equals_one_that_is_not(home: Path) -> None:
    players = ("--player=random", "--player=level:2", "--player=search:300", "--matches=16")
    parts, whole = home.parent / "parts", home.parent / "whole"
    for bouts in (2, 6):
        running = subprocess.Popen(
            [COMMAND, *DUEL, *players, "-o", str(parts)],
            env=surroundings(home),
            stdout=subprocess.DEVNULL,
        )
        while kept(parts) < bouts:
            assert running.poll() is None
            time.sleep(0.01)
        at_work = workers_of(running.pid)
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert not psutil.wait_procs(at_work, timeout=TIMEOUT_S)[1]
    assert kept(parts) < 24
    for folder in (parts, whole):
        done = evenodds(*DUEL, *players, "-o", str(folder), home=home)
        assert (done.returncode, done.stderr) == (0, "")
    assert (parts / "matches.txt").read_bytes() == (whole / "matches.txt").read_bytes()
    assert len(notation.parse_all((parts / "matches.txt").read_text())) == 48
    tables = [json.loads((folder / "table.json").read_text()) for folder in (parts, whole)]
    for table in tables:
        for row in table["standings"]:
            del row["pace"]
    assert tables[0] == tables[1]
    assert "| perfect |" not in (parts / "table.md").read_text()


def kept(folder: Path) -> int:
    path = folder / "results.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.processes
def test_ctrl_c_tells_how_far_it_went(home: Path) -> None:
    folder = home.parent / "left"
    players = ("--player=random", "--player=search:3000", "--matches=2000")
    one = {"EVENODDS_CORES": "1"}
    running = Terminal(*DUEL, *players, "-o", str(folder), home=home, environment=one)
    for text in ("playing", "score %", "to go"):
        running.see(text)
    running.press("c", at_work=True)
    running.see("of 2,000 matches, seed 0.")
    assert running.end() == 130
    assert b"Traceback" not in running.stream
    assert kept(folder) > 0
    assert not (folder / "arena.lock").exists()


@pytest.mark.processes
def test_bad_programs_forfeit_and_the_others_play_on(home: Path) -> None:
    """Only who thinks for ever is short of time: others may take long to start."""
    cheat = b'{"type": "pick", "number": 9}\n'
    bots = {
        unruly("crashes_always"): "ended before its pick, and did so again after a new start",
        unruly("answers_badly", cheat): "was asked twice and gave no legal number",
    }
    players = [f"--player=cmd:{command}" for command in (*bots, unruly("polite"))]
    home.mkdir()
    folder = home.parent / "out"
    done = evenodds_here(
        *DUEL, "--player=random", *players, "--gauntlet", "--matches=2", "--bot-seconds=300",
        "-o", str(folder), "--json", home=home, PROGRAM_TRACES=str(home),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    forfeits = {row["player"]: row["forfeits"] for row in data["standings"]}
    for command, why in bots.items():
        ((reason, count),) = forfeits[f"cmd:{command}"].items()
        assert (why in reason, count) == (True, 2)
    assert forfeits["random"] == {}
    assert forfeits[players[-1].removeprefix("--player=")] == {}
    matches = notation.parse_all((folder / "matches.txt").read_text())
    assert [match.result.reason for match in matches if match.result].count("forfeit") == 4
    slow = f"cmd:{unruly('thinks_forever')}"
    done = evenodds_here(
        *DUEL, "--player=random", f"--player={slow}", "--matches=2", "--bot-seconds=1", "--json",
        home=home, PROGRAM_TRACES=str(home),
    )  # fmt: skip
    forfeits = {row["player"]: row["forfeits"] for row in json.loads(done.stdout)["standings"]}
    assert forfeits == {"random": {}, slow: {"the program took longer than 1 second for a pick": 2}}


@pytest.mark.processes
def test_a_model_plays_in_an_arena_and_goes_on_when_its_service_is_back(home: Path) -> None:
    folder, secret = home.parent / "out", "sk-0123456789"
    with models.service() as service:
        arena = (*DUEL, "--player=random", f"--player={service.name}", "--matches=4", "-o")
        service.will(says("PICK: 1"), says("PICK: 3"), says("PICK: 2"), refuses(401, "who?"))
        done = evenodds_here(*arena, str(folder), home=home, EVENODDS_LLM_KEY=secret)
        assert done.returncode == 1
        assert done.stderr.startswith("the model cannot be asked: ")
        before = kept(folder)
        unfinished = (folder / "unfinished.jsonl").read_text()
        assert unfinished.count('"type": "answer"') + 2 * before >= 3
        assert secret not in unfinished
        service.will(says("I resign."))
        done = evenodds_here(*arena, str(folder), home=home, EVENODDS_LLM_KEY=secret)
    assert (done.returncode, done.stderr) == (0, "")
    assert "gave no answer that could be read" in done.stdout
    assert re.search(
        r"some/model:7b: \d+ answers could not be read, 0 named an illegal number", done.stdout
    )
    rows = json.loads((folder / "table.json").read_text())["standings"]
    assert {row["faults"]["illegal"] for row in rows} == {0}
    assert max(row["faults"]["unreadable"] for row in rows) >= 2
    assert kept(folder) == 2 > before
    talk = (folder / "talk.jsonl").read_text()
    assert secret not in talk + done.stdout
    assert [json.loads(line)["type"] for line in talk.splitlines()].count("match") == 4


def test_a_folder_that_cannot_be_made_is_said_in_one_line(home: Path) -> None:
    players = ("--player=random", "--player=high")
    done = evenodds_here(*DUEL, *players, "-o", "/dev/null/x", home=home)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.processes
@pytest.mark.parametrize(
    ("guest", "said"),
    [
        (f"cmd:{sys.executable} no-such-bot.py", "no-such-bot.py"),
        ("llm:any@http://127.0.0.1:1/v1", "http://127.0.0.1:1 cannot be reached"),
    ],
)
@pytest.mark.parametrize("command", ["arena", "benchmark"])
def test_a_guest_who_does_not_come_is_refused_before_the_first_match(
    command: str, guest: str, said: str, home: Path
) -> None:
    folder = home.parent / "out"
    players = ["--player=random", "--player=high"] if command == "arena" else []
    game = "duel" if command == "arena" else "--game=duel"
    done = evenodds_here(
        command, game, *players, f"--player={guest}", "--matches=2000", "-o", str(folder),
        home=home,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == (2 if command == "benchmark" and "llm" in guest else 1)
    assert not list(folder.rglob("*.txt"))


@pytest.mark.processes
def test_a_finished_arena_is_told_without_its_guests(home: Path) -> None:
    home.mkdir()
    bot, folder = home / "bot.py", home.parent / "out"
    bot.write_text((EXAMPLES / "bot.py").read_text())
    arena = (*DUEL, "--player=random", f"--player=cmd:{sys.executable} {bot}", "--matches=2")
    first = evenodds_here(*arena, "-o", str(folder), home=home)
    bot.unlink()
    second = evenodds_here(*arena, "-o", str(folder), home=home)
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout == second.stdout


@pytest.mark.processes
def test_a_sequential_test_settles_on_the_stronger(home: Path) -> None:
    players = ("--player=perfect", "--player=random", "--matches=10000", "--sprt=30")
    done = evenodds_here(*DUEL, *players, home=home)
    assert done.returncode == 0
    assert "perfect is the stronger." in done.stdout
    assert "in at most 5% of tests" in done.stdout


def test_a_limit_that_is_none_is_refused_before_anything_is_played(home: Path) -> None:
    model = "--player=llm:any@http://127.0.0.1:1/v1"
    done = evenodds_here(*DUEL, "--player=random", model, home=home, EVENODDS_LLM_REQUESTS="abc")
    assert done.returncode == 2
    assert done.stderr.startswith("EVENODDS_LLM_REQUESTS=abc is not allowed")
