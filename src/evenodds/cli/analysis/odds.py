"""The command `odds`."""

import json
from typing import Any

import click
from click.shell_completion import CompletionItem

from evenodds.claims.study_figures import PERFECT_POLICY, POLICY_NAMES
from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.options import GameName, read_rulings, repetition_option, rule_option
from evenodds.core import catalog
from evenodds.players.registry import BUILT_IN_PLAYERS, check_opponent, registered_name
from evenodds.study.named_odds import UNIFORM, named_odds_of
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.odds import show
from evenodds.terminal.screen import Screen


class FixedPlayer(click.ParamType[str]):
    """A player with a fixed strategy; of another one, or none, the error says what to do."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if its odds can be computed."""
        name = registered_name(value)
        if name == UNIFORM or check_opponent(name, allow_external=True) in POLICY_NAMES:
            return name
        raise click.UsageError(
            f"{value} has no fixed strategy, so its odds cannot be computed; measure it with: "
            f"evenodds arena GAME --player {value} --player {PERFECT_POLICY}"
        )

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The players whose odds can be computed."""
        return [
            CompletionItem(name, help=BUILT_IN_PLAYERS[name])
            for name in POLICY_NAMES
            if name.startswith(incomplete)
        ]


@command
@click.argument("game", type=GameName())
@click.argument("first", type=FixedPlayer(), metavar="FIRST")
@click.argument("second", type=FixedPlayer(), metavar="SECOND")
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
    """FIRST and SECOND are random, high, level:1 to level:8, or perfect.

    Nothing is sampled: the result is summed over all positions. For other players use: evenodds
    arena.
    """
    rulings = game.settle(read_rulings(game, rules))
    with progress_bar() as progress:
        found = named_odds_of(game, rulings, (first, second), repetition, progress)
    for note in found.notes:
        click.echo(note, err=True)
    if as_data:
        click.echo(json.dumps(found.odds._asdict()))
    else:
        show(game, (first, second), found, Screen())
