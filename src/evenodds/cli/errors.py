"""How errors end a command: one line on standard error, and an exit code that says their kind.

What is wrong with the words that were typed is a `click.UsageError`, with exit code 2; a negative
answer, such as that something is not there, is a `click.ClickException`, with exit code 1.
"""

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TextIO

import click

from evenodds.cli.command_table import TYPED_WORDS, TypedCommand, load_command
from evenodds.core import catalog
from evenodds.system import EXIT_INTERRUPTED
from evenodds.system.text import shorten
from evenodds.terminal.screen import Screen

EXIT_NEGATIVE: Final = click.ClickException.exit_code
MAX_SHOWN_CHARACTERS: Final = 80
"""Characters of unexpected words which are shown."""

Range = click.IntRange | click.FloatRange


class OutputClosed(Exception):
    """Standard output cannot be written. No `OSError`: callers would take it for one of theirs."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the output cannot be written: {error.strerror}")
        self.errno = error.errno


class Output:
    """A proxy of a stream that raises `OutputClosed` where it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or `OutputClosed`."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputClosed(error) from None

    def flush(self) -> None:
        """Flush, or `OutputClosed`."""
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputClosed(error) from None


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Print what ends a command, and exit."""
    try:
        yield
    except click.ClickException as error:
        _print_error(_explanation(error))
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


def _explanation(error: click.ClickException) -> str:
    """What was wrong and, of errors in what was typed, what is allowed and an example.

    Errors of our own say it all already, and know no context.
    """
    if not isinstance(error, click.UsageError) or (context := error.ctx) is None:
        return error.format_message()
    command, problem = context.command, _problem(error, context)
    known = command if isinstance(command, TypedCommand) else load_command("play")
    return f"{problem}{'' if problem.endswith('?') else '.'} Example: {known.example}"


def _problem(error: click.UsageError, context: click.Context) -> str:
    command, params = context.command_path, context.command.params
    arguments = [param for param in params if isinstance(param, click.Argument)]
    usage = " ".join([command, *(argument.make_metavar(context) for argument in arguments)])
    if isinstance(error, click.NoSuchOption):
        options = [name for param in params for name in param.opts if name.startswith("--")]
        hint = f"{command} has {', '.join(options) or 'none'}"
        if error.possibilities:
            hint = f"did you mean {' or '.join(error.possibilities)}?"
        return f"there is no option {error.option_name}; {hint}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        missing = error.param.make_metavar(context)
        if isinstance(error.param, click.Option):
            missing = f"{error.param.opts[0]} {missing}"
            usage = f"{usage} {missing}"
        return f"{missing} is missing; type {usage}"
    # From the words themselves: click's messages hold them too, but their wording is click's.
    words = context.meta.get(TYPED_WORDS, ())
    typed, extra, _ = context.command.make_parser(context).parse_args([*words])
    if isinstance(error, click.BadParameter) and error.param is not None:
        value = shorten(_refused_value(error.param, context, typed))
        option = f"{error.param.opts[0]} " if isinstance(error.param, click.Option) else ""
        return f"{option}{value} is not allowed; allowed: {_allowed(error.param.type)}"
    if extra:
        instead = f"type {usage}"
        takes_rulings = any("--rule" in param.opts for param in params)
        if takes_rulings and any(extra[0] in game.options for game in catalog.list_games()):
            instead = "to change a rule type numbers=7"
        return f'"{shorten(" ".join(extra), MAX_SHOWN_CHARACTERS)}" is not expected; {instead}'
    return error.message.rstrip(".")


def _refused_value(param: click.Parameter, context: click.Context, typed: Mapping[str, Any]) -> str:
    """The typed value that a parameter does not take; of several the first."""
    given = typed.get(param.name or "")
    for value in given if isinstance(given, list) else [given]:
        try:
            param.type(value, param, context)
        except click.BadParameter:
            return str(value)
    return str(given)


def _allowed(kind: "click.ParamType[Any]") -> str:
    """The values of a parameter, in words."""
    if isinstance(kind, click.Choice):
        return ", ".join(map(str, kind.choices))
    whole = isinstance(kind, click.types.IntParamType)
    if isinstance(kind, Range):
        return f"whole numbers {limits_of(kind)}" if whole else limits_of(kind)
    return "whole numbers" if whole else "numbers"


def limits_of(kind: Range) -> str:
    """The limits of a range in words."""
    return f"from {kind.min:g}" if kind.max is None else f"{kind.min:g} to {kind.max:g}"
