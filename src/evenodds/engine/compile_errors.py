"""Compile errors of a game's rules as one line that names the function."""

import os
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import RULES
from evenodds.system.text import shorten


def with_compile_errors(game: AnyGame, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose compile errors and failed lookups are raised as `BadGame` in one line."""

    @wraps(kernel)
    def call(*given: Any) -> Any:
        try:
            return kernel(*given)
        except LookupError:
            what = "step and mirror lead to positions that play does not come to"
            raise BadGame(f"{game.name}: {what}") from None
        except Exception as error:
            if not is_compile_error(error):
                raise
            rule, line = _failing_rule(game, str(error)), shorten(compile_error_line(error), 200)
            raise BadGame(f"{game.name}: {rule} cannot be compiled: {line}") from None

    return call


def is_compile_error(error: Exception) -> bool:
    """Whether an error comes from the compiler, and not from a device."""
    module = type(error).__module__
    return module.startswith("numba.") and module.endswith(".errors")


def compile_error_line(error: Exception) -> str:
    """The message of a compiler in one line: the first about the source, if there is one."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith(("Failed in", "-"))), lines[0])


def _failing_rule(game: AnyGame, said: str) -> str:
    """The rule that did not compile, by the first source line in the message."""
    for path, line in re.findall(r'File "([^"]+)", line (\d+)', said):
        for rule in reversed(RULES.get(game.start.__module__, ())):
            code = rule.__code__
            same = os.path.basename(code.co_filename) == os.path.basename(path)
            if same and code.co_firstlineno <= int(line):
                return str(rule.__name__)
    return "a rule"
