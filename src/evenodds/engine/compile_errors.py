"""Compile errors of a game's rules as one line that names the function."""

import os
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import RULES
from evenodds.engine.numba_cache import forgiving
from evenodds.system.text import shorten


def with_compile_errors(game: AnyGame, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose compile errors and failed lookups are raised as `BadGame` in one line."""
    kernel = forgiving(kernel)

    @wraps(kernel)
    def call(*given: Any) -> Any:
        try:
            return kernel(*given)
        except Exception as error:
            if is_compile_error(error):
                raise _compile_failure(game, error) from None
            if isinstance(error, LookupError):
                what = "step and mirror lead to positions that play does not come to"
                raise BadGame(f"{game.name}: {what}") from None
            raise

    return call


def is_compile_error(error: Exception) -> bool:
    """Whether an error comes from the compiler."""
    return type(error).__module__.startswith("numba.")


def compile_error_line(error: Exception) -> str:
    """The message of a compiler in one line: the first about the source, if there is one."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith(("Failed in", "-"))), lines[0])


def _compile_failure(game: AnyGame, error: Exception) -> BadGame:
    rule = _failing_rule(game, str(error))
    return BadGame(
        f"{game.name}: {rule} cannot be compiled: {shorten(compile_error_line(error), 200)}"
    )


def _failing_rule(game: AnyGame, said: str) -> str:
    """The rule that did not compile, by the first source line in the message."""
    for path, line in re.findall(r'File "([^"]+)", line (\d+)', said):
        for rule in reversed(RULES.get(game.start.__module__, ())):
            code = rule.__code__
            same = os.path.basename(code.co_filename) == os.path.basename(path)
            if same and code.co_firstlineno <= int(line):
                return str(rule.__name__)
    return "a rule"
