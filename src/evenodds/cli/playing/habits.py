"""The commands `habits` and `forget`."""

import click

from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.errors import NegativeAnswer
from evenodds.players.reader import memory
from evenodds.system.text import shorten
from evenodds.terminal.reports.habits import show_habits, show_remembered_players
from evenodds.terminal.screen import Screen


def complete_remembered(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The players that the reader remembers."""
    return [name for name in memory.remembered_names() if name.startswith(incomplete)]


@command
@click.argument("name", required=False, shell_complete=complete_remembered)
def habits(name: str | None) -> None:
    """Without NAME, lists the players that it remembers."""
    if name is None:
        show_remembered_players(memory.remembered_names(), Screen())
    elif games := memory.read(name):
        show_habits(name, games, Screen())
    else:
        raise NegativeAnswer(_unknown(name))


@command
@click.argument("name", shell_complete=complete_remembered)
def forget(name: str) -> None:
    """The reader then starts from nothing with NAME."""
    try:
        known, damaged = memory.forget(name)
    except OSError as error:
        raise NegativeAnswer(f"that cannot be removed: {error.strerror or error}") from None
    if not known and not damaged:
        raise NegativeAnswer(_unknown(name))
    click.echo(f"Everything about {shorten(name)} is deleted.")
    if damaged:
        files = "file that was" if damaged == 1 else "files that were"
        click.echo(f"{damaged} damaged {files} put aside went with it.")


def _unknown(name: str) -> str:
    if memory.is_damaged(name):
        return f"what the reader remembers of {shorten(name)} is damaged; forget removes it"
    return f'the opponent reader has no data on a player called "{shorten(name)}"'
