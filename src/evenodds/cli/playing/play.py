"""The commands `play` and `resume`."""

import sys
from contextlib import ExitStack
from typing import Any

import click

from evenodds.cli.shared.command_table import command
from evenodds.cli.shared.completers import complete_open_matches
from evenodds.cli.shared.errors import negative_answers
from evenodds.cli.shared.full_screen import open_app, opens_app
from evenodds.cli.shared.options import (
    GameName,
    PlayerName,
    bot_seconds_option,
    plain_option,
    record_option,
    repetition_option,
    rule_option,
    seed_option,
)
from evenodds.cli.shared.play_options import PlayOptions, session_options
from evenodds.cli.shared.ranges import FiniteRange, RangeOption
from evenodds.core import catalog
from evenodds.players.player import UnknownPlayer
from evenodds.players.registry import (
    DEFAULT_OPPONENT,
    check_opponent,
    external_kind,
)
from evenodds.terminal.play.menu import play_from_menu, play_game
from evenodds.terminal.play.session import Session
from evenodds.terminal.storage.matches import (
    MatchFile,
    NoSavedMatch,
    latest_open_match,
    resume_command,
)


@command
@click.argument("game", type=GameName(), required=False)
@rule_option
@click.option("--names", metavar="ONE,TWO", help="The names of the players.")
@click.option(
    "--first", type=click.Choice(["1", "2", "coin"]), help="Who goes first, in games of turns."
)
@repetition_option
@click.option(
    "--vs",
    multiple=True,
    is_flag=False,
    flag_value=DEFAULT_OPPONENT,
    metavar="[NAME]",
    type=PlayerName(),
    help=f"Play against the computer [{DEFAULT_OPPONENT}]. Give it twice to watch two computers. "
    "Without it the app asks who plays; in plain text two people share the keyboard.",
)
@bot_seconds_option
@click.option(
    "--pace",
    cls=RangeOption,
    type=FiniteRange(0, 60),
    metavar="S",
    help="When two computers play: seconds between rounds. [1; 0 in plain text]",
)
@click.option("--seat", type=click.Choice(["1", "2"]), help="With --vs: which player you are. [1]")
@seed_option
@record_option
@plain_option
def play(
    game: catalog.AnyGame | None,
    seed: int | None,
    record: str | None,
    plain: bool,
    bot_seconds: float | None,
    pace: float | None,
    **options: Any,
) -> None:
    """Without GAME you choose from a menu. Type ? during a match to see what you can do."""
    play_options = PlayOptions(**options)
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


def _game_behind_vs(options: PlayOptions) -> tuple[catalog.AnyGame | None, PlayOptions]:
    """The game of `--vs margin`, which names no opponent; an unknown opponent is refused."""
    *before, last = options.vs or ("",)
    for game in catalog.list_games():
        if last == game.name:
            return game, options._replace(vs=(*before, DEFAULT_OPPONENT))
    for name in options.vs:
        check_opponent(name, allow_external=True)
    return None, options


@command
@click.argument("id", required=False, shell_complete=complete_open_matches)
@click.option(
    "--vs",
    multiple=True,
    metavar="NAME",
    help="In a match against a program or model: name it again.",
)
@bot_seconds_option
@seed_option
@record_option
@plain_option
def resume(
    id: str | None,
    vs: tuple[str, ...],
    bot_seconds: float | None,
    seed: int | None,
    record: str | None,
    plain: bool,
) -> None:
    """Without ID, continues the open match played last; evenodds matches lists all IDs."""
    chosen = session_options(seed, record, vs, bot_seconds)
    with negative_answers(NoSavedMatch, UnknownPlayer), ExitStack() as cleanup:
        match_file = MatchFile(latest_open_match(vs) if id is None else id)
        cleanup.callback(match_file.release)
        match, fault = match_file.load()
        if fault:
            click.echo(fault, err=True)
        if match.result:
            raise NoSavedMatch(
                f"{match_file.id} is over; start another with: evenodds play {match.game.name}"
            )
        for name in match.terms.computers:
            if (external := external_kind(name)) and name not in vs:
                raise NoSavedMatch(
                    f"{match_file.id} is played against a {external.label}, "
                    f"which must be named again: {resume_command(match_file.id, match)}"
                )
        if opens_app(plain):
            saved = (match, match_file)
            open_app(chosen, first=lambda app: app.play(match.terms, saved))
        sys.exit(Session(chosen).resume(match, match_file))
