"""Reports of a study of a rule book: verdict, claims, rulings, thresholds."""

from itertools import zip_longest
from typing import Final

from evenodds.claims.claim import Verdict
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core import catalog
from evenodds.core.board import Span
from evenodds.core.rulings import format_rulings
from evenodds.core.terms import repetition_rule
from evenodds.figures import counted, percent
from evenodds.study.claim_results import NO_CLAIMS, UNCHECKED
from evenodds.study.measures import MEASURES, VARIANT_MEASURES
from evenodds.study.report import RulingVariant, SampledStudy, StudyReport
from evenodds.study.verdict import ClaimResult, verdict_answers
from evenodds.study.wording import (
    format_compared,
    perfect_strategy_note,
    repetition_note,
    variant_notes,
)
from evenodds.system.text import hanging, wrapped
from evenodds.terminal.screen import Output

VERDICT_COLUMNS: Final = 11
VERDICT_SPANS: Final = {
    "holds": Span(f"{'holds':<{VERDICT_COLUMNS}}", "first"),
    "fails": Span(f"{'fails':<{VERDICT_COLUMNS}}", "second"),
    "undefined": Span(f"{'left open':<{VERDICT_COLUMNS}}", "strong"),
}
FIGURE_COLUMNS: Final = 8
VARIANTS_LEGEND: Final = (
    "First player: expected score with best play. Draws, length: with perfect or random play. "
    "Idle choices: decisions in which all picks are equally good. Steps: how many "
    "levels score at least that much against the level below."
)


def show_verdict(report: StudyReport, screen: Output) -> None:
    """Show the verdict and the claims."""
    study = report.study
    game = catalog.get(study.game)
    screen.say_wrapped(f"{game.title}: is it a good game?", format_rulings(study.rules), "")
    for answer in verdict_answers(study):
        screen.draw([[Span(answer.text, "strong")]])
        screen.say(*hanging("  ", answer.evidence, screen.report_width))
    if note := perfect_strategy_note(study):
        screen.say_wrapped("", note)
    screen.say_wrapped("", "What the rule book promises, and whether it is true:")
    if not report.claims:
        screen.say(NO_CLAIMS)
    open_ones = [claim.text for claim in report.claims if claim.verdict == Verdict.UNCHECKED]
    for claim in report.claims:
        if claim.verdict != Verdict.UNCHECKED:
            _claim(screen, claim)
    if open_ones:
        screen.say("", UNCHECKED)
        screen.say_wrapped(*(f"- {said}" for said in open_ones))


def show(report: StudyReport, screen: Output) -> None:
    """Show the verdict, the claims, and the variants of every ruling."""
    study = report.study
    show_verdict(report, screen)
    if report.variants:
        _variants(screen, report.variants)
    _notes(screen, report.variants)
    _thresholds(screen)
    exact_note = f"Every figure is exact: summed over {counted(study.size.positions, 'positions')}."
    screen.say("")
    screen.say_wrapped(
        f"{exact_note} {repetition_note(study)}".strip(),
        "Write a page with more detail: -o report.html",
    )


def show_sample(sample: SampledStudy, screen: Output) -> None:
    """Show the sampled figures of a ruling that is too large to be solved."""
    game = catalog.get(sample.game)
    screen.say(f"{game.title}: too large to be solved.", format_rulings(sample.rules), "")
    screen.say_wrapped(sample.reason, "")
    screen.say_wrapped(
        f"Sampled, not exact: {sample.matches:,} matches of players who pick at random."
    )
    unit = "rounds" if game.simultaneous else "picks"
    for name in ("first", "draw", "second", "cut_off"):
        share, low, high = (percent(figure, 2) for figure in getattr(sample, name))
        screen.say(f"{name.replace('_', ' '):>9}  {share} ({low} to {high})")
    length = sample.length
    screen.say(f"{'length':>9}  {length.value:.3f} {unit} ({length.low:.3f} to {length.high:.3f})")
    if game.can_repeat:
        screen.say(repetition_rule(sample.repetition))
    screen.say("", "In brackets: the 95% confidence interval.")


def _claim(screen: Output, claim: ClaimResult) -> None:
    """The verdict on a claim and its quote; with the evidence, unless it holds."""
    room = screen.report_width - VERDICT_COLUMNS
    first, *rest = wrapped(f'{claim.name.capitalize()}: "{claim.text}"', room)
    holds = claim.verdict == Verdict.HOLDS
    if holds and rest:
        first = f'{first[: room - 4]}..."'
    screen.draw([[VERDICT_SPANS[claim.verdict], Span(first)]])
    if not holds:
        more = [*rest, *wrapped(claim.evidence, room), *filter(None, [claim.command])]
        screen.say(*(" " * VERDICT_COLUMNS + line for line in more))


def _thresholds(screen: Output) -> None:
    """The thresholds of the verdicts."""
    screen.say("", "The thresholds of these verdicts:")
    names = max(map(len, THRESHOLDS)) + 1
    for name, threshold in THRESHOLDS.items():
        lead = f"{name:<{names}}{threshold!s:>5}  "
        screen.say(*hanging(lead, threshold.about, screen.report_width))


def _variants(screen: Output, variants: list[RulingVariant]) -> None:
    """A line for each ruling variant; in columns where the screen is wide enough.

    Figures have no units, to save columns, and none that is 0 for every variant is shown.
    """
    screen.say_wrapped("", "What each ruling changes (the book's own and its variants):")
    known = {
        f"{one.key}={one.value}": {
            name: format_compared(name, one.figures[name])
            for name in VARIANT_MEASURES
            if one.figures
        }
        for one in variants
    }
    shown = [
        name
        for name in VARIANT_MEASURES
        if {figures[name] for figures in known.values() if figures} != {percent(0.0)}
    ]
    heads = [MEASURES[name].head for name in shown]
    rows = {
        variant: [figures[name] for name in shown] if figures else ["left out"]
        for variant, figures in known.items()
    }
    lead = max(map(len, rows)) + 1
    if lead + FIGURE_COLUMNS * len(heads) > screen.report_width:
        for variant, cells in rows.items():
            named = zip(heads, cells, strict=False)
            screen.say(variant, *(f"  {head}: {figure}" for head, figure in named))
        return
    lines = zip_longest(*(wrapped(head, FIGURE_COLUMNS - 1) for head in heads), fillvalue="")
    for name, words in [*(("", line) for line in lines), *rows.items()]:
        line = f"{name:<{lead}}" + "".join(f"{word:>{FIGURE_COLUMNS}}" for word in words)
        screen.say(line.rstrip())
    screen.say_wrapped(VARIANTS_LEGEND)


def _notes(screen: Output, variants: list[RulingVariant]) -> None:
    """Why figures are missing, with the command that computes them where there is one."""
    for one in variants:
        name = f"{one.key}={one.value}"
        if one.figures is None:
            screen.say_wrapped(f"{name} is left out: {one.reason}.")
            screen.say(f"  {one.command}")
        elif notes := variant_notes(one.figures):
            screen.say_wrapped(f"{name}: {'; '.join(notes)}.")
