"""A folder with all matches of an arena, which can be left at any time and gone on with.

`matches.txt` holds every match in notation, in the order of the plan; `results.jsonl` a line for
each with what a table needs and where it ends in the other file; `arena.json` the plan. What was
being written when the machine stopped is cut off.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from evenodds.arena.bouts import Played, read_bout
from evenodds.arena.plan import BadPlan, Plan
from evenodds.files import replace_file
from evenodds.locks import Lock
from evenodds.rulings import one_line


class Book:
    """The matches of an arena on disk, and the bouts that are whole there."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._matches: IO[bytes] = open(folder / "matches.txt", "ab")  # noqa: SIM115
        self._results: IO[bytes] = open(folder / "results.jsonl", "ab")  # noqa: SIM115
        self.kept = self._whole(folder, plan)

    def add(self, bouts: list[list[Played]]) -> None:
        """Put bouts on disk: the matches first, so that no result stands without its match."""
        lines = []
        for bout in bouts:
            ends = []
            for played in bout:
                blank = "\n" if self._matches.tell() else ""
                self._matches.write(f"{blank}{played.text}".encode())
                ends.append(self._matches.tell())
            lines.append(json.dumps({"end": ends[-1], "bout": [one[:-1] for one in bout]}) + "\n")
        _flush(self._matches)
        self._results.write("".join(lines).encode())
        _flush(self._results)

    def close(self) -> None:
        """Nothing more comes."""
        self._matches.close()
        self._results.close()

    def _whole(self, folder: Path, plan: Plan) -> list[list[Played]]:
        """The bouts of which everything is there; the rest is cut off."""
        size = self._matches.seek(0, os.SEEK_END)
        self._results.seek(0, os.SEEK_END)
        bouts: list[list[Played]] = []
        matches = results = 0
        for line in (folder / "results.jsonl").read_bytes().splitlines(keepends=True):
            found = _read(line, plan, len(bouts))
            if found is None or found[0] > size or len(bouts) >= plan.bouts:
                break
            matches, results = found[0], results + len(line)
            bouts.append(found[1])
        self._matches.truncate(matches)
        self._results.truncate(results)
        return bouts


@contextmanager
def opened(folder: Path, plan: Plan) -> Iterator[Book]:
    """The book of a plan in a folder, begun where there is none; nobody else writes in it.

    `BadPlan` where the folder holds another arena, and `Busy` where it is being played.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = Lock(folder / "arena.lock")
    try:
        _agree(folder, plan)
        book = Book(folder, plan)
        try:
            yield book
        finally:
            book.close()
    finally:
        lock.release()


def _agree(folder: Path, plan: Plan) -> None:
    """Write down the plan; or see that it is the one that stands there, but for more matches."""
    path, said = folder / "arena.json", plan.as_data()
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if any((folder / name).exists() for name in ("matches.txt", "results.jsonl")):
            raise BadPlan(f"{folder} holds matches of something else; choose another") from None
        before = said | {"matches": 0}
    except (OSError, ValueError):
        raise BadPlan(f"{path} is damaged; choose another folder") from None
    for key in said:
        if key != "matches" and before.get(key) != said[key]:
            raise BadPlan(
                f"{folder} holds an arena with {_told(key, before.get(key))}, "
                f"not {_told(key, said[key])}; choose another folder"
            )
    if before["matches"] > plan.matches:
        raise BadPlan(
            f"{folder} holds an arena of {before['matches']:,} matches a pair; "
            f"--matches may be that or more"
        )
    if before["matches"] < plan.matches:
        replace_file(path, json.dumps(said, indent=1) + "\n")


def _told(key: str, value: Any) -> str:
    text = one_line(value) if isinstance(value, dict) else value
    return f"{key} {', '.join(text) if isinstance(text, list) else text}"


def _read(line: bytes, plan: Plan, number: int) -> tuple[int, list[Played]] | None:
    """Where a bout ends, and the bout; None where the line is not whole or of another pair."""
    try:
        data = json.loads(line)
        bout = read_bout([[*one, ""] for one in data["bout"]])
        end = int(data["end"])
    except (ValueError, TypeError, KeyError):
        return None
    fits = line.endswith(b"\n") and {one.players for one in bout} == _both(plan.bout(number)[0])
    return (end, bout) if fits else None


def _both(pair: tuple[int, int]) -> set[tuple[int, int]]:
    return {pair, (pair[1], pair[0])}


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
