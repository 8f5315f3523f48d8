"""Pieces of a drawing: styled text that may be clicked, rows of it, frames and cards, colours."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from evenodds.system.text import display_width, shorten

SEAT_MARKS: Final = ("■", "◆")
"""Shapes beside the colours, for those who cannot tell colours apart."""
CARD: Final = ("╭─╮", "│ │", "╰─╯")
CARD_UNDER_CURSOR: Final = ("┏━┓", "┃ ┃", "┗━┛")
"""Frames: corners, sides and edges."""
CARD_COLUMNS: Final = 4
BIG_DIGITS: Final = (
    "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█",
    "█ █  █  █▀▀  ▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█",
    "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀",
)
"""Digits from 0 to 9, each three columns wide, with a space between them."""
TALL_CARDS_MIN_ROWS: Final = 15
"""The height of a table below which cards take one row."""
DARK_STYLES: Final = {
    "first": "bold #56b4e9",
    "second": "bold #ffb000",
    "spent": "#6a6a6a",
    "open": "bold #5fd7af",
    "last": "bold #f0e442",
    "faint": "#9a9a9a",
    "strong": "bold",
    "cursor": "bold reverse #5fd7af",
    "won": "bold #111111 on #f0e442",
}
"""Colours that the colour-blind can tell apart (after Okabe and Ito)."""
LIGHT_STYLES: Final = DARK_STYLES | {
    "first": "bold #0060a8",
    "second": "bold #a04a00",
    "spent": "#8a8a8a",
    "open": "bold #006b4f",
    "last": "bold #7a5c00",
    "faint": "#666666",
    "cursor": "bold reverse #006b4f",
}


class Piece(NamedTuple):
    """Text in a style; `pick` is the number that a click on it picks."""

    text: str
    style: str = ""
    pick: int = 0


Row = list[Piece]


class Stage(IntEnum):
    """How far the cards of the last round are turned over."""

    BACKS = 0
    EDGES = 1
    FACES = 2
    RESULT = 3


class Look(NamedTuple):
    """How a table is drawn just now."""

    columns: int
    rows: int
    cursor: int = 0
    """The number that Enter would pick."""
    pool: tuple[int, ...] = ()
    """The numbers that are offered, also while nobody is asked: the board does not jump."""
    stage: Stage = Stage.RESULT
    covered: bool = False
    """Whether the table waits until the next person has the keyboard."""
    typed: bool = False
    """Whether digits of a number are typed: where picks are hidden, all that is told of them."""


def board_styles(dark: bool) -> dict[str, str]:
    """How the styles of spans look on a background."""
    return DARK_STYLES if dark else LIGHT_STYLES


def row_width(row: Row) -> int:
    """The columns that a row takes."""
    return sum(display_width(piece.text) for piece in row)


def centred(text: str, width: int) -> str:
    """A text with spaces on both sides up to a width."""
    spare = max(0, width - display_width(text))
    return " " * (spare // 2) + text + " " * (spare - spare // 2)


def framed(frame: tuple[str, str, str], lines: list[str]) -> list[str]:
    """Lines of one width in a frame."""
    top, side, bottom = frame
    width = len(lines[0])
    rows = [(top, top[1] * width), *((side, line) for line in lines), (bottom, bottom[1] * width)]
    return [f"{ends[0]}{inside}{ends[2]}" for ends, inside in rows]


def big_number(number: int) -> list[str]:
    """A number in three rows."""
    starts = [4 * int(digit) for digit in str(number)]
    return [" ".join(row[start : start + 3] for start in starts) for row in BIG_DIGITS]


def draw_cards(
    numbers: tuple[int, ...],
    held: tuple[int, ...],
    style: str,
    marks: Mapping[int, str],
    look: Look,
    names: Mapping[int, str] = MappingProxyType({}),
) -> list[Row]:
    """Cards side by side; in small screens and large hands one row each.

    `marks` stand below those that may be picked now; without any, no card is to be picked.
    `names` stand on cards in place of numbers.
    """
    faces = [shorten(names.get(number, str(number)), look.columns - 2) for number in numbers]
    columns = max([CARD_COLUMNS, *(display_width(face) + 2 for face in faces)])
    faces = [centred(f"{face:>2}", columns - 2) for face in faces]
    a_row = max(1, look.columns // columns)
    tall = len(numbers) <= a_row and look.rows >= TALL_CARDS_MIN_ROWS
    margin = Piece(" " * ((look.columns - columns * min(a_row, len(numbers))) // 2))
    rows: list[Row] = []
    for start in range(0, len(numbers), a_row):
        shown = numbers[start : start + a_row]
        drawn = [
            _card(number, faces[start + place], held, style, bool(marks), look)
            for place, number in enumerate(shown)
        ]
        three = [[margin, *row] for row in zip(*drawn, strict=True)]
        rows += three if tall else three[1:2]
        if any(marks.values()):
            below = [f"{marks.get(number, ''):^{columns}}" for number in shown]
            rows.append([margin, *(Piece(text, "last") for text in below)])
    return rows


def _card(
    number: int, face: str, held: tuple[int, ...], style: str, picks: bool, look: Look
) -> Row:
    """The three rows of a card; of one that is gone only its face is left."""
    if number not in held:
        blank = Piece(" " * (display_width(face) + 2))
        return [blank, Piece(f" {face} ", "spent"), blank]
    chosen = picks and number == look.cursor
    rows = framed(CARD_UNDER_CURSOR if chosen else CARD, [face])
    return [Piece(row, "cursor" if chosen else style, number if picks else 0) for row in rows]
