"""The command line: what each command takes, and nothing of how it is done."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from evenodds import __version__, catalog
from evenodds.rulings import BadRuling
from evenodds.terms import BadTerms

NO = 1
INTERRUPTED = 130


class No(click.ClickException):
    """The answer is no, the thing is not there, or it does not fit."""

    exit_code = NO


class GameName(click.ParamType[catalog.AnyGame]):
    """A game of the catalog."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The game of that name, or one line that names those there are."""
        try:
            return catalog.get(value)
        except catalog.UnknownGame as error:
            raise click.UsageError(str(error)) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """The names of all games."""
        from click.shell_completion import CompletionItem

        games = catalog.games().games
        return [
            CompletionItem(game.name, help=game.title)
            for game in games
            if game.name.startswith(incomplete)
        ]


rule_option = click.option(
    "--rule", "rules", multiple=True, metavar="KEY=VALUE", help="Change a ruling."
)
seed_option = click.option("--seed", type=int, metavar="N", help="Make chance repeatable.")
record_option = click.option(
    "--record", type=click.Path(), metavar="FILE", help="Add the match to a file."
)
plain_option = click.option("--plain", is_flag=True, help="A pipe's plain dialog on a terminal.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="Even Odds %(version)s")
def main() -> None:
    """Even Odds: five two-player number games from their rule books."""


@main.command()
@click.argument("game", type=GameName(), required=False)
@rule_option
@click.option("--names", metavar="ONE,TWO", help="What the players are called.")
@click.option(
    "--first", type=click.Choice(["1", "2", "coin"]), help="Who begins in a game of turns."
)
@click.option("--repetition", type=int, metavar="N", help="Draw after N times; 0: never. [3]")
@click.option("--vs", multiple=True, metavar="NAME", help="A computer opposite you; or two.")
@click.option("--seat", type=click.Choice(["1", "2"]), help="With --vs: which player you are. [1]")
@seed_option
@record_option
@plain_option
def play(
    game: catalog.AnyGame | None,
    seed: int | None,
    record: str | None,
    plain: bool,
    **options: Any,
) -> None:
    """Play GAME at this keyboard; without GAME, choose from a menu."""
    from evenodds.terminal.menu import play_from_menu, play_game
    from evenodds.terminal.session import Session
    from evenodds.terminal.wishes import Wishes, manner

    wishes = Wishes(**options)
    with refusals():
        session = Session(manner(seed, record, plain))
        if game is not None:
            sys.exit(play_game(session, game, wishes))
        if not session.lively:
            names = ", ".join(known.name for known in catalog.games().games)
            raise BadTerms(f"name a game to play: {names}")
        sys.exit(play_from_menu(session, wishes))


@main.command()
@click.argument("id", required=False)
@seed_option
@record_option
@plain_option
def resume(id: str | None, seed: int | None, record: str | None, plain: bool) -> None:
    """Go on with the match ID, or with the open match played last."""
    from evenodds.players import UnknownPlayer
    from evenodds.terminal.session import Session
    from evenodds.terminal.store import NoMatch, Slot, latest
    from evenodds.terminal.wishes import manner

    with refusals():
        session = Session(manner(seed, record, plain))
    try:
        slot = Slot(id or latest())
    except NoMatch as error:
        raise No(str(error)) from None
    try:
        match, fault = slot.load()
        if fault:
            click.echo(fault, err=True)
        if match.result:
            raise NoMatch(f"{slot.id} is over; start another with: evenodds play {match.game.name}")
        sys.exit(session.sit(match, slot, resumed=True) or 0)
    except (NoMatch, UnknownPlayer) as error:
        raise No(str(error)) from None
    finally:
        slot.release()


@main.command()
def games() -> None:
    """List the games."""
    from evenodds.terminal.lists import list_games
    from evenodds.terminal.screen import Screen

    listing = catalog.games()
    list_games({game.name: game for game in listing.games}, Screen())
    for fault in listing.faults:
        click.echo(fault, err=True)


@main.command()
@click.argument("game", type=GameName())
def rules(game: catalog.AnyGame) -> None:
    """The rules of GAME, with its rulings and errata."""
    from evenodds.terminal.page import show_rules
    from evenodds.terminal.screen import Screen

    show_rules(game, Screen())


@main.command()
def matches() -> None:
    """List the matches that are kept, the last played first."""
    from evenodds.terminal.lists import list_matches
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.store import kept_matches

    found, faults = kept_matches()
    list_matches(found, Screen())
    for fault in faults:
        click.echo(fault, err=True)


@main.command()
@click.argument("file", type=click.Path())
@click.option("--match", "place", type=click.IntRange(min=1), metavar="N", help="Only the Nth.")
def show(file: str, place: int | None) -> None:
    """Replay the matches recorded in FILE, round by round."""
    from evenodds.terminal.records import BadRecord, read
    from evenodds.terminal.replay import replay
    from evenodds.terminal.screen import Screen

    try:
        found = read(file)
    except BadRecord as error:
        raise No(str(error)) from None
    if place is not None and place > len(found):
        raise No(f"{file} holds {len(found)} matches; there is no match {place}")
    screen = Screen()
    for number, match in enumerate(found if place is None else [found[place - 1]]):
        screen.say(*([""] * 2 if number else []))
        replay(match, screen)


@main.command()
@click.argument("game", type=GameName())
@rule_option
@click.option("--after", default="", metavar="PICKS", help='Look at the position after "7-8 10-6".')
@click.option("--json", "as_data", is_flag=True, help="Print the finding as JSON.")
@click.option("--fresh", is_flag=True, help="Solve anew, though the solution is kept.")
def solve(
    game: catalog.AnyGame, rules: tuple[str, ...], after: str, as_data: bool, fresh: bool
) -> None:
    """Solve GAME exactly: its value, and the best mix of picks for both seats."""
    from evenodds.notation import BadNotation
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.wishes import Wishes

    with refusals(), heavy():
        from evenodds.solver import BadGame, TooLarge
        from evenodds.terminal import solving

        try:
            found = solving.find(game, Wishes(rules).rulings(game), after, fresh)
        except BadNotation as error:
            raise click.UsageError(f"--after, {error}") from None
        except (BadGame, TooLarge) as error:
            raise No(str(error)) from None
        for note in found.notes:
            click.echo(note, err=True)
        if as_data:
            import json

            click.echo(json.dumps(solving.as_json(found)))
        else:
            solving.show(found, Screen())


@main.command()
@click.argument("game", type=GameName())
@click.argument("first", type=click.Choice(["uniform", "perfect"]))
@click.argument("second", type=click.Choice(["uniform", "perfect"]))
@rule_option
@click.option("--json", "as_data", is_flag=True, help="Print the odds as JSON.")
def odds(
    game: catalog.AnyGame, first: str, second: str, rules: tuple[str, ...], as_data: bool
) -> None:
    """The exact odds of GAME between two ways to play, uniform or perfect."""
    from evenodds.terminal.screen import Screen
    from evenodds.terminal.wishes import Wishes

    with refusals(), heavy():
        from evenodds.solver import BadGame, TooLarge
        from evenodds.terminal import solving

        try:
            found = solving.find_odds(game, Wishes(rules).rulings(game), first, second)
        except (BadGame, TooLarge) as error:
            raise No(str(error)) from None
        if as_data:
            import json

            click.echo(json.dumps(found._asdict()))
        else:
            solving.show_odds(game, found, Screen())


@main.command()
@click.option("--clear", is_flag=True, help="Remove every solution that is kept.")
def cache(clear: bool) -> None:
    """Show the solved games that are kept, or clear them."""
    with heavy():
        from evenodds.home import cache_home
        from evenodds.solver import cache as tables
    if clear:
        click.echo(f"{tables.clear()} solutions removed.")
        return
    found = tables.tables()
    for path, size in found:
        click.echo(f"{size / 2**20:9.1f} MB  {path.name}")
    total = sum(size for _, size in found)
    click.echo(f"{total / 2**20:9.1f} MB  in {len(found)} solutions in {cache_home()}")


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL, to be sourced in its start-up file."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is not None:
        click.echo(found(main, {}, "evenodds", "_EVENODDS_COMPLETE").source())


@contextmanager
def refusals() -> Iterator[None]:
    """Terms that do not fit are wrong usage."""
    from evenodds.players import UnknownPlayer

    try:
        yield
    except (BadRuling, BadTerms, UnknownPlayer) as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def heavy() -> Iterator[None]:
    """What belongs to an extra that is not installed is not there: one line says how to add it."""
    from evenodds.extras import MissingExtra, needs

    try:
        with needs("solver"):
            yield
    except MissingExtra as error:
        raise No(str(error)) from None


def run() -> NoReturn:
    """The command as a person runs it: a refusal is one line, and the exit code says its kind."""
    _open_closed_streams()
    try:
        status = main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except click.ClickException as error:
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.errno != errno.EPIPE:  # a reader that has gone need not be told
            click.echo(f"the output cannot be written: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing is left to say, nor to complain of
        sys.exit(NO)


def _open_closed_streams() -> None:
    """A command may be started with its streams closed: then there is nothing to read or to say."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the command
