"""The drawing of a table in lines of styled pieces: hands as cards, gauges, a ring, the last round.

Every game is drawn from what its words declare; one that declares nothing, by its text board.
"""

from typing import Final

from evenodds.app.drawing.pieces import SEAT_MARKS, Look, Piece, Row, centred, draw_cards, row_width
from evenodds.app.drawing.ring import LEAP_LEGEND, draw_ring
from evenodds.app.drawing.round import FACE_COLUMNS, draw_round
from evenodds.core.board import SEAT_STYLES, Gauge, Side, bar
from evenodds.core.vocabulary import Outcome, Seat, other
from evenodds.core.words import winner
from evenodds.figures import counted
from evenodds.system.text import display_width
from evenodds.table.table import TableView as Table

MAX_BEADS: Final = 10


def draw_table(table: Table, look: Look) -> list[Row]:
    """The table from the far seat down to the near one, in the middle of the screen."""
    view, words, near, far = table.view, table.words, table.near, other(table.near)
    ours, theirs, ring = words.side(view.state, near), words.side(view.state, far), None
    if ours is None or theirs is None:
        drawn = [[Piece(*span) for span in line] for line in words.board(view.state, view.names)]
        parts = [drawn, draw_round(table, look), _pool(table, look)]
    else:
        ring = None if look.covered else words.ring(view.state)
        pooled = not ring and not ours.hand_size and not theirs.hand_size
        parts = [
            [_plate(table, far, theirs, look), *_front(table, far, theirs, look)],
            draw_ring(ring, table, look) if ring else draw_round(table, look),
            _pool(table, look) if pooled else [],
            [*_front(table, near, ours, look), _plate(table, near, ours, look)],
        ]
    if not ring and (over := sum(map(len, parts)) - look.rows) > 0:  # no room for the cards
        parts[1] = [[Piece(" " * FACE_COLUMNS), *row[1:-1]] for row in parts[1]][:-over]
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


def _plate(table: Table, seat: Seat, side: Side, look: Look) -> Row:
    """A name, who that is, the score and what the player is doing."""
    view, style, gauge = table.view, SEAT_STYLES[seat], side.gauge
    label = f" {table.labels[seat]}" if table.labels[seat] else ""
    row = [Piece(f"{SEAT_MARKS[seat]} {view.names[seat]}", style), Piece(f"{label}  ", "faint")]
    if gauge and not gauge.full:
        row.append(Piece(f"{counted(gauge.value, gauge.unit)}  ", "strong"))
    elif gauge and not _has_bar(gauge):
        row.append(Piece("●" * gauge.value, style))
        left = "○" * (gauge.full - gauge.value)
        row.append(Piece(f"{left} {gauge.value} of {gauge.full}  ", "faint"))
    if side.note:
        ring = table.words.ring(view.state)
        leaps = ring and ring.far and table.asked == seat
        row.append(Piece(side.note + LEAP_LEGEND * bool(leaps), "faint"))
    doing = _doing(table, seat)
    space = look.columns - row_width(row) - display_width(doing)
    return [*row, Piece(" " * max(1, space)), Piece(doing, "open")] if doing else row


def _doing(table: Table, seat: Seat) -> str:
    if table.view.result:
        outcome = table.view.result.outcome
        return "★ winner" if outcome != Outcome.DRAW and winner(outcome) == seat else ""
    return "has picked" if table.view.chosen[seat] else "to pick" if table.asked == seat else ""


def _has_bar(gauge: Gauge) -> bool:
    return gauge.full > MAX_BEADS or (gauge.unit != "points" and gauge.full > 0)


def _front(table: Table, seat: Seat, side: Side, look: Look) -> list[Row]:
    """What lies before a player: a bar, a hand."""
    rows: list[Row] = []
    if side.gauge and _has_bar(side.gauge):
        value, full, unit = side.gauge
        shown = f" {value} of {full} {unit}"
        drawn = bar(value, full, max(8, look.columns - len(shown)), SEAT_STYLES[seat])
        line = [*(Piece(*span) for span in drawn), Piece(shown, "strong")]
        rows += [line] if look.rows < 17 else [line, line[:-1]]
    numbers = tuple(range(1, side.hand_size + 1))
    marks = _marks(table, seat) if table.asked == seat else {}
    names = table.words.pick_names(table.view.state.rulings, seat, numbers)
    return rows + draw_cards(numbers, side.hand, SEAT_STYLES[seat], marks, look, names)


def _marks(table: Table, seat: Seat) -> dict[int, str]:
    """What each number that may be picked would do at once; nothing where picks are hidden."""
    choices = () if table.hidden else table.view.choices
    return {number: table.words.preview(table.view.state, seat, number).mark for number in choices}


def _pool(table: Table, look: Look) -> list[Row]:
    """The numbers that everybody picks from, where there are no hands."""
    if look.covered:
        return []
    seat = table.near if table.asked is None else table.asked
    marks = {} if table.asked is None else _marks(table, seat)
    names = table.words.pick_names(table.view.state.rulings, seat, look.pool)
    rows = draw_cards(look.pool, tuple(marks) or look.pool, SEAT_STYLES[seat], marks, look, names)
    if any(marks.values()):
        rows.append([Piece(centred(table.words.preview_legend, look.columns), "faint")])
    return rows
