"""The store: nothing accepted is lost, nothing is half-written, nothing foreign is touched."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from evenodds import FIRST, notation
from tests.support.commands import Terminal, kept_match, kept_matches, lines, surroundings
from tests.support.commands import evenodds_here as evenodds
from tests.support.paths import COMMAND
from tests.support.waiting import TIMEOUT_S, wait_until


def kept_picks(home: Path) -> list[int]:
    """All picks of the one match that is kept, the hidden one among them.

    A hidden pick of a round that is over, where a process was killed just then, is one of those.
    """
    matches = kept_matches(home)
    assert len(matches) <= 1
    played = [pick for match in matches.values() for picks in match.history for pick in picks]
    for path in (home / "matches").glob("*.secret"):
        if path.stem not in matches:  # nothing was acknowledged before the first notation
            continue
        hidden = json.loads(path.read_text())
        if hidden["round"] == len(played) // 2 + 1:
            played += [number for seat, number in hidden["picks"] if seat == FIRST]
    return played


@pytest.mark.processes
@pytest.mark.parametrize("bytes_read", range(40, 1000, 320))
def test_killed_at_any_moment_every_acknowledged_pick_is_there(bytes_read: int, home: Path) -> None:
    """A pick is acknowledged by the next prompt; the store holds at least that many, whole."""
    numbers = [1, 2, 1, 3, 2, 2, 1, 1] * 10
    with subprocess.Popen(
        [COMMAND, "play", "duel", "--rule", "hp=100"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings(home),
    ) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        game.stdin.write(lines(*numbers).encode())
        game.stdin.flush()
        said = game.stdout.read(bytes_read)
        game.kill()
        said += game.stdout.read()
    acknowledged = said.count(b"(1-3):") - 1
    assert evenodds("matches", home=home).stderr == ""
    kept = kept_picks(home)
    assert len(kept) >= acknowledged
    assert kept == numbers[: len(kept)]
    assert evenodds("resume", typed="quit\n", home=home).returncode == (0 if kept else 1)


@pytest.mark.processes
def test_a_match_is_resumed_by_one_process_at_a_time(home: Path) -> None:
    game = Terminal("play", "circle", home=home)
    game.talk("number: > 4", "Player 2's turn.")
    (id,) = kept_matches(home)
    done = evenodds("resume", id, home=home)
    assert done.returncode == 1
    assert done.stderr == f"the match {id} is being played in another window\n"
    game.see("number:")
    game.type("quit")
    assert game.end() == 0
    assert evenodds("resume", id, typed="quit\n", home=home).returncode == 0


@pytest.mark.processes
def test_many_processes_write_at_once(home: Path, tmp_path: Path) -> None:
    """Each match is whole, and so is each record in the file they share."""
    record = tmp_path / "shared.txt"
    arguments = [COMMAND, "play", "duel", "--vs", "random", "--vs", "random"]
    crowd = [
        subprocess.Popen(
            [*arguments, "--seed", str(seed), "--record", str(record)],
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=surroundings(home),
        )
        for seed in range(4)
    ]
    assert [process.wait(TIMEOUT_S) for process in crowd] == [0] * 4
    found = kept_matches(home).values()
    assert len(found) == 4
    recorded = notation.parse_all(record.read_text())
    assert sorted(map(notation.write, recorded)) == sorted(map(notation.write, found))


def test_damaged_and_foreign_files_are_named_and_left_alone(home: Path) -> None:
    evenodds("play", "circle", typed=lines(4), home=home)
    folder = home / "matches"
    strange = {
        "notes.doc": b"mine",
        "abcd.txt": b'[Game "circle"]\n\n4 9 *\n',
        "abce.txt": b"\xff\xfe\x00",
        "abcf.txt": b"",
    }
    for name, content in strange.items():
        (folder / name).write_bytes(content)
    (folder / "abcg.txt").mkdir()

    done = evenodds("matches", home=home)
    assert done.returncode == 0
    assert "open, turn 2" in done.stdout
    for name in strange:
        assert f"{folder / name} " in done.stderr
    assert f"{folder / 'abcg.txt'} cannot be read: Is a directory\n" in done.stderr
    assert "line 3, column 3: 9 is not next to 4" in done.stderr
    assert evenodds("resume", typed="quit\n", home=home).returncode == 0
    assert evenodds("play", "circle", typed="quit\n", home=home).returncode == 0
    for name, content in strange.items():
        assert (folder / name).read_bytes() == content


@pytest.mark.parametrize("content", ["", "{", "[]", '{"round": 1, "picks": [[0, 99]]}', "null"])
def test_a_damaged_secret_is_set_aside_and_asked_again(content: str, home: Path) -> None:
    evenodds("play", "duel", typed=lines(3), home=home)
    (secret,) = (home / "matches").glob("*.secret")
    secret.write_text(content)
    done = evenodds("resume", typed=lines(1, 2), home=home)
    assert "could not be read and is asked again" in done.stderr
    assert "Player 1 chose: 1" in done.stdout
    assert secret.with_suffix(".damaged").read_text() == content
    assert evenodds("matches", home=home).stderr == ""


def test_a_secret_of_a_finished_round_is_forgotten(home: Path) -> None:
    """Killed between the record and the secret: the round counts once."""
    evenodds("play", "duel", typed=lines(3), home=home)
    (secret,) = (home / "matches").glob("*.secret")
    stale = secret.read_text()
    evenodds("resume", typed=lines(1), home=home)
    assert not secret.exists()
    secret.write_text(stale)
    done = evenodds("resume", home=home)
    assert (done.stderr, "Player 1, enter" in done.stdout) == ("", True)
    assert kept_match(home).history == ((3, 1),)
    assert not secret.exists()


@pytest.mark.parametrize("id", ["zzzz", "../../etc", "ABCD", "", "abcd.txt", "a" * 5000])
def test_a_match_that_is_not_there(id: str, home: Path) -> None:
    evenodds("play", "circle", typed=lines(4), home=home)
    for command in (["resume"], ["matches", "--delete"]):
        done = evenodds(*command, id, home=home)
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
        assert done.stderr.startswith('there is no match "')


def test_a_finished_match_is_not_resumed(home: Path) -> None:
    """Exit code 1, with what to do instead; the last open one is what `resume` means."""
    evenodds("play", "circle", typed=lines(4), home=home)
    evenodds("play", "circle", "--rule", "numbers=1", typed=lines(1), home=home)
    (over,) = [id for id, match in kept_matches(home).items() if match.result]
    done = evenodds("resume", over, home=home)
    assert done.returncode == 1
    assert done.stderr == f"{over} is over; start another with: evenodds play circle\n"
    assert "turn 2." in evenodds("resume", typed="quit\n", home=home).stdout


@pytest.mark.parametrize("reason", ["void", "cancelled"])
def test_a_match_without_a_result_is_not_listed_as_a_draw(reason: str, home: Path) -> None:
    (home / "matches").mkdir(parents=True)
    text = f'[Game "duel"]\n[Reason "{reason}"]\n\ndraw\n'
    (home / "matches" / "abcd.txt").write_text(text)
    assert evenodds("matches", home=home).stdout.splitlines()[-1].endswith(f" {reason}")


def test_play_goes_on_when_nothing_can_be_saved(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = evenodds("play", "circle", "--rule", "numbers=3", typed=lines(1, 2, 3), home=blocked)
    assert done.returncode == 0
    assert done.stdout.count("This match cannot be saved") == 1
    assert "Player 1 wins the game!" in done.stdout


def test_a_full_disk_leaves_the_old_match(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the old record: what is added to a file is added whole or not at all."""
    record = home.parent / "record.txt"
    evenodds("play", "circle", "--record", str(record), typed=lines(4), home=home)
    before = record.read_text()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    resume = ("resume", "--record", str(record))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        said = evenodds(*resume, typed=lines(5, "quit"), home=home).stdout
    assert "This match cannot be saved: No space left on device. You can play on." in said
    assert "The match could not be recorded: No space left on device." in said
    left = {path.suffix for path in (home / "matches").iterdir()}
    assert left <= {".txt", ".lock"}, "nothing half-written stays behind"
    assert (kept_match(home).history, record.read_text()) == (((4, 0),), before)
    evenodds(*resume, typed=lines(5), home=home)
    assert kept_match(home).history == ((4, 0), (0, 5))
    assert len(notation.parse_all(record.read_text())) == 2


