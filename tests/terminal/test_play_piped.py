"""Play with input from a pipe: one pick a line, the same dialog, and nothing that waits."""

from pathlib import Path

import pytest

from evenodds import notation
from evenodds.render.narration import describe_ending
from tests.support.commands import evenodds_here as evenodds
from tests.support.commands import kept_match, lines, sentences

RING = (4, 5, 6, 7, 8, 9, 10, 1, 2, 3)

BAD = [
    *("", "   ", "four", "0", "-3", "3.5", "1e1", "+4", "４", "٤", "9" * 10_000, "11", "4 5"),
    *("\x1b[A", "\x00", "\x07\x08", "½", "None", "--help"),
]


def test_a_bad_entry_gets_one_line_and_the_question_again(home: Path) -> None:
    """It is never a pick, and the match goes on as if it had not been typed."""
    good = evenodds("play", "circle", typed=lines(*RING), home=home)
    typed = lines(*BAD).encode() + b"\xff\xfe\n" + lines(*RING).encode()
    done = evenodds("play", "circle", typed=typed, home=home)
    said, usual = sentences(done.stdout), sentences(good.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    last = 2 + 2 * (len(BAD) + 1)
    for question, answer in zip(said[2:last:2], said[3:last:2], strict=True):
        assert question.startswith("Select a number:")
        assert answer.endswith(" Choose 1 to 10, or ? for help.")
        assert len(answer) < 160
    assert "is not a number you can choose" in said[last - 1]
    assert said[last:] == usual[2:]
    assert done.stdout.replace("\n", "").isprintable()


def test_a_spent_number_is_named_with_the_reason(home: Path) -> None:
    done = evenodds("play", "margin", typed=lines(3, 2, 3, "quit"), home=home)
    assert (
        "3 has already been played; each number can be used only once. "
        "Choose 1, 2, 4 or 5, or ? for help." in done.stdout
    )


def test_input_that_ends_leaves_a_match_and_says_how_to_resume(home: Path) -> None:
    done = evenodds("play", "circle", typed=lines(4, 5), home=home)
    assert done.returncode == 1
    last = sentences(done.stdout)[-1]
    assert last.startswith("The match is saved. Resume it with: evenodds resume ")

    resumed = evenodds("resume", last.split()[-1], typed=lines(*RING[2:]), home=home)
    assert resumed.returncode == 0
    assert sentences(resumed.stdout)[-1] == "Player 2 wins the game!"


def test_no_input_at_all_leaves_no_match(home: Path) -> None:
    for typed, code in (("", 1), ("QUIT\n", 0)):
        done = evenodds("play", "underdog", typed=typed, home=home)
        assert done.returncode == code
        assert sentences(done.stdout)[-1] == "Nothing was played, so nothing is saved."
    assert not list((home / "matches").glob("*"))


def test_a_line_without_its_end_counts_and_what_follows_the_match_is_not_read(home: Path) -> None:
    for typed in ("\n".join(map(str, RING)), lines(*RING, 7, "quit")):
        done = evenodds("play", "circle", typed=typed, home=home)
        assert done.returncode == 0
        assert sentences(done.stdout)[-1] == "Player 2 wins the game!"


def test_resign_gives_the_match_to_the_other(home: Path) -> None:
    record = home.parent / "record.txt"
    done = evenodds(
        "play", "duel", "--record", str(record), typed=lines(2, 3, 1, "resign"), home=home
    )
    assert done.returncode == 0
    assert sentences(done.stdout)[-2:] == ["Player 2 resigns.", "Player 1 wins the game!"]
    match = notation.parse(record.read_text())
    assert match.history == ((2, 3),)
    assert match.result is not None
    assert match.result.reason == "resigned"


def test_undo_asks_the_other_player(home: Path) -> None:
    """The answer is the next line; n changes nothing, y drops the last turn."""
    typed = lines(4, 5, "undo", "maybe", "n", "undo", "y", 3, "quit")
    done = evenodds("play", "circle", typed=typed, home=home)
    said = sentences(done.stdout)
    question = "Player 1, do you agree to the undo? (y/n)"
    assert [line for line in said if line.startswith(question)] == [
        f"{question} maybe",
        f"{question} n",
        f"{question} y",
    ]
    assert "Please answer y or n." in said
    assert said.index("Nothing is undone.") < said.index("Taken back.")
    assert said[-4:-1] == [
        "Last number selected: 3",
        "Available adjacent numbers: 2",
        "Select a number: quit",
    ]


def test_undo_drops_a_pending_pick_first(home: Path) -> None:
    record = home.parent / "record.txt"
    typed = lines(2, 3, 1, "undo", "y", 3, 3, "quit")
    done = evenodds("play", "duel", "--record", str(record), typed=typed, home=home)
    assert done.returncode == 0
    match = notation.parse(record.read_text())
    assert match.history == ((2, 3), (3, 3))
    assert match.taken_back


NOBODY, AGREE = "There is nothing to undo.", "do you agree to the undo? (y/n)"
VS = ("--vs", "random", "--seed", "1")


@pytest.mark.parametrize(
    ("words", "typed", "said", "unsaid"),
    [
        (("circle",), "undo quit", (NOBODY,), ()),
        (("circle", *VS, "--seat", "2"), "undo quit", (NOBODY,), ()),
        # Its reply is dropped with the pick it answered; it draws afresh.
        (("circle", *VS), "4 undo 7 history quit", ("1. Player 1 chose 7", "2. Player"), (AGREE,)),
        (("duel", *VS), "2 undo 3 history quit", ("1. Player 1 chose 3, Player 2 chose",), ()),
        # The other player is asked: of a turn, of a pending pick, of a whole round.
        (("circle",), "4 undo", (f"Player 2, {AGREE}",), ()),
        (("duel",), "1 undo", (f"Player 2, {AGREE}",), ()),
        (("duel",), "1 2 undo", (f"Player 2, {AGREE}",), ()),
        # Commands work at that question.
        (
            ("circle",),
            "4 5 undo history undo quit",
            ("1. Player 1 chose 4", "Please answer y or n."),
            (),
        ),
        (
            ("circle",),
            "4 5 undo resign",
            ("Player 1 resigns.\nPlayer 2 wins the game!",),
            ("Nothing is undone.",),
        ),
    ],
)
def test_undo_is_asked_for_and_answered(
    words: tuple[str, ...], typed: str, said: tuple[str, ...], unsaid: tuple[str, ...], home: Path
) -> None:
    done = evenodds("play", *words, typed=lines(*typed.split()), home=home)
    told = "\n".join(sentences(done.stdout))
    assert done.returncode == 0 or not typed.endswith("quit")
    assert all(each in told for each in said)
    assert not any(each in told for each in unsaid)


def test_help_and_the_other_commands_at_the_prompt(home: Path) -> None:
    """`?` explains, `rules` shows the page, `board` the board, `history` the rounds."""
    typed = lines("history", 7, 8, "?", "help", "rules", "board", "history", "quit")
    done = evenodds("play", "underdog", typed=typed, home=home)
    assert "Nothing has been played yet." in done.stdout
    assert done.stdout.count("unless the lower is exactly 1 less: then the lower wins") == 2
    assert "You can choose 1, 2, 3, 4, 5, 6, 8, 9 or 10." in done.stdout
    for word in ("rules", "board", "history", "hint", "undo", "resign", "quit"):
        assert f"{word} (" in done.stdout
    assert "# Number Clash: First to Three" in done.stdout
    assert "  1 2 3 4 5 6 - 8 9 10\n" in done.stdout
    assert "1. Player 1 chose 7, Player 2 chose 8" in done.stdout


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("circle", ["?"], "Claim any number to begin."),
        ("circle", [4, "?"], "Claim a free number next to 4 on the circle."),
        ("duel", ["?"], "The higher number strikes"),
        ("factors", ["?"], "Nothing is subtracted this turn."),
        ("factors", [6, 3, "?"], "A multiple of 3 takes 3 from your opponent"),
        ("margin", ["?"], "gains the difference in points"),
    ],
)
def test_every_game_explains_its_choices(
    name: str, typed: list[object], sentence: str, home: Path
) -> None:
    assert sentence in evenodds("play", name, typed=lines(*typed), home=home).stdout


