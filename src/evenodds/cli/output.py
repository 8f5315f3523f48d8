"""What commands put out: results as text or JSON, and files, checked before the work."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from evenodds.system.files import check_writable_target, is_regular_file, write_output

AnyPath = str | os.PathLike[str]


def print_result(as_data: bool, data: Callable[[], Any], show: Callable[[], None]) -> None:
    """Print a result as JSON where that is asked for, or else show it."""
    if as_data:
        click.echo(json.dumps(data()))
    else:
        show()


def check_writable(page: AnyPath) -> None:
    """Check that a file can be written, before the work and not after it."""
    try:
        check_writable_target(Path(page))
    except (OSError, ValueError) as error:
        raise unwritable_error(page, error) from None


def unwritable_error(path: AnyPath, error: Exception) -> click.ClickException:
    """The error for a file or folder that cannot be written."""
    why = getattr(error, "strerror", None) or error
    return click.ClickException(f"{path} cannot be written: {why}")


def write_output_file(page: AnyPath, text: str, said: str = "") -> None:
    """Write an output file, and say so; an error of one line where that fails.

    Nothing is said for a pipe or device, where the page itself may go to the same reader.
    """
    try:
        write_output(Path(page), text)
    except (OSError, ValueError) as error:
        raise unwritable_error(page, error) from None
    if said and is_regular_file(Path(page)):
        click.echo(said)
