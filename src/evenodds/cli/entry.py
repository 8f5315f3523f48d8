"""The group of all commands, and how errors end a command."""

import errno
import os
import re
import sys
from difflib import get_close_matches
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, NoReturn

import click

from evenodds.cli.shared.command_table import COMMANDS, GROUPS
from evenodds.cli.shared.errors import EXIT_NEGATIVE, NegativeAnswer, explain_usage
from evenodds.cli.shared.output import Output, OutputClosed
from evenodds.system.errors import EXIT_INTERRUPTED, EvenOddsError, InvalidInput
from evenodds.system.imports.extras import needs_extras
from evenodds.system.version import __version__
from evenodds.terminal.screen import Screen

HEADING: Final = "Even Odds: five number games for two players. To play, type: evenodds play\n\n"
FOOTER: Final = "Type evenodds COMMAND --help for options and an example.\n"


class LazyGroup(click.Group):
    """A group whose commands are imported when they run: listed are stubs with their help."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands by group, on one screen."""
        formatter.write(HEADING)
        *groups, (more, others) = GROUPS.items()
        for group, entries in groups:
            for place, (name, entry) in enumerate(entries.items()):
                head = "" if place else group
                formatter.write(f"{head:<9}{name:<11}{entry.summary}\n")
        formatter.write(f"{more:<9}{', '.join(others)}\n")
        formatter.write(FOOTER)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command itself instead of its stub."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS)
            hint = f"did you mean {' or '.join(near)}?" if near else "evenodds --help lists all."
            example = COMMANDS[[*near, "play"][0]].example
            problem = f'there is no command "{args[0]}"; {hint} Example: {example}'
            raise click.UsageError(problem)
        name, stub, rest = super().resolve_command(ctx, args)
        if not name or not stub:
            return name, None, rest
        command = load_command(name)
        return name, command, _name_rulings(command, rest)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; expected errors become errors of the command line."""
        try:
            with needs_extras():
                return super().invoke(ctx)
        except click.BadOptionUsage as error:  # a value is missing
            entry = COMMANDS[ctx.invoked_subcommand or "play"]
            problem = f"{error.option_name} needs a value. Example: {entry.example}"
            raise click.UsageError(problem) from None
        except InvalidInput as error:
            raise click.UsageError(str(error)) from None
        except EvenOddsError as error:
            raise NegativeAnswer(str(error)) from None


def load_command(name: str) -> click.Command:
    """Import a command."""
    command = getattr(import_module(f"evenodds.cli.{COMMANDS[name].module}"), name)
    assert isinstance(command, click.Command)
    return command


def _name_rulings(command: click.Command, words: list[str]) -> list[str]:
    """The words of a command in which `numbers=7` alone stands for `--rule numbers=7`.

    So it does behind an option that need not have a value: `--vs numbers=7`.
    """
    options = [param for param in command.params if isinstance(param, click.Option)]
    valued = {name: option for option in options if not option.is_flag for name in option.opts}
    if "--rule" not in valued:
        return words
    needing = {name for name, option in valued.items() if not isinstance(option.flag_value, str)}
    found: list[str] = []
    for before, word in pairwise(["", *words]):
        is_ruling = before not in needing and re.match("[a-z_]+=", word)
        found += ["--rule", word] if is_ruling else [word]
    return found


@click.group(
    cls=LazyGroup,
    commands=[click.Command(name, help=entry.summary) for name, entry in COMMANDS.items()],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="Even Odds %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Open the menu, or list the commands where there is no terminal."""
    if ctx.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            ctx.invoke(load_command("play"))
        else:
            click.echo(ctx.get_help())


def run_command() -> NoReturn:
    """Run the command that was typed: an error is one line, and the exit code says its kind."""
    _open_closed_streams()
    sys.stdout = Output(sys.stdout)
    try:
        status = main(prog_name="evenodds", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except click.UsageError as error:
        _print_error(explain_usage(error))
        sys.exit(error.exit_code)
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
