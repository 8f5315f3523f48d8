"""The drawing of a round: two cards that turn over together, who won, and what came of it."""

from typing import Final

from evenodds.app.drawing.pieces import CARD, Look, Piece, Row, Stage, big_number, centred, framed
from evenodds.core import catalog
from evenodds.core.board import SEAT_STYLES
from evenodds.core.vocabulary import PASS, SEATS, Pair, Seat, other
from evenodds.figures import counted
from evenodds.system.text import shorten, wrapped
from evenodds.table.table import TableView as Table

FACE_COLUMNS: Final = 13
FACE_ROWS: Final = 5
INNER_COLUMNS: Final = FACE_COLUMNS - 4
HIDDEN_PICK: Final = "Type a number, then press Enter. Nothing is shown."
BACK_PATTERN: Final = "▚" * INNER_COLUMNS
NO_CARD: Final = ("╭╌╮", "╎ ╎", "╰╌╯")
WINNING_CARD: Final = ("╔═╗", "║ ║", "╚═╝")
"""The frame of the winner is told by its shape, too."""


def draw_round(table: Table, look: Look) -> list[Row]:
    """The cards of the last round, or those that lie face down, and what came of it."""
    view, words, seats = table.view, table.words, (table.near, other(table.near))
    hidden = table.hidden and table.asked is not None
    in_progress = any(view.chosen) or (hidden and not look.covered)
    last = None if in_progress or not view.history else view.history[-1]
    gains = {seat: words.gain(table.before, view.state, seat) if last else 0 for seat in seats}
    upset = words.upset(table.before, last) if last else ""
    marked = _marked(gains, last, upset, look)
    turned = look.stage == Stage.RESULT
    near, far = (
        [
            *_face(table, look, seat, last and last[seat], marked),
            _change(table, seat, gains[seat] if turned else 0),
        ]
        for seat in seats
    )
    room = look.columns - 2 * FACE_COLUMNS - 2
    step = catalog.get(view.game).round_word.capitalize()
    heading = [Piece(f" {f'{step} {len(view.history) if last else view.round}':^{room}} ", "faint")]
    if upset and turned:
        heading = _banner(upset, room)
    text = wrapped(_caption(table, look, last, upset), room)[: FACE_ROWS - 1]
    text += [""] * (FACE_ROWS - 1 - len(text))
    between = [heading, *([Piece(f" {centred(line, room)} ", "strong")] for line in text)]
    if view.result and turned:
        between.append(_banner(words.verdict(view.result.outcome, view.names), room))
    else:
        between.append([Piece(" " * (room + 2))])
    return [[left, *row, right] for left, row, right in zip(near, between, far, strict=True)]


def _marked(gains: dict[Seat, int], last: Pair | None, upset: str, look: Look) -> Seat | None:
    """The seat whose card is marked; before an upset that is the one that seems to win."""
    if last is None or look.stage < Stage.FACES:
        return None
    first, second = last if look.stage == Stage.FACES else (gains[seat] for seat in SEATS)
    if first == second or (look.stage == Stage.FACES and not upset):
        return None
    return SEATS[first < second]


def _banner(text: str, room: int) -> Row:
    """A text on a bar."""
    text = shorten(f"★ {text.upper()} ★", room)
    return [Piece(" "), Piece(centred(text, room), "won"), Piece(" ")]


def _caption(table: Table, look: Look, last: Pair | None, upset: str) -> str:
    view = table.view
    if last:
        if look.stage == Stage.RESULT:
            said = table.words.round_summary(table.before, last, view.state, view.names)
            return " ".join([said.removeprefix(upset).strip(), *table.luck])
        return f"{max(last)} is higher…" if upset and look.stage == Stage.FACES else ""
    if table.hidden and table.asked is not None:
        if look.covered:
            return hand_over(table)
        return "Typed. Press Enter to pick." if look.typed else HIDDEN_PICK
    return " ".join(table.luck)


def hand_over(table: Table) -> str:
    """What is said while the keyboard changes hands."""
    assert table.asked is not None
    name = table.view.names[table.asked]
    return f"Give the keyboard to {name}. {name}, press Enter when you have it."


def _face(
    table: Table, look: Look, seat: Seat, number: int | None, marked: Seat | None
) -> list[Piece]:
    """A card of the last round: its number, its back, or only its place."""
    style, frame, columns, body = SEAT_STYLES[seat], CARD, INNER_COLUMNS, [BACK_PATTERN] * 3
    if number == PASS:
        return [Piece(" " * FACE_COLUMNS)] * FACE_ROWS
    if number is None and not table.view.chosen[seat]:
        style, frame, body = "faint", NO_CARD, [""] * 3
    elif number is not None and look.stage == Stage.EDGES:
        columns, body = 1, [""] * 3
    elif number is not None and look.stage > Stage.EDGES:
        name = table.words.pick_name(table.view.state.rulings, seat, number)
        body = big_number(number)
        if name != str(number):
            lines = ["", *(shorten(line, INNER_COLUMNS) for line in wrapped(name, INNER_COLUMNS))]
            body = [*lines, "", ""][:3]
        if marked == seat:
            style, frame = "won", WINNING_CARD
        elif marked is not None:
            style = "faint"
    rows = framed(frame, [f"{line:^{columns}}" for line in body])
    return [Piece(f"{row:^{FACE_COLUMNS}}", style) for row in rows]


def _change(table: Table, seat: Seat, gain: int) -> Piece:
    """What a round has changed for a player, below the card."""
    side, said = table.words.side(table.view.state, seat), ""
    if gain and side and side.gauge:
        said = f"{'+' if gain > 0 else '−'}{counted(abs(gain), side.gauge.unit)}"
    return Piece(f"{said:^{FACE_COLUMNS}}", SEAT_STYLES[seat])