def test_no_id_is_given_twice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draws, drawn = iter([bytes(4), bytes(4), b"\x01" * 4]), os.urandom
    four = lambda count: next(draws) if count == 4 else drawn(count)  # noqa: E731
    monkeypatch.setattr(os, "urandom", four)
    for _ in range(2):
        evenodds("play", "duel", typed=lines(1, 1), home=home)
    assert kept_matches(home).keys() == {"aaaa", "bbbb"}


def test_no_command_prints_a_secret_file(home: Path) -> None:
    evenodds("play", "underdog", typed=lines(7), home=home)
    (secret,) = (home / "matches").glob("*.secret")
    assert "7" not in secret.with_suffix(".txt").read_text().split("\n\n")[1]
    for path in (secret, secret.with_suffix(".damaged")):
        if path != secret:
            path.write_text(secret.read_text()[:-3])
        done = evenodds("show", str(path), home=home)
        assert done.returncode == 1
        place, _, problem = (done.stdout + done.stderr).partition(", line ")
        assert str(path).startswith(place.removesuffix("..."))
        assert problem
        assert "7" not in problem


@pytest.mark.processes
def test_what_is_not_saved_is_not_said_to_be(home: Path) -> None:
    """When the folder cannot be written any more, no way to resume is promised."""
    game = Terminal("play", "circle", home=home)
    game.talk("number: > 4", "Player 2's turn.", "number:")
    for path in (home / "matches").iterdir():
        path.unlink()
    (home / "matches").rmdir()
    (home / "matches").write_text("in the way")
    game.type(5)
    game.see("This match cannot be saved: Not a directory. You can play on.")
    game.see("number:")
    game.press("c")
    assert game.end() == 130
    assert b"The match is saved." not in game.stream


