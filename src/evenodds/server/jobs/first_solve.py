"""The first solve of a game on a machine, in a child process that fills the cache.

It compiles, which would hold the interpreter of the server, and takes memory that a process never
gives back.
"""

import asyncio
import os
import sys

from evenodds.core.terms import Terms
from evenodds.system.extras import MissingExtra, needs


async def solve_first(terms: Terms, memory: int) -> None:
    """Have a game solved as its book has it, and kept, within a limit of memory in bytes.

    Nothing is told of it: whoever needs the solution finds it there, or makes it.
    """
    if _is_kept(terms):
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


def _is_kept(terms: Terms) -> bool:
    """Whether there is nothing that a process could do: it is solved, or cannot be."""
    try:
        with needs("solver"):
            from evenodds.graph import table_path
    except MissingExtra:
        return True
    path = table_path(terms.game, terms.rulings)
    return path is None or path.exists()
