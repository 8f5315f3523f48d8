"""Puzzles as a dialog of lines, each explained from the exact solution."""

from contextlib import suppress
from typing import Final

from evenodds.coach.puzzles import Puzzle, puzzle_question
from evenodds.coach.training import Training
from evenodds.core.words import names_to
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.dialog import parse_command

COMMANDS: Final = ("board", "rules", "quit", "?")
HELP: Final = "Type a number, or board, rules or quit."


def train(training: Training, keyboard: Keyboard) -> None:
    """Ask puzzles until the player leaves; an error says why there are none."""
    screen = keyboard.screen
    screen.say(*filter(None, [training.progress_file.note]))
    puzzle = training.next()
    rules = f" ({training.rulings})" if training.rulings else ""
    screen.say(" ".join([f"Puzzles from {training.game.title}{rules}.", *training.so_far(), HELP]))
    try:
        with keyboard.restoring_terminal(), suppress(EOFError):
            while (number := _answer(training, puzzle, keyboard)) is not None:
                screen.say(*training.judge(puzzle, number))
                puzzle = training.next()
    except KeyboardInterrupt:
        screen.say("", *training.so_far())
        raise
    if said := training.so_far():
        screen.say("", *said)


def _answer(training: Training, puzzle: Puzzle, keyboard: Keyboard) -> int | None:
    """Ask until there is an answer; None when the player leaves."""
    screen = keyboard.screen
    board = training.game.words.board(puzzle.state, names_to(puzzle.seat))
    screen.say("", training.heading, "")
    screen.draw(board)
    values, words = puzzle.pick_values, training.game.words
    asked = training.solution.rulings, puzzle.seat, tuple(values.scores)
    question = f"{puzzle_question(puzzle)} [{', '.join(map(values.name, values.scores))}]:"
    while True:
        line = keyboard.read(question)
        number = words.find_pick(*asked, line)
        if number in values.scores:
            return number
        match parse_command(line, COMMANDS):
            case "quit":
                return None
            case "board":
                screen.draw(board)
            case "rules":
                screen.show_rules(training.game, training.solution.rulings)
            case "?":
                screen.say(HELP)
            case _:
                screen.say(f"Please pick {words.listed(*asked)}, or type quit.")
