"""The commands `solve` and `odds`: what is exact about a position, and between two players."""

from functools import partial
from typing import Any, Final

import click

from evenodds.claims.study_figures import PERFECT_POLICY, PERFECT_STRATEGY_NOTE, POLICY_NAMES, Odds
from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, print_result
from evenodds.coach.position_report import as_json, report_position
from evenodds.core.catalog import AnyGame
from evenodds.core.notation import BadNotation
from evenodds.core.terms import repetition_rule
from evenodds.figures import join_words, percent, points
from evenodds.players.registry import BUILT_IN_PLAYERS, check_opponent, registered_name
from evenodds.study.named_odds import UNIFORM, OddsTable
from evenodds.system.environment import DEVICES, Device
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.reports.review import show_position
from evenodds.terminal.screen import Output
from evenodds.terminal.tables import share_bar

BAR_COLUMNS: Final = 30
STYLES: Final = {"first": "first", "draw": "strong", "second": "second", "endless": "faint"}
LEGEND: Final = "How often each player wins, and how often neither does. A draw scores half a win."


@command('evenodds solve margin --after "5-1"')
@options.game
@options.rule
@option("--after PICKS", 'Go to the position after picks such as "7-8 10-6".')
@option("--json", "Print the result as JSON.", "as_data")
@option("--fresh", "Solve again, even if a solution is stored.")
@option(
    "--device",
    "Where to solve. `auto` uses an NVIDIA GPU for large games, if there is one.",
    type=click.Choice(DEVICES),
)
def solve(
    game: AnyGame,
    rules: tuple[str, ...],
    after: str | None,
    as_data: bool,
    fresh: bool,
    device: Device | None,
) -> None:
    """Shows who is ahead with best play, and how often to pick each number."""
    rulings = options.read_rulings(game, rules)
    try:
        with progress_bar() as progress:
            found = report_position(game, rulings, after or "", fresh, progress, device)
    except BadNotation as error:
        raise click.UsageError(f"--after, {error}") from None
    for note in found.notes:
        click.echo(note, err=True)
    print_result(as_data, found, as_json, show_position)


def _fixed_player(value: str) -> str:
    """The name of a player whose odds can be computed; of another the error says what to do."""
    name = registered_name(value)
    if name == UNIFORM or name in POLICY_NAMES:
        return name
    check_opponent(name, allow_external=True)
    raise click.UsageError(
        f"{value} has no fixed strategy, so its odds cannot be computed; "
        f"{join_words(POLICY_NAMES)} have one; measure others with: "
        f"evenodds arena GAME --player {value} --player {PERFECT_POLICY}"
    )


FIXED_PLAYER = options.NamedThing(
    "player", lambda: {name: BUILT_IN_PLAYERS[name] for name in POLICY_NAMES}, _fixed_player
)


def _show(game: AnyGame, names: tuple[str, str], found: Odds, screen: Output) -> None:
    """Show the odds between two ways to play as bars, and the mean length."""
    one, two = names
    screen.say(f"{game.title}, exact odds: {one} (first) against {two} (second)", "")
    for name, style in STYLES.items():
        if name != "endless" or (game.loops and not found.repetition):
            share = getattr(found, name)
            figure = f"{percent(share, 2):>8}"
            screen.draw([share_bar(f"{name:>8}", share, BAR_COLUMNS, style, figure)])
    unit = "rounds" if game.simultaneous else "picks"
    mean = "may not end" if found.length is None else f"takes {found.length:.2f} {unit} on average"
    score = percent(found.score, 2)
    screen.say("", LEGEND, f"The first player scores {score}. A match {mean}.")
    if found.points is not None:
        screen.say(f"On average the first player is {points(found.points)} ahead.")
    if game.can_repeat:
        screen.say(repetition_rule(found.repetition))
    if PERFECT_POLICY in names and (one != two or game.simultaneous):
        screen.say_wrapped(PERFECT_STRATEGY_NOTE)


def _as_data(found: Odds) -> dict[str, Any]:
    figures = [one for one in found._asdict().items() if one != ("points", None)]
    return {name: figure for name, figure in figures if name != "endings"}


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
        table = OddsTable(game, rulings, repetition, progress)
        found = table.between(first, second)
    for note in table.notes:
        click.echo(note, err=True)
    show = partial(_show, game, (first, second))
    print_result(as_data, found, _as_data, show)
