"""Play on a real pseudo-terminal: unseen picks, boards, menus, interruptions."""

import re
import signal
import sys
from pathlib import Path
from unicodedata import east_asian_width

import pexpect
import pytest

from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as evenodds
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.processes

UNDERDOG = "your available numbers"
OR_VS = "or type vs for the computer:"


def test_two_people_pick_unseen(home: Path) -> None:
    """Neither pick is on the screen or in the scrollback before the reveal."""
    game = Terminal("play", "underdog", home=home)
    for number in (7, 8):
        game.see(UNDERDOG)
        game.see("]:")
        game.type(number)
    before = game.see("Player 1 chose: 7")
    assert before.replace("\r\n", "").strip() == ""
    shown = "\n".join(game.scrollback()).split("Player 1 chose")[0]
    without_hands = re.sub(r"\[[0-9,]+\]|( *\d+)+$", "", shown, flags=re.M)
    assert "7" not in without_hands
    assert "8" not in without_hands
    game.talk("Player 2 chose: 8", "]: > quit")
    assert game.end() == 0


@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_an_unseen_mistake_names_the_choices_and_never_the_entry(
    flags: list[str], home: Path
) -> None:
    game = Terminal("play", "margin", *flags, home=home)
    for entry in ("99", "2.5", "xyzzy", ""):
        game.see("]:")
        game.type(entry)
        said = game.see("Choose 1 to 5, or ? for help.")
        assert said.split() == ["That", "is", "not", "one", "of", "your", "choices."]
    game.talk("]: > 4", "Player B, select", "]: > quit")
    assert game.end() == 0
    assert b"xyzzy" not in game.stream
    assert b"99" not in game.stream


def test_what_is_typed_ahead_stays_unseen(home: Path) -> None:
    game = Terminal("play", "duel", home=home)
    game.talk(
        "Player 1, enter your number (1-3): > 3 > 2 >  > 1 > 1",
        "Player 1: 10 HP",
        "Press Enter to continue to the next round...",
    )
    said = game.see("Player 1 chose: 1")
    assert re.findall(r"\d", re.sub(r"\(1-3\)|Player \d|Round \d", "", said)) == []
    game.see("Player 1: 9 HP")
    game.press("c")
    assert game.end() == 130


def test_one_person_types_visibly(home: Path) -> None:
    game = Terminal("play", "underdog", "--vs", "random", "--seed", "1", home=home)
    game.talk("]: > 7", "7", "Player 1 chose: 7")
    assert b"\x1b" not in game.stream  # neither colours nor boards
    game.press("d")
    assert game.end() == 1


def test_a_question_is_answered_visibly_and_picks_are_unseen_again(home: Path) -> None:
    game = Terminal("play", "margin", home=home)
    game.talk("Player A, select", "]: > 5", "Player B, select", "]: > undo")
    game.talk("Player B, do you agree to the undo? (y/n) > y", "y", "Taken back.")
    game.talk("Player A, select your number from [1, 2, 3, 4, 5]: > 4")
    assert "4" not in game.see("Player B, select")
    game.talk("]: > quit")
    assert game.end() == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_the_terminal_shows_again_what_is_typed_however_the_game_ends(
    name: str, home: Path
) -> None:
    game = Terminal("play", "duel", home=home)
    game.see("(1-3):")
    assert not game.process.getecho()
    number = getattr(signal, name)
    wait_until(game.waits)  # as in `Terminal.wake`
    game.process.kill(number)
    assert game.end() == 128 + number


def test_echo_is_off_again_after_a_pause(home: Path) -> None:
    """A shell may leave the terminal echoing; coming back puts that right."""
    game = Terminal("play", "duel", home=home)
    game.see("(1-3):")
    game.process.setecho(True)
    game.wake()
    game.process.waitnoecho(timeout=TIMEOUT_S)
    assert not game.process.getecho()
    game.type(2)
    assert "2" not in game.see("Player 2, enter").replace("Player 2", "")
    game.press("c")
    assert game.end() == 130


