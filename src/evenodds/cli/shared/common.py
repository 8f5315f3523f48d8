"""Shared by all commands: the click group, common options, error handling, exit codes."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from evenodds import __version__
from evenodds.claims.thresholds import BadThreshold
from evenodds.cli.shared.output import Output, OutputClosed
from evenodds.core import catalog
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import BadTerms
from evenodds.core.validation import BadGame
from evenodds.system.environment import BadSetting

EXIT_NEGATIVE = 1
EXIT_INTERRUPTED = 130
MAX_BOT_SECONDS = 86_400


class NegativeAnswer(click.ClickException):
    """The answer is no, the thing is not there, or it does not fit."""

    exit_code = EXIT_NEGATIVE


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

        games = catalog.list_games()
        return [
            CompletionItem(game.name, help=game.title)
            for game in games
            if game.name.startswith(incomplete)
        ]


threshold_option = click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="NAME=VALUE",
    help="Where a verdict draws the line: consistently=0.7.",
)
rule_option = click.option(
    "--rule", "rules", multiple=True, metavar="KEY=VALUE", help="Change a ruling."
)
repetition_option = click.option(
    "--repetition", type=int, metavar="N", help="Draw after N times; 0: never. [3]"
)
seed_option = click.option("--seed", type=int, metavar="N", help="Make chance repeatable.")
record_option = click.option(
    "--record", type=click.Path(), metavar="FILE", help="Add the match to a file."
)


def _check_bot_seconds(
    ctx: click.Context, param: click.Parameter, value: float | None
) -> float | None:
    """`UsageError` for a time out of range."""
    if value is not None and not 0 < value <= MAX_BOT_SECONDS:
        raise click.UsageError(
            f"--bot-seconds {value:g} is not allowed; allowed: above 0, up to {MAX_BOT_SECONDS}"
        )
    return value


bot_seconds_option = click.option(
    "--bot-seconds",
    type=float,
    callback=_check_bot_seconds,
    metavar="S",
    help="What a program (cmd:) has for a pick [10], or a model (llm:) [120].",
)
plain_option = click.option("--plain", is_flag=True, help="A pipe's plain dialog on a terminal.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="Even Odds %(version)s")
def main() -> None:
    """Even Odds: five two-player number games from their rule books."""


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors in options into `UsageError`."""
    from evenodds.players.player import UnknownPlayer

    try:
        yield
    except (BadRuling, BadSetting, BadTerms, BadThreshold, UnknownPlayer) as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def solver_required() -> Iterator[None]:
    """Turn a missing extra into an error of one line that says how to install it."""
    from evenodds.system.imports.extras import MissingExtra, needs

    try:
        with needs("solver"):
            yield
    except MissingExtra as error:
        raise NegativeAnswer(str(error)) from None


def check_writable(page: "str | os.PathLike[str]") -> None:
    """Check that a file can be written, before the work and not after it."""
    from pathlib import Path

    from evenodds.system.files import check_writable_target

    try:
        check_writable_target(Path(page))
    except (OSError, ValueError) as error:
        raise unwritable_error(page, error) from None


def unwritable_error(path: "str | os.PathLike[str]", error: Exception) -> NegativeAnswer:
    """The error for a file or folder that cannot be written."""
    return NegativeAnswer(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}")


def write_output_file(page: "str | os.PathLike[str]", text: str, said: str = "") -> None:
    """Write an output file, and say so; an error of one line where that fails.

    Nothing is said for a pipe or device, where the page itself may go to the same reader.
    """
    from pathlib import Path

    from evenodds.system.files import is_regular_file, write_output

    try:
        write_output(Path(page), text)
    except (OSError, ValueError) as error:
        raise unwritable_error(page, error) from None
    if said and is_regular_file(Path(page)):
        click.echo(said)


def run() -> NoReturn:
    """The entry point: an error is one line, and the exit code says its kind."""
    _open_closed_streams()
    sys.stdout = Output(sys.stdout)
    try:
        status = main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except click.ClickException as error:
        _print_error(error.format_message())
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(EXIT_INTERRUPTED)
    except BadGame as error:
        _print_error(str(error))
        sys.exit(EXIT_NEGATIVE)
    except OutputClosed as error:
        if error.errno != errno.EPIPE:  # the reader has gone: no message
            _print_error(str(error))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the flush at exit cannot fail again
        sys.exit(EXIT_NEGATIVE)
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        _print_error(f"{error.filename}: {why}" if error.filename else f"system error: {why}")
        sys.exit(EXIT_NEGATIVE)


def _print_error(problem: str) -> None:
    """Print one line to standard error; on a terminal it is wrapped between words."""
    from evenodds.terminal.screen import Screen

    Screen(stream=sys.stderr).say(" ".join(problem.split()))


def _open_closed_streams() -> None:
    """Replace streams that were closed at the start by the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the command
