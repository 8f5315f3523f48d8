"""The entry point: the group of all commands, and how errors end a command."""

import errno
import os
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from evenodds import __version__
from evenodds.cli.shared.errors import EXIT_INTERRUPTED, EXIT_NEGATIVE, NegativeAnswer
from evenodds.cli.shared.output import Output, OutputClosed
from evenodds.system.errors import EvenOddsError, InvalidInput
from evenodds.system.imports.extras import needs
from evenodds.terminal.screen import Screen

COMMANDS: Final = {
    "arena": ("analysis.arena", "Let players meet at GAME, and say how strong each of them is."),
    "benchmark": (
        "analysis.arena",
        "Play all games against opponents from random to perfect, for one score card.",
    ),
    "cache": ("analysis.cache", "Show what is kept of solved games and studies, or clear it."),
    "completion": (
        "completion",
        "Print the completion script for SHELL, to be sourced in its start-up file.",
    ),
    "forget": ("playing.habits", "Remove all that the reader remembers of NAME."),
    "games": ("playing.games", "List the games."),
    "habits": (
        "playing.habits",
        "What the reader remembers of NAME; without NAME, whom it remembers.",
    ),
    "join": (
        "playing.join",
        "Play the match at URL, on a server, from this terminal; or watch it.",
    ),
    "matches": ("playing.matches", "List the matches that are kept, the last played first."),
    "mcp": ("services.mcp", "Offer the games as tools to a language model (MCP)."),
    "odds": (
        "analysis.odds",
        "The exact odds of GAME between two players: random, high, level:1 to level:8, perfect.",
    ),
    "play": ("playing.play", "Play GAME at this keyboard; without GAME, choose from a menu."),
    "players": (
        "analysis.players",
        "List the opponents; with GAME, how strong each level is there, exactly.",
    ),
    "repair": (
        "analysis.sweep",
        "Find rulings of GAME that keep what you want, and what each one costs.",
    ),
    "resume": ("playing.play", "Go on with the match ID, or with the open match played last."),
    "review": (
        "analysis.coach",
        "What every pick gave away, what was luck, and what to learn from.",
    ),
    "rules": ("playing.games", "The rules of GAME, with its rulings and errata."),
    "serve": ("services.serve", "Let people play in the browser, here and over the network."),
    "show": (
        "playing.matches",
        "Replay the matches recorded in FILE, or the kept match of that name, round by round.",
    ),
    "solve": (
        "analysis.solve",
        "Solve GAME exactly: its value, and the best mix of picks for both seats.",
    ),
    "study": ("analysis.study", "Is GAME any good? The exact truth about its rule book."),
    "sweep": (
        "analysis.sweep",
        "Solve and measure GAME under every combination of some rulings.",
    ),
    "train": (
        "analysis.coach",
        "Puzzles from GAME: positions with one clearly best pick, or with one trap.",
    ),
    "verify": (
        "playing.matches",
        "Check that sealed picks in FILE, a record of a match in the browser, are as promised.",
    ),
}
"""The module of each command, and the first paragraph of its help, which is listed without it."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they run: listed are stubs with their help."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command itself instead of its stub."""
        name, stub, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name and stub else None, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; expected errors become errors of the command line."""
        try:
            with needs("solver"):
                return super().invoke(ctx)
        except InvalidInput as error:
            raise click.UsageError(str(error)) from None
        except EvenOddsError as error:
            raise NegativeAnswer(str(error)) from None


def load_command(name: str) -> click.Command:
    """Import a command."""
    module, _ = COMMANDS[name]
    command = getattr(import_module(f"evenodds.cli.{module}"), name)
    assert isinstance(command, click.Command)
    return command


@click.group(
    cls=LazyGroup,
    commands=[click.Command(name, help=text) for name, (_, text) in COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="Even Odds %(version)s")
def main() -> None:
    """Even Odds: five two-player number games from their rule books."""


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
    Screen(stream=sys.stderr).say(" ".join(problem.split()))


def _open_closed_streams() -> None:
    """Replace streams that were closed at the start by the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the command
