"""Record files in match notation: read, verified, and appended to."""

import os
from collections.abc import Callable
from typing import Final, TypeVar

from evenodds.core import notation
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import Match
from evenodds.core.notation.verify import Verified, verify_all
from evenodds.core.terms import BadTerms
from evenodds.system import EvenOddsError
from evenodds.system.files import read_error_text
from evenodds.system.locks import hold
from evenodds.system.text import shorten
from evenodds.table import saved_matches

T = TypeVar("T")
MAX_RECORD_CHARACTERS: Final = 64 * 1024 * 1024
"""The largest file of matches that is read."""


def check_appendable(path: str) -> None:
    """`BadTerms` for a file that cannot be appended to, or holds something else."""
    folder, start, fault = os.path.dirname(path) or ".", "", ""
    if os.path.isfile(path):
        try:
            with open(path, "r+", encoding="utf-8") as file:
                start = file.read(4096).lstrip("\ufeff \t\r\n")
        except (OSError, UnicodeDecodeError) as error:
            fault = read_error_text(error)
    elif os.path.exists(path):
        fault = "It is not a file"
    elif not path or not os.path.isdir(folder):
        fault = "No such folder"
    elif not os.access(folder, os.W_OK):
        fault = "Permission denied"
    if fault:
        raise BadTerms(f'"{shorten(path, 80)}" cannot hold records: {fault}')
    if start and not start.startswith("["):
        said = "holds something other than matches; name another file"
        raise BadTerms(f'"{shorten(path, 80)}" {said}')


def append(path: str, text: str, between: str = "\n", mode: int = 0o644) -> None:
    """Append a match in notation to a file, whole or not at all, safe against other writers.

    `between` separates it from what the file holds already.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, mode)
    try:
        hold(file, wait=True)
        size = os.fstat(file).st_size
        try:
            data = ((between if size else "") + text).encode()
            while data:
                data = data[os.write(file, data) :]
            os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise
    finally:
        os.close(file)


def read(path: str) -> list[Match]:
    """Every match in a file, or `EvenOddsError` with line and column."""
    return _read(path, notation.parse_all)


def verify(path: str) -> list[Verified]:
    """Every match in a file, its sealed picks verified; or `EvenOddsError`."""
    return _read(path, verify_all)


def _read(path: str, parse: Callable[[str], list[T]]) -> list[T]:
    name = shorten(path, 80)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MAX_RECORD_CHARACTERS + 1)
        if len(text) > MAX_RECORD_CHARACTERS:
            raise EvenOddsError(f"{name} is too large to be a file of matches")
        matches = parse(text)
    except notation.BadNotation as error:
        in_folder = isinstance(error.__cause__, UnknownGame)
        hint = f"; if it is in a folder, type that, too: {name} FOLDER" if in_folder else ""
        raise EvenOddsError(f"{name}, {error}{hint}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise EvenOddsError(f"{name} cannot be read: {read_error_text(error)}") from None
    if not matches:
        raise EvenOddsError(f"{name} contains no saved match")
    return matches


def choose(file: str, number: int | None) -> list[Match]:
    """The matches in a file, or the one of that number; also a saved match by its ID."""
    found = _saved_match(file)
    if not found and file.isalnum() and not os.path.exists(file):
        raise EvenOddsError(f'there is no match "{shorten(file)}"; evenodds matches lists yours')
    found = found or read(file)
    if number is None:
        return found
    if number > len(found):
        count = "one match" if len(found) == 1 else f"{len(found)} matches"
        raise EvenOddsError(f"{shorten(file, 80)} holds {count}; there is no match {number}")
    return [found[number - 1]]


def _saved_match(id: str) -> list[Match]:
    """The saved match with that ID, unless a file has that name."""
    path = saved_matches.folder() / f"{id}.txt"
    if os.path.exists(id) or not saved_matches.is_id(id) or not path.is_file():
        return []
    try:
        return [saved_matches.read(path)]
    except (OSError, ValueError) as error:
        raise EvenOddsError(saved_matches.fault(path, error)) from None
