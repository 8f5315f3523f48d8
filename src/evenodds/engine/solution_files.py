"""Solution tables on disk: file format, loading and saving.

A table is written to a temporary file and renamed, and its checksum is verified on opening; a
damaged table is solved again. Opening a table needs no compiler.
"""

import json
import os
import zlib
from array import array
from pathlib import Path
from struct import calcsize
from typing import Any, Final, Literal, NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import result_path
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.vocabulary import Settled
from evenodds.engine.position_keys import Layout
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind

SOLVER_CODE: Final = ("core/game.py", "core/vocabulary.py", "engine", "figures.py")
"""The modules and packages that compute values and select picks."""
TABLE_KIND: Final = CacheKind("table", "solutions", SOLVER_CODE)
MAGIC: Final = b"evenodds table\n"
MAX_HEADER_BYTES: Final = 64 * 1024
"""Upper bound on the size of the header."""

CHECK_BYTES: Final = 9
"""The checksum in hexadecimal digits, and the end of its line."""
ALIGNMENT: Final = 8
"""What follows the header begins at a multiple of this: loops want aligned numbers."""
BUFFER_TYPES: Final[dict[str, Literal["d", "h"]]] = {"<f8": "d", "<i2": "h"}
"""Values of rounds and codes of turns: their names in a table, and the types of buffers."""
DTYPES: Final[dict[str, str]] = {kind: name for name, kind in BUFFER_TYPES.items()}


class SolvedPositions(NamedTuple):
    """Positions in ascending order of their keys, and their values.

    In symmetric games only one of two mirror images is stored. Turn games have codes
    instead of values: the picks to the end, positive where the first seat wins, 0 for a draw.
    """

    layout: Layout
    keys: Any
    """64-bit integers: a NumPy array, an `array` or a view of a file. `numpy.asarray` takes each
    without a copy; binary search needs none of NumPy."""
    values: Any
    """Doubles, or 16-bit codes of turns, in the same kinds of buffers."""
    positions: int
    """Open reachable positions, mirror images counted."""
    gap: float
    """How far the value of the start may be off, both ways together: the gaps of all layers."""
    picks: Any = None
    """In games of turns that are listed as links the pick at each position, as bytes."""
    stake: float = 1.0
    """In games about points the most that can change hands in a match; else what a win is worth."""

    def copied(self) -> "SolvedPositions":
        """The same in memory of this process's own, for another process."""
        keys, values = (array(memoryview(part).format) for part in (self.keys, self.values))
        keys.frombytes(memoryview(self.keys).cast("B"))
        values.frombytes(memoryview(self.values).cast("B"))
        picks = None if self.picks is None else bytes(self.picks)
        return self._replace(keys=keys, values=values, picks=picks)


class BadTable(ValueError):
    """A file that is no complete table."""


def table_path(game: AnyGame, rulings: Settled) -> Path | None:
    """The file of a game's table under some rulings; None where its rules have no source text."""
    return result_path(game, rulings, TABLE_KIND)


def load_table(path: Path) -> tuple[SolvedPositions | None, str]:
    """The table in a file, or a note why an existing file could not be used."""
    path = cache_folder.find_file(path)
    try:
        solved = _read(path)
        cache_folder.mark_used(path)
        return solved, ""
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, f"{path} could not be used and is made anew: {error}"


def save_table(path: Path, solved: SolvedPositions, rulings: Settled) -> str:
    """Write a table; a note where that failed."""
    try:
        _write(path, solved, ruling_texts(rulings))
    except OSError as error:
        return f"the solution could not be kept: {error.strerror or error}"
    return ""


def table_rulings(path: Path) -> str:
    """The rulings of a table as they are typed; `?` where they cannot be read."""
    try:
        with path.open("rb") as file:
            lines = file.read(MAX_HEADER_BYTES).split(b"\n")
        rulings = json.loads(lines[2])["rulings"]
        return format_rulings(rulings)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return "?"


def _write(path: Path, solved: SolvedPositions, rulings: dict[str, str]) -> None:
    head = {
        "rulings": rulings,
        "lows": solved.layout.lows,
        "widths": solved.layout.widths,
        "positions": solved.positions,
        "gap": solved.gap,
        "count": len(solved.keys),
        "dtype": DTYPES[memoryview(solved.values).format],
        "picks": solved.picks is not None,
        "stake": solved.stake,
    }
    columns = [solved.keys, solved.values, *([] if solved.picks is None else [solved.picks])]
    body = [memoryview(column).cast("B") for column in columns]
    line = json.dumps(head).encode()
    line += b" " * (-(len(MAGIC) + CHECK_BYTES + len(line) + 1) % ALIGNMENT) + b"\n"
    check = zlib.crc32(line)
    for part in body:
        check = zlib.crc32(part, check)
    cache_folder.write_cached_file(path, [MAGIC + f"{check:08x}\n".encode() + line, *body])


def _read(path: Path) -> SolvedPositions:
    with path.open("rb") as file:
        # Not mapped: a file that somebody cuts short would end the process.
        data = memoryview(bytearray(os.fstat(file.fileno()).st_size))
        file.readinto(data)
    start = bytes(data[:MAX_HEADER_BYTES])
    if not start.startswith(MAGIC):
        raise BadTable("it is not a table")
    offset = len(MAGIC) + CHECK_BYTES
    if f"{zlib.crc32(data[offset:]):08x}\n".encode() != start[len(MAGIC) : offset]:
        raise BadTable("it is damaged")
    line, _, _ = start[offset:].partition(b"\n")
    head = json.loads(line)
    count, begin = head["count"], offset + len(line) + 1
    kind = BUFFER_TYPES[head["dtype"]]
    middle = begin + 8 * count
    end = middle + calcsize(kind) * count
    if len(data) != end + count * head["picks"]:
        raise BadTable("its size does not fit its head")
    layout = Layout(tuple(head["lows"]), tuple(head["widths"]))
    keys, values = data[begin:middle].cast("q"), data[middle:end].cast(kind)
    picks = data[end:] if head["picks"] else None
    return SolvedPositions(
        layout, keys, values, head["positions"], head["gap"], picks, head["stake"]
    )
