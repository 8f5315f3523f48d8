"""The commands `players`, `habits` and `forget`."""

from functools import partial

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, print_result
from evenodds.core.catalog import AnyGame
from evenodds.players.reader import memory
from evenodds.study.level_strength import as_json, strengths
from evenodds.system.text import shorten
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports import players as reports
from evenodds.terminal.screen import Screen


@command("evenodds players underdog")
@click.argument("game", type=options.GAME, required=False)
@options.rule
@options.repetition
@option("--json", "Print the table as JSON.", "as_data")
def players(
    game: AnyGame | None, rules: tuple[str, ...], repetition: int | None, as_data: bool
) -> None:
    """With GAME, shows how strong each level is in that game."""
    if game is None:
        if rules or as_data or repetition is not None:
            raise click.UsageError("--rule, --repetition and --json go with a GAME.")
        reports.show_names(Screen())
        return
    settled = game.settle(options.read_rulings(game, rules))
    with progress_bar() as progress:
        found = strengths(game, settled, progress, repetition)
    show = partial(reports.show_strengths, game, repetition)
    print_result(as_data, found, partial(as_json, game, settled), show)


REMEMBERED = options.NamedThing("player", lambda: dict.fromkeys(memory.remembered_names(), ""))


@command("evenodds habits Ann")
@click.argument("name", type=REMEMBERED, required=False)
def habits(name: str | None) -> None:
    """Without NAME, lists the players that it remembers."""
    notes = memory.notes(name)
    for note in notes:
        click.echo(note, err=True)
    if name is None:
        if (names := memory.remembered_names()) or not notes:
            reports.show_remembered_players(names, Screen())
    elif games := memory.read(name):
        reports.show_habits(name, games, Screen())
    else:
        raise SystemExit(1) if notes else _unknown(name)


@command("evenodds forget Ann")
@click.argument("name", type=REMEMBERED)
def forget(name: str) -> None:
    """The reader then starts from nothing with NAME."""
    try:
        known, damaged = memory.forget(name)
    except OSError as error:
        why = error.strerror or error
        raise click.ClickException(f"that cannot be removed: {why}") from None
    if not known and not damaged:
        raise _unknown(name)
    click.echo(f"Everything about {shorten(name)} is deleted.")
    if damaged:
        files = "file that was" if damaged == 1 else "files that were"
        click.echo(f"{damaged} damaged {files} put aside went with it.")


def _unknown(name: str) -> click.ClickException:
    problem = f'the opponent reader has no data on a player called "{shorten(name)}"'
    return click.ClickException(problem)
