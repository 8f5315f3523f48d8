"""The drawing of a table in lines of styled pieces: hands as cards, gauges, a ring, the last round.

Every game is drawn from what its words declare; one that declares nothing, by its text board.
"""

from typing import Any, Final

from evenodds.app.dialogs.messages import Table
from evenodds.app.drawing.pieces import (
    SEAT_MARKS,
    Look,
    Piece,
    Row,
    big_number,
    draw_cards,
    row_width,
)
from evenodds.app.drawing.ring import draw_ring
from evenodds.core import catalog
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Seat, other
from evenodds.core.words import SEAT_STYLES, Gauge, Side, Words, bar, winner
from evenodds.system.text import display_width, wrapped
from evenodds.terminal.screen import fit_board

FACE_COLUMNS: Final = 13
FACE_ROWS: Final = 5
MAX_BEADS: Final = 10
HIDDEN_PICK: Final = "Type a number, then press Enter. Nothing is shown."
BACK_PATTERNS: Final = ("▚" * (FACE_COLUMNS - 4), "▞" * (FACE_COLUMNS - 4))


def draw_table(table: Table, look: Look) -> list[Row]:
    """The table from the far seat down to the near one, in the middle of the screen."""
    words: Words[Any] = catalog.get(table.view.game).words
    near, far = table.near, other(table.near)
    sides = {seat: words.side(table.view.state, seat) for seat in SEATS}
    if None in sides.values():
        parts = [_text_board(words, table, look), _round(words, table, look)]
        parts.append(_pool(table, look, near))
    else:
        ring = words.ring(table.view.state)
        middle = (
            draw_ring(ring, words, table, look)
            if ring and not look.covered
            else _round(words, table, look)
        )
        parts = [
            [_plate(table, far, sides[far], look), *_front(table, far, sides[far], look)],
            middle,
            [*_front(table, near, sides[near], look), _plate(table, near, sides[near], look)],
        ]
        if not ring and not any(side and side.hand_size for side in sides.values()):
            parts.insert(2, _pool(table, look, near))
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
    you = " (you)" if table.people == (seat,) else ""
    row = [Piece(f"{SEAT_MARKS[seat]} {view.names[seat]}", style)]
    label = f" {table.labels[seat]}" if table.labels[seat] else ""
    row.append(Piece(f"{you}{label}  ", "faint"))
    if side and side.gauge and not _has_bar(side.gauge):
        row += _score(side.gauge, style)
    if side and side.note:
        row.append(Piece(side.note, "faint"))
    doing = _doing(table, seat)
    space = look.columns - row_width(row) - display_width(doing)
    return [*row, Piece(" " * max(1, space)), Piece(doing, "open")] if doing else row


def _doing(table: Table, seat: Seat) -> str:
    result = table.view.result
    if result:
        won = result.outcome != Outcome.DRAW and winner(result.outcome) == seat
        return "★ wins" if won else ""
    if table.view.chosen[seat]:
        return "has picked"
    if table.asked == seat:
        return "to pick"
    return ""


def _score(gauge: Gauge, style: str) -> Row:
    if not gauge.full:
        return [Piece(f"{gauge.value} {_unit(gauge, gauge.value)}  ", "strong")]
    left = gauge.full - gauge.value
    return [
        Piece("●" * gauge.value, style),
        Piece("○" * left, "faint"),
        Piece(f" {gauge.value} of {gauge.full}  ", "faint"),
    ]


def _unit(gauge: Gauge, amount: int) -> str:
    return gauge.unit.removesuffix("s") if amount == 1 else gauge.unit


def _has_bar(gauge: Gauge) -> bool:
    return gauge.full > MAX_BEADS or (gauge.unit != "points" and gauge.full > 0)


def _front(table: Table, seat: Seat, side: Side | None, look: Look) -> list[Row]:
    """What lies before a player: a bar, a hand."""
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
        rows += draw_cards(numbers, side.hand, SEAT_STYLES[seat], picks, look)
    return rows


def _pool(table: Table, look: Look, near: Seat) -> list[Row]:
    """The numbers that everybody picks from, where there are no hands."""
    seat = near if table.asked is None else table.asked
    picks = table.asked is not None and not table.hidden
    held = table.view.choices if picks else look.pool
    return [] if look.covered else draw_cards(look.pool, held, SEAT_STYLES[seat], picks, look)


