"""The commands `arena` and `benchmark`: their options; `arena_runs` does the work."""

import click

from evenodds.arena.schedule import BadPlan, Plan, check_plan
from evenodds.arena.sequential_test import SequentialTest
from evenodds.cli.shared.options import (
    GameName,
    bot_seconds_option,
    cluster_option,
    read_rulings,
    rule_option,
)
from evenodds.core import catalog


@click.command()
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


@click.command()
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
    # Needs NumPy, which the help does not.
    from evenodds.cli.analysis.arena_runs import make_score_card

    make_score_card(player, games, matches, bot_seconds, folder, as_data)
