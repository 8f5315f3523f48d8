"""Play on a real pseudo-terminal: unseen picks, boards, menus, interruptions."""

import re
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from evenodds.system.text import display_width
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as evenodds
from tests.support.waiting import TIMEOUT_S

UNDERDOG = "your available numbers"
NEXT = "or quit? (a/s/o/r/q)"


def colours(text: str) -> list[str]:
    """The colour and style codes in a text."""
    return re.findall(r"\x1b\[([0-9;]*)m", text)


@pytest.mark.processes
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
    game.see("Player 2 chose: 8")
    game.see("]:")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.processes
@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_an_unseen_mistake_names_the_choices_and_never_the_entry(
    flags: list[str], home: Path
) -> None:
    """Whatever was wrong with it."""
    game = Terminal("play", "margin", *flags, home=home)
    for entry in ("99", "2.5", "xyzzy", ""):
        game.see("]:")
        game.type(entry)
        said = game.see("Choose 1 to 5, or ? for help.")
        assert said.split() == ["That", "is", "not", "one", "of", "your", "choices."]
    game.see("]:")
    game.type(4)
    game.see("Player B, select")
    game.see("]:")
    game.type("quit")
    assert game.end() == 0
    assert b"xyzzy" not in game.stream
    assert b"99" not in game.stream


@pytest.mark.processes
def test_what_is_typed_ahead_stays_unseen(home: Path) -> None:
    """Picks typed before their question are taken, and never echoed."""
    game = Terminal("play", "duel", home=home)
    game.see("Player 1, enter your number (1-3):")
    game.type(3, 2, "", 1, 1)
    game.see("Player 1: 10 HP")
    game.see("Press Enter to continue to the next round...")
    said = game.see("Player 1 chose: 1")
    assert re.findall(r"\d", re.sub(r"\(1-3\)|Player \d|Round \d", "", said)) == []
    game.see("Player 1: 9 HP")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_one_person_types_visibly(home: Path) -> None:
    """Against a computer there is nobody to hide from."""
    game = Terminal("play", "underdog", "--vs", "random", "--seed", "1", home=home)
    game.see("]:")
    game.type(7)
    game.see("7")
    game.see("Player 1 chose: 7")
    assert "not shown" not in game.stream.decode()
    game.press("d")
    assert game.end() == 1


@pytest.mark.processes
def test_a_question_is_answered_visibly_and_picks_are_unseen_again(home: Path) -> None:
    """Undo between two people on a terminal."""
    game = Terminal("play", "margin", home=home)
    game.see("Player A, select")
    game.see("]:")
    game.type(5)
    game.see("Player B, select")
    game.see("]:")
    game.type("undo")
    game.see("Player B, do you agree to the undo? (y/n)")
    game.type("y")
    game.see("y")
    game.see("Taken back.")
    game.see("Player A, select your number from [1, 2, 3, 4, 5]:")
    game.type(4)
    assert "4" not in game.see("Player B, select")
    game.see("]:")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.processes
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_the_terminal_shows_again_what_is_typed_however_the_game_ends(
    name: str, home: Path
) -> None:
    """Echo is back, and the exit code says which signal it was."""
    game = Terminal("play", "duel", home=home)
    game.see("(1-3):")
    assert not game.process.getecho()
    number = getattr(signal, name)
    game.process.kill(number)
    assert game.end() == 128 + number


@pytest.mark.processes
def test_echo_is_off_again_after_a_pause(home: Path) -> None:
    """A shell may leave the terminal echoing; coming back puts that right."""
    game = Terminal("play", "duel", home=home)
    game.see("(1-3):")
    game.process.setecho(True)
    game.process.kill(signal.SIGCONT)
    game.process.waitnoecho(timeout=TIMEOUT_S)
    assert not game.process.getecho()
    game.type(2)
    assert "2" not in game.see("Player 2, enter").replace("Player 2", "")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_ctrl_c_keeps_the_match_and_says_how_to_resume(home: Path) -> None:
    """A secret pick is kept too, and is not shown when play goes on."""
    game = Terminal("play", "margin", home=home)
    game.see("]:")
    game.type(4)
    game.see("Player B, select")
    game.see("]:")
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


