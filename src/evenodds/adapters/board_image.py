"""Boards as RGB images, rendered with NumPy alone."""

from typing import Final

from evenodds.adapters.bitmap_font import CELL_HEIGHT_DOTS, CELL_WIDTH_DOTS, glyph
from evenodds.core.board import Board
from evenodds.system.imports.extras import needs

with needs("environments"):
    import numpy as np
    from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Rows of pixels, each red, green and blue."""
IMAGE_COLUMNS: Final = 60
"""Every board fits into these."""
PIXELS_PER_DOT: Final = 2
MARGIN_PIXELS: Final = 12
BACKGROUND_RGB: Final = (20, 22, 30)
STYLE_RGB: Final = {
    "first": (86, 196, 232),
    "second": (226, 122, 214),
    "spent": (84, 88, 104),
    "open": (122, 214, 122),
    "last": (240, 208, 92),
    "faint": (112, 118, 136),
    "strong": (255, 255, 255),
    "": (206, 210, 220),
}
"""The colour of each style of a board."""


def render_board_image(board: Board, lines: int) -> Image:
    """An image with a fixed number of lines, so that all frames have one size."""
    canvas = np.empty((lines * CELL_HEIGHT_DOTS, IMAGE_COLUMNS * CELL_WIDTH_DOTS, 3), np.uint8)
    canvas[:] = BACKGROUND_RGB
    for row, line in enumerate(board[:lines]):
        cells = [(char, STYLE_RGB[span.style]) for span in line for char in span.text]
        for column, (char, ink) in enumerate(cells[:IMAGE_COLUMNS]):
            top, left = row * CELL_HEIGHT_DOTS, column * CELL_WIDTH_DOTS
            canvas[top : top + CELL_HEIGHT_DOTS, left : left + CELL_WIDTH_DOTS][glyph(char)] = ink
    large = canvas.repeat(PIXELS_PER_DOT, axis=0).repeat(PIXELS_PER_DOT, axis=1)
    framed = np.empty(
        (large.shape[0] + 2 * MARGIN_PIXELS, large.shape[1] + 2 * MARGIN_PIXELS, 3), np.uint8
    )
    framed[:] = BACKGROUND_RGB
    framed[MARGIN_PIXELS:-MARGIN_PIXELS, MARGIN_PIXELS:-MARGIN_PIXELS] = large
    return framed
