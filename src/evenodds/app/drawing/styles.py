"""Colours of boards, on dark and on light backgrounds."""

from typing import Final

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
PAGE_STYLES: Final = {"markdown.h2": "bold underline", "markdown.code": "bold"}
"""Rules, as plain as the text around them."""


def board_styles(dark: bool) -> dict[str, str]:
    """How the styles of spans look."""
    return DARK_STYLES if dark else LIGHT_STYLES
