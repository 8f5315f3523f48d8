"""The command `odds`."""

import click

from evenodds.claims.study_figures import PERFECT_POLICY, POLICY_NAMES
from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, print_result
from evenodds.core.catalog import AnyGame
from evenodds.players.registry import BUILT_IN_PLAYERS, check_opponent, registered_name
from evenodds.study.named_odds import UNIFORM, OddsTable
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.odds import show
from evenodds.terminal.screen import Screen


def _fixed_player(value: str) -> str:
    """The name of a player whose odds can be computed; of another the error says what to do."""
    name = registered_name(value)
    if name == UNIFORM or check_opponent(name, allow_external=True) in POLICY_NAMES:
        return name
    raise click.UsageError(
        f"{value} has no fixed strategy, so its odds cannot be computed; measure it with: "
        f"evenodds arena GAME --player {value} --player {PERFECT_POLICY}"
    )


FIXED_PLAYER = options.NamedThing(
    "player", lambda: {name: BUILT_IN_PLAYERS[name] for name in POLICY_NAMES}, _fixed_player
)


@command("evenodds odds margin perfect random")
@options.game
@click.argument("first", type=FIXED_PLAYER)
@click.argument("second", type=FIXED_PLAYER)
@options.rule
@options.repetition
@option("--json", "Print the odds as JSON.", "as_data")
def odds(
    game: AnyGame,
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
    rulings = game.settle(options.read_rulings(game, rules))
    with progress_bar() as progress:
        found = OddsTable(game, rulings, repetition, progress).between(first, second)
    for note in found.notes:
        click.echo(note, err=True)
    told = (game, (first, second), found, Screen())
    print_result(as_data, found.odds._asdict, lambda: show(*told))