@pytest.mark.processes
def test_boards_are_drawn_in_colour(home: Path) -> None:
    """The ring marks the last pick and the open neighbours; spent numbers are struck out."""
    game = Terminal("play", "circle", home=home)
    game.see("Select a number:")
    game.type(4)
    board = game.see("Player 2's turn.")
    for mark in ("(4)", "[3]", "[5]", " 7 "):
        assert mark in board
    assert colours(board)
    game.see("number:")
    game.type("quit")
    game.end()

    game = Terminal("play", "underdog", "--vs", "random", "--seed", "1", home=home)
    game.see("]:")
    game.type(7)
    board = game.see("Player 1, enter")
    assert re.search(r"\x1b\[[0-9;]*9m7\x1b\[0m", board), "7 is struck out"
    game.press("c")
    game.end()


@pytest.mark.processes
@pytest.mark.parametrize(
    ("environment", "flags", "has_styles", "has_colours"),
    [
        ({}, [], True, True),
        ({"NO_COLOR": "1"}, [], True, False),
        ({"TERM": "dumb"}, [], False, False),
        ({}, ["--plain"], False, False),
    ],
)
def test_colour_is_left_out_where_it_is_not_wanted(
    environment: dict[str, str],
    flags: list[str],
    has_styles: bool,
    has_colours: bool,
    home: Path,
) -> None:
    """NO_COLOR keeps bold and struck out; a dumb terminal and plain dialog have no codes at all."""
    game = Terminal(
        "play",
        "underdog",
        "--vs",
        "random",
        "--seed",
        "1",
        *flags,
        home=home,
        environment=environment,
    )
    game.see("]:")
    game.type(7)
    game.see("Player 1, enter")
    game.see("]:")
    game.type("board")
    game.see("]:")
    game.press("c")
    game.end()
    codes = colours(game.stream.decode())
    assert bool(codes) == has_styles
    assert any(re.search(r"(^|;)[34][0-7](;|$)", code) for code in codes) == has_colours
    if not has_styles:
        assert b"\x1b" not in game.stream
        assert b" 6 - 8 " in game.stream


@pytest.mark.processes
def test_narrow_terminals_break_lines_between_words(home: Path) -> None:
    """At 60 columns no word is cut and no line runs over."""
    game = Terminal("play", "underdog", "--rule", "numbers=20", home=home, columns=60)
    game.see("]:")
    game.type("?")
    game.see("]:")
    game.type(7)
    game.see("]:")
    game.type(9)
    game.see("Player 1, enter")
    game.see("]:")
    game.press("c")
    game.end()
    assert all(len(line) <= 60 for line in game.scrollback())
    assert b"available\r\nnumbers [1,2,3" in game.stream


@pytest.mark.processes
def test_number_duel_waits_for_enter_between_rounds(home: Path) -> None:
    """As its rule book has it; not after the last round."""
    game = Terminal("play", "duel", "--rule", "hp=3", home=home)
    game.see("(1-3):")
    game.type(1)
    game.see("Player 2, enter")
    game.see("(1-3):")
    game.type(1)
    game.see("Press Enter to continue to the next round...")
    with pytest.raises(pexpect.TIMEOUT):
        game.process.expect_exact("[Round 2]", timeout=0.3)
    game.type("")
    game.see("[Round 2]")
    game.see("(1-3):")
    game.type(3)
    game.see("(1-3):")
    game.type(1)
    said = game.see(NEXT)
    assert "Player 1 wins the game!" in said
    assert "Press Enter" not in said
    game.type("q")
    assert game.end() == 0


