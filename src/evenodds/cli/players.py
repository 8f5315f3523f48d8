"""The commands `players`, `habits` and `forget`."""

import click

from evenodds.cli.shared.common import (
    GameName,
    NegativeAnswer,
    main,
    repetition_option,
    rule_option,
    solver_required,
    usage_errors,
)
from evenodds.core import catalog


@main.command()
@click.argument("game", type=GameName(), required=False)
@rule_option
@repetition_option
@click.option("--json", "as_data", is_flag=True, help="Print the table as JSON.")
def players(
    game: catalog.AnyGame | None, rules: tuple[str, ...], repetition: int | None, as_data: bool
) -> None:
    """List the opponents; with GAME, how strong each level is there, exactly."""
    from evenodds.cli.shared.play_options import PlayOptions
    from evenodds.terminal.screen import Screen

    with usage_errors(), solver_required():
        from evenodds.core.terms import DEFAULT_REPETITION
        from evenodds.core.validation import BadGame
        from evenodds.graph import TooLarge
        from evenodds.players.level_strength import as_json, strengths
        from evenodds.terminal.progress_bar import progress_bar
        from evenodds.terminal.reports import players

        if game is None:
            if rules or as_data or repetition is not None:
                raise click.UsageError("--rule, --repetition and --json go with a GAME.")
            players.show_names(Screen())
            return
        settled = game.settle(PlayOptions(rules).rulings(game))
        try:
            with progress_bar() as progress:
                times = DEFAULT_REPETITION if repetition is None else repetition
                found = strengths(game, settled, progress, times)
        except (BadGame, TooLarge) as error:
            raise NegativeAnswer(str(error)) from None
        if as_data:
            import json

            click.echo(json.dumps(as_json(game, settled, found)))
        else:
            players.show(game, found, Screen(), repetition)


@main.command()
@click.argument("name", required=False)
def habits(name: str | None) -> None:
    """What the reader remembers of NAME; without NAME, whom it remembers."""
    from evenodds.players.reader import memory
    from evenodds.terminal.reports.habits import show_habits, show_remembered_players
    from evenodds.terminal.screen import Screen

    if name is None:
        show_remembered_players(memory.remembered_names(), Screen())
    elif games := memory.read(name):
        show_habits(name, games, Screen())
    else:
        raise NegativeAnswer(_unknown(name))


@main.command()
@click.argument("name")
def forget(name: str) -> None:
    """Remove all that the reader remembers of NAME."""
    from evenodds.players.reader import memory
    from evenodds.system.text import shorten

    try:
        removed = memory.forget(name)
    except OSError as error:
        raise NegativeAnswer(f"that cannot be removed: {error.strerror or error}") from None
    if not any(removed):
        raise NegativeAnswer(_unknown(name))
    click.echo(f"Everything about {shorten(name)} is forgotten.")
    if removed.damaged:
        files = "file that was" if removed.damaged == 1 else "files that were"
        click.echo(f"{removed.damaged} damaged {files} put aside went with it.")


def _unknown(name: str) -> str:
    from evenodds.players.reader import memory
    from evenodds.system.text import shorten

    if memory.is_damaged(name):
        return f"what the reader remembers of {shorten(name)} is damaged; forget removes it"
    return f'the reader remembers nobody called "{shorten(name)}"'
