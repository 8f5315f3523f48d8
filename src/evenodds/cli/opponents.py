"""The commands about computer opponents."""

import click

from evenodds import catalog
from evenodds.cli.base import GameName, No, heavy, main, refusals, rule_option


@main.command()
@click.argument("game", type=GameName(), required=False)
@rule_option
@click.option("--json", "as_data", is_flag=True, help="Print the table as JSON.")
def players(game: catalog.AnyGame | None, rules: tuple[str, ...], as_data: bool) -> None:
    """List the opponents; with GAME, how strong each level is there, exactly."""
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.wishes import Wishes

    with refusals(), heavy():
        from evenodds.solver import BadGame, TooLarge
        from evenodds.terminal import strength

        if game is None:
            if rules or as_data:
                raise click.UsageError("--rule and --json go with a GAME.")
            strength.show_names(Screen())
            return
        settled = game.settle(Wishes(rules).rulings(game))
        try:
            found = strength.weigh(game, settled)
        except (BadGame, TooLarge) as error:
            raise No(str(error)) from None
        if as_data:
            import json

            click.echo(json.dumps(strength.as_json(game, settled, found)))
        else:
            strength.show(game, found, Screen())
