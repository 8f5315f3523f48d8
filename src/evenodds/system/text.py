"""Text made harmless before it is shown, and fitted into columns."""

import re
import unicodedata
from typing import Final, NamedTuple

ID_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for each other, for identifiers read out aloud."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories that move the cursor, reorder text, break lines or show nothing at all."""

MAX_MARKS: Final = 2
"""Combining marks that a letter of a name may have."""

_MARKUP: Final = re.compile(r"\[[A-Za-z#/@][^\[\]]*\]")
"""What a terminal library would take for markup."""


class TextTable(NamedTuple):
    """Heads and cells; the first column is the label of a row."""

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def as_markdown(self) -> str:
        """The table in Markdown."""
        lines = [self.heads, ("---",) * len(self.heads), *self.rows]
        cells = [[text.replace("|", "\\|") for text in line] for line in lines]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def printable(text: str) -> str:
    """The text without control characters, direction marks and line breaks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign for sign in text if unicodedata.category(sign) not in _UNSEEN)


def with_few_marks(text: str) -> str:
    """The text in one form, with two marks on a letter at most: piles of them cover other lines."""
    kept, marks = [], 0
    for sign in unicodedata.normalize("NFC", text):
        marks = marks + 1 if _width(sign) == 0 else 0
        if marks <= MAX_MARKS:
            kept.append(sign)
    return "".join(kept)


def sanitized(text: str) -> str:
    """Untrusted text without control characters and without terminal markup, nested or not."""
    text = printable(text)
    while _MARKUP.search(text):
        text = _MARKUP.sub("", text)
    return text


def parse_whole(text: str) -> int | None:
    """Parse a whole number of up to nine ASCII digits; None for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def display_width(text: str) -> int:
    """The width of a text in terminal columns: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_width(sign) for sign in text)


def _width(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def padded(text: str, width: int) -> str:
    """The text with spaces up to a width."""
    return text + " " * (width - display_width(text))


def wrapped(line: str, width: int) -> list[str]:
    """A line broken between words into parts of at most a width, where words allow it.

    A figure stays with its `%`; continuation lines are indented to the first word.
    """
    words = re.findall(r"(?:^ *-)? *[^ ]+(?: %[^ ]*)?", line)
    under = " " * (len(line) - len(line.lstrip(" ")) + (2 if line.lstrip(" ")[:2] == "- " else 0))
    lines = [""]
    for word in words:
        if lines[-1].strip() and display_width(lines[-1] + word) > width:
            lines.append(under + word.lstrip(" "))
        else:
            lines[-1] += word
    return lines


def hanging(lead: str, text: str, width: int) -> list[str]:
    """A text beside a lead, its lines under each other, down to a width of 18."""
    indent = " " * display_width(lead)
    lines = wrapped(indent + text, max(len(indent) + 18, width))
    return [lead + lines[0][len(indent) :], *lines[1:]]


def shorten(value: object, limit: int = 40) -> str:
    """Any value as printable text of at most `limit` characters, for error messages."""
    if isinstance(value, int) and abs(value) >= 10**limit:
        return "a number too long to show"
    text = printable(value if isinstance(value, str) else repr(value))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def as_given(value: object) -> str:
    """A value that a function refuses, as it was given: text in quotes."""
    return shorten(repr(value) if isinstance(value, str) else value)


def error_text(error: BaseException, limit: int = 80) -> str:
    """An exception of other people's code in one line: its class and what it says."""
    return f"{type(error).__name__}: {shorten(str(error), limit)}".rstrip(": ")
