"""Training: puzzles that the exact table bears out, and progress that lasts."""

import json
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import PASS
from evenodds.engine.solution import payoff_rows
from tests.support import coaching
from tests.support.coaching import TrainingProgress, TrainingProgressFile
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as command
from tests.support.game_data import WITH_DATA, data_of


@pytest.mark.long
@pytest.mark.parametrize("game", WITH_DATA, ids=str)
def test_a_puzzle_has_one_answer(game: Any) -> None:
    solution = evenodds.solve(evenodds.game(game, data_of(game).small))
    puzzles = coaching.find_puzzles(solution, Random(1), frozenset())
    assert puzzles
    for puzzle in puzzles:
        other = 1 - puzzle.seat
        mix = solution.punishing_mix(puzzle.state, other) or {PASS: 1.0}
        if puzzle.known_reply:
            mix = {puzzle.known_reply: 1.0}
        replies = solution.game.picks(puzzle.state, other)
        worths = {
            own: sum(mix.get(reply, 0.0) * one for reply, one in zip(replies, row, strict=True))
            for own, row in payoff_rows(solution.matrix(puzzle.state), puzzle.seat).items()
        }
        best = max(worths.values())
        bad = [number for number, worth in worths.items() if worth < best - 0.2]
        good = [number for number, worth in worths.items() if worth > best - 1e-8]
        assert len(bad) + len(good) == len(worths)
        assert [puzzle.answer] == (bad if puzzle.is_trap else good)
        state = solution.start
        for picks in puzzle.history:
            state = solution.game.step(state, picks)
        assert state == puzzle.state


@pytest.mark.long
def test_harder_puzzles_for_stronger_players() -> None:
    solution = evenodds.solve(evenodds.game("factors", target=12))
    puzzles = coaching.find_puzzles(solution, Random(1), frozenset())
    hard = coaching.nearest_puzzle(puzzles, 100)
    easy = coaching.nearest_puzzle(puzzles, -100)
    assert hard.difficulty == max(puzzle.difficulty for puzzle in puzzles)
    assert easy.difficulty == min(puzzle.difficulty for puzzle in puzzles)
    other, stake = hard._replace(answer=99, difficulty=0.0), hard._replace(known_reply=99)
    for offered in ([other, stake, hard], [stake, hard], [hard]):
        assert coaching.nearest_puzzle(offered[::-1], 100, last=hard) is offered[0]
    start = TrainingProgress()
    assert start.after("a", 1.0, True).strength > start.strength
    assert start.after("a", 1.0, False).strength < start.strength
    assert start.after("a", 9.0, True).strength > start.after("a", -9.0, True).strength


def test_a_streak_ends_with_a_mistake_and_the_longest_is_remembered() -> None:
    progress = TrainingProgress()
    for number, right in enumerate([True, True, False, True]):
        progress = progress.after(str(number), 1.0, right)
    assert (progress.tried, progress.solved, progress.streak, progress.best) == (4, 3, 1, 2)
    for number in range(400):
        progress = progress.after(str(number), 1.0, True)
    assert progress.seen == tuple(map(str, range(200, 400)))


@pytest.mark.long
@pytest.mark.parametrize("typed", ["circle numbers=8", "underdog numbers=2 target=2"])
def test_games_without_puzzles_say_so(typed: str, home: Path) -> None:
    done = command("train", *typed.split(), home=home)
    assert done.returncode == 1
    assert "has no puzzles with these rulings" in done.stderr
    assert done.stderr.endswith("Try --rule leaps=1.\n") == ("circle" in typed)
    assert done.stderr.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("game", WITH_DATA, ids=str)
def test_a_puzzle_with_the_seats_exchanged_is_the_same(game: Any) -> None:
    solution = evenodds.solve(evenodds.game(game, data_of(game).small))
    mirror = solution.game.mirror
    found = coaching.all_puzzles(solution)
    assert found
    for puzzle in found[:20]:
        against = f" against {puzzle.known_reply}" if puzzle.known_reply else ""
        own = f"{puzzle.seat}{tuple(puzzle.state[1:])}{against}"
        reply = puzzle.known_reply
        again = coaching.puzzle_at(solution, puzzle.state, puzzle.seat, known_reply=reply)
        assert again == puzzle
        assert own in puzzle.keys
        if mirror is None:
            assert puzzle.keys == (own,)
            continue
        image = coaching.puzzle_at(
            solution, mirror(puzzle.state), 1 - puzzle.seat, known_reply=reply
        )
        assert image is not None
        assert image.keys == puzzle.keys
        assert image.answer == puzzle.answer
        assert sum(one.keys == puzzle.keys for one in found) == 1
    seen = frozenset(puzzle.keys[-1] for puzzle in found)
    assert coaching.find_puzzles(solution, Random(1), seen) == []


