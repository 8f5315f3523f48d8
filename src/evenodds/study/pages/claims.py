"""Report sections on claims, standard questions and ruling variants."""

from collections.abc import Sequence
from typing import Final

from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.render.html import paragraph, section, table, told
from evenodds.study.claims.results import NO_CLAIMS, ClaimResult
from evenodds.study.claims.ruling_variants import RulingVariant
from evenodds.study.figures import (
    ComparisonMeasure,
    brief_notes,
    measures_of,
    repetition_note,
    unit,
)
from evenodds.study.metrics.equilibrium_ranges import leeway_note
from evenodds.study.study import Study

MARKS: Final = {
    "holds": "✓ holds",
    "fails": "✗ fails",
    "undefined": "? undefined",
    "yes": "yes",
    "partly": "partly",
    "no": "no",
}


def claims_part(promises: Sequence[ClaimResult], questions: Sequence[ClaimResult]) -> str:
    """What the rule book promises, and whether it keeps it; our own questions apart."""
    body = "".join(map(_promise, promises)) or paragraph(NO_CLAIMS)
    if questions:
        asked = "".join(map(_question, questions))
        body += f"<h3>What no book says, but a designer asks</h3>\n{asked}"
    return section("claims", "What the rule book promises", body, how="")


def _promise(kept: ClaimResult) -> str:
    quote = f"<blockquote>{told(kept.said)}</blockquote>\n"
    return _claim(kept, kept.name[:1].upper() + kept.name[1:], quote)


def _question(kept: ClaimResult) -> str:
    return _claim(kept, kept.said, "")


def _claim(kept: ClaimResult, heading: str, quote: str) -> str:
    shown = paragraph(kept.evidence) + (seen(kept.command) if kept.line else "")
    head = f"<h3>{badge(kept.verdict)}{told(heading)}</h3>"
    return f'<div class="claim">{head}\n{quote}{shown}</div>\n'


def badge(verdict: str) -> str:
    """A verdict in a word."""
    return f'<span class="badge {verdict}">{MARKS[verdict]}</span>'


def seen(command: str) -> str:
    """What shows it, for those who type."""
    return f"<p><small>See it:</small> <code>{told(command)}</code></p>\n"


def readings_part(
    readings: Sequence[RulingVariant], study: Study, lines: Thresholds = DEFAULT_THRESHOLDS
) -> str:
    """What each reading of an unclear sentence does to the game; nothing where none was studied."""
    if not readings:
        return ""
    rules, measures = study.rules, measures_of(lines)
    about = "Each ruling each way, the others as they are here. This page is about those marked."
    now = [place for place, one in enumerate(readings) if str(rules[one.key]) == one.value]
    rows = [[f"{one.key} = {one.value}", *_figures(one, measures, unit(study))] for one in readings]
    heads = ["Ruling", *(measure.short for measure in measures)]
    body = table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, repetition_note(study), leeway_note(study.leeway)]
    body += paragraph(" ".join(filter(None, notes)), "faint")
    return section("readings", "Every ruling each way", body + "".join(map(_noted, readings)))


def _figures(reading: RulingVariant, measures: Sequence[ComparisonMeasure], unit: str) -> list[str]:
    brief = reading.brief
    if brief is None:
        return ["left out"] + [""] * (len(measures) - 1)
    return [measure.tell(brief, unit) for measure in measures]


def _noted(reading: RulingVariant) -> str:
    """Why a reading has no figures, and what finds them all the same; or why some are missing."""
    name = f"{reading.key} = {reading.value}"
    if reading.brief is None:
        command = f"<code>{told(reading.command)}</code>"
        return f'<p class="faint">{told(f"{name} is left out: {reading.reason}.")} {command}</p>\n'
    notes = brief_notes(reading.brief)
    return paragraph(f"{name}: {'; '.join(notes)}.", "faint") if notes else ""
