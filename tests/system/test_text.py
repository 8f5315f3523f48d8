"""Text from elsewhere, made harmless."""

import pytest

from evenodds.system.text import sanitized


@pytest.mark.parametrize(
    "text", ["[red]x", "[[red]red]x", "[/]x", "[#fff on @x]x", "[a[b[c]d]e]x", "\x1bx", "\u2066x"]
)
def test_markup_is_stripped_however_it_is_nested(text: str) -> None:
    assert sanitized(text) == "x"
    assert sanitized("[1] a [2, 3] b]") == "[1] a [2, 3] b]"
