"""The commands `arena` and `benchmark`: their options; `arena_runs` does the work."""

import click

from evenodds.arena.schedule import (
    DEFAULT_BENCHMARK_MATCHES,
    BadPlan,
    Plan,
    benchmark_plan,
    check_plan,
)
from evenodds.arena.sequential import SequentialTest
from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.options import (
    GameName,
    PlayerName,
    bot_seconds_option,
    cluster_option,
    read_rulings,
    rule_option,
)
from evenodds.core import catalog


@command
@click.argument("game", type=GameName())
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME",
    help="A player; give two or more.",
    type=PlayerName(),
)
@click.option(
    "--matches", default=1000, show_default=True, metavar="N", help="Matches played by each pair."
)
@click.option(
    "--seed", default=0, show_default=True, metavar="N", help="Seed of the random choices."
)
@click.option("--gauntlet", is_flag=True, help="Only pair the first player with the others.")
@click.option(
    "--sprt",
    type=float,
    metavar="ELO",
    help="For two players: stop once it is known who is stronger, if they are ELO apart or more.",
)
@rule_option
@bot_seconds_option
@cluster_option
@click.option(
    "-o", "folder", metavar="DIR", help="Store all matches; repeat the command to continue."
)
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
    """Each pair of players meets equally often in both seats.

    Between built-in players with a fixed strategy the score is exact, not sampled.
    """
    rulings = game.settle(read_rulings(game, rules))
    plan = check_plan(Plan(game, rulings, players, matches, seed, gauntlet, True, bot_seconds))
    test = None if sprt is None else SequentialTest(sprt)
    if test and len(players) != 2:
        raise BadPlan(f"--sprt is between two players, not {len(players)}")
    if cluster and plan.external_players:
        raise BadPlan("programs and language models play on this machine, not with --cluster")
    # Needs NumPy, which the help and the checks before do not.
    from evenodds.cli.analysis.arena_runs import play_and_show

    play_and_show(plan, test, cluster, folder, as_data)


@command
@click.option(
    "--player",
    required=True,
    metavar="NAME",
    help="The player to score.",
    type=PlayerName(),
)
@click.option(
    "--matches", type=int, metavar="N", help="Matches against each opponent in each game. [10]"
)
@click.option(
    "--game", "games", type=GameName(), multiple=True, help="Play only this game; may be repeated."
)
@bot_seconds_option
@click.option(
    "-o", "folder", metavar="DIR", help="Store all matches; repeat the command to continue."
)
@click.option("--json", "as_data", is_flag=True, help="Print the score card as JSON.")
def benchmark(
    player: str,
    games: tuple[catalog.AnyGame, ...],
    matches: int | None,
    bot_seconds: float | None,
    folder: str | None,
    as_data: bool,
) -> None:
    """Opponents and seeds are the same for everyone, so score cards can be compared."""
    matches = DEFAULT_BENCHMARK_MATCHES if matches is None else matches
    wanted = dict.fromkeys(games or catalog.list_games())
    plans = [benchmark_plan(game, player, matches, bot_seconds) for game in wanted]
    for plan in plans:
        check_plan(plan, twice=True)
    if not matches:
        raise click.UsageError("--matches 0 is not allowed; allowed: an even number from 2")
    # As for an arena.
    from evenodds.cli.analysis.arena_runs import make_score_card

    make_score_card(player, games, plans, folder, as_data)
