"""Exit codes, and errors that end a command with one line."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

EXIT_NEGATIVE = 1
EXIT_INTERRUPTED = 130


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
