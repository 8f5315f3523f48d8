"""What people have from the release before opens: matches, records, servers, games, programs.

`releases/0.1` was made with version 0.1.0 and is never changed.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import gymnasium
import httpx
import pytest

import evenodds
from evenodds.core import notation
from evenodds.study.study import study_of
from tests.support.commands import Terminal, evenodds_here, lines
from tests.support.models import says, service
from tests.support.paths import ROOT, TESTS
from tests.support.servers import Server, serving
from tests.support.waiting import wait_until

OLD: Final = TESTS / "releases" / "0.1"
PLUGIN: Final = OLD / "plugin"
SEATS: Final[dict[str, Any]] = json.loads((OLD / "seats.json").read_text())
"""The seats in the matches of the server: tokens, and the cookies of browsers."""

PENDING, COMPUTER, TURNS, MODEL = "4mr3", "c37g", "xm3a", "gjae"
"""Open matches of the data folder."""
MODEL_ADDRESS = "http://127.0.0.1:45387/v1"
"""Where the model of one of them was asked."""

FOR_AUTHORS: Final = ("checks", "claims", "game", "rulings", "text", "vocabulary", "words")
"""Modules from which CONTRIBUTING.md and the games that it points to import."""
FOR_USERS: Final = (
    "from evenodds import FIRST, PASS, SECOND, IllegalPick, Match, get, notation",
    "from evenodds import Uniform, best_response, exploitability, odds, simulate, solve",
    "from evenodds import BadRuling, Outcome, agree, list_games",
    "from evenodds.text import SURE, percent",
    "from evenodds.adapters import pettingzoo; pettingzoo.env, pettingzoo.parallel_env",
    "import evenodds.adapters.gymnasium",
    "from evenodds.adapters.sight import Sight",
    "from evenodds.adapters.vector import TwoSeatVectorEnv",
    "import evenodds.adapters.openspiel",
    "from evenodds.adapters.openspiel.policies import Mixes, by_position",
)
"""Imports that the pages for programmers and researchers tell people to write."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The data folder of somebody who has played with the release before."""
    return shutil.copytree(OLD / "home", tmp_path / "home")


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in a package that was written for the release before, installed here."""
    monkeypatch.syspath_prepend(PLUGIN)


def said(*arguments: str, home: Path, typed: str = "", code: int = 0) -> str:
    """What a command says, which ends with that code and complains of nothing."""
    done = evenodds_here(*arguments, typed=typed, home=home)
    assert (done.returncode, done.stderr) == (code, "")
    return done.stdout


def test_matches_are_listed(home: Path) -> None:
    told = said("matches", home=home)
    listed = {line.split()[0]: line for line in told.splitlines() if line[:1].strip()}
    assert len(listed) == 1 + 8  # with the heading
    assert listed[PENDING].endswith("open, round 2")
    assert listed[COMPUTER].endswith("open, round 3")
    assert listed[TURNS].endswith("open, turn 3")
    assert listed[MODEL].endswith("open, round 2")
    assert listed["qz6g"].endswith("Eve won")


def test_matches_are_written_as_they_were(home: Path) -> None:
    for path in (home / "matches").glob("*.txt"):
        text = path.read_text()
        assert notation.write(notation.parse(text)) == text


def test_a_pending_pick_is_kept_and_not_shown(home: Path) -> None:
    secret = home / "matches" / f"{PENDING}.secret"
    kept = secret.read_text()
    shown = [said("resume", PENDING, home=home, code=1)]
    assert secret.read_text() == kept
    secret.write_text(kept.replace("[0, 4]", "[0, 9]"))
    shown.append(said("resume", PENDING, home=home, code=1))
    assert shown[0] == shown[1]
    assert "Blue, enter your chosen number" in shown[0]
    secret.write_text(kept)
    played = said("resume", PENDING, typed=lines(3, "quit"), home=home)
    assert "Red chose: 4\nBlue chose: 3\nUnderdog Rule Activated! Blue wins the round!" in played


def test_matches_against_a_computer_and_of_turns_go_on(home: Path) -> None:
    played = said("resume", COMPUTER, typed=lines(4, "quit"), home=home)
    assert "Ann, select your number from [1, 2, 4]: 4\n\nAnn plays 4.\nRobot plays " in played
    played = said("resume", TURNS, typed=lines(6, "quit"), home=home)
    assert "Dot's turn.\nLast number selected: 5\nAvailable adjacent numbers: 3 6 7" in played
    assert "Number 6 selected.\n\nCid's turn." in played


def test_a_match_against_a_model_goes_on(home: Path) -> None:
    """What it says is added to what it said; only its address is another one here."""
    files = [home / "matches" / f"{MODEL}.{kind}" for kind in ("txt", "llm.jsonl")]
    with service() as model:
        model.will(says("PICK: 3"))
        for file in files:
            file.write_text(file.read_text().replace(MODEL_ADDRESS, model.address))
        before = files[1].read_text()
        typed = lines(1, "quit")
        played = said("resume", MODEL, "--vs", model.name, typed=typed, home=home)
    assert "Model chose: 3" in played
    after = files[1].read_text()
    assert after.startswith(before)
    assert len(after) > len(before)


@pytest.mark.long
def test_a_record_is_told_verified_and_reviewed(home: Path) -> None:
    record = str(OLD / "record.txt")
    told = said("show", record, home=home)
    assert "Eve attacks! Flo loses 3 HP." in told
    assert "Gus resigns.\nHal wins the game!" in told
    verified = said("verify", record, home=home).splitlines()
    assert len(verified) == 5
    assert verified[-1].endswith("4 sealed picks, each as it was promised.")
    review = said("review", record, home=home)
    assert "Round 1: Flo's 1 was a mistake. Better: 3." in review
    assert review.count("turning point") == 5


def test_training_and_what_the_reader_remembers_are_known(home: Path) -> None:
    told = said("train", "duel", typed=lines("quit"), home=home)
    assert "You have solved 1 of 2 puzzles." in told
    assert "Ann in Number Duel: 2 picks seen." in said("habits", "Ann", home=home)
    asked = ("play", "duel", "--rule", "hp=1", "--vs", "reader", "--names", "Ann,Robot")
    said(*asked, typed=lines(3), home=home)
    assert "Ann in Number Duel: 3 picks seen." in said("habits", "Ann", home=home)


@pytest.mark.own_tables
def test_kept_tables_do_no_harm(home: Path) -> None:
    assert "circle numbers=5" in said("cache", home=home)
    solved = said("solve", "circle", "--rule", "numbers=5", home=home)
    assert "the first player always wins" in solved


@pytest.mark.processes
def test_an_arena_goes_on(home: Path, tmp_path: Path) -> None:
    kept = shutil.copytree(OLD / "arena", tmp_path / "arena")
    before = (kept / "results.jsonl").read_text()
    players = ("--player", "random", "--player", "copy", "--matches", "30")
    told = said("arena", "circle", "--rule", "numbers=5", *players, "-o", str(kept), home=home)
    assert "30 matches, seed 0." in told
    after = (kept / "results.jsonl").read_text()
    assert after.startswith(before)
    assert after.count("\n") == 1.5 * before.count("\n")


@pytest.mark.processes
def test_a_program_still_plays(home: Path) -> None:
    program = f"cmd:{sys.executable} {OLD / 'bot.py'}"
    asked = ("play", "duel", "--rule", "hp=1", "--vs", program, "--names", "Ann,Bot")
    assert "Bot chose: " in said(*asked, typed=lines(3), home=home)


@pytest.fixture(scope="module")
def old_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of today on the database of one of the release before, however long ago."""
    home = tmp_path_factory.mktemp("old")
    shutil.copy(OLD / "server" / "server.sqlite", home)
    unlimited = {"EVENODDS_SERVER_ARCHIVE_DAYS": "100000"}
    with serving(home, PYTHONPATH=str(PLUGIN), **unlimited) as server:
        yield server


