"""The command `odds`."""

import json

import click

from evenodds.claims.study_data import POLICY_NAMES
from evenodds.cli.shared.options import GameName, read_rulings, repetition_option, rule_option
from evenodds.core import catalog
from evenodds.study.named_odds import named_odds_of
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.odds import show
from evenodds.terminal.screen import Screen

PLAYER = click.Choice([*POLICY_NAMES, "uniform"])  # `uniform` is another name of `random`


@click.command()
@click.argument("game", type=GameName())
@click.argument("first", type=PLAYER, metavar="FIRST")
@click.argument("second", type=PLAYER, metavar="SECOND")
@rule_option
@repetition_option
@click.option("--json", "as_data", is_flag=True, help="Print the odds as JSON.")
def odds(
    game: catalog.AnyGame,
    first: str,
    second: str,
    rules: tuple[str, ...],
    repetition: int | None,
    as_data: bool,
) -> None:
    """The exact odds of GAME between two players: random, high, level:1 to level:8, perfect."""
    rulings = game.settle(read_rulings(game, rules))
    with progress_bar() as progress:
        found = named_odds_of(game, rulings, (first, second), repetition, progress)
    for note in found.notes:
        click.echo(note, err=True)
    if as_data:
        ranges = {name: one and one._asdict() for name, one in found.others._asdict().items()}
        click.echo(json.dumps(found.odds._asdict() | {"others": ranges}))
    else:
        show(game, found, Screen())
