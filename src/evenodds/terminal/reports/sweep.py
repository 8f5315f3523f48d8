"""Reports of a sweep over rulings, and of a search for those that meet goals."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings
from evenodds.figures import counted, join_first, join_words
from evenodds.study.measures import MEASURES, format_figure
from evenodds.study.repair import GOALS, REPORTED_MEASURES, RepairResult, RulingChange
from evenodds.study.sweep import SweepResult
from evenodds.system import Progress
from evenodds.system.text import TextTable, hanging
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Output, Screen
from evenodds.terminal.tables import COLUMN_GAP, split_table, table_lines

MAX_LISTED_LEFT_OUT: Final = 12
"""Combinations left out whose reasons are listed one by one."""
MAX_SHOWN_REMEDIES: Final = 10
"""Rulings shown of those that meet the goals."""


@contextmanager
def sweep_progress_bar() -> Iterator[Progress]:
    """A progress bar; after Ctrl-C a line says what is stored, and how to continue."""
    reached = (0, 0)
    try:
        with progress_bar() as progress:

            def follow(stage: str, done: int, total: int) -> None:
                nonlocal reached
                reached = (done, total)
                progress(stage, done, total)

            yield follow
    except KeyboardInterrupt:
        done, total = reached
        Screen(stream=sys.stderr).say_wrapped(
            f"Stopped: {done:,} of {total:,} rulings are solved and kept. The same command goes on "
            "with the others."
        )
        raise


def show_sweep(found: SweepResult, screen: Output) -> None:
    """Show a table of the solved combinations, and why others were left out."""
    screen.say_wrapped(
        f"{found.grid.game.title}: {counted(len(found.found), 'rulings')} solved, exactly."
    )
    if found.grid.fixed:
        screen.say_wrapped(f"As in the book: {format_rulings(found.grid.fixed)}.")
    keys, names = tuple(found.grid.axes), tuple(found.measures)
    rows = [
        (
            *(row.rules[key] for key in keys),
            *(format_figure(name, (row.figures or {})[name]) for name in names),
        )
        for row in found.found
    ]
    table = TextTable(keys + names, rows)
    for part in split_table(table, screen.report_width - COLUMN_GAP, len(keys)):
        screen.say("", *(" " * COLUMN_GAP + line for line in table_lines(part, names=0)))
    screen.say_wrapped("", *_measure_legend(names))
    left_out = found.left_out
    if left_out:
        screen.say("", f"Left out, {len(left_out):,} of {len(found.rows):,}:")
    for row in left_out[:MAX_LISTED_LEFT_OUT]:
        rules = format_rulings(found.swept(row))
        screen.say_wrapped(f"- {rules}: {row.reason}" if rules else f"- {row.reason}")
    if (more := len(left_out) - MAX_LISTED_LEFT_OUT) > 0:
        screen.say(f"- and {more:,} more, all of them with -o or --json")


def _measure_legend(names: Iterable[str]) -> list[str]:
    """What each figure means, a line for each."""
    return [f"{name}: {_lowered(MEASURES[name].about)}" for name in names]


def _lowered(sentence: str) -> str:
    """A sentence as part of another."""
    return sentence[:1].lower() + sentence[1:]


def announce_repair(
    game: AnyGame, goals: tuple[str, ...], proofs: dict[str, str], screen: Output
) -> None:
    """Show the goals, and the proofs that some cannot be met by any ruling."""
    screen.say_wrapped(f"{game.title}: {join_words(goals)}.", "")
    screen.say_wrapped(*(f"- {name}: {_lowered(GOALS[name].about)}" for name in goals), "")
    if proofs:
        screen.say_wrapped("No, and no ruling can.")
        screen.say_wrapped(*(f"- {name}: {why}" for name, why in proofs.items()))


def show_repair(found: RepairResult, screen: Output) -> None:
    """Show the rulings that meet the goals, their costs, and what was searched."""
    if remedies := found.changes:
        how = "by other rulings" if remedies[0].rules else "as the book has it"
        screen.say_wrapped(f"Yes, {how}.")
        _show_remedies(found, remedies, screen)
    else:
        _show_no_remedy(found, screen)
    if not found.proofs or len(found.goals) > 1:
        screen.say_wrapped("", *_measure_legend(REPORTED_MEASURES), "", *_searched(found))


def _show_no_remedy(found: RepairResult, screen: Output) -> None:
    if not found.proofs:
        tried, what = len(found.sweep.found), "it" if len(found.goals) == 1 else "all of it"
        no, which = ("No", "tried")
        if found.complete:
            no, which = ("Nothing within reach", "that the game allows")
        screen.say_wrapped(f"{no}: none of the {tried:,} rulings {which} keeps {what}.")
        if one := found.nearest:
            goals = [GOALS[name] for name in found.goals]
            lacking = [goal.describe(one.figures) for goal in goals if not goal.met(one.figures)]
            nearest = format_rulings(one.rules) or "the book as it is"
            screen.say_wrapped(f"The nearest is {nearest}: {join_words(lacking)}.")
    for some, remedies in found.compromises().items():
        screen.say_wrapped("", f"Only {join_words(some)}:")
        _show_remedies(found, remedies, screen)


def _show_remedies(found: RepairResult, remedies: list[RulingChange], screen: Output) -> None:
    """The rulings nearest to the book, and the livelier ones, each with what it changes."""
    shown = [
        (place, one)
        for place, one in enumerate(remedies, 1)
        if place <= MAX_SHOWN_REMEDIES or one.livelier
    ]
    for place, one in shown:
        screen.say(*hanging(f"{place:>2}. ", _format_remedy(found, one), screen.report_width))
    if (more := len(remedies) - len(shown)) > 0:
        screen.say_wrapped(f"    and {more:,} more, which change more: --json lists them")


def _format_remedy(found: RepairResult, one: RulingChange) -> str:
    figures = {name: format_figure(name, one.figures[name]) for name in REPORTED_MEASURES}
    if not one.rules:
        said = ", ".join(f"{name} {figure}" for name, figure in figures.items())
        return f"the book as it is: {said}"
    changes = [
        f"{name} {figure} (was {format_figure(name, found.book[name])})"
        for name, figure in figures.items()
        if one.figures[name] != found.book.get(name)
    ]
    lively = " (livelier rules)" if one.livelier else ""
    return f"{format_rulings(one.rules)}{lively}: {', '.join(changes) or 'nothing else changes'}"


def _searched(found: RepairResult) -> list[str]:
    """What was searched, and what was left out."""
    sweep = found.sweep
    ranges = [f"{key} {_values(values)}" for key, values in sweep.grid.axes.items()]
    counts = [f"{name} in {len(found.meeting((name,))):,}" for name in found.goals]
    reasons = Counter(row.reason for row in sweep.left_out)
    return [
        f"Searched, solved exactly: {len(sweep.found):,} of {len(sweep.rows):,} combinations of "
        f"{'; '.join(ranges)}. The nearest to the book come first: those with the fewest changed "
        "rulings, and then with the least change of their numbers, the length and the draws.",
        f"Kept: {', '.join(counts)}.",
        *(
            f"Left out: {count:,} with {why}; `evenodds sweep` measures some of them all the same."
            for why, count in reasons.most_common()
        ),
    ]


def _values(values: list[str]) -> str:
    """The values of a ruling in short: a range where they follow each other."""
    numbers = [int(value) for value in values if value.isdigit()]
    if len(values) > 2 and numbers == list(range(numbers[0], numbers[0] + len(values))):
        return f"{values[0]} to {values[-1]}"
    return join_first(values, 10)
