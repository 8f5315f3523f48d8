"""The drawing of a table in lines of styled pieces: hands as cards, gauges, a ring, the last round.

Every game is drawn from what its words declare; one that declares nothing, by its text board.
"""

from typing import Any, Final

from evenodds.app.drawing.pieces import (
    SEAT_MARKS,
    TALL_CARDS_MIN_ROWS,
    Look,
    Piece,
    Row,
    centred,
    draw_cards,
    row_width,
)
from evenodds.app.drawing.ring import LEAP_LEGEND, draw_ring
from evenodds.app.drawing.round import draw_round, unit_of
from evenodds.core import catalog
from evenodds.core.board import SEAT_STYLES, Gauge, Side, bar
from evenodds.core.vocabulary import SEATS, Outcome, Seat, other
from evenodds.core.words import Words, winner
from evenodds.system.text import display_width
from evenodds.table.table import TableView as Table
from evenodds.terminal.screen import fit_board

MAX_BEADS: Final = 10


def draw_table(table: Table, look: Look) -> list[Row]:
    """The table from the far seat down to the near one, in the middle of the screen."""
    words: Words[Any] = catalog.get(table.view.game).words
    near, far = table.near, other(table.near)
    sides = {seat: words.side(table.view.state, seat) for seat in SEATS}
    if None in sides.values():
        parts = [_text_board(words, table, look), draw_round(words, table, look)]
        parts.append(_pool(words, table, look, near))
    else:
        ring = words.ring(table.view.state)
        middle = (
            draw_ring(ring, words, table, look)
            if ring and not look.covered
            else draw_round(words, table, look)
        )
        parts = [
            [_plate(table, far, sides[far], look), *_front(words, table, far, look)],
            middle,
            [*_front(words, table, near, look), _plate(table, near, sides[near], look)],
        ]
        if not ring and not any(side and side.hand_size for side in sides.values()):
            parts.insert(2, _pool(words, table, look, near))
    return _spread([part for part in parts if part], look.rows)


def _spread(parts: list[list[Row]], rows: int) -> list[Row]:
    """The parts with the empty rows between them."""
    spare = max(0, rows - sum(map(len, parts)))
    gaps = len(parts) - 1
    lines: list[Row] = []
    for number, part in enumerate(parts):
        share = (spare * number // gaps - spare * (number - 1) // gaps) if number else 0
        lines += [[] for _ in range(share)]
        lines += part
    return lines


def _text_board(words: Words[Any], table: Table, look: Look) -> list[Row]:
    board = fit_board(words.board(table.view.state, table.view.names), look.columns)
    return [[Piece(*span) for span in line] for line in board]


def _plate(table: Table, seat: Seat, side: Side | None, look: Look) -> Row:
    """A name, who that is, the score and what the player is doing."""
    view, style = table.view, SEAT_STYLES[seat]
    row = [Piece(f"{SEAT_MARKS[seat]} {view.names[seat]}", style)]
    label = f" {table.labels[seat]}" if table.labels[seat] else ""
    row.append(Piece(f"{label}  ", "faint"))
    if side and side.gauge and not _has_bar(side.gauge):
        row += _score(side.gauge, style)
    if side and side.note:
        ring = catalog.get(view.game).words.ring(view.state)
        leaps = ring and ring.far and table.asked == seat
        row.append(Piece(side.note + LEAP_LEGEND * bool(leaps), "faint"))
    doing = _doing(table, seat)
    space = look.columns - row_width(row) - display_width(doing)
    return [*row, Piece(" " * max(1, space)), Piece(doing, "open")] if doing else row


def _doing(table: Table, seat: Seat) -> str:
    result = table.view.result
    if result:
        won = result.outcome != Outcome.DRAW and winner(result.outcome) == seat
        return "★ winner" if won else ""
    if table.view.chosen[seat]:
        return "has picked"
    if table.asked == seat:
        return "to pick"
    return ""


def _score(gauge: Gauge, style: str) -> Row:
    if not gauge.full:
        return [Piece(f"{gauge.value} {unit_of(gauge, gauge.value)}  ", "strong")]
    left = gauge.full - gauge.value
    return [
        Piece("●" * gauge.value, style),
        Piece("○" * left, "faint"),
        Piece(f" {gauge.value} of {gauge.full}  ", "faint"),
    ]


def _has_bar(gauge: Gauge) -> bool:
    return gauge.full > MAX_BEADS or (gauge.unit != "points" and gauge.full > 0)


def _front(words: Words[Any], table: Table, seat: Seat, look: Look) -> list[Row]:
    """What lies before a player: a bar, a hand."""
    side = words.side(table.view.state, seat)
    rows: list[Row] = []
    if side and side.gauge and _has_bar(side.gauge):
        gauge = side.gauge
        shown = f" {gauge.value} of {gauge.full} {gauge.unit}"
        drawn = bar(gauge.value, gauge.full, max(8, look.columns - len(shown)), SEAT_STYLES[seat])
        line = [*(Piece(*span) for span in drawn), Piece(shown, "strong")]
        rows += [line] if look.rows < 17 else [line, line[:-1]]
    if side and side.hand_size:
        numbers = tuple(range(1, side.hand_size + 1))
        picks = table.asked == seat and not table.hidden
        marks = _marks(words, table, seat) if picks else {}
        rows += draw_cards(numbers, side.hand, SEAT_STYLES[seat], picks, look, marks)
    return rows


def _marks(words: Words[Any], table: Table, seat: Seat) -> dict[int, str]:
    """What each number would do at once."""
    return {n: words.preview(table.view.state, seat, n) for n in table.view.choices}


def _pool(words: Words[Any], table: Table, look: Look, near: Seat) -> list[Row]:
    """The numbers that everybody picks from, where there are no hands."""
    seat = near if table.asked is None else table.asked
    picks = table.asked is not None and not table.hidden
    held = table.view.choices if picks else look.pool
    if look.covered:
        return []
    marks = _marks(words, table, seat) if picks else {}
    rows = draw_cards(look.pool, held, SEAT_STYLES[seat], picks, look, marks)
    if any(marks.values()) and (len(rows) == 2 or look.rows >= TALL_CARDS_MIN_ROWS):
        rows.append([Piece(centred(words.preview_legend, look.columns), "faint")])
    return rows
