"""Arena report: a live ranking table while matches run, then results and score cards."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from evenodds.arena import card_page
from evenodds.arena.card import ScoreCard
from evenodds.arena.tables import (
    RANKING_LEGEND,
    arena_notes,
    arena_title,
    cross_table,
    cross_table_notes,
    ranking_table,
    test_result_sentence,
)
from evenodds.arena.tally import Tally
from evenodds.terminal.progress_bar import ProgressLines, new_bar
from evenodds.terminal.screen import Output
from evenodds.terminal.tables import fitted, split_table, table_lines

TABLE_REFRESH_INTERVAL_S: Final = 0.25
"""Seconds between two updates of the live table."""


@contextmanager
def live_table(results: Tally) -> Iterator[Callable[[Tally], None]]:
    """On a terminal the current table, and a progress bar; else a line of progress now and then."""
    total = 2 * results.plan.bouts
    if not sys.stderr.isatty():
        lines = ProgressLines()
        yield lambda tally: lines.report("playing matches", 2 * tally.bouts, total)
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    bar = new_bar(console)
    task = bar.task_ids[0]
    bar.reset(task, description="playing matches", total=total)
    next_refresh = 0.0
    with Live(bar, console=console, transient=True) as live:

        def on_progress(tally: Tally) -> None:
            nonlocal next_refresh
            bar.update(task, completed=2 * tally.bouts)
            if tally.bouts and monotonic() >= next_refresh:
                table = fitted(ranking_table(results), console.width - 1)
                live.update(Group(Text("\n".join(table_lines(table))), bar))
                next_refresh = monotonic() + TABLE_REFRESH_INTERVAL_S

        yield on_progress


def show_card(card: ScoreCard, screen: Output) -> None:
    """Show a score card: exploitability with reference rows, details, and how it came about."""
    width = screen.columns - 1
    screen.say(card_page.card_title(card), "")
    for table, legend in (
        (card_page.score_table(card), card_page.LEGEND),
        (card_page.detail_table(card), card_page.DETAIL_LEGEND),
    ):
        for part in split_table(table, width):
            screen.say(*table_lines(part))
        screen.say_wrapped(legend, "")
    screen.say_wrapped(card_page.provenance(card))
    _note(card_page.card_notes(card), screen)


def show_arena(results: Tally, screen: Output) -> None:
    """Show the results: ranking, cross table, and notes such as forfeits."""
    screen.say(arena_title(results))
    if results.bouts:
        screen.say("")
        screen.say(*table_lines(fitted(ranking_table(results), screen.columns - 1)))
        screen.say_wrapped("", *RANKING_LEGEND)
    screen.say("", *cross_table_notes(results))
    for part in split_table(cross_table(results), screen.columns - 1):
        screen.say(*table_lines(part))
    _note(arena_notes(results), screen)
    if results.test:
        screen.say("", test_result_sentence(results))


def _note(notes: dict[str, list[str]], screen: Output) -> None:
    for head, lines in notes.items():
        if lines:
            screen.say("", f"{head}:", *(f"- {line}" for line in lines))
