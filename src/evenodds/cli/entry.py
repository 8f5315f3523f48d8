"""The group of all commands, whose modules are imported when they run."""

import os
import re
import sys
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final, NoReturn

import click

from evenodds.cli.command_table import COMMANDS, GROUPS, load_command
from evenodds.cli.errors import Output, errors_in_one_line
from evenodds.system import EvenOddsError, InvalidInput, __version__
from evenodds.system.imports import needs

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
            example = load_command([*near, "play"][0]).example
            raise click.UsageError(f'there is no command "{args[0]}"; {hint} Example: {example}')
        name, stub, rest = super().resolve_command(ctx, args)
        if not name or not stub:
            return name, None, rest
        command = load_command(name)
        return name, command, _name_rulings(command, rest)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; expected errors become errors of the command line."""
        try:
            with needs():
                return super().invoke(ctx)
        except click.BadOptionUsage as error:  # a value is missing
            example = load_command(ctx.invoked_subcommand or "play").example
            problem = f"{error.option_name} needs a value. Example: {example}"
            raise click.UsageError(problem) from None
        except InvalidInput as error:
            raise click.UsageError(str(error)) from None
        except EvenOddsError as error:
            raise click.ClickException(str(error)) from None


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
    """Run the command that was typed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed at the start
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the command
    sys.stdout = Output(sys.stdout)
    with errors_in_one_line():
        status = main(prog_name="evenodds", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    raise AssertionError  # every way out is an exit
