"""Boards as pictures: the drawing that a game's words make, in coloured letters, NumPy alone."""

from typing import Any, Final

from evenodds.adapters.bitmap_font import HEIGHT, WIDTH, glyph
from evenodds.core.words import Board
from evenodds.system.extras import needs

with needs("environments"):
    import numpy as np

COLUMNS: Final = 60
"""Every board fits into these."""
SCALE: Final = 2
MARGIN: Final = 12
PAPER: Final = (20, 22, 30)
INKS: Final = {
    "first": (86, 196, 232),
    "second": (226, 122, 214),
    "spent": (84, 88, 104),
    "open": (122, 214, 122),
    "last": (240, 208, 92),
    "faint": (112, 118, 136),
    "strong": (255, 255, 255),
    "": (206, 210, 220),
}
"""What each style of a board looks like."""


def picture(board: Board, lines: int) -> Any:
    """A picture that has room for so many lines, whatever is on the board: frames of one size."""
    canvas = np.empty((lines * HEIGHT, COLUMNS * WIDTH, 3), np.uint8)
    canvas[:] = PAPER
    for row, line in enumerate(board[:lines]):
        signs = [(sign, INKS[span.style]) for span in line for sign in span.text]
        for column, (sign, ink) in enumerate(signs[:COLUMNS]):
            top, left = row * HEIGHT, column * WIDTH
            canvas[top : top + HEIGHT, left : left + WIDTH][glyph(sign)] = ink
    large = canvas.repeat(SCALE, axis=0).repeat(SCALE, axis=1)
    framed = np.empty((large.shape[0] + 2 * MARGIN, large.shape[1] + 2 * MARGIN, 3), np.uint8)
    framed[:] = PAPER
    framed[MARGIN:-MARGIN, MARGIN:-MARGIN] = large
    return framed
