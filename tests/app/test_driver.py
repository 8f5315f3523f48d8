"""Updates of the terminal: the same picture as without leaving anything out, in fewer bytes."""

from random import Random

import pyte
import pytest

from evenodds.app.driver import SentCells

ROWS, COLUMNS = 6, 24
STYLES = ("1;38;2;86;180;233", "38;5;12;48;5;3", "7")
TEXTS = ("╭──╮│", "abc", " ", "    ", "数字ab", "e\u0301x")
"""Frames, letters, spaces, wide and combined characters."""


def _update(rng: Random) -> str:
    """Rows as Textual writes them, all or some of them."""
    written = []
    for row in range(1, ROWS + 1):
        if rng.random() < 0.7:
            texts = rng.choices(TEXTS, k=3)
            styles = [rng.choice(STYLES) for _ in texts]
            parts = (f"\x1b[{s}m{t}\x1b[0m" for s, t in zip(styles, texts, strict=True))
            written.append(f"\x1b[{row};{rng.choice((1, 3))}H{''.join(parts)}")
    return "\x1b[?2026h" + "\n".join(written) + "\x1b[1;1H\x1b[?2026l"


def test_the_terminal_shows_the_same() -> None:
    rng, cells = Random(1), SentCells()
    screens = [pyte.Screen(COLUMNS, ROWS) for _ in range(2)]
    whole, changed = (pyte.Stream(screen) for screen in screens)
    for _ in range(200):
        update = _update(rng)
        whole.feed(update)
        changed.feed(cells.changes(update))
        assert screens[0].buffer == screens[1].buffer


@pytest.mark.parametrize("text", ["          abc", "\u6570" * 8])
def test_an_update_for_an_old_size_leaves_nothing(text: str) -> None:
    """It may still come after the new size; what comes then is all that is seen."""
    cells, window = SentCells(), pyte.Screen(9, 3)
    terminal = pyte.Stream(window)
    terminal.feed("\x1b[?7l")  # as Textual writes: a line does not go on below
    cells.resize(9, 3)
    for update in ("".join(f"\x1b[{row};1H{text}" for row in range(1, 7)), "\x1b[3;1Hnew      "):
        terminal.feed(cells.changes(update))
    assert window.display[2] == "new      "
    blank = "".join(f"\x1b[{row};1H{' ' * 9}" for row in range(1, 4))
    terminal.feed(cells.changes(blank))
    assert window.display == [" " * 9] * 3


def test_what_is_shown_already_is_not_sent_again() -> None:
    cells = SentCells()
    update = "\x1b[2;3H\x1b[1mone\x1b[0m two"
    assert cells.changes(update) == "\x1b[2;3H\x1b[0;1mone\x1b[m two"
    assert cells.changes(update) == ""
    assert cells.changes("\x1b[2;3H\x1b[1mown\x1b[0m two") == "\x1b[2;4H\x1b[0;1mwn\x1b[m"
    cells.forget()
    assert "one" in cells.changes(update)
    assert cells.changes("\x1b[?1049h\x07") == "\x1b[?1049h\x07"
    assert "one" in cells.changes(update)