@pytest.mark.processes
def test_the_menu_leads_into_a_game(home: Path) -> None:
    """A newcomer's way: a number, Enter, play; then again, swapped, another, enough."""
    game = Terminal("play", "--seed", "1", home=home)
    game.see("1  ")
    game.see("Number Clash: First to Three")
    game.see("Which game? (1-5, ? or quit)")
    game.type("9")
    game.see("Type a number from 1 to 5, the name of a game such as underdog, vs to play")
    game.see("or quit)")
    game.type("3")
    game.see("numbers=10 reach=1 leaps=0; Player 1 begins")
    game.see("type change:")
    game.type("")
    game.see("Select a number:")
    game.type("resign", "y")
    game.see("Player 2 wins the game!")
    game.see("So far: Player 1 won 0, Player 2 won 1.")
    game.see(NEXT)
    game.type("x")
    game.see("Please answer a (again), s (swap), o (other game), r (review) or q (quit).")
    game.type("a")
    game.see("Player 1's turn.")
    game.see("number:")
    game.type("resign", "y")
    game.see("So far: Player 1 won 0, Player 2 won 2.")
    game.see(NEXT)
    game.type("swap")
    game.see("Player 2's turn.")
    game.see("number:")
    game.type("resign", "y")
    game.see("So far: Player 1 won 1, Player 2 won 2.")
    game.see(NEXT)
    game.type("o")
    game.see("Which game?")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.processes
@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_the_menu_offers_open_matches_and_goes_back(flags: list[str], home: Path) -> None:
    """By their IDs; `?` and `back` work at every question, and `vs` before the game."""
    evenodds("play", "duel", "--vs", "high", typed=lines(1), home=home)
    (path,) = (home / "matches").glob("*.txt")
    game = Terminal("play", *flags, home=home, columns=160)
    game.see("Your open matches:")
    game.see(f"{path.stem}  ")
    game.see("or quit)")
    game.type("?")
    game.see("the ID of an open match, vs to play the computer, or quit.")
    game.type("back")
    game.see("there is nothing to go back to.")
    game.type("vs", "Circle")
    game.see("You will play against Level 4.")
    game.see("Player 2 is Level 4")
    game.see("type change:")
    game.type("change")
    game.see("[10]:")
    game.type("?")
    game.see("Enter keeps the one in brackets")
    game.type("12", "back")
    game.see("Nothing is changed.")
    game.see("numbers=10")
    game.see("type change:")
    game.type("back")
    game.see("Which game?")
    game.type(path.stem)
    game.see("Number Duel: Player 1 against Player 2, round 2")
    game.see("(1-3):")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.processes
def test_the_menu_offers_the_computer_at_once(home: Path) -> None:
    """One word seats it, another name replaces it, and a person may come back."""
    game = Terminal("play", "--seed", "1", home=home)
    game.see("for two people, or for you and the computer")
    game.see("or quit)")
    game.type("duel")
    game.see("To play the computer, type vs for level:4")
    game.see("vs for the computer, or type change:")
    game.type("vs")
    game.see("Player 2 is Level 4")
    game.see("type change:")
    game.type("vs nobody")
    game.see("Press Enter to play. Or type vs and an opponent, change")
    game.type("vs person")
    game.see("Two people play.")
    game.see("type change:")
    game.type("high")
    game.see("Player 2 is High")
    game.see("High: Always picks its highest number.")
    game.see("type change:")
    game.type("")
    game.see("Player 2 is the computer, High.")
    game.see("Always picks its highest number.")
    game.see("(1-3):")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_terms_are_changed_one_by_one(home: Path) -> None:
    """Enter keeps what stands; a value that does not fit is asked again."""
    game = Terminal("play", "--seed", "1", home=home, columns=160)
    game.see("or quit)")
    game.type("underdog")
    game.see("type change:")
    game.type("maybe")
    game.see("Press Enter to play. Or type vs and an opponent, change")
    game.type("change")
    game.see("(2 to 20) [10]:")
    game.type(2)
    game.see("(1 to 2 (numbers)) [2]:")
    game.type(3)
    game.see("target=3 is not allowed; allowed: 1 to 2 (numbers).")
    game.type(1)
    game.see("[1]:")
    game.type("")
    game.see("(score or draw) [score]:")
    game.type("draw")
    game.see("[Player 1,Player 2]:")
    game.type("Red")
    game.see("two different names")
    game.type("Red,Blue")
    game.see("Who plays for Red? (person, random, high, copy, perfect")
    game.see("or level:1-8) [person]:")
    game.type("")
    game.see("Who plays for Blue? (person, random, high, copy, perfect")
    game.see("or level:1-8) [person]:")
    game.type("robot")
    game.see("robot is not allowed; allowed: person, random, high, copy, perfect, reader")
    game.type("random")
    game.see("numbers=2 target=1 gap=1 exhausted=draw; Blue is Random")
    game.see("type change:")
    game.type("")
    game.see("Blue is the computer, Random.")
    game.see("Red, enter your chosen number")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_turn_games_ask_who_begins(home: Path) -> None:
    """One, two or a coin; games with loops ask about repetition too."""
    game = Terminal("play", "--seed", "1", home=home, columns=160)
    game.see("or quit)")
    game.type("5", "change", "20", "", "", "", "", "")
    game.see("Who goes first? (1, 2 or coin) [1]:")
    game.type("me")
    game.see("first=me is not allowed; allowed: 1, 2 or coin.")
    game.type("coin")
    game.see("Coin toss: Player")
    game.see("(2 to 9, 0 for never) [3]:")
    game.type("1")
    game.see("repetition=1 is not allowed")
    game.type("2", "", "", "")
    game.see("target=20")
    game.see("type change:")
    game.press("d")
    assert game.end() == 1


