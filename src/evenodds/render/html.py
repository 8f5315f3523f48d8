"""HTML building blocks: escaped text, tables, figures, sections, and the whole document."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from evenodds import __version__
from evenodds.render.style import STYLE

EXACT_METHOD: Final = "exact"
"""The method of a section: summed over every position, nothing sampled."""

MAX_UNBROKEN_CHARACTERS: Final = 20
"""Characters that fit into a table cell on a phone."""


def escape_text(text: str) -> str:
    """Escaped text, with a non-breaking space before `%`."""
    return escape(text).replace(" %", "&nbsp;%")


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of plain text; empty for an empty text."""
    kind = f' class="{style}"' if style else ""
    return f"<p{kind}>{escape_text(text)}</p>\n" if text else ""


def table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    stack: bool = False,
    now: Sequence[int] = (),
) -> str:
    """A table whose first column holds the row headers.

    With `stack` cells stand below each other on narrow screens. The rows in `now` are highlighted.
    """
    roles = _AriaRoles(stack)
    top = "".join(
        f'<th scope="col"{roles("columnheader")}>{escape_text(head)}</th>' for head in heads
    )
    lines = "".join(
        f"<tr{roles('row')}{' class=now' if place in now else ''}>"
        f'<th scope="row"{roles("rowheader")}>{escape_text(row[0])}</th>'
        f"{_cells(row[1:], heads[1:], roles)}</tr>\n"
        for place, row in enumerate(rows)
    )
    return (
        f'<table{" class=stack" if stack else ""}{roles("table")} aria-label="{escape(title)}">\n'
        f"<thead{roles('rowgroup')}><tr{roles('row')}>{top}</tr></thead>\n"
        f"<tbody{roles('rowgroup')}>\n{lines}</tbody></table>\n"
    )


class _AriaRoles:
    # Browsers drop the semantics of a table whose cells are laid out by `display: block`; explicit
    # roles restore them for screen readers.

    def __init__(self, explicit: bool) -> None:
        self.explicit = explicit

    def __call__(self, role: str) -> str:
        return f' role="{role}"' if self.explicit else ""


def _cell(text: str) -> str:
    # A number of very many digits may be broken at its commas.
    return (
        escape_text(text).replace(",", ",<wbr>")
        if len(text) > MAX_UNBROKEN_CHARACTERS
        else escape_text(text)
    )


def _cells(cells: Sequence[str], heads: Sequence[str], roles: _AriaRoles) -> str:
    return "".join(
        f'<td{roles("cell")} data-head="{escape(head)}">{_cell(cell)}</td>'
        if roles.explicit
        else f"<td>{_cell(cell)}</td>"
        for cell, head in zip(cells, heads, strict=True)
    )


def collapsible(summary: str, inner: str, *, wide: str = "") -> str:
    """A collapsed section; content under a `wide` label scrolls horizontally by itself."""
    if wide:
        inner = (
            f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(wide)}">'
            f"{inner}</div>"
        )
    return f"<details><summary>{escape_text(summary)}</summary>\n{inner}</details>\n"


def figure(caption: str, about: str, drawing: str, figures: str = "") -> str:
    """A drawing with its caption above, and its figures below."""
    small = f" <small>{escape_text(about)}</small>" if about else ""
    above = f"<figcaption>{escape_text(caption)}{small}</figcaption>\n" if caption else ""
    return f"<figure>\n{above}{drawing}{figures}</figure>\n"


def section(id: str, title: str, body: str, how: str = EXACT_METHOD) -> str:
    """A section of a page; `how` is the method by which its figures were found."""
    mark = f'<span class="how">{escape_text(how)}</span>' if how else ""
    return (
        f'<section id="{id}" aria-labelledby="{id}-title">{mark}'
        f'<h2 id="{id}-title">{escape_text(title)}</h2>\n{body}</section>\n'
    )


def side_by_side(*parts: str) -> str:
    """Parts in columns on wide screens; empty ones are left out."""
    kept = "".join(f"<div>{part}</div>\n" for part in parts if part)
    return f'<div class="side">\n{kept}</div>\n' if kept else ""


def page(title: str, style: str, body: str) -> str:
    """An HTML page that needs nothing else: no script, no font, no other file, no date."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}"
        "</body>\n</html>\n"
    )


def document(title: str, head: str, body: str, foot: str = "") -> str:
    """A page in the style of the studies, with header, main part and footer."""
    return page(
        title,
        STYLE,
        f"<header>\n{head}</header>\n<main>\n{body}</main>\n"
        f"<footer>\n{foot}<p><small>Even Odds {__version__}</small></p>\n</footer>\n",
    )
