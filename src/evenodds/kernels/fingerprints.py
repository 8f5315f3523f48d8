"""Process-independent digests of functions, the keys of the kernel cache.

A digest covers instructions and options, and every constant, class and function that is reached.
Lines, comments and the module in which a function stands make no difference.
"""

import builtins
import hashlib
import sys
from enum import EnumMeta
from inspect import CO_OPTIMIZED
from types import CodeType, ModuleType
from typing import Any, Final

import numpy as np

from evenodds.kernels.compile_errors import globals_of

CODE: Final = (
    "co_argcount",
    "co_cellvars",
    "co_code",
    "co_consts",
    "co_exceptiontable",
    "co_freevars",
    "co_names",
    "co_varnames",
)
"""What a function does, without the lines on which it stands."""
MODULES: Final = ("math", "numpy")
"""The modules whose functions the loops call, which change with a version only."""


class NoFingerprint(Exception):
    """Raised where it cannot be told what something is made of."""


def fingerprint(function: Any, options: dict[str, Any]) -> str:
    """A digest of a function and all that it calls; `NoFingerprint` where there is none.

    What it calls is found in the function's own names, and must have been compiled with a
    fingerprint too.
    """
    space = function.__globals__
    parts = [told(options), told(function.__code__), told(function.__defaults__)]
    parts += [told(cell.cell_contents) for cell in function.__closure__ or ()]
    for name in sorted(globals_of(function.__code__)):
        if name not in space and hasattr(builtins, name):
            continue
        value = space.get(name, function)  # a name that nobody fills in is told by no fingerprint
        own = getattr(value, "py_func", None) is function
        parts.append(f"{name}={'itself' if own else told(value)}")
    return digest(*parts)


def told(value: Any) -> str:
    """What a value is; `NoFingerprint` where that is not known."""
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes():
            kind = type(value)
            return f"{value!r}" if kind.__module__ == "builtins" else f"{told(kind)}({value!r})"
        case tuple():
            name = "" if type(value) is tuple else told(type(value))
            return f"{name}({','.join(map(told, value))})"
        case dict() | frozenset():
            parts = value.items() if isinstance(value, dict) else value
            return f"{{{','.join(sorted(map(told, parts)))}}}"
        case np.ndarray() if not value.dtype.hasobject:
            return f"{value.dtype.str}{value.shape}{digest(value.tobytes().hex())}"
        case ModuleType() if value.__name__ in MODULES:
            return value.__name__
        case CodeType():
            flags = value.co_flags & ~CO_OPTIMIZED  # Numba clears that one under a profiler
            return f"code{flags}{told(tuple(getattr(value, part) for part in CODE))}"
        case type():
            return _told_class(value)
    if type(value).__module__.startswith("numba.core.types"):  # the type of an argument
        return f"{type(value).__name__}{value if value.key == value.name else told(value.key)}"
    found = getattr(getattr(value, "_cache", None), "fingerprint", None)
    if not isinstance(found, str):
        raise NoFingerprint(value)
    return found


def _told_class(kind: type) -> str:
    """A built-in class, or a named tuple or an enumeration that is found again by its name."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is not kind:
        raise NoFingerprint(kind)
    if isinstance(kind, EnumMeta):
        members: dict[str, Any] = dict(kind.__members__)
        return f"{name}{told({each: members[each].value for each in members})}"
    if issubclass(kind, tuple):
        return f"{name}{getattr(kind, '_fields', ())}{told(getattr(kind, '_field_defaults', {}))}"
    if kind.__module__ not in ("builtins", *MODULES):
        raise NoFingerprint(kind)
    return name


def digest(*parts: str) -> str:
    """A short name for some texts, which no others have."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