def path_of(name: str) -> str:
    return f"/api/matches/{SEATS[name]['match']}"


def person(server: Server, name: str, seat: int, by: str = "token") -> httpx.Client:
    """Somebody who comes back to a match: a program with its token, a browser with its cookies."""
    kept = SEATS[name]["seats"][seat]
    client = server.client(kept["token"] if by == "token" else "")
    if by == "cookies":
        client.cookies.update(kept["cookies"])
    return client


@pytest.mark.processes
def test_a_secret_pick_on_a_server_completes_its_round(old_server: Server) -> None:
    """Both see their match, by token and by cookie, and neither the other's pick before."""
    path = path_of("pending")
    for seat, by in ((0, "token"), (0, "cookies"), (1, "token"), (1, "cookies")):
        view = person(old_server, "pending", seat, by).get(path).json()
        assert view["seat"] == ("first", "second")[seat]
        assert view["players"] == ["Ann", "Bob"]
        assert view["chosen"] == [True, False]
        assert view["history"] == [[7, 8]]
    bob = person(old_server, "pending", 1, "cookies")
    done = bob.post(f"{path}/picks", json={"round": 2, "number": 3})
    assert (done.status_code, done.json()["history"]) == (200, [[7, 8], [9, 3]])


@pytest.mark.processes
def test_a_listed_match_is_joined(old_server: Server) -> None:
    path, match = path_of("listed"), SEATS["listed"]["match"]
    ann = person(old_server, "listed", 0)
    with ann.stream("GET", f"{path}/events") as stream:
        heard = stream.iter_lines()  # the stream is open for as long as this is kept
        next(heard)
        lobby = old_server.client()
        wait_until(lambda: [each["match"] for each in lobby.get("/api/matches").json()] == [match])
    bob = old_server.client()
    assert bob.post("/api/join", json={"match": match, "name": "Bob"}).status_code == 201
    assert ann.get(path).json()["players"] == ["Ann", "Bob"]
    assert ann.post(f"{path}/picks", json={"round": 1, "number": 4}).status_code == 200
    assert bob.get(path).json()["history"] == [[4, None]]


