"""What a model is told: the rules of the match, what its seat sees, and how it answers."""

import json
import re
from typing import Final

from evenodds.public import SEAT_NAMES, view_as_data
from evenodds.record import View
from evenodds.rulebook import page
from evenodds.terms import Terms
from evenodds.text import brief
from evenodds.vocabulary import Seat, other
from evenodds.words import plain_text

BEFORE: Final = "before a match"
"""When players of a match may change a ruling; not now."""
FORM: Final = "PICK: n"
_PICK: Final = re.compile(r"PICK: ([0-9]{1,9})")


class BadAnswer(Exception):
    """An answer that is no legal pick, and what is wrong with it."""


def rules(terms: Terms, seat: Seat) -> str:
    """What holds for the whole match."""
    name, opponent = terms.names[seat], terms.names[other(seat)]
    repetition = (
        f"A position that comes up {terms.repetition} times ends the match as a draw. "
        if terms.game.loops and terms.repetition
        else ""
    )
    return (
        f"You are {name}, in the {SEAT_NAMES[seat]} seat, in a match of {terms.game.title} "
        f"against {opponent}. Play to win. {repetition}These are the rules.\n\n"
        f"{page(terms.game, terms.rulings, BEFORE)}\n"
        f"## How you answer\n\n"
        f"The last line of your answer must be `{FORM}` and nothing else, n being the number you "
        f"pick, in plain digits. There must be no other line of that form. Nobody reads the rest."
    )


def situation(terms: Terms, view: View) -> str:
    """What the seat sees when it is to pick."""
    assert view.seat is not None
    words = terms.game.words
    board = "\n".join(map(plain_text, words.board(view.state, view.names)))
    pairs = "in `history` and wherever there are two, the first seat's comes first"
    return (
        f"Round {view.round}.\n\n{board}\n\n"
        f"The same as data ({pairs}):\n{json.dumps(view_as_data(view))}\n\n"
        f"{words.choices(view.state, view.seat, view.choices)}\n"
        f"The legal numbers are {allowed(view)}. End with `{FORM}`."
    )


def reminder(problem: BadAnswer, view: View) -> str:
    """The reason why it is asked once more."""
    return f"{problem}. The legal numbers are {allowed(view)}. End with `{FORM}`."


def read(text: str, terms: Terms, view: View) -> int:
    """The legal number on the last line of an answer; `BadAnswer` says what is wrong."""
    assert view.seat is not None
    lines = [line.strip() for line in text.strip().splitlines()]
    if not lines:
        raise BadAnswer("the answer is empty")
    picks = [found for line in lines if (found := _PICK.fullmatch(line))]
    last = _PICK.fullmatch(lines[-1])
    if last is None:
        raise BadAnswer(f'the last line is "{brief(lines[-1])}", not `{FORM}`')
    if len(picks) > 1:
        raise BadAnswer(f"there are {len(picks)} lines like `{FORM}`, and only one is allowed")
    number = int(last[1])
    if number not in view.choices:
        raise BadAnswer(f"{number} is {terms.game.words.refusal(view.state, view.seat, number)}")
    return number


def allowed(view: View) -> str:
    """The numbers to pick from."""
    return ", ".join(map(str, view.choices))