def test_a_match_whose_opponent_is_not_here_waits(home: Path) -> None:
    """It is named when it is asked for, and does not stand in the way of others."""
    evenodds("play", "circle", typed=lines(4), home=home)
    text = '[Game "underdog"]\n[Computer1 "deepthought"]\n\n4-5 *\n'
    (home / "matches" / "a555.txt").write_text(text)
    done = evenodds("resume", "a555", home=home)
    assert done.returncode == 1
    assert done.stderr.startswith('there is no opponent called "deepthought"; there are random')
    assert evenodds("resume", typed="quit\n", home=home).returncode == 0


def test_a_damaged_match_is_named_and_not_locked(home: Path) -> None:
    folder = home / "matches"
    folder.mkdir(parents=True)
    (folder / "abcd.txt").write_text('[Game "circle"]\n\n4 9 *\n')
    done = evenodds("resume", "abcd", home=home)
    assert done.returncode == 1
    problem = "is damaged and is left alone: line 3, column 3: 9 is not next to 4"
    assert done.stderr == f"{folder / 'abcd.txt'} {problem}\n"
    assert [path.name for path in folder.iterdir()] == ["abcd.txt"]
    assert evenodds("matches", home=home).stdout == ""
    (folder / "abcd.txt").write_bytes(b"\xff")
    done = evenodds("resume", "abcd", home=home)
    assert done.stderr.endswith("is damaged and is left alone: it is not UTF-8 text\n")
    assert (
        evenodds("resume", home=home).stderr == f"you have no open match to resume; {done.stderr}"
    )


def test_every_damaged_secret_is_kept(home: Path) -> None:
    """One never covers another; what is no file at all is left where it is."""
    evenodds("play", "duel", typed=lines(3), home=home)
    for content in ("[" * 100_000, "{"):
        (secret,) = (home / "matches").glob("*.secret")
        secret.write_text(content)
        assert "asked again" in evenodds("resume", typed=lines(3), home=home).stderr
    kept = sorted(path.suffix for path in (home / "matches").glob("*.damaged*"))
    assert kept == [".damaged", ".damaged2"]


@pytest.mark.processes
def test_a_pick_is_kept_while_a_computer_thinks(home: Path) -> None:
    game = Terminal("play", "duel", "--vs", "search:600s", home=home)
    game.see("(1-3):")
    game.type(3)
    wait_until(lambda: list((home / "matches").glob("*.txt")))
    game.process.kill(signal.SIGKILL)
    game.end()
    assert kept_picks(home) == [3]


def test_a_match_of_a_game_that_is_not_installed_is_not_called_damaged(home: Path) -> None:
    (home / "matches").mkdir(parents=True)
    (home / "matches" / "2345.txt").write_text('[Game "nim"]\n\n1 *\n')
    for command in (["matches"], ["resume", "2345"], ["show", "2345"], ["review", "2345"]):
        done = evenodds(*command, home=home)
        problem = 'is a match of a game that is not installed: there is no game called "nim"; there'
        assert problem in done.stderr
    (home / "matches" / "2346.txt").write_text('[Game "nim"]\n\n1 *\n')
    assert evenodds("matches", home=home).stderr.startswith("2 matches are of games that are not")


def test_a_hidden_pick_is_not_in_any_listing(home: Path) -> None:
    done = evenodds("play", "duel", typed=lines(1, 1, 3), home=home)
    assert done.returncode == 1
    (secret,) = (home / "matches").glob("*.secret")
    assert secret.stat().st_mode & 0o777 == 0o600
    id = secret.stem
    listed = evenodds("matches", home=home).stdout
    shown = evenodds("show", str(home / "matches" / f"{id}.txt"), home=home).stdout
    assert "open, round 2" in listed
    assert "chose: 3" not in shown
    resumed = evenodds("resume", id, home=home)
    assert "chose" not in resumed.stdout
    assert "Player 2, enter your number" in resumed.stdout