@pytest.mark.processes
def test_a_finished_match_is_looked_at_again(old_server: Server) -> None:
    path = path_of("finished")
    for client in (person(old_server, "finished", 1), old_server.client()):
        view = client.get(path).json()
        assert view["history"] == [[3, 1]]
        assert view["result"]["outcome"] == "first"
    assert old_server.client().get(f"{path}/record").text.endswith("\n3-1 first\n")


@pytest.mark.processes
def test_a_match_against_a_computer_goes_on_at_the_server(old_server: Server) -> None:
    path = path_of("computer")
    ann = person(old_server, "computer", 0)
    assert ann.get(path).json()["history"] == [[9, None], [None, 9]]
    assert ann.post(f"{path}/picks", json={"round": 3, "number": 4}).status_code == 200
    wait_until(lambda: len(ann.get(path).json()["history"]) == 4)


def move_seat(home: Path, old: str, new: str, token: str = "") -> None:
    """Keep a seat as the release before did, at the address that the server has here.

    It is the seat that was kept there, or else one with a token.
    """
    names = [f"{hashlib.sha256(link.encode()).hexdigest()[:32]}.json" for link in (old, new)]
    file = home / "seats" / names[0]
    kept = {"key": "", "promises": {}, "witnessed": {}}
    kept |= {"token": token} if token else json.loads(file.read_text())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_name(names[1]).write_text(json.dumps(kept | {"match": new}))


