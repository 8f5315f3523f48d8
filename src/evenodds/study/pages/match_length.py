"""Report section on match length: distribution under random picks and perfect play."""

from typing import Final

from evenodds.claims.study_figures import PERFECT_POLICY, RANDOM_POLICY, LengthDistribution, Study
from evenodds.figures import counted, percent
from evenodds.render.blocks import Block, Chart, Columns, Fold, Note, Section, Table
from evenodds.render.charts import Series, column_chart
from evenodds.study.wording import (
    format_bound,
    format_mean_length,
    length_unit,
    policy_label,
    repetition_note,
)

MAX_UNTRIMMED_LENGTHS: Final = 20
"""The most lengths that are all shown."""
MIN_SHOWN_SHARE: Final = 1e-3
"""Of more lengths the tail with a smaller share than this is left out."""


def lengths_part(study: Study) -> Section:
    """The section on match lengths: random picks beside perfect play."""
    size, unit = study.size, length_unit(study)
    if size.shortest == size.longest:
        said = f"Every match takes {counted(size.shortest, unit)}."
        return Section("length", "How long a match is", [said])
    known = {
        policy: play.lengths
        for policy, play in study.plays.items()
        if policy in (RANDOM_POLICY, PERFECT_POLICY)
        and play.lengths is not None
        and any(play.lengths.shares)
    }
    rule = " by the rules" if study.repetition else ""
    rows = [
        [f"Fewest {unit}{rule}", f"{size.shortest:,}"],
        *(
            [f"Mean, {policy_label(policy).lower()}", format_mean_length(p.odds)]
            for policy, p in study.plays.items()
        ),
        [f"Most {unit}{rule}", format_bound(size.longest)],
    ]
    lengths = Table("How long a match is", ["Length", unit.capitalize()], rows)
    note = (
        "" if PERFECT_POLICY in known else "The chart leaves perfect play out: it goes in circles."
    )
    if study.repetition:
        note += f" In the chart play goes on; in the table it ends. {repetition_note(study)}"
    drawn: list[Block] = [_lengths(known, unit)] if known else []
    body = Columns([drawn, [lengths, Note(note)]])
    return Section("length", "How long a match is", [body])


def _lengths(known: dict[str, LengthDistribution], unit: str) -> Chart:
    least = min(_first(lengths) for lengths in known.values())
    most = max(_last(lengths) for lengths in known.values())
    names = [str(place) for place in range(least, most + 1)]
    series = [
        Series(policy_label(policy), style, _pad_lengths(known[policy], least, most))
        for policy, style in ((RANDOM_POLICY, "one"), (PERFECT_POLICY, "two"))
        if policy in known
    ]
    title = f"How many {unit} matches take"
    about = f"The share of matches that end after so many {unit}."
    if most < max(len(lengths.shares) for lengths in known.values()):
        about += f" Fewer than one match in a thousand takes more than {most}."
    rows = [
        [name, *(percent(one.shares[place]) for one in series)] for place, name in enumerate(names)
    ]
    heads = [unit.capitalize(), *(one.name for one in series)]
    chart = column_chart("lengths", title, names, series)
    figures = Fold("The figures", Table(title, heads, rows))
    return Chart(title, about, chart, series, figures)


def _first(lengths: LengthDistribution) -> int:
    return next(place for place, share in enumerate(lengths.shares, 1) if share > 0)


def _last(lengths: LengthDistribution) -> int:
    """The last length that is shown."""
    last = len(lengths.shares)
    if last <= MAX_UNTRIMMED_LENGTHS:
        return last
    left = lengths.longer
    while left + lengths.shares[last - 1] < MIN_SHOWN_SHARE:
        left += lengths.shares[last - 1]
        last -= 1
    return last


def _pad_lengths(lengths: LengthDistribution, least: int, most: int) -> list[float]:
    shares = lengths.shares[least - 1 : most]
    return [*shares, *[0.0] * (most - least + 1 - len(shares))]