DIALOGS = """
circle numbers=3 --first 2 > 1 2 3
Player 2's turn.
Player 1 has no valid move.
Player 2 wins the game!

duel hp=1 > 2 2
Player 1: 0 HP
Game Over!
Both players have fallen in the same round.
The game is a draw!

duel hp=3 > 2 1 3 3
Both players have fallen in the same round.
Player 1 would stand higher, 0 to -2.

factors target=9 finish=round > 9 9 1
Player 1 has reached the target score.
Player 2 has the last turn of the round.
Both players have reached the target score.
The scores are equal: play goes on until one player is ahead.
Scores -> Player 1: 10, Player 2: 8
Player 1 has the higher score and wins the game!

factors target=8 finish=round > 8 9
Both players have reached the target score.
Player 2 has the higher score and wins the game!

factors target=9 finish=round > 3 2 9 3 1 1
Player 1 has reached the target score and wins the game!

factors same=twice > 5 6 6
6 is a multiple of Player 2's last number (6).
Subtracting 6 from Player 2's score.
6 is a factor of Player 2's last number (6).
Subtracting 6 from Player 2's score.
Scores -> Player 1: 11, Player 2: 0

factors > 5 6 6
6 is a multiple of Player 2's last number (6).
Subtracting 6 from Player 2's score.
Scores -> Player 1: 11, Player 2: 0

factors opening=live > 6 3
3 is a factor of Player 1's last number (6).
Scores -> Player 1: 3, Player 2: 3

factors numbers=1 opening=live --repetition 2 > 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
The same position has come up twice. The game is a draw.

factors numbers=1 opening=live --repetition 0 > 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
Select a number (1-1):

margin numbers=2 > 1 1 2 2
The round is a tie!
No points are awarded.
Points, rounds won and the last round are all equal. The game is a draw!

margin numbers=2 > 2 1 1 2
Player A: 1 point
Player B won the last round and is the winner!

margin numbers=3 last_round=decisive > 1 2 2 1 3 3
Player A won the last decided round and is the winner!
Congratulations, Player A!

underdog numbers=2 target=2 > 1 1 2 2
Round Result: Neither player wins the round!
All numbers have been used. The game is a draw!
Thank you for playing Number Clash.

underdog numbers=3 > 1 1 2 3 3 2
All numbers have been used. The game is a draw!

underdog numbers=4 > 1 4 4 3 2 1 3 2
Player 2 has reached 3 points and wins the game!

underdog numbers=4 > 1 4 4 2 2 3 3 1
Player 1 has reached 3 points and wins the game!

underdog numbers=4 target=4 > 1 4 4 2 2 3 3 1
All numbers have been used. Player 1 has more points and wins the game!

underdog target=1 > 5 3
Player 1 has reached 1 point and wins the game!
"""
"""What is played and what is typed, and sentences that are said then, in this order."""


