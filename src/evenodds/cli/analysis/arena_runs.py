"""Runs of `arena` and `benchmark`, and what they print and write."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from evenodds.arena import benchmark, tables
from evenodds.arena.benchmark import run_card
from evenodds.arena.schedule import BadPlan, Plan
from evenodds.arena.sequential import SequentialTest
from evenodds.arena.tournament import ArenaDisplay, run_plan
from evenodds.cli.shared.errors import NegativeAnswer, negative_answers
from evenodds.cli.shared.files import unwritable_error, write_output_file
from evenodds.cli.shared.workers import task_runner
from evenodds.core import catalog
from evenodds.players.llm.budget import BUDGET_FILE_NAME, BadBudgetFile, Budget
from evenodds.system.errors import EXIT_INTERRUPTED
from evenodds.system.locks import LockHeld
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.arena import live_table, show, show_card
from evenodds.terminal.screen import Screen

DISPLAY: Final = ArenaDisplay(progress_bar, live_table)


def play_and_show(
    plan: Plan,
    test: SequentialTest | None,
    cluster: str | None,
    folder: str | None,
    as_data: bool,
) -> None:
    """Play an arena, show the results and write them beside the matches."""
    with (
        _arena_errors(folder),
        _model_budget_file(plan, folder, as_data) as budget_file,
        task_runner(cluster, _process_count(plan)) as runner,
    ):
        results = run_plan(plan, runner, _path(folder), DISPLAY, test, budget_file)
    _write_results(folder, "table", tables.as_markdown(results), tables.as_data(results), as_data)
    if not as_data:
        screen = Screen()
        show(results, screen)
        if results.bouts:
            stored = f"All matches are in {folder}; the same command with more --matches continues."
            screen.say("", stored if folder else "No matches are stored; -o DIR stores them.")
    if results.bouts < plan.bouts and not (test and test.settled):
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def make_score_card(
    player: str,
    games: tuple[catalog.AnyGame, ...],
    plans: list[Plan],
    folder: str | None,
    as_data: bool,
) -> None:
    """Play all games of a score card, show it and write it beside the matches.

    The files of a card of some games are named after them.
    """
    with (
        _arena_errors(folder),
        _model_budget_file(plans[0], folder, as_data) as budget_file,
        task_runner(None, _process_count(plans[0])) as runner,
    ):
        card = run_card(player, plans, runner, _path(folder), DISPLAY, budget_file)
    name = "-".join(["card", *(game.name for game in games)])
    _write_results(folder, name, benchmark.as_markdown(card), benchmark.as_data(card), as_data)
    if not as_data:
        show_card(card, Screen())


@contextmanager
def _arena_errors(folder: str | None) -> Iterator[None]:
    """Errors of one line where matches cannot be played or stored."""
    try:
        yield
    except BadPlan as error:
        raise NegativeAnswer(str(error)) from None
    except LockHeld:
        raise NegativeAnswer(f"{folder} is in use: another arena is played there") from None
    except OSError as error:
        if folder is None:
            raise
        raise unwritable_error(error.filename or folder, error) from None


@contextmanager
def _model_budget_file(plan: Plan, folder: str | None, as_data: bool) -> Iterator[Path | None]:
    """The file in which all processes of a run count the cost of models; shown at the end.

    It stays in the folder of the matches, so that a continued run continues the count.
    """
    if not plan.asks_models:
        yield None
        return
    with TemporaryDirectory() as temporary:
        file = Path(folder or temporary) / BUDGET_FILE_NAME
        with negative_answers(BadBudgetFile):
            budget = Budget(file=file)  # bad settings are refused before anything is played
        yield file
        if (summary := budget.summary()) and not as_data:
            click.echo(f"{summary}\n")


def _path(folder: str | None) -> Path | None:
    return Path(folder) if folder else None


def _process_count(plan: Plan) -> int | None:
    """One process where a language model plays, so that an interruption wastes one bout at most."""
    return 1 if plan.asks_models else None


def _write_results(
    folder: str | None, name: str, page: str, data: dict[str, Any], printed: bool
) -> None:
    """Write results as Markdown and JSON to a folder, if there is one; print the JSON if asked."""
    text = json.dumps(data)
    if path := _path(folder):
        write_output_file(path / f"{name}.md", page)
        write_output_file(path / f"{name}.json", text + "\n")
    if printed:
        click.echo(text)
