"""Process-independent digests of functions, the keys of the kernel cache.

A digest covers bytecode and options, and every constant, class and function that is reached. Line
numbers, comments and the name of the module make no difference.
"""

import builtins
import hashlib
import sys
from collections.abc import Callable
from enum import EnumMeta
from functools import partial
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from evenodds.core.rule_checks import globals_of, is_marked, names_read

CODE_ATTRIBUTES: Final = (
    "co_argcount",
    "co_cellvars",
    "co_code",
    "co_consts",
    "co_exceptiontable",
    "co_freevars",
    "co_names",
    "co_varnames",
)
"""The attributes of a code object that decide what it does; no line numbers."""
LIBRARY_MODULES: Final = ("math", "numba.cuda", "numpy")
"""Modules that kernels call; they change only with a version, which the cache key holds."""


class NoFingerprint(Exception):
    """Raised for a value that has no process-independent description."""


def fingerprint(function: Any, options: dict[str, Any]) -> str:
    """A digest of a function and all that it calls; `NoFingerprint` where there is none.

    Functions that it calls are looked up in its globals, and must be compiled with a fingerprint of
    their own.
    """
    namespace = function.__globals__
    parts = [describe(options), describe(function.__code__), describe(function.__defaults__)]
    parts += [describe(cell.cell_contents) for cell in function.__closure__ or ()]
    for name in sorted(globals_of(function.__code__)):
        if name not in namespace and hasattr(builtins, name):
            continue
        value = namespace.get(name, function)  # an undefined name: `describe` refuses it
        own = getattr(value, "py_func", None) is function
        parts.append(f"{name}={'itself' if own else describe(value)}")
    return digest(*parts)


def rule_digest(function: Any, callers: tuple[Any, ...] = ()) -> str:
    """A digest of a rule and all that it reads, good within this process.

    What has no other description goes by its identity, as do classes: those of a reloaded module
    have the old names.
    """
    if function in callers:  # recursion
        return str(callers.index(function))
    parts = [_describe_here(function.__code__), _describe_here(function.__defaults__)]
    for name, value in sorted(names_read(function).items()):
        is_rule = isinstance(value, FunctionType) and is_marked(value)
        read = rule_digest(value, (*callers, function)) if is_rule else _describe_here(value)
        parts.append(f"{name}={read}")
    return digest(*parts)


def _describe_here(value: Any) -> str:
    try:
        return describe(value, _identity)
    except NoFingerprint:
        return _identity(value)


def _identity(value: Any) -> str:
    return f"object {id(value)}"


def describe(value: Any, of_class: Callable[[type], str] | None = None) -> str:
    """A value as text that is the same in every process; `NoFingerprint` where there is none.

    `of_class` describes a class in another way.
    """
    of_class = of_class or _describe_class
    inner = partial(describe, of_class=of_class)
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes():
            kind = type(value)
            return f"{value!r}" if kind.__module__ == "builtins" else f"{of_class(kind)}({value!r})"
        case tuple():
            name = "" if type(value) is tuple else of_class(type(value))
            return f"{name}({','.join(map(inner, value))})"
        case dict() | frozenset():
            parts = value.items() if isinstance(value, dict) else value
            return f"{{{','.join(sorted(map(inner, parts)))}}}"
        case np.ndarray() if not value.dtype.hasobject:
            return f"{value.dtype.str}{value.shape}{digest(value.tobytes().hex())}"
        case ModuleType() if value.__name__ in LIBRARY_MODULES:
            return value.__name__
        case CodeType():
            flags = value.co_flags & ~CO_OPTIMIZED  # Numba clears that flag under a profiler
            return f"code{flags}{inner(tuple(getattr(value, part) for part in CODE_ATTRIBUTES))}"
        case type():
            return of_class(value)
    if type(value).__module__.startswith("numba.core.types"):  # the type of an argument
        return f"{type(value).__name__}{value if value.key == value.name else inner(value.key)}"
    found = getattr(getattr(value, "_cache", None), "fingerprint", None)
    if not isinstance(found, str):
        raise NoFingerprint(value)
    return found


def _describe_class(kind: type) -> str:
    """A built-in class, or a named tuple or enumeration that can be imported by its name."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is not kind:
        raise NoFingerprint(kind)
    if isinstance(kind, EnumMeta):
        members: dict[str, Any] = dict(kind.__members__)
        return f"{name}{describe({each: members[each].value for each in members})}"
    if issubclass(kind, tuple):
        return (
            f"{name}{getattr(kind, '_fields', ())}{describe(getattr(kind, '_field_defaults', {}))}"
        )
    if kind.__module__ not in ("builtins", *LIBRARY_MODULES):
        raise NoFingerprint(kind)
    return name


def digest(*parts: str) -> str:
    """A hash of some texts."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
