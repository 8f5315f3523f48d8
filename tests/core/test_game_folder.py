"""Games in folders of somebody's own: found by a path that was typed, read anew, nowhere else."""

import re
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import evenodds
from evenodds.core import catalog
from evenodds.rules import load
from tests.support.browsers import SharedBrowser
from tests.support.commands import evenodds as evenodds_started
from tests.support.commands import evenodds_here, lines
from tests.support.packages import GOOF, NIM
from tests.support.paths import ROOT
from tests.support.servers import Pair, serving
from tests.support.waiting import wait_until

RULES = NIM.partition("GAME =")[0]
FUTURE = "from __future__ import annotations\n\nfrom enum"
STEP = "def step(state, picks):\n"
SPEECH = """from evenodds.rules import Words
from .rules import State


class Speech(Words[State]):
    def pick_name(self, rulings, seat, number):
        return f"take {number}"
"""
Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Write a file of a game into a folder beside which commands are typed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "_ADDED", {})
    monkeypatch.setattr(catalog, "_FOLDERS", {})

    def write(text: str = RULES, name: str = "rules.py", folder: str = "mine") -> Path:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
        return tmp_path / folder

    return write


def test_a_game_that_was_loaded_is_studied(put: Put) -> None:
    assert evenodds.run_study(load(str(put()))).questions


def test_commands_take_a_folder_or_a_file(put: Put, home: Path) -> None:
    folder = put()
    for path in ("./mine/", str(folder), "mine/rules.py", "./mine/../mine"):
        said = evenodds_here("solve", path, home=home).stdout
        assert "Mine: the first player wins with best play in 5 picks" in said
    rest = "odds ./mine perfect random", "rules ./mine", "players ./mine", "show ./mine --line 1"
    for line in rest:
        done = evenodds_here(*line.split(), home=home)
        assert (done.returncode, done.stderr) == (0, ""), line


def test_a_changed_folder_is_another_game(put: Put, home: Path) -> None:
    put()
    before = evenodds_here("solve", "./mine", home=home).stdout
    put(RULES.replace("0b110 if", "0b010 if"))  # as long as before, within a second
    after = evenodds_here("solve", "./mine", home=home).stdout
    assert "in 5 picks" in before
    assert "the first player always wins, whatever anybody picks" in after
    assert not (Path("mine") / "__pycache__").exists()


def test_words_beside_the_rules_are_spoken_or_missed(put: Put, home: Path) -> None:
    put(SPEECH, "words.py")
    put()
    said = evenodds_here("play", "./mine", typed=lines(2, "quit"), home=home).stdout
    assert "Player 1 chose: take 2" in said
    put(NIM, "nim.py")
    said = evenodds_here("play", "./mine/nim.py", home=home).stderr
    assert "words.py beside nim.py is not used: make the game with Game.of in a folder" in said


@pytest.mark.long
def test_annotations_may_be_strings(put: Put, home: Path) -> None:
    rules = GOOF.partition("@rule\ndef mirror")[0].replace("from enum", FUTURE, 1)
    put(rules.replace("rule, without", "exchange, rule, without") + "mirror = exchange(State)\n")
    said = evenodds_here("play", "./mine", "numbers=3", typed=lines(1, 2), home=home).stdout
    assert "hand: 2 3" in said
    game = evenodds.game("mine", numbers=3)
    assert evenodds.solve(game).value(game.start()) == 0
    assert evenodds.simulate(game, matches=10).first <= 10


def test_a_folder_that_is_wrong_is_one_line(put: Put, home: Path) -> None:
    rows = [
        (RULES.replace("def step(", "def step(("), r"mine/rules.py, line \d+: "),
        (RULES.replace("def step", "def stop"), "mine: TypeError: the rules have no step"),
        (RULES.replace("heap, FIRST", "heap, FRIST"), r"rules.py, line \d+: NameError: "),
        (RULES + "\nGAME = 3\n", "./mine: GAME is 3, which is no Game"),
        (RULES.replace(STEP, f"{STEP}    while state.heap == 3:\n        pass\n"),
         r"mine: step does not return: stopped after [\d,]+ steps, in step, line \d+ of rules.py, "
         r"with picks \(1, 0\), at heap=3"),
        (RULES.replace("(rulings):\n", "(rulings):\n    while True:\n        pass\n"),
         r"mine: does not return: stopped after [\d,]+ steps, in start, line \d+ of rules.py"),
    ]  # fmt: skip
    for text, said in rows:
        put(text)
        done = evenodds_here("solve", "./mine", home=home)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert re.search(said, done.stderr), done.stderr
    put(folder="duel")
    put(folder="My game")
    assert evenodds_here("rules", "./My game", home=home).stdout.startswith("# My Game")
    put(folder="2048")
    put("", "notes.md", "empty")
    for path, said in (
        ("./duel", "./duel: duel is the name of a built-in game; give the game another"),
        ("./empty", "empty: there is no rules.py in this folder"),
        ("./2048", "./2048: 2048 is no name; allowed: up to 30 small letters, digits, - and _"),
        ("./nowhere", "there is no folder ./nowhere"),
        ("empty", "for the folder empty type ./empty"),
    ):
        assert said in evenodds_here("rules", path, home=home).stderr


