"""The drawing of a round: two cards that turn over together, who won, and what came of it."""

from typing import Any, Final

from evenodds.app.drawing.pieces import Look, Piece, Row, Stage, big_number, centred
from evenodds.core import catalog
from evenodds.core.board import SEAT_STYLES, Gauge
from evenodds.core.vocabulary import PASS, SEATS, Pair, Seat, other
from evenodds.core.words import Words
from evenodds.system.text import display_width, shorten, wrapped
from evenodds.table.table import TableView as Table

FACE_COLUMNS: Final = 13
FACE_ROWS: Final = 5
INNER_COLUMNS: Final = FACE_COLUMNS - 4
HIDDEN_PICK: Final = "Type a number, then press Enter. Nothing is shown."
HIDDEN_PICK_TYPED: Final = "Typed. Press Enter to pick."
BACK_PATTERN: Final = "▚" * INNER_COLUMNS
EDGE: Final = ("╭─╮", "│ │", "╰─╯")
NO_CARD: Final = ("╭╌╮", "╎ ╎", "╰╌╯")
CARD: Final = ("╭─╮", "│ │", "╰─╯")
WINNING_CARD: Final = ("╔═╗", "║ ║", "╚═╝")
"""Frames of cards: corners, sides and edges; that of the winner is told by its shape, too."""


def draw_round(words: Words[Any], table: Table, look: Look) -> list[Row]:
    """The cards of the last round, or those that lie face down, and what came of it."""
    view, near = table.view, table.near
    seats = (near, other(near))
    hidden = table.hidden and table.asked is not None
    in_progress = any(view.chosen) or (hidden and not look.covered)
    last = None if in_progress or not view.history else view.history[-1]
    gains = {seat: words.gain(table.before, view.state, seat) if last else 0 for seat in seats}
    upset = words.upset(table.before, last) if last else ""
    marked = _marked(gains, last, upset, look)
    faces = [_face(table, look, seat, last[seat] if last else None, marked) for seat in seats]
    room = look.columns - 2 * FACE_COLUMNS - 2
    step = catalog.get(view.game).round_word.capitalize()
    heading = [Piece(f" {f'{step} {len(view.history) if last else view.round}':^{room}} ", "faint")]
    if upset and look.stage == Stage.RESULT:
        heading = _banner(upset, room, look.banner)
    text = wrapped(_caption(words, table, look, last, upset), room)[: FACE_ROWS - 1]
    said = [[Piece(f" {centred(line, room)} ", "strong")] for line in text]
    middle = [heading, *said, *[[Piece(" " * (room + 2))]] * (FACE_ROWS - 1 - len(text))]
    rows = [
        [left, *between, right]
        for left, between, right in zip(faces[0], middle, faces[1], strict=True)
    ]
    shown = gains if look.stage == Stage.RESULT else dict.fromkeys(seats, 0)
    notes = [
        Piece(f"{_change(words, table, seat, shown[seat]):^{FACE_COLUMNS}}", SEAT_STYLES[seat])
        for seat in seats
    ]
    below = (
        _banner(words.verdict(view.result.outcome, view.names), room, 1.0)
        if view.result and look.stage == Stage.RESULT
        else [Piece(" " * (room + 2))]
    )
    return [*rows, [notes[0], *below, notes[1]]]


def _marked(gains: dict[Seat, int], last: Pair | None, upset: str, look: Look) -> Seat | None:
    """The seat whose card is marked; before an upset that is the one that seems to win."""
    if last is None or look.stage < Stage.FACES:
        return None
    if upset and look.stage == Stage.FACES:
        return SEATS[last[0] < last[1]]
    first, second = (gains[seat] for seat in SEATS)
    return None if first == second or look.stage == Stage.FACES else SEATS[first < second]


def _banner(text: str, room: int, opened: float) -> Row:
    """A text on a bar that opens from the middle."""
    text = shorten(f"★ {text.upper()} ★", room)
    bar = centred(text, max(display_width(text), round(room * opened)))
    left = (room + 2 - display_width(bar)) // 2
    right = room + 2 - left - display_width(bar)
    return [Piece(" " * left), Piece(bar, "won" if opened else "last"), Piece(" " * right)]


def _caption(words: Words[Any], table: Table, look: Look, last: Pair | None, upset: str) -> str:
    view = table.view
    if last:
        if look.stage == Stage.RESULT:
            said = words.round_summary(table.before, last, view.state, view.names)
            return said.removeprefix(upset).strip()
        return f"{max(last)} is higher…" if upset and look.stage == Stage.FACES else ""
    if table.hidden and table.asked is not None:
        if look.covered:
            return hand_over(table)
        return HIDDEN_PICK_TYPED if look.typed else HIDDEN_PICK
    return ""


def hand_over(table: Table) -> str:
    """What is said while the keyboard changes hands."""
    assert table.asked is not None
    name = table.view.names[table.asked]
    return f"Give the keyboard to {name}. {name}, press Enter when you have it."


def _face(
    table: Table, look: Look, seat: Seat, number: int | None, marked: Seat | None
) -> list[Piece]:
    """A card of the last round: its number, its back, or only its place."""
    style, frame = SEAT_STYLES[seat], CARD
    if number == PASS:
        return [Piece(" " * FACE_COLUMNS)] * FACE_ROWS
    if number is not None and look.stage == Stage.EDGES:
        edge = (EDGE[0], *[EDGE[1]] * (FACE_ROWS - 2), EDGE[2])
        return [Piece(f"{row:^{FACE_COLUMNS}}", style) for row in edge]
    if number is not None and look.stage > Stage.EDGES:
        body = big_number(number)
        if marked == seat:
            style, frame = "won", WINNING_CARD
        elif marked is not None:
            style = "faint"
    elif number is not None or table.view.chosen[seat]:
        body = [BACK_PATTERN] * 3
    else:
        body, style, frame = [""] * 3, "faint", NO_CARD
    top, side, bottom = frame
    rows = [
        f" {top[0]}{top[1] * INNER_COLUMNS}{top[2]} ",
        *(f" {side[0]}{line:^{INNER_COLUMNS}}{side[2]} " for line in body),
        f" {bottom[0]}{bottom[1] * INNER_COLUMNS}{bottom[2]} ",
    ]
    return [Piece(row, style) for row in rows]


def _change(words: Words[Any], table: Table, seat: Seat, gain: int) -> str:
    side = words.side(table.view.state, seat)
    if not gain or not side or not side.gauge:
        return ""
    return f"{gain:+d} {unit_of(side.gauge, abs(gain))}".replace("-", "−")


def unit_of(gauge: Gauge, amount: int) -> str:
    """The unit of a gauge behind an amount."""
    return gauge.unit.removesuffix("s") if amount == 1 else gauge.unit
