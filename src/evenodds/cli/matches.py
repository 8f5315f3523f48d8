"""The commands `matches`, `show` and `verify`."""

import click

from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.options import option
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.notation import BadNotation, play_line
from evenodds.core.notation.verify import Verified
from evenodds.core.terms import agree
from evenodds.figures import counted
from evenodds.table.records import choose
from evenodds.table.records import verify as verify_records
from evenodds.table.saved_matches import delete_match, saved_matches
from evenodds.terminal.play.replay import replay_lines
from evenodds.terminal.reports.lists import show_matches
from evenodds.terminal.screen import Screen


@command("evenodds matches --game duel --open")
@option("--game", "Only matches of this game.", type=options.GAME)
@option("--vs NAME", "Only matches with this player.", type=options.PLAYER)
@click.option("--open/--over", "is_open", default=None, help="Only open or only finished matches.")
@option(
    "--delete ID",
    "Delete this match; may be repeated.",
    "deleted_ids",
    multiple=True,
    type=options.NamedThing("match", options.match_lines),
)
def matches(
    game: catalog.AnyGame | None, vs: str | None, is_open: bool | None, deleted_ids: tuple[str, ...]
) -> None:
    """The match played last comes first.

    Use the ID of a match with resume, show, review, or matches --delete.
    """
    for id in deleted_ids:
        delete_match(id)
        click.echo(f"Match {id} is deleted.")
    if deleted_ids:
        return
    found, faults = saved_matches()
    wanted = [
        saved
        for saved in found
        if (game is None or saved.match.game.name == game.name)
        and (vs is None or vs in (*saved.match.terms.players, *saved.match.terms.computers))
        and (is_open is None or is_open == (saved.match.result is None))
    ]
    if found or not faults:
        show_matches(wanted, Screen(), any_saved=bool(found))
    for fault in faults:
        click.echo(fault, err=True)


MATCH_OR_GAME = options.NamedThing(
    "file", lambda: options.game_titles() | options.match_lines(), files=True
)


@command('evenodds show duel --line "3-1 2-2"')
@click.argument("file", type=MATCH_OR_GAME)
@options.folder
@options.match
@option("--line PICKS", 'Replay these picks of the game FILE, such as "7-8 10-6".')
@options.rule
def show(file: str, place: int | None, line: str | None, rules: tuple[str, ...]) -> None:
    """FILE: a file of recorded matches, the ID of a saved match or, with --line, a game's name.

    GAME is the folder of its game, where that is not installed.
    """
    if line is None and rules:
        raise click.UsageError("--rule goes with --line: a recorded match has rulings of its own.")
    if line is not None and place:
        raise click.UsageError("--match and --line exclude each other.")
    found = choose(file, place) if line is None else [_played(file, line, rules)]
    screen = Screen()
    for number, match in enumerate(found):
        screen.say(*([""] * 2 if number else []))
        replay_lines(match, screen)


def _played(name: str, line: str, rules: tuple[str, ...]) -> Match:
    """The match of a line of play that was typed."""
    game = options.find_game(name)
    match = Match(agree(game, options.read_rulings(game, rules)))
    try:
        play_line(match, line, typed=True)
    except BadNotation as error:
        raise click.UsageError(f"--line, {error}") from None
    return match


@command("evenodds verify match.txt")
@click.argument("file", type=click.Path())
@options.folder
def verify(file: str) -> None:
    """FILE is the record of a match played on a server, with sealed picks or with draws.

    GAME is the folder of its game, where that is not installed.
    """
    found = verify_records(file)
    if not any(verified.picks or verified.unplayed or verified.dice for verified in found):
        lacking = next(filter(None, map(_draws_line, found)), "no picks were sealed in this match")
        raise click.ClickException(f"{lacking.rstrip('.')}, so there is nothing to check")
    for verified in found:
        picks = f"{verified.picks} sealed picks, each as it was promised." if verified.picks else ""
        said = [picks, verified.unplayed, _draws_line(verified)]
        status = " ".join(filter(None, said)) or "not sealed."
        click.echo(f"{verified.match.terms.title_for(verified.match.names)}: {status}")


def _draws_line(verified: Verified) -> str:
    """That all draws follow from the promised seed, or why nobody knows."""
    if verified.dice is None:
        return "its draws were promised by nobody." if verified.match.game.chance else ""
    match, promise, seed = verified.dice
    if not seed:
        return f"The seed of the draws is shown at the end; its promise is {promise}."
    draws = counted(sum(map(len, verified.match.draws)), "draws")
    return (
        f"{draws}, all from the seed of match {match} with the promise {promise}. "
        "Compare it with the promise that you were shown at the start."
    )
