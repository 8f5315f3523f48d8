"""Digests of rules and of our code: names of cached results that no stale result can have.

They are the same in every process, and change with whatever the result depends on.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path
from secrets import token_hex
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import RULES

PACKAGE: Final = Path(__file__).parents[1]
LIBRARIES: Final = sys.stdlib_module_names | {"evenodds", "numba", "numpy"}
"""Packages that rules may use and that change with a release alone."""
UNDESCRIBED: Final = (OSError, ImportError, AttributeError, KeyError, TypeError, ValueError)
"""What is raised for rules without a source text, or that read what has no description."""
LOCAL: Final = "local0x"
"""How a digest begins that is good within this process alone."""
_PROCESS: Final = token_hex(12)


def digest(*parts: str) -> str:
    """A hash of some texts; where one of them is a local digest, so is this."""
    found = hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
    return LOCAL + found if any(LOCAL in part for part in parts) else found


@cache
def code_digest(*parts: str) -> str:
    """A digest of the source texts of modules and packages of ours, given as paths."""
    texts = []
    for path in (PACKAGE / part for part in parts):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            # As text, which is the same with any line endings.
            texts += [file.relative_to(PACKAGE).as_posix(), file.read_text(encoding="utf-8")]
    return digest(*texts)


def rules_text(game: AnyGame) -> str:
    """The rules of a game: the source text of every module that they use, and what they read.

    An error of `UNDESCRIBED` where the rules have no source text.
    """
    functions = (game.start, game.legal, game.step, game.outcome, game.ending, game.mirror)
    named = [f"{each.__module__}.{each.__qualname__}" if each else "" for each in functions]
    seen: set[Any] = set()
    read = [text for function in filter(None, functions) for text in _reads(function, (), seen)]
    sources = _rule_sources(game.start)
    if not all(sources):
        raise TypeError(game.start.__module__)
    return "\0".join([f"{game.simultaneous} {game.loops}", *named, *sources, *read])


def function_digest(function: Any) -> str:
    """A digest of a function, of what it reads and of the rules that it may call.

    It is local where the function reads what has no description.
    """
    parts = [function.__module__ or "", function.__qualname__]
    try:
        parts += _rule_sources(function)
        parts += _function_reads(function, set())
    except UNDESCRIBED:
        parts.append(f"{LOCAL} {_PROCESS} {id(function)}")
    return digest(*parts)


def _rule_sources(function: Any) -> list[str]:
    """The source texts of the module of a rule, and of those whose rules it imports."""
    modules = {rule.__module__ for rules in RULES.values() for rule in rules}
    values = function.__globals__.values()
    used = {getattr(value, "__module__", "") for value in values} & modules
    return [_source(name) for name in sorted(used | {function.__module__})]


def _reads(value: Any, names: tuple[str, ...], seen: set[Any]) -> list[str]:
    """What a value that rules use depends on: constants, bytecode, and the texts of modules.

    Of a module only the attributes in `names` count. Libraries are left out, and the package's own
    functions: the built-in games read nothing beyond the texts of their modules. A value that
    cannot be described is an error.
    """
    value = getattr(value, "py_func", value)  # compiled already
    if isinstance(known := getattr(value, "digest", None), str):
        return [known]
    is_type = type(value).__module__.startswith("numba.")  # of an argument
    if is_type or (not isinstance(value, ModuleType) and not callable(value)):
        return _constant_texts(value, seen)
    home = value.__name__  # an `AttributeError` for objects that are called, such as `partial`
    if not isinstance(value, ModuleType):
        home = getattr(value, "__module__", None) or type(value).__module__
    if home.partition(".")[0] in LIBRARIES or (value, names) in seen:
        return []
    seen.add((value, names))
    if isinstance(value, ModuleType):
        parts = [getattr(value, name) for name in names if hasattr(value, name)]
        return [text for part in parts for text in _reads(part, names, seen)]
    if isinstance(value, FunctionType):
        return [_source(home), *_function_reads(value, seen)]
    if not isinstance(value, type):
        raise TypeError(value)
    fixed = dict(getattr(value, "_field_defaults", getattr(value, "__members__", {})))
    return [_source(home), str(getattr(value, "_fields", ())), *_reads(fixed, names, seen)]


def _function_reads(function: Any, seen: set[Any]) -> list[str]:
    names = _names_in(function.__code__)
    parts = [function.__globals__[name] for name in names if name in function.__globals__]
    parts += [cell.cell_contents for cell in function.__closure__ or ()]
    parts += [function.__defaults__, function.__kwdefaults__, function.__code__]
    return [text for part in parts for text in _reads(part, names, seen)]


def _constant_texts(value: Any, seen: set[Any]) -> list[str]:
    if isinstance(value, CodeType):
        code = f"{value.co_code.hex()} {value.co_names} {value.co_varnames} {value.co_freevars}"
        return [code, *_reads(value.co_consts, (), seen)]
    if isinstance(value, tuple | list | dict | set | frozenset):
        parts = value.items() if isinstance(value, dict) else value
        texts = [text for part in parts for text in _reads(part, (), seen)]
        return [str(sorted(texts) if isinstance(value, set | frozenset) else texts)]
    if hasattr(value, "tobytes"):  # an array
        return [f"{value.dtype} {value.shape} {value.tobytes().hex()}"]
    if " at 0x" in repr(value):  # another text in each process
        raise TypeError(value)
    return [repr(value)]


def _names_in(code: CodeType) -> tuple[str, ...]:
    inner = (_names_in(part) for part in code.co_consts if isinstance(part, CodeType))
    return sum(inner, code.co_names)


def _source(name: str) -> str:
    """The source text of a module; empty where it has none.

    By the loader and not by `inspect`, which would take longer to import than a table to open.
    """
    spec = getattr(sys.modules.get(name), "__spec__", None)
    read = getattr(getattr(spec, "loader", None), "get_source", None)
    return str(read(name)) if read else ""