def test_ctrl_c_keeps_the_match_and_says_how_to_resume(home: Path) -> None:
    game = Terminal("play", "margin", home=home)
    game.talk("]: > 4", "Player B, select", "]:")
    game.press("c")
    game.see("The match is saved. Resume it with: evenodds resume ")
    assert game.end() == 130

    again = Terminal("resume", home=home)
    again.see("Number Clash: Five Rounds: Player A against Player B, round 1.")
    again.see("Your typing is hidden")
    said = again.see("Player B, select your number from [1, 2, 3, 4, 5]:")
    assert "Player A, select" not in said
    again.type(1)
    again.see("Player A plays 4.")
    again.press("c")
    assert again.end() == 130


def test_narrow_terminals_break_lines_between_words(home: Path) -> None:
    game = Terminal("play", "underdog", "--rule", "numbers=20", home=home, columns=60)
    game.talk("]: > ?", "]: > 7", "]: > 9", "Player 1, enter", "]:")
    game.press("c")
    game.end()
    assert all(len(line) <= 60 for line in game.scrollback())
    assert b"available\r\nnumbers [1,2,3" in game.stream


def test_number_duel_waits_for_enter_between_rounds(home: Path) -> None:
    game = Terminal("play", "duel", "--rule", "hp=3", home=home)
    game.talk(
        "(1-3): > 1",
        "Player 2, enter",
        "(1-3): > 1",
        "Press Enter to continue to the next round...",
    )
    wait_until(game.waits)
    with pytest.raises(pexpect.TIMEOUT):
        game.process.expect_exact("[Round 2]", timeout=0)
    game.type("")
    game.talk("[Round 2]", "(1-3): > 3", "(1-3): > 1")
    said = game.see("Player 1 wins the game!")
    assert "Press Enter" not in said
    game.talk("Another match? (y/n) > ")
    assert game.end() == 0


@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_the_menu_offers_open_matches_and_goes_back(flags: list[str], home: Path) -> None:
    """By their IDs; `?` and `back` work everywhere, and what the rules decide is said."""
    evenodds("play", "duel", "--vs", "high", typed=lines(1), home=home)
    (path,) = (home / "matches").glob("*.txt")
    game = Terminal("play", *flags, home=home, columns=160)
    game.talk(
        "Your open matches:",
        f"{path.stem}  ",
        "or quit) > ?",
        "the ID of an open match, vs to play the computer, or both > back",
        "there is nothing to go back to. > vs > Circle",
        "You will play against Level 4.",
        "Player 2 is Level 4",
        "With the original rules the player who goes second always wins",
        "To make your picks matter, type lively",
        f"{OR_VS} > ?",
        "--rule NAME=VALUE > rules",
        "Number Circle Duel",
        f"{OR_VS} > lively",
        "With leaps=1; Player 1 begins",
        f"{OR_VS} > back",
        f"Which game? > {path.stem}",
        "Number Duel: Player 1 against Player 2, round 2",
        "(1-3): > quit",
    )
    assert game.end() == 0


def test_the_menu_offers_the_computer_at_once(home: Path) -> None:
    """One word seats it, another name replaces it, and a person may come back."""
    game = Terminal("play", "--seed", "1", home=home)
    game.talk(
        "for two people, or for you and the computer",
        "or quit) > duel",
        "To play the computer, type vs (Level 4)",
        f"{OR_VS} > vs",
        "Player 2 is Level 4",
        f"{OR_VS} > vs nobody",
        'There is no opponent called "nobody". Opponents: random,',
        f"{OR_VS} > nobody",
        "Press Enter to play. Or type vs and an opponent, rules > vs person",
        "Two people play.",
        f"{OR_VS} > high",
        "Player 2 is High",
        "High: Always picks its highest number.",
        f"{OR_VS} > ",
        "Player 2 is the computer (high).",
        "(1-3):",
    )
    game.press("c")
    assert game.end() == 130


