"""The commands `arena` and `benchmark`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from evenodds.cli.shared.common import (
    EXIT_INTERRUPTED,
    GameName,
    NegativeAnswer,
    bot_seconds_option,
    main,
    rule_option,
    solver_required,
    unwritable_error,
    usage_errors,
    write_output_file,
)
from evenodds.cli.shared.workers import cluster_option, task_runner
from evenodds.core import catalog

if TYPE_CHECKING:
    from pathlib import Path

    from evenodds.arena.benchmark import ScoreCard
    from evenodds.arena.schedule import Plan
    from evenodds.arena.sequential_test import SequentialTest
    from evenodds.arena.tables import ArenaResults
    from evenodds.arena.tournament import ArenaDisplay


@main.command()
@click.argument("game", type=GameName())
@click.option(
    "--player", "players", multiple=True, metavar="NAME", help="Who plays; name two or more."
)
@click.option("--matches", default=1000, show_default=True, metavar="N", help="Of each pair.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="What luck is drawn from.")
@click.option("--gauntlet", is_flag=True, help="Only the first player meets the others.")
@click.option(
    "--sprt",
    type=float,
    metavar="ELO",
    help="Of two players, stop when the stronger is known, if they are so far apart.",
)
@rule_option
@bot_seconds_option
@cluster_option
@click.option("-o", "folder", metavar="DIR", help="Keep every match; the same command goes on.")
@click.option("--json", "as_data", is_flag=True, help="Print the tables as JSON.")
def arena(
    game: catalog.AnyGame,
    players: tuple[str, ...],
    matches: int,
    seed: int,
    gauntlet: bool,
    sprt: float | None,
    rules: tuple[str, ...],
    bot_seconds: float | None,
    cluster: str | None,
    folder: str | None,
    as_data: bool,
) -> None:
    """Let players meet at GAME, and say how strong each of them is.

    Where both are players that we know, what they score is summed up exactly and not sampled.
    """
    with usage_errors(), solver_required():
        from evenodds.arena.schedule import BadPlan, Plan, check_plan
        from evenodds.arena.sequential_test import BadTest, SequentialTest
        from evenodds.cli.shared.play_options import PlayOptions

        try:
            rulings = game.settle(PlayOptions(rules).rulings(game))
            plan = Plan(game, rulings, players, matches, seed, gauntlet, True, bot_seconds)
            check_plan(plan)
            test = None if sprt is None else SequentialTest(sprt)
            _check(plan, sprt, cluster)
        except (BadPlan, BadTest) as error:
            raise click.UsageError(str(error)) from None
        results = _played(plan, test, cluster, folder, as_data)
        _output_arena(results, folder, as_data)
    if results.tally.bouts < plan.bouts and not (test and test.settled):
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _check(plan: "Plan", sprt: float | None, cluster: str | None) -> None:
    from evenodds.arena.schedule import BadPlan

    if sprt is not None and len(plan.players) != 2:
        raise BadPlan(f"--sprt is between two players, not {len(plan.players)}")
    if cluster and plan.external_players:
        raise BadPlan("programs and language models play on this machine, not with --cluster")


@main.command()
@click.option("--player", required=True, metavar="NAME", help="Whose score card it is.")
@click.option("--matches", type=int, metavar="N", help="Against each opponent in each game. [10]")
@click.option(
    "--game", "games", type=GameName(), multiple=True, help="Only this game; may be repeated."
)
@bot_seconds_option
@click.option("-o", "folder", metavar="DIR", help="Keep every match; the same command goes on.")
@click.option("--json", "as_data", is_flag=True, help="Print the card as JSON.")
def benchmark(
    player: str,
    games: tuple[catalog.AnyGame, ...],
    matches: int | None,
    bot_seconds: float | None,
    folder: str | None,
    as_data: bool,
) -> None:
    """Play all games against opponents from random to perfect, for one score card.

    Seeds and opponents are the same for everyone, so that cards can be put side by side.
    """
    with usage_errors(), solver_required():
        from evenodds.arena.benchmark import DEFAULT_BENCHMARK_MATCHES, plan_for, run_card
        from evenodds.arena.schedule import BadPlan, check_plan

        matches = DEFAULT_BENCHMARK_MATCHES if matches is None else matches
        wanted = dict.fromkeys(games or catalog.list_games())
        plans = [plan_for(game, player, matches, bot_seconds) for game in wanted]
        try:
            for plan in plans:
                check_plan(plan, twice=True)
                _check(plan, None, None)
            if not matches:
                raise BadPlan("--matches 0 is not allowed; allowed: an even number from 2")
        except BadPlan as error:
            raise click.UsageError(str(error)) from None
        with (
            _arena_errors(folder),
            _model_budget_file(plans[0], folder, as_data) as budget_file,
            task_runner(None, _process_count(plans[0])) as runner,
        ):
            card = run_card(player, plans, runner, _path(folder), _display(), budget_file)
        _output_score_card(
            card, folder, as_data, "-".join(["card", *(game.name for game in games)])
        )


@contextmanager
def _arena_errors(folder: str | None) -> Iterator[None]:
    """Errors of one line where matches cannot be played or stored."""
    from evenodds.arena.schedule import BadPlan
    from evenodds.arena.tournament import ArenaStopped
    from evenodds.system.locks import LockHeld

    try:
        yield
    except (BadPlan, ArenaStopped) as error:
        raise NegativeAnswer(str(error)) from None
    except LockHeld:
        raise NegativeAnswer(f"{folder} is in use: another arena is played there") from None
    except OSError as error:
        if folder is None:
            raise
        raise unwritable_error(error.filename or folder, error) from None


def _played(
    plan: "Plan",
    test: "SequentialTest | None",
    cluster: str | None,
    folder: str | None,
    as_data: bool,
) -> "ArenaResults":
    from evenodds.arena.tournament import run_arena

    with (
        _arena_errors(folder),
        _model_budget_file(plan, folder, as_data) as budget_file,
        task_runner(cluster, _process_count(plan)) as runner,
    ):
        return run_arena(plan, runner, _path(folder), _display(), test, budget_file)


def _display() -> "ArenaDisplay":
    from evenodds.arena.tournament import ArenaDisplay
    from evenodds.terminal.progress_bar import progress_bar
    from evenodds.terminal.reports.arena import live_table

    return ArenaDisplay(progress_bar, live_table)


@contextmanager
def _model_budget_file(plan: "Plan", folder: str | None, as_data: bool) -> "Iterator[Path | None]":
    """The file in which all processes of a run count the cost of models; shown at the end.

    It stays in the folder of the matches, so that a continued run continues the count.
    """
    if not plan.asks_models:
        yield None
        return
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from evenodds.players.llm.budget import BUDGET_FILE_NAME, BadBudgetFile, Budget

    with TemporaryDirectory() as temporary:
        file = Path(folder or temporary) / BUDGET_FILE_NAME
        try:
            budget = Budget(file=file)  # bad settings are refused before anything is played
        except BadBudgetFile as error:
            raise NegativeAnswer(str(error)) from None
        yield file
        if (summary := budget.summary()) and not as_data:
            click.echo(f"{summary}\n")


def _path(folder: str | None) -> "Path | None":
    from pathlib import Path

    return Path(folder) if folder else None


def _process_count(plan: "Plan") -> int | None:
    """One process where a language model plays, so that an interruption wastes one bout at most."""
    return 1 if plan.asks_models else None


def _output_arena(results: "ArenaResults", folder: str | None, as_data: bool) -> None:
    """Show the results, and write them beside the matches."""
    from evenodds.arena import tables
    from evenodds.terminal.reports.arena import show
    from evenodds.terminal.screen import Screen

    _write_results(folder, "table", tables.as_markdown(results), tables.as_data(results), as_data)
    if as_data:
        return
    screen = Screen()
    show(results, screen)
    if results.tally.bouts:
        stored = f"All matches are in {folder}; the same command with more --matches goes on."
        screen.say("", stored if folder else "Nothing of it is kept; -o DIR keeps every match.")


def _output_score_card(card: "ScoreCard", folder: str | None, as_data: bool, name: str) -> None:
    """Show the card, and write it beside the matches; a card of some games is named after them."""
    from evenodds.arena import benchmark
    from evenodds.terminal.reports.arena import show_card
    from evenodds.terminal.screen import Screen

    _write_results(folder, name, benchmark.as_markdown(card), benchmark.as_data(card), as_data)
    if not as_data:
        show_card(card, Screen())


def _write_results(
    folder: str | None, name: str, page: str, data: dict[str, Any], printed: bool
) -> None:
    """Write results as Markdown and JSON to a folder, if there is one; print the JSON if asked."""
    import json

    text = json.dumps(data)
    if path := _path(folder):
        write_output_file(path / f"{name}.md", page)
        write_output_file(path / f"{name}.json", text + "\n")
    if printed:
        click.echo(text)
