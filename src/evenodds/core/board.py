"""A position as a drawing: spans with styles in lines, and what lies before each player."""

from re import sub
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a drawing with a style; the renderer decides how the style looks.

    Styles: `first` and `second` (the seats' colours), `spent` (gone for good), `open` (may be
    picked now), `last` (picked just now), `faint` and `strong`.
    """

    text: str
    style: str = ""


Line = list[Span]
Board = list[Line]
"""A drawing in lines of spans. Every board fits into 60 columns."""

SEAT_STYLES = ("first", "second")
FILLED = "█"
EMPTY = "░"
"""The characters of bars."""


class Gauge(NamedTuple):
    """A figure of a player: points, health. `full` is where it begins or leads; 0 without one."""

    value: int
    full: int
    unit: str


class Side(NamedTuple):
    """What lies before a player."""

    gauge: Gauge | None = None
    hand: tuple[int, ...] = ()
    """The numbers still held."""
    hand_size: int = 0
    """The size of the hand at the start; 0 where there are no hands."""
    note: str = ""


class Ring(NamedTuple):
    """Numbers from 1 to `size` in a circle."""

    size: int
    free: tuple[int, ...]
    last: int
    """The number picked last; 0 for none."""
    far: tuple[int, ...] = ()
    """Of the free numbers those that only a leap reaches."""


def hand_line(size: int, held: tuple[int, ...], style: str) -> Line:
    """A hand from 1 to `size`, with the numbers that are gone marked as spent."""
    line: Line = [Span("  ")]
    for number in range(1, size + 1):
        line += [Span(str(number), style if number in held else "spent"), Span(" ")]
    return line


def bar(value: int, full: int, width: int, style: str) -> Line:
    """A bar filled in proportion; anything above nothing shows at least one mark."""
    filled = 0 if value <= 0 else max(1, min(width, value * width // full))
    return [Span(FILLED * filled, style), Span(EMPTY * (width - filled), "faint")]


def cards(*faces: tuple[str, str], between: str = " ") -> Board:
    """Cards side by side, each a face and a style."""
    board: Board = [[], [], []]
    for number, (face, style) in enumerate(faces):
        rows = (f"╭{'─' * len(face)}╮", f"│{face}│", f"╰{'─' * len(face)}╯")
        gaps = (" " * len(between), between, " " * len(between))
        for line, row, gap in zip(board, rows, gaps, strict=True):
            line += [Span(gap)] if number else []
            line.append(Span(row, style))
    return board


def plain_text(line: Line) -> str:
    """A drawn line without colour: what is spent becomes dashes of the same width."""
    shown = (sub(r"\d", "-", text) if style == "spent" else text for text, style in line)
    return "".join(shown).rstrip()
