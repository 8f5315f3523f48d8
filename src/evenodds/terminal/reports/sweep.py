"""Report of a sweep over rulings: a table of figures, and the combinations left out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from evenodds.core.rulings import format_rulings
from evenodds.core.words import Span
from evenodds.figures.formatting import counted
from evenodds.study.sweeps.measures import MEASURES
from evenodds.study.sweeps.sweep import SweepResult
from evenodds.study.sweeps.sweep_output import format_figure
from evenodds.system.progress import Progress
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen

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


def show(found: SweepResult, screen: Screen) -> None:
    """Show a table of the solved combinations, and why others were left out."""
    game = found.grid.game
    screen.say_wrapped(f"{game.title}: {counted(len(found.found), 'rulings')} solved, exactly.")
    if found.grid.fixed:
        screen.say_wrapped(f"As in the book: {format_rulings(found.grid.fixed)}.")
    screen.say_wrapped(
        "", *(f"{name}: {_lowered(MEASURES[name].about)}" for name in found.measures)
    )
    for names in _split_measures(found, screen.report_width):
        screen.say("")
        _show_table(found, names, screen)
    _show_left_out(found, screen)


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _columns(found: SweepResult, names: list[str]) -> list[tuple[str, list[str]]]:
    """The columns of a table: a head and a cell for each combination."""
    keys = [(key, [row.rules[key] for row in found.found]) for key in found.grid.axes]
    figures = [row.figures or {} for row in found.found]
    return keys + [(name, [format_figure(name, one[name]) for one in figures]) for name in names]


def _width(column: tuple[str, list[str]]) -> int:
    head, cells = column
    return max(map(len, [head, *cells])) + 2


def _split_measures(found: SweepResult, width: int) -> list[list[str]]:
    """The measures, as many together as fit on the screen beside the rulings."""
    taken = sum(map(_width, _columns(found, [])))
    tables: list[list[str]] = [[]]
    left = width - taken
    for name in found.measures:
        needed = _width(_columns(found, [name])[-1])
        if needed > left and tables[-1]:
            tables.append([])
            left = width - taken
        tables[-1].append(name)
        left -= needed
    return tables


def _show_table(found: SweepResult, names: list[str], screen: Screen) -> None:
    columns = _columns(found, names)
    widths = list(map(_width, columns))
    heads = "".join(f"{head:>{width}}" for (head, _), width in zip(columns, widths, strict=True))
    screen.draw([[Span(heads, "strong")]])
    for cells in zip(*(cells for _, cells in columns), strict=True):
        line = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        screen.draw([[Span(line)]])


def _show_left_out(found: SweepResult, screen: Screen) -> None:
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