@pytest.mark.processes
def test_another_game_after_a_named_one(home: Path) -> None:
    """From `play GAME` the menu is one answer away."""
    game = Terminal("play", "duel", "--rule", "hp=5", "--vs", "random", home=home)
    game.see("(1-3):")
    game.type("resign", "y")
    game.see(NEXT)
    game.type("other")
    game.see("Which game?")
    game.type("4")
    game.see("hp=10")
    game.see("Player 2 is Random")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_the_end_of_input_after_a_match_is_enough(home: Path) -> None:
    """Ctrl-D at the last question is quit."""
    game = Terminal("play", "circle", "--rule", "numbers=1", home=home)
    game.see("number:")
    game.type(1)
    game.see(NEXT)
    game.press("d")
    assert game.end() == 0


@pytest.mark.processes
def test_rules_are_set_on_a_terminal(home: Path) -> None:
    """The page without the marks of its file."""
    game = Terminal("rules", "duel", home=home, columns=60, environment={"PAGER": "cat"})
    assert game.end() == 0
    text = "\n".join(game.scrollback())
    assert "Number Duel" in text
    assert "## " not in text
    assert all(len(line) <= 60 for line in game.scrollback())


@pytest.mark.processes
def test_long_rules_go_through_the_pager(home: Path) -> None:
    """The one that the user has chosen, since the page is longer than the screen."""
    shown = Terminal(
        "rules", "factors", home=home, columns=60, environment={"PAGER": "sed 's/^/paged: /'"}
    )
    assert shown.end() == 0
    assert all(line.startswith(b"paged: ") for line in shown.stream.splitlines())


@pytest.mark.processes
def test_resigning_is_asked_once(home: Path) -> None:
    """No goes on with the match, yes ends it."""
    game = Terminal("play", "circle", home=home)
    game.see("Select a number:")
    game.type("resign")
    game.see("Do you want to resign and lose this match? (y/n)")
    game.type("n")
    game.see("You did not resign. The match goes on.")
    game.see("Select a number:")
    game.type("resign")
    game.see("(y/n)")
    game.type("y")
    game.see("Player 2 wins the game!")
    game.see(NEXT)
    game.type("q")
    assert game.end() == 0


def test_a_hidden_pick_is_not_in_any_listing(home: Path) -> None:
    """`matches`, `show` and `resume` say nothing of it."""
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