@pytest.mark.processes
def test_training_on_a_terminal(home: Path) -> None:
    training = Terminal("train", "duel", "hp=10", "--seed", "1", home=home)
    training.talk(
        "Puzzles from Number Duel. Type a number",
        "Which one? [1, 2, 3]: > board",
        "of 10",
        "Which one? [1, 2, 3]: > ?",
        "Type a number, or board, rules or quit. > 7",
        "Please pick 1, 2 or 3, or type quit. > 3",
        "Right: 3.",
        "Your opponent picks 2. One number is a mistake, all others are fine. > 3",
        "No, 3 is fine. 1 is the mistake. Against 2, 1 loses 2 HP. (Cost: 50%)",
        "Against 2, 2 scores 100%, 3 scores 100% and 1 scores 50%. > quit",
        "You have solved 1 of 2 puzzles.",
    )
    assert training.end() == 0


@pytest.mark.processes
@pytest.mark.parametrize(("key", "code"), [("c", 130), ("d", 0)])
def test_leaving_with_a_key_says_how_it_stands(key: str, code: int, home: Path) -> None:
    training = Terminal("train", "duel", "hp=10", "--seed", "1", home=home, columns=40)
    training.talk("[1, 2, 3]: > 3", "Right: 3.", "[1, 2, 3]:")
    training.press(key)
    training.see("You have solved 1 of 1 puzzle.")
    assert training.end() == code
    shown = training.scrollback()
    assert sum(line.endswith(" of 10") for line in shown) == 4
    assert max(map(len, shown)) < 40


@pytest.mark.processes
def test_a_streak_survives_being_killed(home: Path) -> None:
    training = Terminal("train", "duel", "hp=10", "--seed", "1", home=home)
    for streak, answer in enumerate((3, 1), 1):
        training.see("[1, 2, 3]:")
        training.type(answer)
        training.see(f"Right: {answer}")
        assert TrainingProgressFile("duel").progress("").streak == streak
    training.process.kill(signal.SIGKILL)
    training.end()
    again = command("train", "duel", "hp=10", typed=lines("quit"), home=home)
    assert "You have solved 2 of 2 puzzles. Your longest streak is 2." in again.stdout


def test_rulings_have_their_own_progress(home: Path) -> None:
    command("train", "duel", "--rule", "hp=9", "--seed", "1", typed=lines(3), home=home)
    assert TrainingProgressFile("duel").progress("hp=9").tried == 1
    assert TrainingProgressFile("duel").progress("").tried == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "[" * 10_000, '{"": 3}', '{"": {"x": 1, "best": 2}}'),
        *('{"": {"tried": -1}}', '{"": {"tried": true}}', '{"": {"seen": [true]}}'),
    ],
)
def test_damaged_progress_is_set_aside(text: str, home: Path) -> None:
    (home / "training").mkdir(parents=True)
    (home / "training" / "duel.json").write_text(text)
    done = command("train", "duel", "hp=10", "--seed", "1", typed=lines(3, "quit"), home=home)
    assert done.returncode == 0
    told = "is damaged: nothing in it is used" if text[:2] != '{"' else 'duel.json: "".'
    assert done.stdout.count(told) == 1
    assert (home / "training" / "duel.json.damaged").read_text() == text
    assert json.loads((home / "training" / "duel.json").read_text())[""]["tried"] == 1


def test_an_entry_of_progress_that_is_not_understood_is_told_once_and_stays(home: Path) -> None:
    (home / "training").mkdir(parents=True)
    file = home / "training" / "duel.json"
    file.write_text('{"": {"tried": 4, "solved": 2, "mood": 1}, "hp=9": 3}')
    done = command("train", "duel", "hp=10", "--seed", "1", typed=lines(3, 3, "quit"), home=home)
    assert done.stdout.count(f'Not understood in {file}: ".mood", "hp=9".') == 1
    assert done.stdout.count("Not understood") == 1
    kept = json.loads(file.read_text())
    assert (kept[""]["tried"], kept[""]["mood"], kept["hp=9"]) == (6, 1, 3)
    assert [each.name for each in file.parent.iterdir()] == ["duel.json"]


def test_training_goes_on_where_progress_cannot_be_kept(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "training").write_text("a file where a folder should be")
    done = command("train", "duel", "hp=10", "--seed", "1", typed=lines(3, 3), home=home)
    assert done.returncode == 0
    assert done.stdout.count("Your progress cannot be kept: ") == 2
    assert "Traceback" not in done.stderr


def test_two_windows_count_together() -> None:
    one, two = TrainingProgressFile("duel"), TrainingProgressFile("duel")
    one.enter("", "a", 1.0, True)
    two.enter("", "b", 1.0, True)
    two.enter("hp=8", "c", 1.0, True)
    one.enter("", "d", 1.0, False)
    kept = TrainingProgressFile("duel")
    assert kept.progress("").tried == 3
    assert kept.progress("").best == 2
    assert kept.progress("hp=8").tried == 1
