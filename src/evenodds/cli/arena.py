"""The command `arena`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from evenodds.arena import schedule
from evenodds.arena.schedule import BadPlan, Plan
from evenodds.arena.sequential import SequentialTest
from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, write_output_file, writing
from evenodds.core.catalog import AnyGame
from evenodds.players.llm.budget import BUDGET_FILE_NAME, Budget
from evenodds.system import EXIT_INTERRUPTED, EvenOddsError
from evenodds.system.locks import LockHeld
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen

folder_option = option("-o DIR", "Store all matches; repeat the command to continue.", "folder")


@command("evenodds arena duel --player random --player level:3")
@options.game
@option(
    "--player NAME", "A player; give two or more.", "players", type=options.PLAYER, multiple=True
)
@option("--matches N", "Matches played by each pair.", default=1000)
@option("--seed N", "Seed of the random choices.", type=int)
@option("--gauntlet", "Only pair the first player with the others.")
@option(
    "--sprt ELO",
    "For two players: stop once it is known who is stronger, if they are ELO apart or more.",
    type=float,
)
@options.rule
@options.bot_seconds
@options.cluster
@folder_option
@option("--json", "Print the tables as JSON.", "as_data")
def arena(
    game: AnyGame,
    rules: tuple[str, ...],
    seed: int | None,
    sprt: float | None,
    bot_seconds: float | None,
    cluster: str | None,
    folder: str | None,
    as_data: bool,
    **planned: Any,
) -> None:
    """Each pair of players meets equally often in both seats.

    Between built-in players with a fixed strategy the score is exact, not sampled.
    """
    rulings = game.settle(options.read_rulings(game, rules))
    seed = schedule.usual_seed(game, planned["players"]) if seed is None else seed
    plan = Plan(game, rulings, seed=seed, seconds=bot_seconds, **planned)
    schedule.check_plan(plan)
    test = None if sprt is None else SequentialTest(sprt)
    if test and len(plan.players) != 2:
        raise BadPlan(f"--sprt is between two players, not {len(plan.players)}")
    if cluster and plan.external_players:
        raise BadPlan("programs and language models play on this machine, not with --cluster")
    # These need NumPy, which the help and the checks before do not.
    from evenodds.arena import tables
    from evenodds.arena.tournament import run_plan
    from evenodds.terminal.reports.arena import show_arena

    with _running(plan, cluster, folder, as_data) as means:
        results = run_plan(plan, test=test, **means)
    if plan.bouts and not results.bouts:
        click.echo("Stopped before a match was over.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)
    write_results(folder, "table", tables.as_markdown(results), tables.as_data(results), as_data)
    if not as_data:
        screen = Screen()
        show_arena(results, screen)
        if results.bouts:
            stored = f"All matches are in {folder}; the same command with more --matches continues."
            screen.say("", stored if folder else "No matches are stored; -o DIR stores them.")
    if results.bouts < plan.bouts and not (test and test.settled):
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


@contextmanager
def folder_errors(folder: str | None) -> Iterator[None]:
    """Errors of one line for what is played into a folder."""
    try:
        yield
    except BadPlan as error:
        raise click.ClickException(str(error)) from None
    except EvenOddsError:
        raise
    except LockHeld:
        raise click.ClickException(f"{folder} is in use: another run plays there") from None
    except OSError as error:
        if folder is None:
            raise
        with writing(error.filename or folder):
            raise


@contextmanager
def _running(
    plan: Plan, cluster: str | None, folder: str | None, quiet: bool
) -> Iterator[dict[str, Any]]:
    """What `run_plan` plays with, and errors of one line.

    All processes of a run count the cost of models in one file, which is shown in the end. It stays
    in the folder of the matches, so that a continued run continues the count.
    """
    from evenodds.arena.tournament import ArenaDisplay
    from evenodds.terminal.reports.arena import live_table

    display = ArenaDisplay(progress_bar, live_table)
    means = {"folder": Path(folder) if folder else None, "display": display}
    with folder_errors(folder):
        if not plan.asks_models:
            yield means | {"runner": options.task_runner(cluster)}
            return
        with TemporaryDirectory() as temporary:
            file = Path(folder or temporary) / BUDGET_FILE_NAME
            budget = Budget(file=file)  # bad settings are refused before anything is played
            # One process, so that an interruption wastes one bout at most.
            yield means | {"runner": options.task_runner(cluster, 1), "budget_file": file}
            if (summary := budget.summary()) and not quiet:
                click.echo(f"{summary}\n")


def write_results(
    folder: str | None, name: str, page: str, data: dict[str, Any], printed: bool
) -> None:
    """Write results as Markdown and JSON to a folder, if there is one; print the JSON if asked."""
    text = json.dumps(data)
    if folder:
        write_output_file(Path(folder, f"{name}.md"), page)
        write_output_file(Path(folder, f"{name}.json"), text + "\n")
    if printed:
        click.echo(text)