@pytest.mark.processes
def test_commands_work_where_the_rule_book_waits_for_enter(home: Path) -> None:
    """`board` and `?` are answered, Enter goes on, `quit` leaves."""
    game = Terminal("play", "duel", "--vs", "random", "--seed", "1", home=home)
    game.see("(1-3):")
    game.type(1)
    game.see("Press Enter to continue")
    game.type("history")
    game.see("1. Player 1 chose 1")
    game.see("Press Enter to continue")
    game.type("?")
    game.see("The higher number strikes")
    game.see("Press Enter to continue")
    game.type("undo")
    game.see("Taken back.")
    game.see("[Round 1]")
    game.see("(1-3):")
    game.type(1)
    game.see("Press Enter to continue")
    game.type("quit")
    game.see("The match is saved.")
    assert game.end() == 0


@pytest.mark.processes
def test_the_company_stays_together_for_another_game(home: Path) -> None:
    """Names, computers and the tally go with the people, whatever a game calls its players."""
    game = Terminal("play", "circle", "--vs", "random", "--seed", "1", home=home)
    game.see("number:")
    game.type("resign", "y")
    game.see("So far: you won 0, Random won 1.")
    game.type("other game")
    game.see("Which game?")
    game.type("margin")
    game.see("Player B is Random")
    game.type("rules")
    game.see("Number Clash: Five Rounds")
    game.see("type change:")
    game.type("")
    game.see("]:")
    game.type("resign", "y")
    game.see("So far: you won 0, Random won 2.")
    game.type("swap seats")
    game.see("Player A is the computer, Random.")
    game.see("Player B, select")
    game.see("]:")
    game.type("resign", "y")
    game.see("So far: Random won 3, you won 0.")
    game.press("d")
    assert game.end() == 0


@pytest.mark.processes
def test_lists_fit_a_narrow_terminal(home: Path) -> None:
    """At 60 columns, with names as wide as they may be."""
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
            assert display_width(bare) <= 60, bare


@pytest.mark.processes
def test_a_prompt_is_repeated_after_a_pause(home: Path) -> None:
    """Coming back from the shell one sees what is asked."""
    game = Terminal("play", "circle", home=home)
    game.see("Select a number:")
    game.process.kill(signal.SIGCONT)
    game.see("Select a number:")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.processes
def test_a_prompt_is_repeated_wherever_something_is_asked(home: Path) -> None:
    """In the menu, too, and after a match."""
    game = Terminal("play", home=home)
    for question, answer in (("or quit)", "circle"), ("type change:", "")):
        game.see(question)
        game.process.kill(signal.SIGCONT)
        game.see(question)
        game.type(answer)
    game.see("Select a number:")
    game.type("resign", "y")
    game.see(NEXT)
    game.process.kill(signal.SIGCONT)
    game.see(NEXT)
    game.type("q")
    assert game.end() == 0


@pytest.mark.processes
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


@pytest.mark.processes
def test_after_a_resumed_match_there_is_a_review_and_another_game(home: Path) -> None:
    """As after one that was played at a sitting."""
    evenodds("play", "margin", "--names", "Ann,Bob", typed=lines(5), home=home)
    game = Terminal("resume", home=home)
    game.see("round 1")
    for number in (1, 4, 2, 3, 3, 2, 4, 1, 5):
        game.see("]:")
        game.type(number)
    game.see("So far: ")
    game.see("(a/s/o/r/q)")
    game.type("r")
    game.see("To learn from:")
    game.see("(a/s/o/r/q)")
    game.type("o")
    game.see("or quit)")
    game.type("duel")
    game.see("type change:")
    game.type("")
    game.see("Ann")
    game.press("c")
    assert game.end() == 130


@pytest.mark.processes
def test_the_menu_says_what_the_rules_decide_and_offers_a_lively_variant(home: Path) -> None:
    """One word changes the rulings, and then nothing is decided."""
    game = Terminal("play", home=home)
    game.see("or quit)")
    game.type("circle")
    game.see("The rules decide this match: Player 2 wins, whatever you pick.")
    game.see("Your picks matter with leaps=1.")
    game.see("type change:")
    game.type("lively")
    game.see("numbers=10 reach=1 leaps=1; Player 1 begins")
    game.see("type change:")
    game.type("quit")
    assert game.end() == 0
