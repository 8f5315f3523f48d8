"""The question to a language model: rules, position, answer format; in stated editions.

A question holds the whole view of the seat, so that no pick depends on an earlier conversation.
Nothing in it says who the opponent is.
"""

import json
from typing import Final, NamedTuple

from evenodds.core.board import plain_text
from evenodds.core.record import View, view_as_data
from evenodds.core.rulings import titled
from evenodds.core.terms import Terms, repetition_rule
from evenodds.core.vocabulary import SEAT_NAMES, Seat
from evenodds.core.words import names_to
from evenodds.render.rulebook import match_rules

ANSWER_FORMAT: Final = "PICK: n"


class Edition(NamedTuple):
    """How a question is put."""

    lists_legal: bool = True
    """Whether the legal picks are listed, or left to the model to find by the rules."""
    disguised: bool = False
    """Whether the name of the game is left out."""


EDITIONS: Final = {
    "listed": Edition(),
    "unlisted": Edition(lists_legal=False),
    "disguised": Edition(disguised=True),
}
"""The editions by name, the usual one first."""
USUAL: Final = EDITIONS["listed"]


def rules_prompt(terms: Terms, seat: Seat, edition: Edition = USUAL) -> str:
    """The system prompt: rules under the rulings of the match, seat and answer format."""
    counted = terms.game.can_repeat and terms.repetition
    repetition = f"{repetition_rule(terms.repetition)} " if counted else ""
    title = titled(terms.game.title, terms.rulings)
    match, rules = f"a match of {title}", match_rules(terms.game, terms.rulings)
    if edition.disguised:
        match, rules = "a match", rules.replace(terms.game.title, "The game")
    return (
        f"You are in the {SEAT_NAMES[seat]} seat in {match}. Play to win. "
        f"{repetition}These are the rules.\n\n"
        f"{rules}\n"
        f"## How you answer\n\n"
        f"End your answer with a line {_answer_format(terms)}. "
        f"If you name several, the last one counts."
    )


def position_prompt(terms: Terms, view: View, edition: Edition = USUAL) -> str:
    """The prompt for a pick: the view of the seat, and the legal picks where they are listed."""
    assert view.seat is not None
    words = terms.game.words
    board = "\n".join(map(plain_text, words.board(view.state, names_to(view.seat))))
    data = view_as_data(view, words)
    said = [words.choices(view.state, view.seat, view.choices)]
    if not edition.lists_legal:
        data = {key: value for key, value in data.items() if key not in ("legal", "pick_names")}
        said = []
    pairs = "in `history` and wherever there are two, the first seat's comes first"
    return "\n".join(
        (
            f"Round {view.round}.\n\n{board}\n",
            f"The same as data ({pairs}):\n{json.dumps(data)}\n",
            *said,
            pick_request(terms, view, edition),
        )
    )


def pick_request(terms: Terms, view: View, edition: Edition = USUAL) -> str:
    """What a model is asked for: a legal pick, in the format that is read."""
    assert view.seat is not None
    if not edition.lists_legal:
        return f"Make a legal pick. End with a line {_answer_format(terms)}."
    if names := list(terms.game.words.pick_names(terms.rulings, view.seat, view.choices).values()):
        return f"The legal picks are: {', '.join(names)}. End with `PICK: {names[0]}`, or another."
    legal = f"The legal numbers are {', '.join(map(str, view.choices))}."
    return f"{legal} End with `{ANSWER_FORMAT}`."


def _answer_format(terms: Terms) -> str:
    if terms.game.words.names_picks:
        return "`PICK: name`, name being that of the pick"
    return f"`{ANSWER_FORMAT}`, n being the number you pick, in digits"
