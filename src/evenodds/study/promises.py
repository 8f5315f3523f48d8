"""The parts of a report about the rule book's own words: its promises, and what it leaves open."""

from collections.abc import Sequence
from typing import Final, Protocol

from evenodds.study.figures import BRIEF
from evenodds.study.markup import paragraph, section, table, told

NO_CLAIMS: Final = "This rule book makes no promises that were listed."
MARKS: Final = {"holds": "✓ holds", "fails": "✗ fails", "undefined": "? undefined"}


class Checked(Protocol):
    """A promise of a rule book, or a question of our own where there is no quote, and what came."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def quote(self) -> str: ...  # noqa: D102
    @property
    def verdict(self) -> str: ...  # noqa: D102
    @property
    def evidence(self) -> str: ...  # noqa: D102
    @property
    def line(self) -> str: ...  # noqa: D102
    @property
    def command(self) -> str: ...  # noqa: D102


Reading = tuple[str, str, Sequence[str]]
"""A ruling, one value of it, and the figures of the game under it, in the order of the heads."""


HEADS: Final = tuple(measure.short for measure in BRIEF)
"""What the figures of `brief_figures` are called where there is little room."""


def claims_part(claims: Sequence[Checked]) -> str:
    """What the rule book promises, and whether it keeps it; our own questions apart."""
    promises = [claim for claim in claims if claim.quote]
    questions = [claim for claim in claims if not claim.quote]
    body = "".join(map(_claim, promises)) or paragraph(NO_CLAIMS)
    if questions:
        body += "<h3>What no book says, but a designer asks</h3>\n" + "".join(
            map(_claim, questions)
        )
    return section("claims", "What the rule book promises", body, how="")


def _claim(claim: Checked) -> str:
    verdict = str(claim.verdict)
    quote = f"<blockquote>{told(claim.quote)}</blockquote>\n" if claim.quote else ""
    shown = claim.command or claim.line
    line = f"<p><small>See it:</small> <code>{told(shown)}</code></p>\n" if shown else ""
    return (
        f'<div class="claim"><h3><span class="badge {verdict}">{MARKS[verdict]}</span>'
        f"{told(claim.name)}</h3>\n{quote}{paragraph(claim.evidence)}{line}</div>\n"
    )


def readings_part(rows: Sequence[Reading], rules: dict[str, int | str]) -> str:
    """What each reading of an unclear sentence does to the game; nothing where none was studied."""
    if not rows:
        return ""
    about = "Each ruling each way, the others as they are here. This page is about the marked one."
    now = [place for place, (key, value, _) in enumerate(rows) if str(rules.get(key)) == value]
    body = readings_table(rows, now=now) + paragraph(about, "faint")
    return section("readings", "Every ruling each way", body)


def readings_table(
    rows: Sequence[Reading],
    heads: Sequence[str] = HEADS,
    now: Sequence[int] = (),
) -> str:
    """A line for each reading; the heads are those of `figures.brief_figures`."""
    lines = [[f"{key} = {value}", *figures] for key, value, figures in rows]
    return table("Every ruling each way", ["Ruling", *heads], lines, stack=True, now=now)
