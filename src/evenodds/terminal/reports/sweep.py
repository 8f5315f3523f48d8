"""Report of a sweep over rulings: a table of figures, and the combinations left out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.core.rulings import format_rulings
from evenodds.figures import counted
from evenodds.study.measures import MEASURES, format_figure
from evenodds.study.sweep import SweepResult
from evenodds.system import Progress
from evenodds.system.text import TextTable
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Output, Screen
from evenodds.terminal.tables import COLUMN_GAP, split_table, table_lines

MAX_LISTED_LEFT_OUT: Final = 12
"""Combinations left out whose reasons are listed one by one."""


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


def show(found: SweepResult, screen: Output) -> None:
    """Show a table of the solved combinations, and why others were left out."""
    game = found.grid.game
    screen.say_wrapped(f"{game.title}: {counted(len(found.found), 'rulings')} solved, exactly.")
    if found.grid.fixed:
        screen.say_wrapped(f"As in the book: {format_rulings(found.grid.fixed)}.")
    table = _table(found)
    for part in split_table(table, screen.report_width - COLUMN_GAP, len(found.grid.axes)):
        screen.say("", *(" " * COLUMN_GAP + line for line in table_lines(part, names=0)))
    screen.say_wrapped("", *measure_legend(tuple(found.measures)))
    _show_left_out(found, screen)


def measure_legend(names: tuple[str, ...]) -> list[str]:
    """What each figure means, a line for each."""
    return [f"{name}: {lowered(MEASURES[name].about)}" for name in names]


def lowered(sentence: str) -> str:
    """A sentence as part of another."""
    return sentence[:1].lower() + sentence[1:]


def _table(found: SweepResult) -> TextTable:
    keys, names = tuple(found.grid.axes), tuple(found.measures)
    rows = [
        (
            *(row.rules[key] for key in keys),
            *(format_figure(name, (row.figures or {})[name]) for name in names),
        )
        for row in found.found
    ]
    return TextTable(keys + names, rows)


def _show_left_out(found: SweepResult, screen: Output) -> None:
    left_out = found.left_out
    if not left_out:
        return
    screen.say("", f"Left out, {len(left_out):,} of {len(found.rows):,}:")
    for row in left_out[:MAX_LISTED_LEFT_OUT]:
        rules = format_rulings(found.swept(row))
        screen.say_wrapped(f"- {rules}: {row.reason}" if rules else f"- {row.reason}")
    if len(left_out) > MAX_LISTED_LEFT_OUT:
        screen.say(
            f"- and {len(left_out) - MAX_LISTED_LEFT_OUT:,} more, all of them with -o or --json"
        )
