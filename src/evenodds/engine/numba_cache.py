"""Numba's own cache of compiled kernels, in our cache folder.

Numba finds a function again by its file and line, but ours are bound to the rules of many games. So
the name of each compiled function carries a digest of what it is bound to: files of two games
differ, and so do the symbols in them. The linker takes two symbols of one name for one function,
and a second game would silently play by the first one's rules.

The locators of caches are private to Numba, and this is the one module that knows them. Tried with
Numba 0.62 and 0.68 and numba-cuda 0.30. Where they are others, nothing is kept.
"""

import atexit
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from importlib import import_module
from traceback import walk_tb
from typing import Any, Final

from evenodds.core.digests import LOCAL
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind
from evenodds.system.files import make_private_folder
from evenodds.system.locks import Lock

KERNEL_KIND: Final = CacheKind("nbc", "compiled loops")
CACHING_MODULES: Final = {"numba": "numba.core.caching", "numba-cuda": "numba.cuda.core.caching"}
KERNEL_CODE: Final = ("core/vocabulary.py", "engine")
"""The modules and packages of ours that kernels are made of."""
OTHERS_MAY_WRITE: Final = 0o022
MAX_CACHE_FAULTS: Final = 3

_saving: list[Lock] = []
"""The lock of the function that this process has written last: Numba compiles one at a time."""


def named(function: Any, digest: str) -> Any:
    """A function of this name whose compiled code is told apart by a digest."""
    function.__qualname__ = f"{function.__name__}_{digest}"
    function.digest = digest
    return function


def can_be_kept(function: Any, compiler: str = "numba") -> bool:
    """Whether the compiled code of a named function can be cached on disk."""
    return LOCAL not in function.digest and _use_locator(compiler) and _is_private()


def forgiving(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that is compiled anew where its files are damaged or cannot be written."""

    @wraps(kernel)
    def call(*given: Any) -> Any:
        for _ in range(MAX_CACHE_FAULTS):
            try:
                return kernel(*given)
            except Exception as error:
                if not _forgive(error):
                    raise
        return kernel(*given)

    return call


def _forgive(error: Exception) -> bool:
    """Whether an error is one of the cache, so that another call may succeed.

    What could not be written is compiled all the same. A file that cannot be opened is removed, and
    all of them where one is damaged: the error may come from a function that the kernel calls.
    """
    causes: list[BaseException] = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)
    frames = (frame for cause in causes for frame, _ in walk_tb(cause.__traceback__))
    if {frame.f_globals.get("__name__") for frame in frames}.isdisjoint(CACHING_MODULES.values()):
        return False
    named_files = [cause.filename for cause in causes if isinstance(cause, OSError)]
    for path in cache_folder.folder().glob("*.nb[ci]"):
        if not named_files or str(path) in named_files:
            with suppress(OSError):
                path.unlink()
    return True


@cache
def _use_locator(compiler: str) -> bool:
    """Let Numba ask ours for the folder of a function, before its own."""
    if os.environ.get("NUMBA_CACHE_LOCATOR_CLASSES"):  # Numba then asks those instead
        return False
    try:
        caching = import_module(CACHING_MODULES[compiler])
        locators = caching.CacheImpl._locator_classes
        locators.insert(0, _locator_class(caching._CacheLocator))
    except (ImportError, AttributeError):
        return False
    # Where rules read a large array: that is compiled anew by each process, and nobody need know.
    warnings.filterwarnings("ignore", "Cannot cache compiled function")
    return True


def _locator_class(base: Any) -> Any:
    class Locator(base):  # type: ignore[misc]
        """Says where the compiled code of a function lies, and when it is stale: never."""

        def __init__(self, function: Any, path: str) -> None:
            self._py_file = path
            self._name = function.__qualname__
            self._digest = function.digest

        @classmethod
        def from_function(cls, function: Any, path: str) -> Any:
            return cls(function, path) if hasattr(function, "digest") else None

        def get_cache_path(self) -> str:
            return str(cache_folder.folder())

        def ensure_cache_path(self) -> None:
            # The index of a function is read, changed and written next: by one process at a time.
            _end_saving()
            make_private_folder(cache_folder.folder())
            _saving.append(Lock(cache_folder.folder() / f"{self._name}.nbi.lock"))

        def get_source_stamp(self) -> str:
            return str(self._digest)

        def get_disambiguator(self) -> str:
            return "0"

    return Locator


@atexit.register
def _end_saving() -> None:
    while _saving:
        _saving.pop().release()


def _is_private() -> bool:
    """Whether the cache folder belongs to this user alone: Numba runs what it finds there."""
    folder = cache_folder.folder()
    try:
        make_private_folder(folder)
        status = folder.stat()
    except OSError:
        return False
    if not folder.is_dir():
        return False
    return sys.platform == "win32" or (
        status.st_uid == os.geteuid() and not status.st_mode & OTHERS_MAY_WRITE
    )
