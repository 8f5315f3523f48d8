"""Report of a study of a rule book: verdict, claims, rulings, thresholds."""

from typing import Final

from evenodds.claims.claim import Verdict
from evenodds.claims.thresholds import THRESHOLDS
from evenodds.core import catalog
from evenodds.core.board import Span
from evenodds.core.rulings import format_rulings
from evenodds.core.terms import repetition_rule
from evenodds.figures import Estimate, counted, percent
from evenodds.study.claim_results import NO_CLAIMS
from evenodds.study.measures import MEASURES, VARIANT_MEASURES
from evenodds.study.report import SampledStudy, StudyReport
from evenodds.study.variants import RulingVariant
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
        _paragraph(screen, answer.said, answer.evidence)
    if note := perfect_strategy_note(study):
        screen.say_wrapped("", note)
    screen.say_wrapped("", "What the rule book promises, and whether it is true:")
    if not report.claims:
        screen.say(NO_CLAIMS)
    for claim in report.claims:
        _claim(screen, claim)


def show(report: StudyReport, screen: Output) -> None:
    """Show the verdict, the claims, and the variants of every ruling."""
    study = report.study
    show_verdict(report, screen)
    _variants(screen, report)
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
        _estimate(screen, name.replace("_", " "), getattr(sample, name))
    length = sample.length
    screen.say(f"{'length':>9}  {length.value:.3f} {unit} ({length.low:.3f} to {length.high:.3f})")
    if game.loops:
        screen.say(repetition_rule(sample.repetition))
    screen.say("", "In brackets: the 95% confidence interval.")


def _estimate(screen: Output, name: str, found: Estimate) -> None:
    low, high = percent(found.low, 2), percent(found.high, 2)
    screen.say(f"{name:>9}  {percent(found.value, 2)} ({low} to {high})")


def _paragraph(screen: Output, question: str, sentence: str) -> None:
    screen.draw([[Span(question, "strong")]])
    screen.say(*hanging("  ", sentence, screen.report_width))


VERDICT_SPANS: Final = {
    "holds": Span(f"{'holds':<{VERDICT_COLUMNS}}", "first"),
    "fails": Span(f"{'fails':<{VERDICT_COLUMNS}}", "second"),
    "undefined": Span(f"{'left open':<{VERDICT_COLUMNS}}", "strong"),
}


def _claim(screen: Output, claim: ClaimResult) -> None:
    """The verdict on a claim and its quote; with the evidence, unless it holds."""
    room = screen.report_width - VERDICT_COLUMNS
    first, *rest = wrapped(f'{claim.name.capitalize()}: "{claim.said}"', room)
    holds = claim.verdict == Verdict.HOLDS
    if holds and rest:
        first = f'{first[: room - 4]}..."'
    screen.draw([[VERDICT_SPANS[claim.verdict], Span(first)]])
    if holds:
        return
    screen.say(*(" " * VERDICT_COLUMNS + line for line in [*rest, *wrapped(claim.evidence, room)]))
    if claim.command:
        screen.say(" " * VERDICT_COLUMNS + claim.command)


def _thresholds(screen: Output) -> None:
    """The thresholds of the verdicts."""
    screen.say("", "The thresholds of these verdicts:")
    names = max(map(len, THRESHOLDS)) + 1
    for name, threshold in THRESHOLDS.items():
        lead = f"{name:<{names}}{threshold!s:>5}  "
        screen.say(*hanging(lead, threshold.about, screen.report_width))


def _variants(screen: Output, report: StudyReport) -> None:
    """A line for each ruling variant; in columns where the screen is wide enough."""
    variants = report.variants
    if not variants:
        return
    screen.say_wrapped("", "What each ruling changes (the book's own and its variants):")
    names = [f"{one.key}={one.value}" for one in variants]
    measures = [name for name in VARIANT_MEASURES if _differs(name, variants)]
    figures = [_figures(one, measures) for one in variants]
    lead = max(map(len, names)) + 1
    if lead + FIGURE_COLUMNS * len(measures) > screen.report_width:
        for name, shown_figures in zip(names, figures, strict=True):
            _list(screen, name, measures, shown_figures)
        return
    heads = [wrapped(MEASURES[name].head, FIGURE_COLUMNS - 1) for name in measures]
    for line in range(max(map(len, heads))):
        words = [head[line] if line < len(head) else "" for head in heads]
        screen.say((" " * lead + "".join(f"{word:>{FIGURE_COLUMNS}}" for word in words)).rstrip())
    for name, shown_figures in zip(names, figures, strict=True):
        cells = "".join(f"{figure:>{FIGURE_COLUMNS}}" for figure in shown_figures)
        screen.say(f"{name:<{lead}}{cells}")
    screen.say_wrapped(VARIANTS_LEGEND)


def _differs(measure: str, variants: list[RulingVariant]) -> bool:
    """Whether a figure gets a column: not where it is 0 for every variant."""
    shown_figures = {
        format_compared(measure, one.figures[measure])
        for one in variants
        if one.figures is not None
    }
    return shown_figures != {percent(0.0)}


def _list(screen: Output, name: str, measures: list[str], figures: list[str]) -> None:
    """The same on a narrow screen: each figure by its name."""
    named = zip(measures, figures, strict=False)
    screen.say(name, *(f"  {MEASURES[measure].head}: {figure}" for measure, figure in named))


def _figures(variant: RulingVariant, measures: list[str]) -> list[str]:
    """Figures without units, to save columns."""
    if variant.figures is None:
        return ["left out"]
    return [format_compared(name, variant.figures[name]) for name in measures]


def _notes(screen: Output, variants: list[RulingVariant]) -> None:
    """Why figures are missing, with the command that computes them where there is one."""
    for one in variants:
        name = f"{one.key}={one.value}"
        if one.figures is None:
            screen.say_wrapped(f"{name} is left out: {one.reason}.")
            screen.say(f"  {one.command}")
        elif notes := variant_notes(one.figures):
            screen.say_wrapped(f"{name}: {'; '.join(notes)}.")
