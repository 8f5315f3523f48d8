"""What is private to Numba: its cache of compiled kernels, and options of its compiler.

Numba finds a function again by its file and line, but ours are bound to the rules of many games. So
the name of each compiled function carries a digest of what it is bound to: files of two games
differ, and so do the symbols in them. The linker takes two symbols of one name for one function,
and a second game would silently play by the first one's rules.

This is the one module that knows private parts of Numba. Tried with Numba 0.62 and 0.68 and
numba-cuda 0.30. Where they are others, nothing is kept, and no option is set.
"""

import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from stat import S_ISDIR
from typing import Any, Final
from warnings import catch_warnings

from evenodds.core.kept_results import LOCAL
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind
from evenodds.system.files import make_private_folder
from evenodds.system.locks import Lock

KERNEL_KIND: Final = CacheKind("nbc", "compiled loops")
KERNEL_CODE: Final = ("core/vocabulary.py", "engine")
"""The modules and packages of ours that kernels are made of."""
FOR_OTHERS: Final = 0o077


def named(function: Any, digest: str) -> Any:
    """A function of this name whose compiled code is told apart by a digest."""
    function.__qualname__ = f"{function.__name__}_{digest}"
    function.digest = digest
    return function


def kept(
    kernel: Any, function: Any, module: str = "numba.core.caching", name: str = "FunctionCache"
) -> Any:
    """A kernel of a named function whose compiled code is kept on disk, where it can be.

    `module` and `name` are those of the cache that Numba has for its target.
    """
    others = os.environ.get("NUMBA_CACHE_LOCATOR_CLASSES")  # Numba asks those instead of ours
    if LOCAL not in function.digest and not others and _is_private():
        with suppress(Exception):  # whatever another version makes of it
            kernel._cache = _cache_class(module, name)(function)
    return kernel


def import_cuda() -> Any:
    """The module `numba.cuda`; untyped, as it makes its names when it is imported.

    numba-cuda 0.30 asks NumPy for a name that it dropped in 2.5, in a module that it imports at the
    first launch: it is lent while that is imported here.
    """
    import numpy as np

    cuda, lent = import_module("numba.cuda"), not hasattr(np, "row_stack")
    if lent:
        vars(np)["row_stack"] = np.vstack
    with suppress(Exception):  # the simulator, or another version
        import_module("numba.cuda.np.arrayobj")
    if lent:
        del vars(np)["row_stack"]
    return cuda


def private_options(function: Any, is_kernel: bool) -> dict[str, Any]:
    """Options of Numba's compiler that are documented nowhere, as far as this version has them.

    Without the wrappers that only calls from C or Python need, a function compiles in half the
    time. Functions of ours, which allocate nothing, count no references to arrays: that would make
    matrix games three times as slow. Rules of others may allocate.
    """
    from numba.core.options import DefaultOptions

    is_ours = str(function.__globals__.get("__name__")).startswith("evenodds.")
    wished = {"no_cfunc_wrapper": True, "no_cpython_wrapper": not is_kernel, "_nrt": not is_ours}
    return {name: value for name, value in wished.items() if hasattr(DefaultOptions, name)}


@cache
def _cache_class(module: str, name: str) -> Any:
    base: Any = getattr(import_module(module), name)

    class Files(base._impl_class):  # type: ignore[misc]
        _locator_classes = (_Locator,)

    class Cache(base):  # type: ignore[misc]
        """What cannot be read is removed, and what cannot be written is compiled all the same."""

        _impl_class = Files

        def load_overload(self, *given: Any) -> Any:
            try:
                return super().load_overload(*given)
            except Exception:  # damaged bytes may raise anything
                for path in cache_folder.folder().glob(f"*{self._py_func.__qualname__}-*.nb[ci]"):
                    with suppress(OSError):
                        path.unlink()
                return None

        def save_overload(self, *given: Any) -> None:
            # Where rules read a large array each process compiles anew, and nobody need know.
            # The index of a function is read, changed and written: by one process at a time.
            lock = cache_folder.folder() / f"{self._py_func.__qualname__}.nbi.lock"
            with suppress(Exception), catch_warnings(action="ignore"):
                make_private_folder(lock.parent)
                with Lock(lock, wait=True):
                    super().save_overload(*given)

    return Cache


class _Locator:
    """Says where the compiled code of a function lies, and when it is stale: never."""

    def __init__(self, function: Any, path: str) -> None:
        self._py_file, self._function = path, function

    @classmethod
    def from_function(cls, function: Any, path: str) -> "_Locator":
        return cls(function, path)

    def get_cache_path(self) -> str:
        return str(cache_folder.folder())

    def ensure_cache_path(self) -> None:
        make_private_folder(cache_folder.folder())

    def get_source_stamp(self) -> str:
        return str(self._function.digest)

    def get_disambiguator(self) -> str:
        return "0"


def _is_private() -> bool:
    """Whether the cache folder belongs to this user alone: Numba runs what it finds there."""
    with suppress(OSError):
        make_private_folder(cache_folder.folder())
        status = cache_folder.folder().stat()
        if not S_ISDIR(status.st_mode) or sys.platform == "win32":
            return S_ISDIR(status.st_mode)
        return status.st_uid == os.geteuid() and not status.st_mode & FOR_OTHERS
    return False
