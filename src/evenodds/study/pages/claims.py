"""Report sections on claims, standard questions and ruling variants."""

from collections.abc import Sequence
from typing import Final

from evenodds.core.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.render.html import escape_text, paragraph, section, table
from evenodds.study.claims.results import NO_CLAIMS, ClaimResult
from evenodds.study.claims.ruling_variants import RulingVariant
from evenodds.study.figures import (
    ComparisonMeasure,
    comparison_measures_of,
    length_unit,
    repetition_note,
    summary_notes,
)
from evenodds.study.metrics.equilibrium_ranges import equilibrium_ranges_note
from evenodds.study.study import Study

VERDICT_LABELS: Final = {
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
    quote = f"<blockquote>{escape_text(kept.said)}</blockquote>\n"
    return _claim(kept, kept.name[:1].upper() + kept.name[1:], quote)


def _question(kept: ClaimResult) -> str:
    return _claim(kept, kept.said, "")


def _claim(kept: ClaimResult, heading: str, quote: str) -> str:
    shown = paragraph(kept.evidence) + (replay_command_html(kept.command) if kept.line else "")
    head = f"<h3>{badge(kept.verdict)}{escape_text(heading)}</h3>"
    return f'<div class="claim">{head}\n{quote}{shown}</div>\n'


def badge(verdict: str) -> str:
    """A verdict in a word."""
    return f'<span class="badge {verdict}">{VERDICT_LABELS[verdict]}</span>'


def replay_command_html(command: str) -> str:
    """What shows it, for those who type."""
    return f"<p><small>See it:</small> <code>{escape_text(command)}</code></p>\n"


def ruling_variants_part(
    readings: Sequence[RulingVariant], study: Study, lines: Thresholds = DEFAULT_THRESHOLDS
) -> str:
    """What each reading of an unclear sentence does to the game; nothing where none was studied."""
    if not readings:
        return ""
    rules, measures = study.rules, comparison_measures_of(lines)
    about = "Each ruling each way, the others as they are here. This page is about those marked."
    now = [place for place, one in enumerate(readings) if str(rules[one.key]) == one.value]
    rows = [
        [f"{one.key} = {one.value}", *_figures(one, measures, length_unit(study))]
        for one in readings
    ]
    heads = ["Ruling", *(measure.short for measure in measures)]
    body = table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, repetition_note(study), equilibrium_ranges_note(study.leeway)]
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
        command = f"<code>{escape_text(reading.command)}</code>"
        said = escape_text(f"{name} is left out: {reading.reason}.")
        return f'<p class="faint">{said} {command}</p>\n'
    notes = summary_notes(reading.brief)
    return paragraph(f"{name}: {'; '.join(notes)}.", "faint") if notes else ""