@pytest.mark.parametrize("dialog", DIALOGS.strip().split("\n\n"))
def test_whatever_can_happen_has_its_line(dialog: str, home: Path) -> None:
    """Ties, double knock-outs, draws and the rulings' own turns of play."""
    asked, *said = dialog.splitlines()
    options, typed = asked.split(" > ")
    done = evenodds("play", *options.split(), typed=lines(*typed.split()), home=home)
    found = iter(sentences(done.stdout))
    for sentence in said:
        assert sentence in found, sentence


def test_names_replace_the_players(home: Path) -> None:
    done = evenodds("play", "duel", "--names", "Red, Blue", typed=lines(1, 3), home=home)
    assert "Red, enter your number (1-3): 1" in done.stdout
    assert "Blue attacks! Red loses 3 HP." in done.stdout
    assert "Player" not in done.stdout


def test_the_coin_is_tossed_with_the_seed(home: Path) -> None:
    firsts = set()
    for seed in ("1", "2", "3", "4", "5", "6"):
        runs = {
            evenodds("play", "circle", "--first", "coin", "--seed", seed, home=home).stdout.split(
                "\n"
            )[0]
            for _ in range(2)
        }
        assert len(runs) == 1
        firsts |= runs
    assert firsts == {f"Coin toss: Player {number} goes first." for number in (1, 2)}


def test_two_computers_play_by_themselves(home: Path) -> None:
    arguments = ("play", "underdog", "--vs", "random", "--vs", "random", "--seed")
    one, two, other = (evenodds(*arguments, seed, home=home) for seed in ("7", "7", "8"))
    assert one.returncode == 0
    assert one.stdout == two.stdout != other.stdout
    assert sentences(one.stdout)[:2] == [
        "Player 1 is the computer (random).",
        "Player 2 is the computer (random).",
    ]


