"""On-disk cache of compiled kernels, shared by all processes of one user.

Numba's own cache knows a function by its file and line, but our loops are bound to the rules of
many games. So a loop is kept under a digest of all that it is made of (`fingerprints`), the types
it is called with, what compiles it, and the processor. Where that cannot be told, it is not kept.

What is kept is machine code, so it is loaded only as it was written: whole, under its own name, by
the same user. Anything else is compiled anew and replaced.
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

import numpy as np

from evenodds.kernels.fingerprints import NoFingerprint, digest, fingerprint, told
from evenodds.system import cache_folder

CHECKSUM_BYTES: Final = 32
NUMBER_BITS: Final = 62
OTHERS_MAY_WRITE: Final = 0o022


class BadLoop(Exception):
    """A file that is not what the same user wrote there."""


class KernelCache:
    """What a dispatcher of Numba asks before it compiles, and tells when it has."""

    cache_path = None

    def __init__(self, function: Any, options: dict[str, Any], is_kept: bool) -> None:
        self._function = function
        self._options = options
        self._is_kept = is_kept and _renumbered()
        self._is_asked = False

    @cached_property
    def fingerprint(self) -> str | None:
        """What the function is made of; None where it is not told."""
        if self._is_asked:  # functions that call each other in a circle
            return None
        self._is_asked = True
        try:
            return fingerprint(self._function, self._options)
        except (NoFingerprint, ValueError):  # a cell of a closure that is empty is a ValueError
            return None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The loop for arguments of these types as it was kept; None where it is to be compiled."""
        if not self._is_kept or not self.fingerprint:
            return None
        with suppress(Exception):  # whatever is wrong with a file: it is compiled anew
            from numba.core import compiler

            context.refresh()
            path = self._path(signature, context.codegen())
            result: Any = compiler.CompileResult
            found = result._rebuild(context, *pickle.loads(_read(path)))
            cache_folder.mark_used(path)
            return found
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a loop that was compiled; where that cannot be done nothing is lost."""
        if not self._is_kept or not self.fingerprint:
            return
        with suppress(Exception):  # a full disk, or a Numba that is put together differently
            from numba.core import serialize

            if not compiled.lifted and not compiled.library.has_dynamic_globals:
                path = self._path(signature, compiled.codegen)
                body = serialize.dumps(compiled._reduce())  # type: ignore[no-untyped-call]
                cache_folder.write_cached_file(path, [_checksum(path, body), body])

    def flush(self) -> None:
        """Forget nothing: a loop made of something else has another name."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        processor = repr(codegen.magic_tuple())
        key = digest(self.fingerprint or "", told(tuple(signature)), processor, _compilers())
        return cache_folder.folder() / f"{self._function.__name__}-{key}.{cache_folder.LOOPS}"


@cache
def _compilers() -> str:
    """What compiles, and how it is set up."""
    import numba
    from llvmlite import __version__ as llvm  # type: ignore[import-untyped]

    settings = sorted(pair for pair in os.environ.items() if pair[0].startswith("NUMBA_"))
    return repr((numba.__version__, llvm, np.__version__, sys.version, settings))


@cache
def _renumbered() -> bool:
    """Let this process number its functions by chance; whether that can be done.

    Numba tells functions of one name apart by a number, counted from 1 in each process. Two loops
    that two processes have kept under the same number would be one to the linker of a third, which
    would silently call the rules of one game for another.
    """
    from numba.core import bytecode

    identity: Any = getattr(bytecode, "FunctionIdentity", None)
    if not hasattr(identity, "_unique_ids"):
        return False
    identity._unique_ids = iter(partial(SystemRandom().getrandbits, NUMBER_BITS), -1)
    return True


def _read(path: Path) -> bytes:
    """What was kept, if it is what the same user wrote there."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        data = file.read()
    if os.name != "nt" and (status.st_uid != os.geteuid() or status.st_mode & OTHERS_MAY_WRITE):
        raise BadLoop(path)
    checksum, body = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    if checksum != _checksum(path, body):
        raise BadLoop(path)
    return body


def _checksum(path: Path, body: bytes) -> bytes:
    """A checksum over a kept loop and its name."""
    return hashlib.blake2b(path.name.encode() + b"\0" + body, digest_size=CHECKSUM_BYTES).digest()
