"""Results about a game that are kept on disk: their files, and figures as JSON; digests.

They are keyed by everything that they depend on, so that no stale result is found: the game, its
rulings, its rules (their source text, the constants that they read and, of games that are not ours,
their bytecode), and the source text of the modules that compute such a result. Digests of these are
the same in every process.
"""

import hashlib
import json
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.vocabulary import RULES, Settled
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind

PACKAGE: Final = Path(__file__).parents[1]
LIBRARIES: Final = sys.stdlib_module_names | {"evenodds", "numba", "numpy"}
"""Packages that rules may use and that change with a release alone."""
UNDESCRIBED: Final = (OSError, ImportError, AttributeError, KeyError, TypeError, ValueError)
"""What is raised for rules without a source text, or that read what has no description."""
LOCAL: Final = "local0x"
"""How a digest begins that is good within this process alone."""
_PROCESS: Final = token_hex(12)


def result_path(game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str) -> Path | None:
    """The file of a result, named by a digest; None where the rules have no source text."""
    try:
        rules = rules_text(game)
    except UNDESCRIBED:
        return None
    given = json.dumps(ruling_texts(rulings))
    return kind.path(game.name, digest(code_digest(*kind.code), game.name, given, rules, *parts))


def load_result(game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str) -> Any:
    """The cached figures; None on a miss or a damaged file."""
    path = result_path(game, rulings, kind, *parts)
    cache_folder.size_limit()  # refuses a wrong setting before the work, not after
    if path is None:
        return None
    path = cache_folder.find_file(path)
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    cache_folder.mark_used(path)
    return figures


def save_result(
    figures: Any, game: AnyGame, rulings: Settled, kind: CacheKind, *parts: str
) -> None:
    """Cache figures; a failure to write is ignored."""
    path = result_path(game, rulings, kind, *parts)
    if path is not None:
        with suppress(OSError):
            text = json.dumps({"rulings": ruling_texts(rulings), "figures": figures}) + "\n"
            cache_folder.write_cached_file(path, [text.encode()])


def digest(*parts: str) -> str:
    """A hash of some texts; where one of them is a local digest, so is this."""
    found = hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
    return LOCAL + found if any(LOCAL in part for part in parts) else found


def code_digest(*parts: str) -> str:
    """A digest of the source texts of modules and packages of ours, given as paths."""
    return digest(*map(_source_digest, parts))


@cache
def _source_digest(part: str) -> str:
    """That of one path, read once: kinds of results share the engine."""
    path, texts = PACKAGE / part, [part]
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        # As text, which is the same with any line endings.
        texts += [str(file)[len(str(path)) :], file.read_text(encoding="utf-8")]
    return digest(*texts)


def rules_text(game: AnyGame) -> str:
    """The rules of a game: the source text of every module that they use, and what they read.

    An error of `UNDESCRIBED` where the rules have no source text.
    """
    functions = (
        *(game.start, game.legal, game.step, game.outcome, game.ending, game.mirror),
        *(game.canonical, game.chance, game.weight, game.reward),
    )
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
    return [module_source(name) for name in sorted(used | {function.__module__})]


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
        return [module_source(home), *_function_reads(value, seen)]
    if not isinstance(value, type):
        raise TypeError(value)
    fixed = dict(getattr(value, "_field_defaults", getattr(value, "__members__", {})))
    return [module_source(home), str(getattr(value, "_fields", ())), *_reads(fixed, names, seen)]


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


def module_source(name: str) -> str:
    """The source text of a module; empty where it has none.

    By the loader and not by `inspect`, which would take longer to import than a table to open.
    """
    spec = getattr(sys.modules.get(name), "__spec__", None)
    read = getattr(getattr(spec, "loader", None), "get_source", None)
    try:
        return (read and read(name)) or ""
    except ImportError:  # its file is gone
        return ""
