"""The fields of a position by their kinds: as data for programs, and as lines for people."""

from enum import Enum
from functools import partial
from typing import Any, Final

from evenodds.core.board import SEAT_STYLES, Board, Span
from evenodds.core.rulings import field_types
from evenodds.core.vocabulary import FIRST, SECOND, Hands, Lead, Moves, Pair, Seat, numbers

NUMBERS_PER_LINE: Final = 15


def draw_fields(state: Any, names: Any) -> Board:
    """A position in lines: what belongs to each player, then the other fields by their names.

    `names` are `words.Names`, which imports this module.
    """
    fields = zip(field_types(state.__class__).items(), state, strict=True)
    shown = [
        ("hand" if kind == Hands and name == "hands" else name.replace("_", " "), kind, value)
        for (name, kind), value in fields
        if name != "rulings"
    ]
    board: Board = []
    for seat, player in names.listed():
        style = SEAT_STYLES[seat]
        scores = [Span(f"  {name}: {pair[seat]}") for name, kind, pair in shown if kind == Pair]
        hands = [(name, hands[seat]) for name, kind, hands in shown if kind == Hands]
        board += [[Span(player, style), *scores]] if scores or hands else []
        for name, held in hands:
            board += _draw_numbers(f"  {name}: ", held, style)
    for name, kind, value in shown:
        if kind == Moves:
            board += _draw_numbers(f"{name}: ", value, "open")
        elif kind not in (Pair, Hands) and (value or kind not in (Lead, bool)):
            told = {Seat: names.inside, Lead: partial(_lead, names)}.get(kind, _text)(value)
            is_lead = kind == Lead and name == "lead"
            label = [] if is_lead else [Span(f"{name}: ", "faint")]
            board.append([*label, Span(told[0].upper() + told[1:] if is_lead else told)])
    return board


def _draw_numbers(label: str, moves: int, style: str) -> Board:
    """A set of numbers as cards in lines."""
    held = numbers(moves)
    if not held:
        return [[Span(label, "faint"), Span("none")]]
    lines: Board = []
    for start in range(0, len(held), NUMBERS_PER_LINE):
        lines.append([Span(" " * len(label) if start else label, "faint")])
        for number in held[start:][:NUMBERS_PER_LINE]:
            lines[-1] += [Span(str(number), style), Span(" ")]
    return lines


def _lead(names: Any, lead: int) -> str:
    if not lead:
        return "nobody leads"
    seat = FIRST if lead > 0 else SECOND
    return f"{names.inside(seat)} {names.sentence(seat, 'lead', 'leads')} by {abs(lead)}"


def _text(value: Any) -> str:
    """A value of no known kind, in plain words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))
    return value.name.lower().replace("_", " ") if isinstance(value, Enum) else str(value)
