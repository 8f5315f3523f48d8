"""The driver of the terminal: of each update it sends only the cells that change.

Textual sends whole widgets, and after a new layout the whole screen: 20 to 40 KB for a round of
a match, which is felt over ssh.
"""

import re
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.driver import Driver

TOKENS: Final = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<style>[\d;]*)m"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
    r"|(?P<line_feed>\n)"
    r"|(?P<other>\x1b\[[^@-~]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|.)",
    re.DOTALL,
)
ALTERNATE_SCREEN: Final = "\x1b[?1049"


class SentCells:
    """The cells of the terminal as they were sent."""

    def __init__(self) -> None:
        self._rows: dict[int, list[object]] = {}
        """A cell is its text and style; of text with wide characters, each of all their cells."""
        self._size: tuple[int, int] | None = None
        """The columns and rows of the terminal, if it has told them since the start."""

    def resize(self, columns: int, rows: int) -> None:
        """Take another size of the terminal, which may move what it shows."""
        self._size = columns, rows
        self.forget()

    def forget(self) -> None:
        """Send every cell again: the terminal may show something else."""
        self._rows.clear()

    def changes(self, data: str) -> str:
        """The part of an update that changes what the terminal shows.

        Line feeds are left out: an update moves to the beginning of each line. What an update
        from before a new size has outside of it is left out, too: the terminal would write it into
        its last column, over cells that count as sent.
        """
        sent: list[str] = []
        row = column = 1
        style = sent_style = ""
        cursor: tuple[int, int] | None = None
        for token in TOKENS.finditer(data):
            if token["text"] is not None:
                text = self._cropped(row, column, token["text"])
                first, changed, columns = self._change(row, column, text, style)
                if changed:
                    if cursor != (row, column + first):
                        sent.append(f"\x1b[{row};{column + first}H")
                    if style != sent_style:
                        sent.append(f"\x1b[0;{style}m" if style else "\x1b[m")
                        sent_style = style
                    sent.append(changed)
                    cursor = row, column + first + cell_len(changed)
                column += columns
            elif token["row"] is not None:
                row, column = int(token["row"]), int(token["column"])
            elif token["style"] is not None:
                style = "" if token["style"] in ("", "0") else token["style"]
            elif token["other"] is not None:
                sent.append(token["other"])
                if token["other"].startswith(ALTERNATE_SCREEN):
                    self.forget()
        return "".join(sent) + ("\x1b[m" if sent_style else "")

    def _cropped(self, row: int, column: int, text: str) -> str:
        """The part of a text that the terminal has room for."""
        if self._size is None:
            return text
        columns, rows = self._size
        room = max(0, columns + 1 - column) if row <= rows else 0
        return text if cell_len(text) <= room else set_cell_size(text, room)

    def _change(self, row: int, column: int, text: str, style: str) -> tuple[int, str, int]:
        """Where a text changes, from there to its last change, and the columns of all of it."""
        columns = cell_len(text)
        narrow = columns == len(text)
        cells: list[object] = (
            [(character, style) for character in text]
            if narrow
            else [(text, style, place) for place in range(columns)]
        )
        line = self._rows.setdefault(row, [])
        line += [None] * (column + columns - len(line))
        before = line[column : column + columns]
        if before == cells:
            return 0, "", columns
        line[column : column + columns] = cells
        if not narrow:
            return 0, text, columns
        changed = [place for place in range(columns) if before[place] != cells[place]]
        return changed[0], text[changed[0] : changed[-1] + 1], columns


def sending_changes(driver: type[Driver], cells: SentCells) -> type[Driver]:
    """A driver that sends changes only."""

    class ChangesDriver(driver):  # type: ignore[misc, valid-type]
        """The driver, with less to send."""

        def write(self, data: str) -> None:
            """Write what changes."""
            super().write(cells.changes(data))

    return ChangesDriver
