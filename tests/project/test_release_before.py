"""What the release before has left opens: `releases/0.2`, made with 0.2.0, never changes."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

import evenodds
from evenodds import notation
from evenodds.app.settings import Settings, load_settings
from tests.support.commands import Terminal, evenodds_here, keep_seat, kept_matches, lines
from tests.support.models import Budget, BudgetUsage
from tests.support.paths import TESTS
from tests.support.servers import Server, serving
from tests.support.waiting import wait_until

OLD: Final = TESTS / "releases" / "0.2"
SEATS: Final[dict[str, Any]] = json.loads((OLD / "seats.json").read_text())
"""The matches of the server, each with the tokens of its seats."""
PENDING: Final = "sdv7"
"""The match at one keyboard in which the first pick of a round is in."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return shutil.copytree(OLD / "home", tmp_path / "home")


def said(*arguments: str, home: Path, typed: str = "") -> str:
    done = evenodds_here(*arguments, typed=typed, home=home)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_finished_and_an_open_match_of_each_game_are_read(home: Path) -> None:
    found = list(kept_matches(home).values())
    for game in evenodds.list_games(installed=False):
        ends = {match.result is None for match in found if match.game is game}
        assert ends == {True, False}, game.name
    for path in (home / "matches").glob("*.txt"):
        assert notation.write(notation.parse(path.read_text())) == path.read_text()
    listed = said("matches", home=home).splitlines()
    assert len(listed) == 1 + len(found) == 12


def test_open_matches_go_on_with_the_pick_that_is_in(home: Path) -> None:
    shown = said("resume", PENDING, typed=lines(2, "quit"), home=home)
    assert "Ann chose: 1\nBob chose: 2\nUnderdog Rule Activated! Ann wins the round!" in shown
    for id, match in kept_matches(home).items():
        if match.result is None:
            said("resume", id, typed=lines("quit"), home=home)


def test_small_files_are_known(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_HOME", str(home))
    assert load_settings() == (Settings(False, "light", "level:2", "2026-11-17", True), "")
    trained = said("train", "duel", "hp=10", typed=lines("quit"), home=home)
    assert "You have solved 0 of 2 puzzles." in trained
    assert "Ann in Number Duel: 2 picks seen." in said("habits", "Ann", home=home)
    spent = Path(shutil.copy(OLD / "llm-spent.json", tmp_path))
    assert Budget(file=spent).spent == BudgetUsage(5, 2353, 5)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of today on the database of one of the release before, however long ago."""
    home = tmp_path_factory.mktemp("old")
    shutil.copy(OLD / "server.sqlite", home)
    with serving(home, EVENODDS_SERVER_ARCHIVE_DAYS="100000") as server:
        yield server


def path_of(name: str) -> str:
    return f"/api/matches/{SEATS[name]['match']}"


def person(server: Server, name: str, seat: int) -> httpx.Client:
    return server.client(SEATS[name]["tokens"][seat])


@pytest.mark.processes
def test_matches_on_a_server_go_on(server: Server) -> None:
    for name, seat, round, number, before, rounds in (
        ("underdog", 1, 2, 3, [[7, 8]], 2),
        ("circle", 1, 2, 5, [[4, None]], 2),
        ("factors", 0, 3, 4, [[9, None], [None, 9]], 4),
    ):
        one, path = person(server, name, seat), path_of(name)
        assert one.get(path).json()["history"] == before
        done = one.post(f"{path}/picks", json={"round": round, "number": number})
        assert done.status_code == 200, done.text
        wait_until(lambda: len(one.get(path).json()["history"]) == rounds)  # noqa: B023
    assert person(server, "underdog", 0).get(path_of("underdog")).json()["history"][1] == [9, 3]


@pytest.mark.processes
def test_a_finished_match_is_looked_at_again(server: Server) -> None:
    for client in (person(server, "duel", 1), server.client()):
        view = client.get(path_of("duel")).json()
        assert (view["history"], view["result"]["outcome"]) == ([[3, 1]], "first")
    assert server.client().get(f"{path_of('duel')}/record").text.endswith("\n3-1 first\n")


@pytest.mark.processes
def test_a_kept_seat_shows_the_pick_that_it_promised(
    server: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = f"{server.url}/match/{SEATS['sealed']['match']}"
    (file,) = (home / "seats").iterdir()
    kept = json.loads(file.read_text()) | {"match": link}
    name = hashlib.sha256(link.encode()).hexdigest()[:32]
    file.with_name(f"{name}.json").write_text(json.dumps(kept))
    monkeypatch.setenv("EVENODDS_HOME", str(tmp_path / "ann"))
    keep_seat(link, SEATS["sealed"]["tokens"][0])
    bob = Terminal("join", link, home=home)
    bob.see("Your pick is in. Waiting for Ann")
    ann = Terminal("join", link, home=tmp_path / "ann")
    ann.see("select your number from [1, 2, 3]:")
    ann.type(1)
    for terminal in (ann, bob):
        terminal.see("Bob plays 3.")
        terminal.see("from [")
        terminal.press("c")
        assert terminal.end() == 130
