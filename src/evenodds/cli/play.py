"""The commands `play`, `resume`, `games`, `rules`, `matches`, `show`, `completion`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from evenodds.cli.shared.common import (
    GameName,
    NegativeAnswer,
    bot_seconds_option,
    main,
    plain_option,
    record_option,
    repetition_option,
    rule_option,
    seed_option,
    usage_errors,
)
from evenodds.core import catalog
from evenodds.core.terms import BadTerms
from evenodds.players.registry import DEFAULT_OPPONENT, external_kind_name, is_external

if TYPE_CHECKING:
    from evenodds.core.match import Match


@main.command()
@click.argument("game", type=GameName(), required=False)
@rule_option
@click.option("--names", metavar="ONE,TWO", help="What the players are called.")
@click.option(
    "--first", type=click.Choice(["1", "2", "coin"]), help="Who begins in a game of turns."
)
@repetition_option
@click.option(
    "--vs",
    multiple=True,
    is_flag=False,
    flag_value=DEFAULT_OPPONENT,
    metavar="[NAME]",
    help=f"A computer opposite you ({DEFAULT_OPPONENT} unless named); or two.",
)
@bot_seconds_option
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
    **options: Any,
) -> None:
    """Play GAME at this keyboard; without GAME, choose from a menu."""
    from evenodds.cli.shared.play_options import PlayOptions, session_options
    from evenodds.terminal.play.menu import play_from_menu, play_game
    from evenodds.terminal.play.session import Session

    play_options = PlayOptions(**options)
    with usage_errors():
        session = Session(session_options(seed, record, plain, play_options.vs, bot_seconds))
        if game is not None:
            sys.exit(play_game(session, game, play_options))
        if not session.interactive:
            names = ", ".join(known.name for known in catalog.list_games())
            raise BadTerms(f"name a game to play: {names}")
        sys.exit(play_from_menu(session, play_options))


@main.command()
@click.argument("id", required=False)
@click.option("--vs", multiple=True, metavar="NAME", help="The program or model that was playing.")
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
    """Go on with the match ID, or with the open match played last."""
    from evenodds.cli.shared.play_options import PlayOptions, session_options
    from evenodds.players.player import UnknownPlayer
    from evenodds.terminal.play.menu import resume_match
    from evenodds.terminal.play.session import Session
    from evenodds.terminal.storage.matches import (
        MatchFile,
        NoSavedMatch,
        latest_open_match,
        resume_command,
    )

    with usage_errors():
        session = Session(session_options(seed, record, plain, vs, bot_seconds))
    try:
        match_file = MatchFile(id or latest_open_match(vs))
    except NoSavedMatch as error:
        raise NegativeAnswer(str(error)) from None
    try:
        match, fault = match_file.load()
        if fault:
            click.echo(fault, err=True)
        if match.result:
            raise NoSavedMatch(
                f"{match_file.id} is over; start another with: evenodds play {match.game.name}"
            )
        for name in match.terms.computers:
            if is_external(name) and name not in vs:
                raise NoSavedMatch(
                    f"{match_file.id} is played against a {external_kind_name(name)}, "
                    f"which must be named again: {resume_command(match_file.id, match)}"
                )
        sys.exit(resume_match(session, match, match_file, PlayOptions()))
    except (NoSavedMatch, UnknownPlayer) as error:
        raise NegativeAnswer(str(error)) from None
    finally:
        match_file.release()


@main.command()
def games() -> None:
    """List the games."""
    from evenodds.terminal.reports.lists import show_games
    from evenodds.terminal.screen import Screen

    listing = catalog.list_games()
    show_games({game.name: game for game in listing}, Screen())
    for fault in listing.faults:
        click.echo(fault, err=True)


@main.command()
@click.argument("game", type=GameName())
def rules(game: catalog.AnyGame) -> None:
    """The rules of GAME, with its rulings and errata."""
    from evenodds.terminal.reports.rules import show_rules
    from evenodds.terminal.screen import Screen

    show_rules(game, Screen())


@main.command()
def matches() -> None:
    """List the matches that are kept, the last played first."""
    from evenodds.terminal.reports.lists import show_matches
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.storage.matches import saved_matches

    found, faults = saved_matches()
    show_matches(found, Screen())
    for fault in faults:
        click.echo(fault, err=True)


@main.command()
@click.argument("file", type=click.Path())
@click.option("--match", "place", type=click.IntRange(min=1), metavar="N", help="Only the Nth.")
@click.option("--line", metavar="PICKS", help='With a game as FILE: replay picks like "7-8 10-6".')
@rule_option
def show(file: str, place: int | None, line: str | None, rules: tuple[str, ...]) -> None:
    """Replay the matches recorded in FILE, or the kept match of that name, round by round."""
    from evenodds.terminal.play.replay import replay_lines
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.storage.records import BadRecord, choose

    if line is None and rules:
        raise click.UsageError("--rule goes with --line: a recorded match has rulings of its own.")
    if line is not None and place:
        raise click.UsageError("--match and --line exclude each other.")
    try:
        found = choose(file, place) if line is None else [_played(file, line, rules)]
    except BadRecord as error:
        raise NegativeAnswer(str(error)) from None
    screen = Screen()
    for number, match in enumerate(found):
        screen.say(*([""] * 2 if number else []))
        replay_lines(match, screen)


def _played(name: str, line: str, rules: tuple[str, ...]) -> "Match":
    """The match of a line of play that was typed."""
    from evenodds.cli.shared.play_options import PlayOptions
    from evenodds.core.match import Match
    from evenodds.core.notation import BadNotation, play_line

    game = GameName().convert(name, None, None)
    with usage_errors():
        match = Match(PlayOptions(rules).terms(game))
    try:
        play_line(match, line)
    except BadNotation as error:
        raise click.UsageError(f"--line, {error}") from None
    return match


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL, to be sourced in its start-up file."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is not None:
        click.echo(found(main, {}, "evenodds", "_EVENODDS_COMPLETE").source())
