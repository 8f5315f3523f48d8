"""On-disk cache of compiled kernels, shared by all processes of one user.

Numba's own cache identifies a function by file and line, but our kernels are bound to the rules of
many games. So the key of a kernel is a digest of its code and all it calls (`fingerprints`), of the
argument types, the compiler versions and the processor. A kernel without a digest is not cached.
While a process compiles a kernel, others wait for it.

A file holds machine code, so it is loaded only if it is complete, has the name it was written under
and belongs to this user. Any other file is ignored and replaced.
"""

import hashlib
import os
import pickle
import sys
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from evenodds.kernels.compiler import GAME_NAME, KERNEL_KIND
from evenodds.kernels.compiler.compile_lock import begin_compiling, end_compiling
from evenodds.kernels.compiler.fingerprints import NoFingerprint, describe, digest, fingerprint
from evenodds.system import cache_folder

CHECKSUM_BYTES: Final = 32
FUNCTION_ID_BITS: Final = 62
OTHERS_MAY_WRITE: Final = 0o022


class BadKernelFile(Exception):
    """A cache file that is damaged, or that another user may have written."""


class KernelCache:
    """The cache of one Numba dispatcher (the interface of `numba.core.caching`)."""

    cache_path = None

    def __init__(self, function: Any, options: dict[str, Any], is_cached: bool) -> None:
        self._function = function
        self._options = options
        self._is_cached = is_cached and _randomise_function_ids()
        self._is_computing = False

    @cached_property
    def fingerprint(self) -> str | None:
        """The digest of the function; None where it cannot be computed."""
        if self._is_computing:  # mutual recursion
            return None
        self._is_computing = True
        try:
            return fingerprint(self._function, self._options)
        except (NoFingerprint, ValueError):  # an empty closure cell raises ValueError
            return None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The cached kernel for these argument types; None where this process is to compile it."""
        if not self._is_cached or not self.fingerprint:
            return None
        from numba.core.runtime.nrt import rtsys

        with suppress(Exception):  # whatever is wrong with a file or a lock: a miss
            rtsys.initialize(context)  # what compiled code calls; the rest is for compiling
            path = self._path(signature, context.codegen())
            found = _load(path, context)
            if found is None and begin_compiling(path):
                found = _load(path, context)  # another process may have compiled it meanwhile
                if found is not None:
                    end_compiling()
            return found
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Cache a compiled kernel; a failure only costs another compilation."""
        from evenodds.kernels.compiler.callees import set_environments

        set_environments(compiled)
        if not self._is_cached or not self.fingerprint:
            return
        with suppress(Exception):  # a full disk, or other internals of Numba
            from numba.core import serialize

            if not compiled.lifted and not compiled.library.has_dynamic_globals:
                path = self._path(signature, compiled.codegen)
                body = serialize.dumps(compiled._reduce())  # type: ignore[no-untyped-call]
                write_kernel_file(path, body)
        end_compiling()

    def flush(self) -> None:
        """Nothing to do: a changed kernel has another key."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        processor = repr(codegen.magic_tuple())
        key = digest(self.fingerprint or "", describe(tuple(signature)), processor, _compilers())
        game = self._function.__globals__.get(GAME_NAME)  # None in kernels that all games share
        kernel = self._function.__name__
        return KERNEL_KIND.path(f"{kernel}-{game}" if game else kernel, key)


@cache
def _compilers() -> str:
    """Versions and settings of the compiler."""
    import numba
    import numpy as np
    from llvmlite import __version__ as llvm  # type: ignore[import-untyped]

    settings = sorted(pair for pair in os.environ.items() if pair[0].startswith("NUMBA_"))
    return repr((numba.__version__, llvm, np.__version__, sys.version, settings))


@cache
def _randomise_function_ids() -> bool:
    """Let Numba number this process's functions at random; False where that is not possible.

    Numba distinguishes functions of one name by a number, counted from 1 in each process. If two
    processes cached kernels under the same number, the linker of a third would take them for one
    and silently call the rules of one game for another.
    """
    from numba.core import bytecode

    identity: Any = getattr(bytecode, "FunctionIdentity", None)
    if not hasattr(identity, "_unique_ids"):
        return False
    identity._unique_ids = iter(partial(SystemRandom().getrandbits, FUNCTION_ID_BITS), -1)
    return True


def write_kernel_file(path: Path, body: bytes) -> None:
    """Write a compiled kernel into the cache."""
    cache_folder.write_cached_file(path, [_checksum(path, body), body])


def _load(path: Path, context: Any) -> Any:
    """The kernel in a file; None where there is none to be trusted."""
    from numba.core import compiler

    with suppress(Exception):
        result: Any = compiler.CompileResult
        return result._rebuild(context, *pickle.loads(read_kernel_file(path)))
    return None


def read_kernel_file(path: Path) -> bytes:
    """The body of a cache file; `BadKernelFile` where it is not to be trusted."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        data = file.read()
    if sys.platform != "win32" and (
        status.st_uid != os.geteuid() or status.st_mode & OTHERS_MAY_WRITE
    ):
        raise BadKernelFile(path)
    checksum, body = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    if checksum != _checksum(path, body):
        raise BadKernelFile(path)
    cache_folder.mark_used(path)
    return body


def _checksum(path: Path, body: bytes) -> bytes:
    # Over the name too: a valid file that was renamed must not be loaded as another kernel.
    return hashlib.blake2b(path.name.encode() + b"\0" + body, digest_size=CHECKSUM_BYTES).digest()
