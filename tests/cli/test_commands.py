"""The other commands: games, rules, matches, show, completion, and how they end."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evenodds import FIRST, Match, __version__, list_games, notation
from evenodds.core.catalog import get
from evenodds.core.match import annul
from tests.support.commands import Terminal, lines, sentences, surroundings
from tests.support.commands import evenodds as process
from tests.support.commands import evenodds_here as evenodds
from tests.support.game_data import data_of
from tests.support.packages import install
from tests.support.paths import COMMAND

BUILT_IN = [game.name for game in list_games(installed=False)]


def test_games_lists_them_all(home: Path) -> None:
    done = evenodds("games", home=home)
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert names == sorted(BUILT_IN, key=lambda name: data_of(name).place)
    for name in names:
        assert get(name).title in done.stdout
        assert get(name).summary in done.stdout


@pytest.mark.parametrize("name", BUILT_IN)
def test_rules_show_the_page_with_rulings_and_errata(name: str, home: Path) -> None:
    done = evenodds("rules", name, home=home)
    assert done.returncode == 0
    assert done.stdout.startswith(f"# {get(name).title}\n")
    assert "\n## Errata\n" in done.stdout
    assert "\n## Rulings\n" in done.stdout
    for key in get(name).options:
        assert f"\n- `{key}` [" in done.stdout


@pytest.mark.processes
def test_rules_longer_than_the_screen_go_through_the_pager(home: Path) -> None:
    pager = {"PAGER": "sed 's/^/| /'"}
    shown = Terminal("rules", "factors", home=home, columns=60, environment=pager)
    assert shown.end() == 0
    assert any(line.startswith("| ") and "Errata" in line for line in shown.scrollback())
    assert all(len(line) <= 62 and "## " not in line for line in shown.scrollback())


def test_matches_lists_what_is_kept(home: Path) -> None:
    assert "You have no saved matches." in evenodds("matches", home=home).stdout
    evenodds("play", "circle", "--rule", "numbers=1", typed=lines(1), home=home)
    evenodds("play", "duel", "--rule", "hp=1", typed=lines(1, 1), home=home)
    evenodds("play", "margin", "--vs", typed=lines(1), home=home)
    for number, path in enumerate(sorted((home / "matches").glob("*.txt"), key=by_game)):
        os.utime(path, (1e9 + number, 1e9 + number))
    said = sentences(evenodds("matches", home=home).stdout)
    assert said[0].split() == ["ID", "Game", "Players", "Played", "Result"]
    assert " ".join(line.split()[1] for line in said[1:]) == "margin duel circle"
    assert "  You - Level 4  " in said[1]
    results = ["open, round 2", "draw", "Player 1 won"]
    for line, result in zip(said[1:], results, strict=True):
        assert line.endswith(f"  {result}")
    for options, games in (
        (["--over"], "duel circle"),
        (["--vs", "level:4"], "margin"),
        (["--vs", "Player 1"], "duel circle"),
        (["--game", "duel", "--over"], "duel"),
    ):
        listed = sentences(evenodds("matches", *options, home=home).stdout)
        assert " ".join(line.split()[1] for line in listed[1:]) == games
    assert evenodds("matches", "--vs", "Ann", home=home).stdout == "No saved match is like that.\n"
    id = said[1].split()[0]
    assert evenodds("matches", "--delete", id, home=home).stdout == f"Match {id} is deleted.\n"
    assert id not in evenodds("matches", home=home).stdout
    again = evenodds("matches", "--delete", id, home=home)
    assert (again.returncode, again.stderr) == (
        1,
        f'there is no match "{id}"; evenodds matches lists yours\n',
    )


def by_game(path: Path) -> str:
    return path.read_text().split('"')[1]


def test_show_tells_a_record_round_by_round(home: Path, tmp_path: Path) -> None:
    duel = Match("duel", {"hp": 2}, players=("Red", "Blue"))
    duel.play((1, 2))
    circle = Match("circle")
    circle.pick(FIRST, 4)
    lost = Match("factors")
    lost.lose(FIRST, "time")
    path = tmp_path / "record.txt"
    void = Match("duel")
    annul(void, "void")
    path.write_text(notation.write_all([duel, circle, lost, void]))

    done = evenodds("show", str(path), home=home)
    assert done.returncode == 0
    told = [
        "Number Duel (hp=2): Red against Blue",
        "--- Number Duel ---",
        "[Round 1]",
        "Red chose: 1",
        "Blue attacks! Red loses 2 HP.",
        "Blue wins the game!",
        "Number Circle Duel: Player 1 against Player 2",
        "Number 4 selected.",
        "The match is not over. Next to pick: Player 2.",
        "Player 1 took too long.",
        "Player 2 wins the game!",
        "Both players ran out of time. The match is void.",
    ]
    found = iter(sentences(done.stdout))
    for sentence in told:
        assert sentence in found, sentence

    only = evenodds("show", str(path), "--match", "2", home=home)
    assert "Number 4 selected." in only.stdout
    assert "Number Duel:" not in only.stdout
    none = evenodds("show", str(path), "--match", "5", home=home)
    assert none.returncode == 1
    assert "holds 4 matches; there is no match 5" in none.stderr


def test_show_names_the_players_as_matches_does(home: Path) -> None:
    evenodds("play", "duel", "--vs", "level:1", typed=lines(1), home=home)
    (kept,) = (home / "matches").glob("*.txt")
    told = evenodds("show", kept.stem, home=home).stdout
    assert told.startswith("Number Duel: You against Level 1")
    assert "Player" not in told
    assert "You - Level 1" in evenodds("matches", home=home).stdout


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'[Game "circle"]\n\n4 9 *\n', "line 3, column 3: 9 is not next to 4"),
        (b"\xff\xfe", "cannot be read: it is not UTF-8 text"),
        (b"", "contains no saved match"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_show_refuses_what_is_no_record(
    content: bytes | None, problem: str, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "record.txt"
    if content is not None:
        path.write_bytes(content)
    done = evenodds("show", str(path), home=home)
    assert done.returncode == 1
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.processes
def test_text_from_files_cannot_drive_the_terminal(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text('[Game "duel"]\n[Player1 "\x1b]0;gotcha\x07Red"]\n\n1-\x1b[2J2 *\n')
    done = evenodds("show", str(path), home=home)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    path.write_text('[Game "duel"]\n[Player1 "\x1b]0;Red\x07[bold]"]\n\n1-2 *\n')
    shown = Terminal("show", str(path), home=home)
    assert shown.end() == 0
    assert b"\x1b]0" not in shown.stream
    assert any("]0;Red[bold] chose: 1" in line for line in shown.scrollback())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, home: Path) -> None:
    done = evenodds("completion", shell, home=home)
    assert done.returncode == 0
    assert "_EVENODDS_COMPLETE" in done.stdout


@pytest.mark.processes
def test_the_package_runs_as_a_module(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evenodds", "--version"],
        capture_output=True,
        text=True,
        env=surroundings(home),
    )
    assert done.stdout == f"Even Odds {__version__}\n"


@pytest.mark.processes
def test_a_reader_that_goes_away_is_no_trouble(home: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "rules", "factors"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(home, PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.processes
def test_a_terminal_without_unicode_gets_plain_marks(home: Path) -> None:
    named = ("play", "duel", "--names", "Zoë,Böb")
    done = process(*named, typed=lines(1, 2), home=home, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "attacks!" in done.stdout
    odds = ("odds", "duel", "high", "random")
    assert "####" in process(*odds, home=home, PYTHONIOENCODING="ascii").stdout


def test_the_data_folder_is_the_platforms_unless_said_otherwise(home: Path, tmp_path: Path) -> None:
    elsewhere = {"EVENODDS_HOME": "", "XDG_DATA_HOME": str(tmp_path / "xdg")}
    evenodds("play", "circle", typed=lines(4), home=home, **elsewhere)
    assert list((tmp_path / "xdg" / "evenodds" / "matches").glob("*.txt"))
    assert not home.exists()


@pytest.mark.processes
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("play circle <&-", ""),
        ("play circle </dev/null >&-", ""),
        ("play circle </dev/null >/dev/full", "the output cannot be written: No space left"),
        ("rules circle >/dev/full", "the output cannot be written: No space left"),
        ("games >&-", ""),
    ],
)
def test_closed_and_full_streams_are_no_trouble(command: str, said: str, home: Path) -> None:
    done = subprocess.run(
        f"{COMMAND} {command}", shell=True, capture_output=True, text=True, env=surroundings(home)
    )
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == (1 if said else 0)


@pytest.mark.processes
def test_a_file_that_cannot_be_read_is_named(home: Path, tmp_path: Path) -> None:
    torn = "from evenodds.games.duel import GAME\nGAME = GAME._replace(name='torn', page='gone.md')"
    install(tmp_path, "torn", torn)
    done = process("rules", "torn", home=home, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gone.md: No such file or directory\n"


def test_what_the_system_refuses_is_said_as_it_is(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    (home / "matches").mkdir(parents=True)
    monkeypatch.setattr(os, "listdir", fail)
    done = evenodds("matches", home=home)
    assert (done.returncode, done.stderr) == (1, "system error: Too many open files\n")


def test_a_file_without_end_is_refused(home: Path) -> None:
    done = evenodds("show", "/dev/zero", home=home)
    assert done.returncode == 1
    assert done.stderr == "/dev/zero is too large to be a file of matches\n"