@pytest.mark.processes
def test_only_a_typed_path_runs_the_code_of_a_folder(put: Put, home: Path) -> None:
    put(RULES + "\nopen('ran', 'w').close()\n")
    evenodds_started("play", "./mine", typed=lines(2, "quit"), home=home)
    (id,) = kept_matches_of(home)
    Path("ran").unlink()
    for line in ("matches", "games", "play mine", "show " + id, "review " + id, "resume " + id):
        done = evenodds_started(*line.split(), home=home)
        assert "Traceback" not in done.stderr
        assert not Path("ran").exists(), line
    assert f"if it is in a folder, type: evenodds resume {id} FOLDER" in done.stderr
    resumed = evenodds_started("resume", id, "./mine", typed=lines(1, "quit"), home=home)
    assert f"Resume it with: evenodds resume {id} ./mine" in resumed.stdout
    record = str(home / "matches" / f"{id}.txt")
    done = evenodds_started("show", record, home=home)
    assert "if it is in a folder, type that, too: " in done.stderr
    for words in (("show", id), ("show", record), ("review", record)):
        assert "Player 1" in evenodds_started(*words, "./mine", home=home).stdout, words
    done = evenodds_started("verify", record, "./mine", home=home)
    assert "no picks were sealed in this match" in done.stderr


def kept_matches_of(home: Path) -> list[str]:
    return [path.stem for path in (home / "matches").glob("*.txt")]


@pytest.mark.processes
def test_worker_processes_know_the_folder(put: Put, home: Path) -> None:
    put()
    for line in (
        "arena ./mine --player search:0.01s --player high --matches 4",
        "benchmark --player search:0.01s --game ./mine --matches 2",
        "sweep ./mine heap=3,4",
        "study ./mine",
    ):
        done = evenodds_here(*line.split(), home=home, EVENODDS_CORES="2")
        assert (done.returncode, done.stderr) == (0, ""), line


@pytest.mark.processes
def test_a_server_starts_again_with_new_rules_that_are_sound(put: Put, home: Path) -> None:
    put()
    program = f"{sys.executable} -m evenodds"
    with serving(home, "./mine", program=program) as server:
        client = server.client()
        opened = {"game": "mine", "rulings": {"heap": 9}, "listed": True}
        matches = [
            client.post("/api/matches", json=opened | {"rulings": {"heap": heap}}).json()["match"]
            for heap in (5, 50)
        ]
        put(RULES.replace(STEP, "def step(:\n"))
        wait_until(lambda: "keeps the rules from before: mine/rules.py" in "".join(server.logged))
        put(RULES.replace("1, 50", "1, 40"))
        wait_until(lambda: "starts again with its new rules" in "".join(server.logged))
        wait_until(lambda: sum("Even Odds is at" in line for line in server.logged) == 1)
        found = {game["name"]: game for game in client.get("/api/games").json()}
        assert found["mine"]["rulings"]["heap"]["high"] == 40
        assert client.get(f"/api/matches/{matches[0]}").status_code == 200
        gone = client.get(f"/api/matches/{matches[1]}")
        assert gone.status_code == 404
        assert gone.json()["detail"].endswith("does not fit the rules as they are now")
        assert client.get("/api/matches").status_code == 200
        server.end(signal.SIGTERM)


@pytest.mark.processes
@pytest.mark.browser
def test_every_line_of_the_tutorial_does_what_it_says(
    put: Put, home: Path, browsers: SharedBrowser
) -> None:
    page = (ROOT / "docs" / "tutorials" / "write-a-game.md").read_text()
    said = ""
    for kind, title, text in re.findall(
        r'^```(\w+)(?: title="(.*?)")?\n(.*?)^```$', page, re.M | re.S
    ):
        if title:
            folder, name = title.split("/")
            put(text, name, folder)
        elif kind == "text":
            assert text in said
        else:
            for line in text.splitlines():
                said = followed(line, home, browsers)


def followed(line: str, home: Path, browsers: SharedBrowser) -> str:
    """Do what a line of a terminal says, and hold it to its remark: all that was said."""
    command, _, remark = line.partition("#")
    typed, *words = shlex.split(command)
    if typed == "printf":
        typed = words[0].encode().decode("unicode_escape")
        words = words[3:]
    if words[0] == "serve":
        with serving(home, *words[1:], program=f"{sys.executable} -m evenodds") as server:
            ann = browsers.invite(server).sit(Pair(server, "nim"), 0)
            expect(ann.page.locator(".nim .heap")).to_have_text("|" * 7)
            ann.pick(1)
            expect(ann.page.locator(".nim .heap")).to_have_text("||||||.")
            expect(ann.go("/").page.locator(".picture.nim rect")).to_have_count(7)
            browsers.dismiss(ann)
        return ""
    done = evenodds_here(*words, typed=typed, home=home)
    assert (done.returncode, done.stderr) == (0, ""), line
    assert remark.strip() in done.stdout, line
    return done.stdout