def test_two_computers_wait_between_rounds_where_a_pace_is_asked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise not in a pipe; and never after the last round, or when a person plays."""
    waits: list[float] = []
    monkeypatch.setattr("evenodds.terminal.play.dialog.sleep", waits.append)
    arguments = ("play", "circle", "--vs", "random", "--vs", "random", "--rule", "numbers=4")
    assert evenodds(*arguments, home=home).returncode == 0
    assert waits == []
    assert evenodds(*arguments, "--pace", "0.5", home=home).returncode == 0
    assert waits == [0.5] * 3
    against = ("play", "duel", "--vs", "random", "--pace", "0.5")
    evenodds(*against, typed=lines(3, "quit"), home=home)
    assert waits == [0.5] * 3


def test_a_computer_takes_the_other_seat(home: Path) -> None:
    for seat, name in (("1", "Player 1"), ("2", "Player 2")):
        done = evenodds(
            "play", "duel", "--vs", "random", "--seat", seat, typed=lines(3, "quit"), home=home
        )
        asked = [line for line in sentences(done.stdout) if "enter your number" in line]
        assert [line.split(",")[0] for line in asked] == [name, name]


def test_records_are_added_to_a_file(home: Path, tmp_path: Path) -> None:
    record = tmp_path / "evening.txt"
    arguments = ("play", "circle", "--record", str(record))
    evenodds(*arguments, typed=lines(*RING), home=home)
    evenodds(*arguments, typed=lines(4, "quit"), home=home)
    one, two = notation.parse_all(record.read_text())
    assert one.result is not None
    assert one.terms.date is not None
    assert two.history == ((4, 0),)


def test_a_game_behind_vs_is_a_game(home: Path) -> None:
    begun = evenodds("play", "--vs", "circle", typed="", home=home)
    assert "is the computer (level:4)" in begun.stdout


def test_a_record_is_never_added_to_another_kind_of_file(home: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna,\n")
    done = evenodds("play", "circle", "--record", str(letter), typed=lines(*RING), home=home)
    assert done.returncode == 2
    assert "holds something other than matches" in done.stderr
    assert letter.read_text() == "Dear Anna,\n"


@pytest.mark.usefixtures("example_games")
def test_what_is_drawn_is_said_and_kept(home: Path) -> None:
    rules = ("goofspiel", "cards=3", "score=points")
    begun = evenodds("play", *rules, typed=lines(1, 2, "undo", "y", 1, 2, "quit"), home=home)
    match = kept_match(home)
    (first,), (second,) = match.draws
    said = [line for line in sentences(begun.stdout) if "Drawn" in line or "leads" in line]
    behind = f"Player 2 leads by {first} point{'s' if first > 1 else ''}."
    assert said == 2 * [f"Drawn: {first}.", f"Drawn: {second}.", behind]
    id = sentences(begun.stdout)[-1].split()[-1]
    resumed = evenodds("resume", id, typed=lines(3, 1, 2, 3), home=home)
    ended = kept_match(home)
    assert ended.result
    assert ended.draws[:2] == match.draws
    assert sentences(resumed.stdout)[-1] == describe_ending(ended, ended.result)[-1]


@pytest.mark.usefixtures("example_games")
def test_dice_are_rolled_to_the_end(home: Path) -> None:
    done = evenodds("play", "pig", "goal=2", typed=lines(*[1, 2, 2] * 40), home=home)
    assert (done.returncode, done.stderr) == (0, "")
    match = kept_match(home)
    rolled = [f"The die shows {number}." for drawn in match.draws for number in drawn]
    assert [line for line in sentences(done.stdout) if "die" in line] == rolled


@pytest.mark.usefixtures("example_games")
def test_a_board_and_the_history_tell_points_and_draws(home: Path) -> None:
    given = ("play", "goofspiel", "cards=3", "score=points")
    done = evenodds(*given, typed=lines(3, 1, "board", "history"), home=home)
    (first,), (second,) = kept_match(home).draws
    said, lead = sentences(done.stdout), f"Player 1 leads by {first} point{'s' * (first > 1)}."
    assert said.count(lead) == 2
    assert f"1. Player 1 chose 3, Player 2 chose 1. Drawn: {second}. {lead}" in said


@pytest.mark.usefixtures("example_games")
def test_odds_tell_points_and_what_is_told_is_not_made_up(home: Path) -> None:
    given = ("goofspiel", "--rule", "cards=3", "--rule", "score=points")
    done = evenodds("odds", *given, "perfect", "perfect", home=home)
    assert "On average the first player is 0 points ahead." in done.stdout
    assert '"points": 0' in evenodds("odds", *given, "high", "high", "--json", home=home).stdout
    for after, said in ((("--after", "(3)"), False), ((), True)):
        done = evenodds("solve", *given, *after, home=home)
        assert ("made up" in done.stdout + done.stderr) == said


@pytest.mark.usefixtures("example_games")
def test_a_seed_repeats_the_dice_which_are_kept_with_the_match(home: Path) -> None:
    def rolled(place: str, *typed: str, seed: int = 0) -> tuple[tuple[int, ...], ...]:
        command = ["resume"] if (home / place).exists() else ["play", "pig", "--seed", f"{seed}"]
        evenodds(*command, typed=lines(*typed), home=home / place)
        return kept_match(home / place).draws

    rolls = [rolled(f"{seed}", "roll", "roll", seed=seed) for seed in range(4)]
    assert len(set(rolls)) > 1
    for seed, drawn in enumerate(rolls):
        assert rolled(f"taken back {seed}", "roll", "roll", "undo", "yes", seed=seed) == drawn[:2]
        assert rolled(f"taken back {seed}", "roll") == drawn
