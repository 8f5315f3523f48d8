"""Report section on the variants of every ruling."""

from collections.abc import Sequence

from evenodds.claims.study_figures import Study
from evenodds.render.blocks import Block, Note, Section, Table
from evenodds.study.variants import RulingVariant
from evenodds.study.wording import (
    COMPARISON_MEASURES,
    ComparisonMeasure,
    length_unit,
    perfect_strategy_note,
    repetition_note,
    summary_notes,
)


def ruling_variants_part(variants: Sequence[RulingVariant], study: Study) -> Section | None:
    """The section on the variants of every ruling; none where none was studied."""
    if not variants:
        return None
    rules, measures = study.rules, COMPARISON_MEASURES
    about = (
        "Each row changes one rule option and leaves the rest as they are. The options used on "
        "this page are marked."
    )
    now = [place for place, one in enumerate(variants) if str(rules[one.key]) == one.value]
    rows = [
        [f"{one.key} = {one.value}", *_figures(one, measures, length_unit(study))]
        for one in variants
    ]
    heads = ["Ruling", *(measure.short for measure in measures)]
    table = Table("Every ruling each way", heads, rows, stack=True, now=now)
    notes = [about, repetition_note(study), perfect_strategy_note(study)]
    blocks: list[Block] = [
        table,
        Note(" ".join(filter(None, notes))),
        *map(_variant_note, variants),
    ]
    return Section("readings", "Every ruling each way", blocks)


def _figures(variant: RulingVariant, measures: Sequence[ComparisonMeasure], unit: str) -> list[str]:
    summary = variant.brief
    if summary is None:
        return ["left out"] + [""] * (len(measures) - 1)
    return [measure.tell(summary, unit) for measure in measures]


def _variant_note(variant: RulingVariant) -> Note:
    """Why a variant has no figures, with the command that finds them; or why some are missing."""
    name = f"{variant.key} = {variant.value}"
    if variant.brief is None:
        return Note(f"{name} is left out: {variant.reason}.", variant.command)
    notes = summary_notes(variant.brief)
    return Note(f"{name}: {'; '.join(notes)}." if notes else "")
