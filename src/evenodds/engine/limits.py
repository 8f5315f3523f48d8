"""Limits of the solver: memory, and kinds of games."""

import os
import sys
from contextlib import suppress
from math import ceil

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import BadGame
from evenodds.system import EvenOddsError
from evenodds.system.environment import megabytes


class TooLarge(EvenOddsError, ValueError):
    """A ruling with more positions than the memory limit allows."""


def too_many_positions(max_positions: int) -> str:
    """Why a ruling beyond a limit that somebody has set is left out."""
    return f"more than {max_positions:,} positions"


def memory_limit() -> int:
    """Bytes that a solve may take: EVENODDS_MEMORY_MB, or half of what the machine has."""
    return megabytes("EVENODDS_MEMORY_MB", _half_of_memory())


def memory_size(count: float) -> str:
    """A number of bytes in megabytes, as EVENODDS_MEMORY_MB takes them, or gigabytes."""
    whole = ceil(count / (1 << 20))
    return f"{whole:,} MB" if whole < 10_000 else f"{whole / 1024:,.1f} GB"


def _half_of_memory() -> int:
    if sys.platform != "win32":
        with suppress(ValueError, OSError):  # not every system tells
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 2 << 30


def refuse_unsolvable(game: AnyGame) -> None:
    """`BadGame` for simultaneous games with loops, which no solver here handles."""
    if game.simultaneous and game.loops:
        raise BadGame(f"{game.name} has simultaneous rounds and loops, which is not solved yet")
