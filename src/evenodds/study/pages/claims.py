"""Report sections on claims, standard questions and ruling variants."""

from collections.abc import Sequence
from typing import Final

from evenodds.claims.study_data import Study
from evenodds.claims.thresholds import DEFAULT_THRESHOLDS, Thresholds
from evenodds.render.html import escape_text, paragraph, section, table
from evenodds.study.claims.claim_results import NO_CLAIMS, ClaimResult
from evenodds.study.claims.ruling_variants import RulingVariant
from evenodds.study.wording.figure_formatting import (
    ComparisonMeasure,
    comparison_measures_of,
    length_unit,
    repetition_note,
    summary_notes,
)
from evenodds.study.wording.range_notes import equilibrium_ranges_note

VERDICT_LABELS: Final = {
    "holds": "✓ holds",
    "fails": "✗ fails",
    "undefined": "? undefined",
    "yes": "yes",
    "partly": "partly",
    "no": "no",
}


def claims_part(promises: Sequence[ClaimResult], questions: Sequence[ClaimResult]) -> str:
    """The section on the claims of the rule book, followed by the standard questions."""
    body = "".join(map(_promise, promises)) or paragraph(NO_CLAIMS)
    if questions:
        asked = "".join(map(_question, questions))
        body += f"<h3>What no book says, but a designer asks</h3>\n{asked}"
    return section("claims", "What the rule book promises", body, how="")


def _promise(result: ClaimResult) -> str:
    quote = f"<blockquote>{escape_text(result.said)}</blockquote>\n"
    return _claim(result, result.name[:1].upper() + result.name[1:], quote)


def _question(result: ClaimResult) -> str:
    return _claim(result, result.said, "")


def _claim(result: ClaimResult, heading: str, quote: str) -> str:
    body = paragraph(result.evidence) + (replay_command_html(result.command) if result.line else "")
    heading_html = f"<h3>{badge(result.verdict)}{escape_text(heading)}</h3>"
    return f'<div class="claim">{heading_html}\n{quote}{body}</div>\n'


def badge(verdict: str) -> str:
    """The label of a verdict."""
    return f'<span class="badge {verdict}">{VERDICT_LABELS[verdict]}</span>'


def replay_command_html(command: str) -> str:
    """The command that replays the line of play."""
    return f"<p><small>See it:</small> <code>{escape_text(command)}</code></p>\n"


def ruling_variants_part(
    variants: Sequence[RulingVariant], study: Study, thresholds: Thresholds = DEFAULT_THRESHOLDS
) -> str:
    """The section on the variants of every ruling; empty where none was studied."""
    if not variants:
        return ""
    rules, measures = study.rules, comparison_measures_of(thresholds)
    about = "Each ruling each way, the others as they are here. This page is about those marked."
    now = [place for place, one in enumerate(variants) if str(rules[one.key]) == one.value]
    rows = [
        [f"{one.key} = {one.value}", *_figures(one, measures, length_unit(study))]
        for one in variants
    ]
    heads = ["Ruling", *(measure.short for measure in measures)]
    body = table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, repetition_note(study), equilibrium_ranges_note(study.ranges)]
    body += paragraph(" ".join(filter(None, notes)), "faint")
    return section(
        "readings", "Every ruling each way", body + "".join(map(_variant_notes, variants))
    )


def _figures(variant: RulingVariant, measures: Sequence[ComparisonMeasure], unit: str) -> list[str]:
    summary = variant.brief
    if summary is None:
        return ["left out"] + [""] * (len(measures) - 1)
    return [measure.tell(summary, unit) for measure in measures]


def _variant_notes(variant: RulingVariant) -> str:
    """Why a variant has no figures, with the command that finds them; or why some are missing."""
    name = f"{variant.key} = {variant.value}"
    if variant.brief is None:
        command = f"<code>{escape_text(variant.command)}</code>"
        said = escape_text(f"{name} is left out: {variant.reason}.")
        return f'<p class="faint">{said} {command}</p>\n'
    notes = summary_notes(variant.brief)
    return paragraph(f"{name}: {'; '.join(notes)}.", "faint") if notes else ""
