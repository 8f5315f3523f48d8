"""Report of a repair search: rulings that meet the goals, and their costs."""

from collections import Counter
from typing import Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings
from evenodds.figures import join_first, join_words
from evenodds.study.measures import format_figure
from evenodds.study.repair import GOALS, REPORTED_MEASURES, RepairResult, RulingChange
from evenodds.system.text import hanging
from evenodds.terminal.reports.sweep import lowered, measure_legend
from evenodds.terminal.screen import Output

MAX_SHOWN_REMEDIES: Final = 10
"""Rulings shown of those that meet the goals."""


def announce(game: AnyGame, goals: tuple[str, ...], proofs: dict[str, str], screen: Output) -> None:
    """Show the goals, and the proofs that some cannot be met by any ruling."""
    screen.say_wrapped(f"{game.title}: {join_words(goals)}.", "")
    screen.say_wrapped(*(f"- {name}: {lowered(GOALS[name].about)}" for name in goals), "")
    if proofs:
        screen.say_wrapped(
            "No, and no ruling can.", *(f"- {name}: {why}" for name, why in proofs.items())
        )


def show(found: RepairResult, screen: Output) -> None:
    """Show the rulings that meet the goals, their costs, and what was searched."""
    remedies = found.changes
    if remedies:
        screen.say_wrapped(
            "Yes, as the book has it." if not remedies[0].rules else "Yes, by other rulings."
        )
        _show_remedies(found, remedies, screen)
    else:
        _show_no_remedy(found, screen)
    if not found.proofs or len(found.goals) > 1:
        screen.say_wrapped("", *measure_legend(REPORTED_MEASURES), "", *_searched(found))


def _show_no_remedy(found: RepairResult, screen: Output) -> None:
    if not found.proofs:
        what = "it" if len(found.goals) == 1 else "all of it"
        screen.say_wrapped(
            f"No: none of the {len(found.sweep.found):,} rulings tried keeps {what}."
        )
        if found.nearest:
            screen.say_wrapped(_nearest(found, found.nearest))
    for some, remedies in found.compromises().items():
        screen.say_wrapped("", f"Only {join_words(some)}:")
        _show_remedies(found, remedies, screen)


def _nearest(found: RepairResult, one: RulingChange) -> str:
    """The ruling with the least shortfall, and what it lacks."""
    goals = (GOALS[name] for name in found.goals)
    near = join_words([each.describe(one.figures) for each in goals if not each.met(one.figures)])
    return f"The nearest is {format_rulings(one.rules) or 'the book as it is'}: {near}."


def _show_remedies(found: RepairResult, remedies: list[RulingChange], screen: Output) -> None:
    """The rulings nearest to the book, each with what it changes."""
    for place, one in enumerate(remedies[:MAX_SHOWN_REMEDIES], 1):
        screen.say(*hanging(f"{place:>2}. ", _format_remedy(found, one), screen.report_width))
    if len(remedies) > MAX_SHOWN_REMEDIES:
        screen.say_wrapped(
            f"    and {len(remedies) - MAX_SHOWN_REMEDIES:,} more, which change more: "
            "--json lists them"
        )


def _format_remedy(found: RepairResult, one: RulingChange) -> str:
    if not one.rules:
        return f"the book as it is: {_figures(one)}"
    changes = [
        f"{name} {format_figure(name, one.figures[name])} "
        f"(was {format_figure(name, found.book[name])})"
        for name in REPORTED_MEASURES
        if one.figures[name] != found.book.get(name)
    ]
    return f"{format_rulings(one.rules)}: {', '.join(changes) or 'nothing else changes'}"


def _figures(one: RulingChange) -> str:
    return ", ".join(
        f"{name} {format_figure(name, one.figures[name])}" for name in REPORTED_MEASURES
    )


def _searched(found: RepairResult) -> list[str]:
    """What was searched, and what was left out."""
    axes = found.sweep.grid.axes
    ranges = [f"{key} {_values(values)}" for key, values in axes.items()]
    counts = [f"{name} in {len(found.meeting((name,))):,}" for name in found.goals]
    said = [
        f"Searched, solved exactly: {len(found.sweep.found):,} of {len(found.sweep.rows):,} "
        f"combinations of {'; '.join(ranges)}. The fewest changes come first, then the smallest.",
        f"Kept: {', '.join(counts)}.",
    ]
    reasons = Counter(row.reason for row in found.sweep.left_out)
    said += [
        f"Left out: {count:,} with {why}; `evenodds sweep` measures some of them all the same."
        for why, count in reasons.most_common()
    ]
    return said


def _values(values: list[str]) -> str:
    """The values of a ruling in short: a range where they follow each other."""
    numbers = [int(value) for value in values if value.isdigit()]
    if len(values) > 2 and numbers == list(range(numbers[0], numbers[0] + len(values))):
        return f"{values[0]} to {values[-1]}"
    return join_first(values, 10)
