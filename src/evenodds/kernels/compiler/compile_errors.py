"""Compile errors of a game's rules as one line that names the function."""

import dis
import os
import re
from collections.abc import Callable
from functools import wraps
from types import CodeType, FunctionType
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import BadGame
from evenodds.core.vocabulary import RULES
from evenodds.kernels.compiler.compile_lock import end_compiling
from evenodds.system.text import shorten


def check_marked(game: AnyGame, role: str) -> None:
    """`BadGame` where a function of a game, or one that it calls, is not marked as a rule."""
    _check(game, role, getattr(game, role), set())


def _check(game: AnyGame, name: str, function: Any, seen: set[Any]) -> None:
    if not _is_marked(function):
        raise BadGame(f"{game.name}: {name} is not marked with @rule, so it cannot be compiled")
    seen.add(function)
    for called in sorted(globals_of(function.__code__)):
        value = function.__globals__.get(called)
        if isinstance(value, FunctionType) and value not in seen:
            if not _is_marked(value):
                what = f"calls {called}, which is not marked with @rule, so it cannot be compiled"
                raise BadGame(f"{game.name}: {function.__name__} {what}")
            _check(game, called, value, seen)


def _is_marked(function: Any) -> bool:
    return function in RULES.get(getattr(function, "__module__", ""), ())


def globals_of(code: CodeType) -> set[str]:
    """The global names that a function uses."""
    found = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return found.union(*map(globals_of, inner))


def with_compile_errors(game: AnyGame, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose compile errors and failed lookups are raised as `BadGame` in one line."""

    @wraps(getattr(kernel, "py_func", kernel))
    def call(*given: Any) -> Any:
        try:
            return kernel(*given)
        except Exception as error:
            end_compiling()
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
