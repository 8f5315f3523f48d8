"""The first solve of a game on a machine, in a child process that fills the cache.

A child process, since compiling holds the interpreter lock for seconds, and takes memory that a
process never returns to the system.
"""

import asyncio
import os
import sys

from evenodds.core.terms import Terms
from evenodds.system.cache_folder import find_file
from evenodds.system.imports.extras import MissingExtra, needs


async def solve_first(terms: Terms, memory: int) -> None:
    """Solve a game with its default rulings into the cache, within a limit of memory in bytes.

    Errors are ignored: the caller loads the result from the cache, or solves by itself.
    """
    if _is_cached_or_unsolvable(terms):
        return
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "evenodds", "solve", terms.game.name),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env=os.environ | {"EVENODDS_MEMORY_MB": str(memory >> 20)},
    )
    try:
        await child.wait()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def _is_cached_or_unsolvable(terms: Terms) -> bool:
    """Whether a child process could do nothing: the table is cached, or cannot be."""
    try:
        with needs("solver"):
            from evenodds.graph import table_path
    except MissingExtra:
        return True
    path = table_path(terms.game, terms.rulings)
    return path is None or find_file(path).exists()