@pytest.mark.processes
def test_a_seat_kept_by_a_terminal_is_taken_again(old_server: Server, home: Path) -> None:
    link = f"{old_server.url}/match/{SEATS['terminal']['match']}"
    move_seat(home, SEATS["terminal"]["link"], link)
    bob = Terminal("join", link, home=home)
    bob.see("You are Bob, opposite Ann.")
    bob.see("Select a number:")
    bob.type(3)
    bob.see("Number 3 selected.")
    bob.press("c")
    assert bob.end() == 130
    view = person(old_server, "terminal", 0).get(path_of("terminal")).json()
    assert view["history"] == [[2, None], [None, 3]]


@pytest.mark.processes
def test_a_sealed_pick_is_shown_as_promised(old_server: Server, home: Path, tmp_path: Path) -> None:
    """Its promise is on the server, its salt at home; and the clock has stood still."""
    old, link = SEATS["sealed"]["link"], f"{old_server.url}/match/{SEATS['sealed']['match']}"
    move_seat(home, old, link)
    move_seat(tmp_path / "ann", old, link, SEATS["sealed"]["seats"][0]["token"])
    bob = Terminal("join", link, home=home)
    bob.see("You are Bob, opposite Ann.")
    bob.see("Your pick is in. Waiting for Ann")
    ann = Terminal("join", link, home=tmp_path / "ann")
    ann.see("Ann, select your number from [1, 2, 3]:")
    ann.type(1)
    for terminal in (ann, bob):
        terminal.see("Bob plays 3.")
        terminal.see("Points gained: 2")
        terminal.see("from [")
        terminal.press("c")
        assert terminal.end() == 130


@pytest.mark.processes
def test_a_server_has_the_game_of_a_package(old_server: Server) -> None:
    client = old_server.client()
    assert "undercut" in [game["name"] for game in client.get("/api/games").json()]
    wish = {"game": "undercut", "name": "Ann", "opponent": "high", "rulings": {"target": 5}}
    opened = client.post("/api/matches", json=wish).json()
    path = f"/api/matches/{opened['match']}"
    assert client.post(f"{path}/picks", json={"round": 1, "number": 4}).status_code == 200
    wait_until(lambda: client.get(path).json()["history"] == [[4, 5]])


@pytest.mark.usefixtures("plugin")
def test_the_game_of_a_package_is_found_and_played(home: Path) -> None:
    assert "undercut  Undercut" in said("games", home=home)
    assert "- `prize` [both]: what undercutting wins" in said("rules", "undercut", home=home)
    asked = ("play", "undercut", "--rule", "target=10")
    played = said(*asked, typed=lines(4, "board", 5, 1, 1), home=home)
    assert "Upper: 4\nUnder: 5\nUpper undercuts!" in played
    assert played.endswith("Upper has 10 and wins!\n")


@pytest.mark.long
@pytest.mark.usefixtures("plugin")
def test_the_game_of_a_package_is_solved_and_studied(home: Path) -> None:
    """Which looks at every rule of it, and at what its page promises."""
    solution = evenodds.solve(evenodds.game("undercut", numbers=3, target=10))
    assert solution.positions == 86
    assert solution.value(solution.start) == pytest.approx(0, abs=1e-9)
    study = said("study", "undercut", "--rule", "numbers=5", "--rule", "target=10", home=home)
    for verdict, quote in (
        ("holds", "Whoever is undercut scores nothing."),
        ("holds", "4 undercuts 5, and wins 10 to 1."),
        ("fails", "There is always a winner."),
    ):
        (line,) = (line for line in study.splitlines() if f'"{quote}"' in line)
        assert line.startswith(verdict)


def test_modules_for_authors_are_those_of_the_games() -> None:
    """A class or a function that a package imports is the one that our own games are made of."""
    old = {name: import_module(f"evenodds.{name}") for name in FOR_AUTHORS}
    for game in evenodds.list_games().games:
        assert type(game) is old["game"].Game
        assert isinstance(game.words, old["words"].Words)
        assert game.start in old["vocabulary"].RULES[game.start.__module__]
        for option in game.options.values():
            assert isinstance(option, old["rulings"].Whole | old["rulings"].OneOf)
        claims = import_module(game.claims)
        assert all(type(claim) is old["claims"].Claim for claim in claims.CLAIMS)
        rules = vars(sys.modules[game.start.__module__])
        assert rules["rule"] is old["vocabulary"].rule
        assert rules["Outcome"] is old["vocabulary"].Outcome is evenodds.Outcome
        assert vars(claims)["check_example"] is old["checks"].worked


