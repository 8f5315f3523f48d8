"""Pieces of a drawing: styled text that may be clicked, rows of it, and hands of cards."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from evenodds.system.text import display_width

SEAT_MARKS: Final = ("■", "◆")
"""Shapes beside the colours, for those who cannot tell colours apart."""
CARD_COLUMNS: Final = 4
BIG_DIGITS: Final = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▄█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
}
"""Digits of three rows."""
TALL_CARDS_MIN_ROWS: Final = 15
"""The height of a table below which cards take one row."""


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
    banner: float = 1.0
    """How far the banner of an upset has opened."""
    covered: bool = False
    """Whether the table waits until the next person has the keyboard."""
    typed: bool = False
    """Whether digits of a number are typed: where picks are hidden, all that is told of them."""


def row_width(row: Row) -> int:
    """The columns that a row takes."""
    return sum(display_width(piece.text) for piece in row)


def centred(text: str, width: int) -> str:
    """A text with spaces on both sides up to a width."""
    spare = max(0, width - display_width(text))
    return " " * (spare // 2) + text + " " * (spare - spare // 2)


def draw_cards(
    numbers: tuple[int, ...],
    held: tuple[int, ...],
    style: str,
    picks: bool,
    look: Look,
    marks: Mapping[int, str],
) -> list[Row]:
    """Cards side by side, with marks below; in small screens and large hands one row each."""
    a_row = max(1, look.columns // CARD_COLUMNS)
    tall = len(numbers) <= a_row and look.rows >= TALL_CARDS_MIN_ROWS
    rows: list[Row] = []
    for start in range(0, len(numbers), a_row):
        three: list[Row] = [[], [], []]
        for number in numbers[start : start + a_row]:
            for row, piece in zip(three, _card(number, held, style, picks, look), strict=True):
                row.append(piece)
        rows += three if tall else [three[1]]
        if any(marks.values()):
            shown = numbers[start : start + a_row]
            rows.append(
                [Piece(f"{marks.get(number, ''):^{CARD_COLUMNS}}", "last") for number in shown]
            )
    margin = Piece(" " * ((look.columns - row_width(rows[0])) // 2)) if rows else Piece("")
    return [[margin, *row] for row in rows]


def _card(
    number: int, held: tuple[int, ...], style: str, picks: bool, look: Look
) -> tuple[Piece, Piece, Piece]:
    if number not in held:
        return Piece("    "), Piece(f" {number:>2} ", "spent"), Piece("    ")
    pick = number if picks else 0
    if picks and number == look.cursor:
        frame = ("┏━━┓", f"┃{number:>2}┃", "┗━━┛")
        style = "cursor"
    else:
        frame = ("╭──╮", f"│{number:>2}│", "╰──╯")
    top, middle, bottom = (Piece(text, style, pick) for text in frame)
    return top, middle, bottom


def big_number(number: int) -> list[str]:
    """A number in three rows."""
    digits = [BIG_DIGITS[digit] for digit in str(number)]
    return [" ".join(digit[row] for digit in digits) for row in range(3)]
