"""The parts of a report about the rule book's own words: its promises, and what it leaves open."""

from collections.abc import Sequence
from typing import Final

from evenodds.study.figures import BRIEF, brief_figures
from evenodds.study.pages.markup import paragraph, section, table, told
from evenodds.study.promises import NO_CLAIMS, Kept
from evenodds.study.readings import Reading

MARKS: Final = {
    "holds": "✓ holds",
    "fails": "✗ fails",
    "undefined": "? undefined",
    "yes": "yes",
    "partly": "partly",
    "no": "no",
}


def claims_part(promises: Sequence[Kept], questions: Sequence[Kept]) -> str:
    """What the rule book promises, and whether it keeps it; our own questions apart."""
    body = "".join(map(_promise, promises)) or paragraph(NO_CLAIMS)
    if questions:
        asked = "".join(map(_question, questions))
        body += f"<h3>What no book says, but a designer asks</h3>\n{asked}"
    return section("claims", "What the rule book promises", body, how="")


def _promise(kept: Kept) -> str:
    quote = f"<blockquote>{told(kept.said)}</blockquote>\n"
    return _claim(kept, kept.name[:1].upper() + kept.name[1:], quote)


def _question(kept: Kept) -> str:
    return _claim(kept, kept.said, "")


def _claim(kept: Kept, heading: str, quote: str) -> str:
    shown = paragraph(kept.evidence) + (seen(kept.command) if kept.line else "")
    head = f"<h3>{badge(kept.verdict)}{told(heading)}</h3>"
    return f'<div class="claim">{head}\n{quote}{shown}</div>\n'


def badge(verdict: str) -> str:
    """A verdict in a word."""
    return f'<span class="badge {verdict}">{MARKS[verdict]}</span>'


def seen(command: str) -> str:
    """What shows it, for those who type."""
    return f"<p><small>See it:</small> <code>{told(command)}</code></p>\n"


def readings_part(readings: Sequence[Reading], rules: dict[str, int | str]) -> str:
    """What each reading of an unclear sentence does to the game; nothing where none was studied."""
    if not readings:
        return ""
    about = "Each ruling each way, the others as they are here. This page is about those marked."
    now = [place for place, one in enumerate(readings) if str(rules[one.key]) == one.value]
    lines = [[f"{one.key} = {one.value}", *_figures(one)] for one in readings]
    heads = ["Ruling", *(measure.short for measure in BRIEF)]
    body = table("Every ruling each way", heads, lines, stack=True, now=now)
    reasons = [f"{one.key} = {one.value}: {one.reason}" for one in readings if one.reason]
    body += "".join(paragraph(reason, "faint") for reason in reasons)
    return section("readings", "Every ruling each way", body + paragraph(about, "faint"))


def _figures(reading: Reading) -> list[str]:
    if reading.study is None:
        return ["too large"] + [""] * (len(BRIEF) - 1)
    return brief_figures(reading.study)
