"""Text made harmless before it is shown, and fitted into columns."""

import re
import unicodedata
from typing import Final

ID_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for each other, for identifiers read out aloud."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories that move the cursor, reorder text, break lines or show nothing at all."""

_TAG: Final = re.compile(r"\[[A-Za-z#/@][^\[\]]*\]")
"""What a terminal library would take for markup."""


def printable(text: str) -> str:
    """The text without control characters, direction marks and line breaks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign for sign in text if unicodedata.category(sign) not in _UNSEEN)


def plain(text: str) -> str:
    """Untrusted text: printable, and without markup, even nested."""
    text = printable(text)
    while _TAG.search(text):
        text = _TAG.sub("", text)
    return text


def whole(text: str) -> int | None:
    """A whole number in ASCII digits, at most nine; else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def columns(text: str) -> int:
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
    return text + " " * (width - columns(text))


def wrapped(line: str, width: int) -> list[str]:
    """A line broken between words into parts of at most a width, where words allow it.

    A figure stays with its `%`; continuation lines are indented to the first word.
    """
    words = re.findall(r"(?:^ *-)? *[^ ]+(?: %[^ ]*)?", line)
    under = " " * (len(line) - len(line.lstrip(" ")) + (2 if line.lstrip(" ")[:2] == "- " else 0))
    lines = [""]
    for word in words:
        if lines[-1].strip() and columns(lines[-1] + word) > width:
            lines.append(under + word.lstrip(" "))
        else:
            lines[-1] += word
    return lines


def brief(value: object, limit: int = 40) -> str:
    """Any value as a short, printable part of one line, for error messages."""
    if isinstance(value, int) and abs(value) >= 10**limit:
        return "a number too long to show"
    text = printable(value if isinstance(value, str) else repr(value))
    return text if len(text) <= limit else text[: limit - 3] + "..."
