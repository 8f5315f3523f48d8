"""Arena report: a live ranking table while matches run, then results and score cards."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from evenodds.arena import benchmark
from evenodds.arena.benchmark import ScoreCard
from evenodds.arena.tables import (
    RANKING_LEGEND,
    ArenaResults,
    TextTable,
    arena_notes,
    arena_title,
    cross_table,
    cross_table_notes,
    ranking_table,
    test_result_sentence,
)
from evenodds.arena.tally import Tally
from evenodds.core.words import Span
from evenodds.system.text import display_width, padded
from evenodds.terminal.progress_bar import new_bar
from evenodds.terminal.screen import Screen

if TYPE_CHECKING:
    pass

TABLE_REFRESH_INTERVAL_S: Final = 0.25
"""Seconds between two updates of the live table."""
COLUMN_GAP: Final = 2


@contextmanager
def live_table(results: ArenaResults) -> Iterator[Callable[[Tally], None]]:
    """On a terminal the current table, and a progress bar."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    bar = new_bar(console)
    task, total = bar.task_ids[0], 2 * results.tally.plan.bouts
    bar.reset(task, description="playing matches", total=total)
    next_refresh = 0.0
    with Live(bar, console=console, transient=True, auto_refresh=True) as live:

        def on_progress(tally: Tally) -> None:
            nonlocal next_refresh
            bar.update(task, completed=2 * tally.bouts)
            if tally.bouts and monotonic() >= next_refresh:
                lines = aligned(ranking_table(results), console.width - 1)
                live.update(Group(*map(Text, lines), bar))
                next_refresh = monotonic() + TABLE_REFRESH_INTERVAL_S

        yield on_progress


def show_card(card: ScoreCard, screen: Screen) -> None:
    """Show a score card: the scores, those of perfect play, and notes on them."""
    screen.say(benchmark.card_title(card), "")
    _draw(benchmark.score_table(card), screen)
    screen.say(benchmark.SAMPLED_NOTE, "")
    _draw(benchmark.perfect_play_table(card), screen)
    screen.say(
        "", benchmark.LOSS_EXPLANATION, "", *(f"- {fact}" for fact in benchmark.game_facts(card))
    )
    _note(benchmark.card_notes(card), screen)


def show(results: ArenaResults, screen: Screen) -> None:
    """Show the results: ranking, cross table, and notes such as forfeits."""
    screen.say(arena_title(results))
    if results.tally.bouts:
        screen.say("")
        _draw(ranking_table(results), screen)
        screen.say("", *RANKING_LEGEND)
    screen.say("", *cross_table_notes(results))
    for part in _split_table(cross_table(results), screen.columns - 1):
        _draw(part, screen)
    _note(arena_notes(results), screen)
    if results.test:
        screen.say("", test_result_sentence(results))


def _note(notes: dict[str, list[str]], screen: Screen) -> None:
    for head, lines in notes.items():
        if lines:
            screen.say("", f"{head}:", *(f"- {line}" for line in lines))


def _draw(table: TextTable, screen: Screen) -> None:
    head, *rows = aligned(table, screen.columns - 1)
    screen.draw([[Span(head, "strong")]])
    screen.draw([[Span(row)] for row in rows])


def aligned(table: TextTable, width: int) -> list[str]:
    """A table in lines, names to the left and figures to the right.

    Where it is too wide the confidence interval is left out first, then the last columns.
    """
    heads, rows = table
    shown = [*range(len(heads))]
    while _width(table, shown) > width and len(shown) > 2:
        intervals = [column for column in shown if heads[column] == "95 %"]
        shown.remove(intervals[-1] if intervals else shown[-1])
    sizes = [max(display_width(line[column]) for line in (heads, *rows)) for column in shown]
    return [
        (" " * COLUMN_GAP)
        .join(
            padded(line[column], size) if column == 0 else line[column].rjust(size)
            for column, size in zip(shown, sizes, strict=True)
        )
        .rstrip()
        for line in (heads, *rows)
    ]


def _width(table: TextTable, shown: list[int]) -> int:
    sizes = [
        max(display_width(line[column]) for line in (table.heads, *table.rows)) for column in shown
    ]
    return sum(sizes) + COLUMN_GAP * (len(shown) - 1)


def _split_table(table: TextTable, width: int) -> Iterator[TextTable]:
    """A table in as many parts as it takes to fit, each with the names."""
    heads, rows = table
    columns_left = list(range(1, len(heads)))
    while columns_left:
        taken = [0]
        while columns_left and (
            len(taken) == 1 or _width(table, [*taken, columns_left[0]]) <= width
        ):
            taken.append(columns_left.pop(0))
        yield TextTable(
            tuple(heads[column] for column in taken),
            [tuple(row[column] for column in taken) for row in rows],
        )
