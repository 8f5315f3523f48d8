"""What a check has found, each with the place in the files of the game where it is mended."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame, fault

Place = tuple[str, int, int]
"""A file, and from 1 on a line and a column; 0 where they are not known."""


class Finding(NamedTuple):
    """Something that is wrong, and where."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = (self.file and os.path.relpath(self.file), self.line, self.column)
        return ": ".join(filter(None, (":".join(map(str, filter(None, place))), self.text)))


class Findings(dict[tuple[str, ...], Finding]):
    """What is wrong with one game: of one kind in one function, the first."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def note(self, error: BadGame, about: str = "") -> None:
        """Keep an error, unless there is one of its kind; `about` says under what rulings."""
        said = str(error).removeprefix(f"{self.game.name}:").strip()
        kind = (error.function, *re.sub(r"\(.*?\)|\W|\d", " ", said).split()[:4])
        if kind not in self:
            self[kind] = Finding(*_place_of(self.game, error), said + about)

    def say(self, function: str, problem: str, name: str = "") -> None:
        """Keep what is wrong with a function of the game, and a name in it."""
        self.note(fault(problem, function, name))

    @contextmanager
    def noting(self, about: str = "") -> Iterator[None]:
        """Keep what is raised."""
        try:
            yield
        except BadGame as error:
            self.note(error, about)


def load_finding(error: BadGame, path: str) -> Finding:
    """Why a game does not load, and the line where it does not."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    said = re.sub(r"^.*?(?:, line \d+|/?[\w.-]+): ", "", str(error), count=1)
    (file, *_) = re.findall(r"\b\w+[.]py\b", said) or ["rules.py"]
    place = _failing_place(error, folder)
    return Finding(*place or _definition(os.path.join(folder, file), _words(error)), said)


def _place_of(game: AnyGame, error: BadGame) -> Place:
    """Where a game is to be mended: the line that failed, else where its function is defined."""
    folder = os.path.dirname(game.rules_file)
    *owner, name = error.function.split(".")
    home = type(attrgetter(*owner)(game)) if owner else getattr(game, name, None)
    module = game.claims if name == "claims" else getattr(home, "__module__", "")
    file = getattr(sys.modules.get(module), "__file__", None) or game.rules_file
    failed = _failing_place(error, folder) if folder else None
    return failed or _definition(file, [name] if name else _words(error), error.name)


def _failing_place(error: BaseException, folder: str) -> Place | None:
    """The last line in a folder that an error, or one that it came of, went through."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0, error.offset or 0
    calls = [(call.filename, call.lineno, call.colno) for call in extract_tb(error.__traceback__)]
    calls += [  # of the compiler
        (os.path.join(folder, os.path.basename(file)), int(line), -1)
        for file, line in re.findall(r'File "([^"]+)", line (\d+)', str(error))
    ]
    within = [call for call in calls if os.path.dirname(call[0]) == folder and call[1]]
    found = [(file, line or 0, (column or 0) + 1) for file, line, column in within][-1:]
    cause = error.__cause__ or error.__context__
    return (_failing_place(cause, folder) if cause else None) or next(iter(found), None)


def _definition(file: str, names: Iterable[str], used: str = "") -> Place:
    """Where a file defines the first of these names that it does, and from there on uses another.

    Without a definition the file alone.
    """
    text = Path(file).read_text(encoding="utf-8") if os.path.isfile(file) else ""
    forms = (rf"^[ \t]*(?:def |class )?({name})(?=\s*[:=(])" for name in names)
    found = next(filter(None, (re.search(form, text, re.M) for form in forms)), None)
    begin = found.start(1) if found else 0
    if used and (within := re.compile(rf"\b{re.escape(used)}\b").search(text, begin + 1)):
        begin = within.start()
    line, column = text.count("\n", 0, begin) + 1, begin - text.rfind("\n", 0, begin)
    return (file, line, column) if begin else (file, 0, 0)


def _words(error: BadGame) -> list[str]:
    """The words of an error up to a colon, of which one may be the name that is meant."""
    return re.findall(r"\w+", re.sub(r"^\S+: ", "", str(error)).partition(":")[0])
