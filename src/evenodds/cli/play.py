"""The commands `play`, `resume` and `join`."""

import os
import sys
from contextlib import ExitStack
from typing import Any

import click

from evenodds.cli import open_app, opens_app, options
from evenodds.cli.command_table import command
from evenodds.cli.options import option
from evenodds.core import catalog
from evenodds.players.player import UnknownPlayer
from evenodds.players.registry import DEFAULT_OPPONENT, check_opponent, external_kind
from evenodds.system import EvenOddsError
from evenodds.table.play_options import PlayOptions, session_options
from evenodds.table.saved_matches import MatchFile, latest_open_match, resume_command
from evenodds.terminal.play.menu import play_from_menu, play_game
from evenodds.terminal.play.session import Session


@command("evenodds play underdog --vs level:3")
@click.argument("game", type=options.GAME, required=False)
@options.rule
@option("--names ONE,TWO", "The names of the players.")
@option("--first", "Who goes first, in games of turns.", type=click.Choice(["1", "2", "coin"]))
@options.repetition
@option(
    "--vs [NAME]",
    f"Play against the computer [{DEFAULT_OPPONENT}]. Give it twice to watch two computers. "
    "Without it the app asks who plays; in plain text two people share the keyboard.",
    multiple=True,
    is_flag=False,
    flag_value=DEFAULT_OPPONENT,
    type=options.PLAYER,
)
@options.bot_seconds
@option(
    "--pace S",
    "When two computers play: seconds between rounds. [1; 0 in plain text]",
    type=click.FloatRange(0, 60),
    callback=options.refuse_nan,
)
@option(
    "--seat",
    "With --vs: whether you are player 1 or 2; --first says who begins. [1]",
    type=click.Choice(["1", "2"]),
)
@options.seed
@options.record
@options.plain
def play(
    game: catalog.AnyGame | None,
    seed: int | None,
    record: str | None,
    plain: bool,
    bot_seconds: float | None,
    pace: float | None,
    **shaping: Any,
) -> None:
    """Without GAME you choose from a menu. Type ? during a match to see what you can do."""
    play_options = PlayOptions(**shaping)
    if game is None:
        game, play_options = _game_behind_vs(play_options)
    chosen = session_options(seed, record, play_options.vs, bot_seconds, pace)
    if opens_app(plain):
        if game is None:
            open_app(chosen, play_options)
        terms = play_options.terms(game)  # an option that does not fit is an error of the command
        later = play_options.for_later_games()
        coin = play_options.first not in ("1", "2")
        open_app(chosen, later, lambda app: app.offer(terms, coin))
    session = Session(chosen)
    if game is not None:
        sys.exit(play_game(session, game, play_options))
    if not (session.keyboard.terminal and session.screen.terminal):
        names = ", ".join(known.name for known in catalog.list_games())
        raise click.UsageError(f"name a game to play: {names}")
    sys.exit(play_from_menu(session, play_options))


def _game_behind_vs(typed: PlayOptions) -> tuple[catalog.AnyGame | None, PlayOptions]:
    """The game of `--vs margin`, which names no opponent; an unknown opponent is refused."""
    *before, last = typed.vs or ("",)
    is_folder = options.is_game_path(last) and os.path.isdir(last)
    if is_folder or last in {game.name for game in catalog.list_games()}:
        return options.find_game(last), typed._replace(vs=(*before, DEFAULT_OPPONENT))
    for name in typed.vs:
        check_opponent(name, allow_external=True)
    return None, typed


OPEN_MATCH = options.NamedThing("match", lambda: options.match_lines(open_only=True))


@command("evenodds resume")
@click.argument("id", type=OPEN_MATCH, required=False)
@options.folder
@option("--vs NAME", "In a match against a program or model: name it again.", multiple=True)
@options.bot_seconds
@options.seed
@options.record
@options.plain
def resume(id: str | None, vs: tuple[str, ...], plain: bool, **given: Any) -> None:
    """Without ID, continues the open match played last; evenodds matches lists all IDs.

    GAME is the folder of its game, where that is not installed.
    """
    chosen = session_options(vs=vs, **given)
    with ExitStack() as cleanup:
        match_file = MatchFile(latest_open_match(vs) if id is None else id)
        cleanup.callback(match_file.release)
        match, fault = match_file.load()
        if fault:
            click.echo(fault, err=True)
        if match.result:
            raise EvenOddsError(
                f"{match_file.id} is over; start another with: evenodds play "
                f"{catalog.typed_name(match.game)}"
            )
        for name in match.terms.computers:
            if (external := external_kind(name)) and name not in vs:
                raise EvenOddsError(
                    f"{match_file.id} is played against a {external.label}, "
                    f"which must be named again: {resume_command(match_file.id, match)}"
                )
        if opens_app(plain):
            open_app(chosen, first=lambda app: app.go_on(match, match_file))
        try:
            sys.exit(Session(chosen).play(match, match_file))
        except UnknownPlayer as error:  # not what was typed is wrong
            raise click.ClickException(str(error)) from None


@command("evenodds join http://localhost:8000/match/7d3k9x2m --name Bob")
@click.argument("link", metavar="URL")
@option("--name NAME", "Your name in the match.")
@options.record
@options.plain
def join(link: str, name: str | None, record: str | None, plain: bool) -> None:
    """URL is the link that you were sent, or the address of a match in the lobby.

    The same command brings you back to your seat.
    """
    # Slow to import, and needless for a match on this machine.
    from evenodds.client.address import BadAddress, address
    from evenodds.client.remote_match import connect_to_match
    from evenodds.table.remote import RemoteTable

    chosen = session_options(None, record)
    try:
        where = address(link)
    except BadAddress as error:
        raise click.UsageError(str(error)) from None
    table = RemoteTable(chosen, connect_to_match(where, name or ""))
    if opens_app(plain):
        open_app(chosen, first=lambda app: app.sit(table, alone=True))
    sys.exit(Session(chosen).sit(table))
