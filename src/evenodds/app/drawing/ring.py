"""The drawing of a ring of numbers, with the last pick in the middle of it."""

from math import cos, pi, sin
from typing import Final

from evenodds.app.drawing.pieces import SEAT_MARKS, Look, Piece, Row
from evenodds.core.board import SEAT_STYLES, Ring
from evenodds.core.vocabulary import PASS, SEATS
from evenodds.system.text import display_width, wrapped
from evenodds.table.table import TableView as Table

LEAP_LEGEND: Final = "  <n> takes a leap"


def draw_ring(ring: Ring, table: Table, look: Look) -> list[Row]:
    """The ring; in the middle of it, what was picked last."""
    high = min(look.rows - 3, look.columns // 2 - 3) // 2
    wide = min(look.columns - 6, 5 * high) // 2
    places: dict[int, dict[int, Piece]] = {row: {} for row in range(2 * high + 1)}
    for number in range(1, ring.size + 1):
        angle = 2 * pi * (number - 1) / ring.size
        row = round(high - high * cos(angle))
        column = round(wide + wide * sin(angle))
        places[row][column] = _place(ring, table, number, look)
    _write_centre(places, high, wide, table)
    left = max(0, (look.columns - 2 * wide - 5) // 2)
    return [_placed(row, left) for row in places.values()]


def _write_centre(places: dict[int, dict[int, Piece]], high: int, wide: int, table: Table) -> None:
    view, words = table.view, table.words
    if not view.history:
        return
    last = view.history[-1]
    seat = next(seat for seat in SEATS if last[seat] != PASS)
    lines = wrapped(words.round_summary(table.before, last, view.state, view.names), 2 * wide - 12)
    text = [Piece(line, SEAT_STYLES[seat]) for line in lines]
    if view.result:
        text.append(Piece(f" ★ {words.verdict(view.result.outcome, view.names).upper()} ★ ", "won"))
    for number, piece in enumerate(text[: 2 * high - 3]):
        places[high - len(text) // 2 + number][wide] = piece


def _place(ring: Ring, table: Table, number: int, look: Look) -> Piece:
    if number in table.view.choices and not table.hidden:
        shown = f"<{number:>2} >" if number in ring.far else f"[{number:>2} ]"
        return Piece(shown, "cursor" if number == look.cursor else "open", number)
    if number in ring.free:
        return Piece(f" {number:>2}  ")
    if number == ring.last:
        return Piece(f"({number:>2} )", "last")
    owners = [seat for picks in table.view.history for seat in SEATS if picks[seat] == number]
    if not owners:
        return Piece("  ·  ", "spent")
    return Piece(f"  {SEAT_MARKS[owners[0]]}  ", SEAT_STYLES[owners[0]])


def _placed(row: dict[int, Piece], left: int) -> Row:
    """A row of pieces, each around its column."""
    line: Row = [Piece(" " * left)]
    width = 0
    for middle, piece in sorted(row.items()):
        column = max(width, middle + 2 - display_width(piece.text) // 2)
        line += [Piece(" " * (column - width)), piece]
        width = column + display_width(piece.text)
    return line
