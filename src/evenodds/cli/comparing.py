"""The commands of those who compare players: arena."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evenodds import catalog
from evenodds.cli.base import (
    INTERRUPTED,
    GameName,
    No,
    bot_seconds_option,
    heavy,
    main,
    refusals,
    rule_option,
    write_page,
)
from evenodds.cli.teaming import cluster_option, team_for

if TYPE_CHECKING:
    from evenodds.arena.plan import Plan
    from evenodds.arena.sprt import Sequential
    from evenodds.arena.tables import Standing


@main.command()
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
    with refusals(), heavy():
        from evenodds.arena.plan import BadPlan, Plan, check_plan
        from evenodds.arena.sprt import BadTest, Sequential
        from evenodds.terminal.session import BOT_SECONDS
        from evenodds.terminal.wishes import Wishes

        try:
            rulings = game.settle(Wishes(rules).rulings(game))
            seconds = BOT_SECONDS if bot_seconds is None else bot_seconds
            plan = check_plan(Plan(game, rulings, players, matches, seed, gauntlet, seconds))
            test = None if sprt is None else Sequential(sprt)
            _check(plan, sprt, cluster)
        except (BadPlan, BadTest) as error:
            raise click.UsageError(str(error)) from None
        standing = _played(plan, test, cluster, folder)
        _give(standing, folder, as_data)
    if standing.tally.bouts < plan.bouts and not (test and test.settled):
        raise click.exceptions.Exit(INTERRUPTED)


def _check(plan: "Plan", sprt: float | None, cluster: str | None) -> None:
    from evenodds.arena.plan import OWN, BadPlan

    if sprt is not None and len(plan.players) != 2:
        raise BadPlan(f"--sprt is between two players, not {len(plan.players)}")
    if cluster and any(name.startswith(OWN) for name in plan.players):
        raise BadPlan("programs and language models play on this machine, not with --cluster")


def _played(
    plan: "Plan", test: "Sequential | None", cluster: str | None, folder: str | None
) -> "Standing":
    """Play it; one line where that cannot be done."""
    from evenodds.arena.arena import Stopped
    from evenodds.arena.plan import BadPlan
    from evenodds.locks import Busy
    from evenodds.terminal import comparing

    place = Path(folder) if folder else None
    try:
        with team_for(cluster) as team:
            return comparing.run(plan, team, place, test)
    except (BadPlan, Stopped) as error:
        raise No(str(error)) from None
    except Busy:
        raise No(f"{folder} is in use: another arena is played there") from None
    except OSError as error:
        raise No(f"{folder} cannot be written: {error.strerror or error}") from None


def _give(standing: "Standing", folder: str | None, as_data: bool) -> None:
    """Tell what came of it, and keep it beside the matches."""
    import json

    from evenodds.arena import tables
    from evenodds.terminal.comparing import show
    from evenodds.terminal.screen import Screen

    data = json.dumps(tables.as_data(standing))
    if folder:
        write_page(Path(folder) / "table.md", tables.as_markdown(standing))
        write_page(Path(folder) / "table.json", data + "\n")
    if as_data:
        click.echo(data)
        return
    screen = Screen()
    show(standing, screen)
    if standing.tally.bouts:
        kept = f"All matches are in {folder}; the same command with more --matches goes on."
        screen.say("", kept if folder else "Nothing of it is kept; -o DIR keeps every match.")
