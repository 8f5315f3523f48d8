"""Exit codes, and errors that end a command with one line."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click

from evenodds.cli.command_table import COMMANDS, TYPED_WORDS
from evenodds.cli.ranges import limits_of
from evenodds.core import catalog
from evenodds.system.text import shorten

EXIT_NEGATIVE = 1
MAX_SHOWN_CHARACTERS: Final = 80
"""Characters of unexpected words which are shown."""


class NegativeAnswer(click.ClickException):
    """The answer is no, the thing is not there, or it does not fit."""

    exit_code = EXIT_NEGATIVE


@contextmanager
def negative_answers(*errors: type[Exception]) -> Iterator[None]:
    """Turn errors of these classes into `NegativeAnswer`."""
    try:
        yield
    except errors as error:
        raise NegativeAnswer(str(error)) from None


def explain_usage(error: click.UsageError) -> str:
    """What was wrong, what is allowed and an example, in one line.

    Errors of our own say the first two already, and know no context.
    """
    context = error.ctx
    if context is None:
        return error.format_message()
    entry = COMMANDS.get(context.command.name or "", COMMANDS["play"])
    problem = _problem(error, context)
    return f"{problem}{'' if problem.endswith('?') else '.'} Example: {entry.example}"


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
    if isinstance(error, click.BadParameter) and error.param is not None:
        value = shorten(_refused_value(error.param, context))
        option = f"{error.param.opts[0]} " if isinstance(error.param, click.Option) else ""
        return f"{option}{value} is not allowed; allowed: {_allowed(error.param.type)}"
    if extra := _parsed(context)[1]:
        instead = f"type {usage}"
        if any("--rule" in param.opts for param in params) and _is_ruling(extra[0]):
            instead = "to change a rule type numbers=7"
        return f'"{shorten(" ".join(extra), MAX_SHOWN_CHARACTERS)}" is not expected; {instead}'
    return error.message.rstrip(".")


def _is_ruling(word: str) -> bool:
    return any(word in game.options for game in catalog.list_games())


def _parsed(context: click.Context) -> tuple[Mapping[str, Any], list[str]]:
    """The values that were typed, by parameter, and the words that are not expected.

    From the words themselves: click's messages hold them too, but their wording is click's.
    """
    words = context.meta.get(TYPED_WORDS, ())
    values, extra, _ = context.command.make_parser(context).parse_args([*words])
    return values, extra


def _refused_value(param: click.Parameter, context: click.Context) -> str:
    """The typed value that a parameter does not take; of several the first."""
    typed = _parsed(context)[0].get(param.name or "")
    for value in typed if isinstance(typed, list) else [typed]:
        try:
            param.type(value, param, context)
        except click.BadParameter:
            return str(value)
    return str(typed)


def _allowed(kind: "click.ParamType[Any]") -> str:
    """The values of a parameter, in words."""
    if isinstance(kind, click.Choice):
        return ", ".join(map(str, kind.choices))
    whole = isinstance(kind, click.types.IntParamType)
    if isinstance(kind, click.IntRange | click.FloatRange):
        return f"whole numbers {limits_of(kind)}" if whole else limits_of(kind)
    return "whole numbers" if whole else "numbers"