def _round(words: Words[Any], table: Table, look: Look) -> list[Row]:
    """The cards of the last round, or those that lie face down, and what came of it."""
    view, near = table.view, table.near
    seats = (near, other(near))
    hidden = table.hidden and table.asked is not None
    in_progress = any(view.chosen) or (hidden and not look.covered)
    last = None if in_progress or not view.history else view.history[-1]
    faces = {seat: _face(table, look, seat, last[seat] if last else None) for seat in seats}
    gains = {seat: _gain(words, table, seat) if last else 0 for seat in seats}
    room = look.columns - 2 * FACE_COLUMNS - 2
    text = wrapped(_caption(words, table, look, last), room)[: FACE_ROWS - 1]
    heading = f"Round {len(view.history) if last else view.round}"
    middle = [heading, *text, *[""] * (FACE_ROWS - 1 - len(text))]
    rows: list[Row] = []
    for number in range(FACE_ROWS):
        said = Piece(f" {middle[number]:^{room}} ", "strong" if number else "faint")
        left, right = (faces[seat][number] for seat in seats)
        won = _won(gains)
        rows.append(
            [
                left._replace(style="won" if won == near else left.style),
                said,
                right._replace(style="won" if won == other(near) else right.style),
            ]
        )
    notes = [_change(words, table, seat, gains[seat]) for seat in seats]
    gap = look.columns - 2 * FACE_COLUMNS
    rows.append(
        [
            Piece(f"{notes[0]:^{FACE_COLUMNS}}", SEAT_STYLES[near]),
            Piece(" " * gap),
            Piece(f"{notes[1]:^{FACE_COLUMNS}}", SEAT_STYLES[other(near)]),
        ]
    )
    return rows


def _caption(words: Words[Any], table: Table, look: Look, last: Any) -> str:
    view = table.view
    if last:
        turned = look.turned >= 1
        return words.round_summary(table.before, last, view.state, view.names) if turned else ""
    if table.hidden and table.asked is not None:
        return hand_over(table) if look.covered else HIDDEN_PICK
    return ""


def hand_over(table: Table) -> str:
    """What is said while the keyboard changes hands."""
    assert table.asked is not None
    name = table.view.names[table.asked]
    return f"Give the keyboard to {name}. {name}, press Enter when you have it."


def _face(table: Table, look: Look, seat: Seat, number: int | None) -> list[Piece]:
    """A card of the last round: its number, its back, or only its place."""
    style = SEAT_STYLES[seat]
    wide = FACE_COLUMNS - 4
    if number is not None and number != PASS:
        if look.turned < 0.5:
            body = [BACK_PATTERNS[0]] * 3
        elif look.turned < 1:
            edge = ("╭─╮", *["│ │"] * (FACE_ROWS - 2), "╰─╯")
            return [Piece(f"{row:^{FACE_COLUMNS}}", style) for row in edge]
        else:
            body = big_number(number)
    elif table.view.chosen[seat]:
        body = [BACK_PATTERNS[0]] * 3
    elif table.hidden and table.asked == seat and look.keys and not look.covered:
        body = [BACK_PATTERNS[look.keys % 2]] * 3
    else:
        empty = " " * FACE_COLUMNS
        dots = f" ╭{'╌' * wide}╮ ", f" ╎{' ' * wide}╎ ", f" ╰{'╌' * wide}╯ "
        rows = [dots[0], *[dots[1]] * 3, dots[2]]
        return [Piece(row if number is None else empty, "faint") for row in rows]
    inside = [Piece(f" │{line:^{wide}}│ ", style) for line in body]
    return [Piece(f" ╭{'─' * wide}╮ ", style), *inside, Piece(f" ╰{'─' * wide}╯ ", style)]


def _gain(words: Words[Any], table: Table, seat: Seat) -> int:
    """How a player's gauge has changed in the last round."""
    before, after = (words.side(state, seat) for state in (table.before, table.view.state))
    if not (before and after and before.gauge and after.gauge):
        return 0
    return after.gauge.value - before.gauge.value


def _won(gains: dict[Seat, int]) -> Seat | None:
    first, second = (gains[seat] for seat in SEATS)
    return None if first == second else SEATS[first < second]


def _change(words: Words[Any], table: Table, seat: Seat, gain: int) -> str:
    side = words.side(table.view.state, seat)
    if not gain or not side or not side.gauge:
        return ""
    return f"{gain:+d} {_unit(side.gauge, abs(gain))}".replace("-", "−")