def test_every_name_for_authors_is_there() -> None:
    """Constants, functions and classes with all their members, by the names they had."""
    names = (OLD / "author_names.txt").read_text().split()
    assert {name.split(".")[1] for name in names} == set(FOR_AUTHORS)
    assert [name for name in names if not is_there(name)] == []


def is_there(name: str) -> bool:
    """Whether a name can be had: `evenodds.MODULE.NAME`, or a member of a class behind it."""
    package, module, *path = name.split(".")
    found: Any = import_module(f"{package}.{module}")
    for one in path:
        if not hasattr(found, one):  # a field without a default is an annotation alone
            return one in getattr(found, "__annotations__", {})
        found = getattr(found, one)
    return True


def missing(old: object, new: object, path: str = "") -> Iterator[str]:
    """Keys that were there and are not any more, as keys or as attributes."""
    if isinstance(old, dict):
        for key, value in old.items():
            if isinstance(new, dict):
                new = {str(one): found for one, found in new.items()}
                there = new.get(key, missing)
            else:
                there = getattr(new, key, missing)
            if there is missing:
                yield f"{path}.{key}"
            else:
                yield from missing(value, there, f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list | tuple):
        for one, other in zip(old, new, strict=False):
            yield from missing(one, other, f"{path}[]")


def test_figures_of_a_study_have_the_names_they_had(home: Path) -> None:
    """For claims, which are given the study, and for programs that read JSON."""
    old = json.loads((OLD / "study.json").read_text())
    told = said("study", "duel", "--rule", "hp=2", "--json", home=home)
    assert list(missing(old, json.loads(told))) == []
    game = evenodds.get("duel")
    assert list(missing(old["study"], study_of(game, game.settle({"hp": 2})))) == []


def test_the_new_names_in_the_changelog_are_there() -> None:
    """Each one by its whole path; "the same in" a package are all names of the row."""
    changes = (ROOT / "CHANGELOG.md").read_text()
    rows = re.findall(r"^\| (`evenodds.*) \| (.*) \|$", changes, re.MULTILINE)
    assert len(rows) > 30
    for old, new in rows:
        (home,) = re.findall("`(.*)`", new)
        names = re.findall("`(.*?)`", old)[1:] if new.startswith("the same in ") else []
        for name in [f"{home}.{name}" for name in names] or [home]:
            assert resolve_name(name) is not None, name


@pytest.mark.processes
def test_a_package_loads_where_warnings_are_errors(home: Path) -> None:
    """Its rules, words and claims; where they are shown, each old name is told with the new one."""
    code = (
        "import evenodds, evenodds_undercut.claims;"
        "game = evenodds.get('undercut');"
        "print(game.title, evenodds.list_games().faults)"
    )
    for filtering, told in (
        ("error", ""),
        ("default", "evenodds.words is now evenodds.core.words"),
    ):
        done = subprocess.run(
            [sys.executable, "-W", filtering, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(PLUGIN), "EVENODDS_HOME": str(home)},
        )
        assert done.stdout == "Undercut []\n", done.stderr
        assert told in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("statement", FOR_USERS)
def test_documented_imports_work(statement: str) -> None:
    exec(statement, {})


@pytest.mark.long
def test_gymnasium_finds_games_where_it_did() -> None:
    env = gymnasium.make("evenodds.adapters.gymnasium:evenodds/Margin-v0", rulings={"numbers": 3})
    assert env.reset(seed=1)[0]["action_mask"].tolist() == [0, 1, 1, 1]
    env.close()
