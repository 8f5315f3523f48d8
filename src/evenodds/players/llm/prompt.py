"""Prompts for a language model: the rules, the seat's view, the answer format."""

import json

from evenodds.core.board import plain_text
from evenodds.core.record import View, view_as_data
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEAT_NAMES, Seat, other
from evenodds.players.llm.answer_parsing import ANSWER_FORMAT
from evenodds.render.rulebook import match_rules


def rules_prompt(terms: Terms, seat: Seat) -> str:
    """The system prompt: rules, seat and answer format."""
    name, opponent = terms.names[seat], terms.names[other(seat)]
    repetition = (
        f"A position that comes up {terms.repetition} times ends the match as a draw. "
        if terms.game.loops and terms.repetition
        else ""
    )
    changed = format_rulings(ruling_texts(terms.rulings, changed_only=True))
    title = f"{terms.game.title}{f' ({changed})' if changed else ''}"
    return (
        f"You are {name}, in the {SEAT_NAMES[seat]} seat, in a match of {title} "
        f"against {opponent}. Play to win. {repetition}These are the rules.\n\n"
        f"{match_rules(terms.game, terms.rulings)}\n"
        f"## How you answer\n\n"
        f"End your answer with a line `{ANSWER_FORMAT}`, n being the number you pick, in digits. "
        f"If you name several, the last one counts."
    )


def position_prompt(terms: Terms, view: View) -> str:
    """The prompt for a pick: the view of the seat and the legal numbers."""
    assert view.seat is not None
    words = terms.game.words
    board = "\n".join(map(plain_text, words.board(view.state, view.names)))
    pairs = "in `history` and wherever there are two, the first seat's comes first"
    return (
        f"Round {view.round}.\n\n{board}\n\n"
        f"The same as data ({pairs}):\n{json.dumps(view_as_data(view))}\n\n"
        f"{words.choices(view.state, view.seat, view.choices)}\n"
        f"{legal_picks_sentence(view)} End with `{ANSWER_FORMAT}`."
    )


def retry_prompt(problem: str, view: View) -> str:
    """The prompt after a bad answer."""
    return f"{problem}. {legal_picks_sentence(view)} End with `{ANSWER_FORMAT}`."


def legal_picks_sentence(view: View) -> str:
    """The numbers to pick from, as a sentence."""
    if len(view.choices) == 1:
        return f"The only legal number is {view.choices[0]}."
    return f"The legal numbers are {', '.join(map(str, view.choices))}."