def test_the_menu_takes_a_game_and_an_opponent_in_one_line(home: Path) -> None:
    """By number or name; of a line that is refused nothing is kept, and the question stays."""
    game = Terminal("play", home=home)
    game.talk(
        "or quit) > 5 vs nobody",
        'There is no opponent called "nobody". Opponents: random,',
        "or quit) > chess vs level:2",
        "Or type quit.",
        "or quit) > 5",
    )
    assert "Level 2" not in game.see(OR_VS)
    game.type("back")
    game.talk("or quit) > 5 vs Level 2", "Player 2 is Level 2", f"{OR_VS} > back")
    game.talk("or quit) > duel vs", "Player 2 is Level 4", f"{OR_VS} > quit")
    assert game.end() == 0


def test_resigning_is_asked_once(home: Path) -> None:
    game = Terminal("play", "circle", home=home)
    game.talk(
        "Select a number: > resign",
        "Do you want to resign and lose this match? (y/n) > n",
        "You did not resign. The match goes on.",
        "Select a number: > resign",
        "(y/n) > y",
        "Player 2 wins the game!",
        "Another match? (y/n) > n",
    )
    assert game.end() == 0


def test_another_match_begins_with_the_other_player(home: Path) -> None:
    """From the second match on it is told who has won how many; Ctrl-C at the end is no fault."""
    game = Terminal("play", "circle", "numbers=1", home=home)
    game.talk(
        "Player 1's turn.",
        "Select a number: > 1",
        "Player 1 wins the game!",
        "Another match? (y/n) > y",
        "Rematch: Player 2 goes first.",
        "Select a number: > 1",
        "Player 2 wins the game!",
        "Matches won: Player 1 1, Player 2 1.",
        "Another match? (y/n)",
    )
    game.press("c")
    assert game.end() == 0
    assert len(list((home / "matches").glob("*.txt"))) == 2


def test_commands_work_where_the_rule_book_waits_for_enter(home: Path) -> None:
    game = Terminal("play", "duel", "--vs", "random", "--seed", "1", home=home)
    pause = "Press Enter to continue"
    game.talk("(1-3): > 1", f"{pause} > history", "1. Player 1 chose 1", f"{pause} > ?")
    game.talk("The higher number strikes", f"{pause} > undo", "Taken back.", "[Round 1]")
    game.talk("(1-3): > 1", f"{pause} > quit", "The match is saved.")
    assert game.end() == 0


def test_lists_fit_a_narrow_terminal(home: Path) -> None:
    names = "猫" * 10 + "," + "W" * 20
    evenodds("play", "factors", "--names", names, typed=lines(1, 2), home=home)
    evenodds("play", "circle", "--names", names, typed=lines(1), home=home)
    for arguments in (["matches"], ["games"], ["resume", "--plain"]):
        shown = Terminal(*arguments, home=home, columns=60)
        if arguments[0] == "resume":
            shown.see("Select a number")
            shown.press("c")
        shown.end()
        for line in shown.stream.decode().splitlines():
            bare = re.sub(r"\x1b\[[0-9;]*m", "", line)
            width = sum(2 if east_asian_width(sign) == "W" else 1 for sign in bare)
            assert width <= 60, bare


def test_a_prompt_is_repeated_wherever_something_is_asked(home: Path) -> None:
    game = Terminal("play", home=home)
    for question, answer in (("or quit)", "circle"), (OR_VS, "")):
        game.see(question)
        game.wake()
        game.see(question)
        game.type(answer)
    game.see("Select a number:")
    game.type("quit")
    assert game.end() == 0


def test_nothing_is_repeated_where_nothing_is_asked(home: Path, tmp_path: Path) -> None:
    """A pause while the computer thinks: here a program that wakes the game, and then answers."""
    program = tmp_path / "waking.py"
    program.write_text(
        "import json, os, signal, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['type'] == 'view':\n"
        "        os.kill(os.getppid(), signal.SIGCONT)\n"
        "        print(json.dumps({'type': 'pick', 'number': asked['legal'][0]}), flush=True)\n"
    )
    game = Terminal("play", "duel", "--vs", f"cmd:{sys.executable} {program}", home=home)
    game.see("(1-3):")
    game.type(2)
    assert "(1-3):" not in game.see("ress Enter")
    game.type("quit")
    assert game.end() == 0
