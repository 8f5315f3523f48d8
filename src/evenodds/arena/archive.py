"""The matches of an arena on disk; an interrupted arena resumes from it.

`matches.txt` holds every match in notation, in the order of the plan; `talk.jsonl` what language
models heard and said; `results.jsonl` a line for each bout with what a table needs and where it
ends in the other two; `arena.json` the plan. What was being written when the machine stopped is cut
off, and where nothing was played nothing stays.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import gt
from pathlib import Path
from typing import IO, Any, Final

from evenodds.arena.bouts import PlayedMatch, read_bout
from evenodds.arena.schedule import BadPlan, Plan
from evenodds.core.rulings import one_line
from evenodds.system.files import open_private, replace_file
from evenodds.system.locks import Lock

TALK_FILE: Final = "talk.jsonl"
ARCHIVE_FILES: Final = ("matches.txt", TALK_FILE, "results.jsonl")
PLAN_FILE: Final = "arena.json"
UNFINISHED_TALK_FILE: Final = "unfinished.jsonl"
"""What models said in bouts that could not be finished."""


class ArenaArchive:
    """The matches of an arena on disk, and the bouts that are whole there."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._folder = folder
        os.close(open_private(folder / TALK_FILE))  # what was said is nobody else's business
        self._texts, self._talk, self._results = (
            open(folder / name, "ab")  # noqa: SIM115 - as long as the book
            for name in ARCHIVE_FILES
        )
        self.kept = self._whole(folder, plan)

    def add(self, bouts: list[list[PlayedMatch]]) -> None:
        """Put bouts on disk: the matches first, so that no result stands without its match."""
        lines = []
        for bout in bouts:
            for played in bout:
                blank = "\n" if self._texts.tell() else ""
                self._texts.write(f"{blank}{played.text}".encode())
                self._talk.write("".join(f"{line}\n" for line in played.talk).encode())
            ends = [self._texts.tell(), self._talk.tell()]
            lines.append(
                json.dumps({"ends": ends, "bout": [_without_text(one) for one in bout]}) + "\n"
            )
        _flush(self._texts)
        _flush(self._talk)
        self._results.write("".join(lines).encode())
        _flush(self._results)

    def put_aside(self, talk: list[str]) -> None:
        """Keep what models said in a bout that could not be finished; it is played anew."""
        if talk:
            with open(
                open_private(self._folder / UNFINISHED_TALK_FILE), "a", encoding="utf-8"
            ) as file:
                file.write("".join(f"{line}\n" for line in talk))

    def close(self) -> None:
        """Nothing more comes; what is empty goes."""
        empty = [file.name for file in (self._texts, self._talk, self._results) if not file.tell()]
        for file in (self._texts, self._talk, self._results):
            file.close()
        for name in empty:
            os.unlink(name)
        if len(empty) == len(ARCHIVE_FILES):
            (self._folder / PLAN_FILE).unlink()

    def _whole(self, folder: Path, plan: Plan) -> list[list[PlayedMatch]]:
        """The bouts of which everything is there; the rest is cut off."""
        sizes = [file.seek(0, os.SEEK_END) for file in (self._texts, self._talk)]
        bouts: list[list[PlayedMatch]] = []
        ends, size = [0, 0], 0
        for line in (folder / ARCHIVE_FILES[-1]).read_bytes().splitlines(keepends=True):
            found = _read(line, plan, len(bouts))
            if found is None or any(map(gt, found[0], sizes)) or len(bouts) >= plan.bouts:
                break
            ends, size = found[0], size + len(line)
            bouts.append(found[1])
        for file, end in zip((self._texts, self._talk, self._results), (*ends, size), strict=True):
            file.truncate(end)
            file.seek(end)
        return bouts


@contextmanager
def open_archive(folder: Path, plan: Plan) -> Iterator[ArenaArchive]:
    """The book of a plan in a folder, begun where there is none; nobody else writes in it.

    `BadPlan` where the folder holds another arena, and `Busy` where it is being played.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = Lock(folder / "arena.lock")
    try:
        _check_plan(folder, plan)
        book = ArenaArchive(folder, plan)
        try:
            yield book
        finally:
            book.close()
    finally:
        lock.release()
        with suppress(OSError):  # it is empty, or it stays
            folder.rmdir()


def _check_plan(folder: Path, plan: Plan) -> None:
    """Write down the plan; or see that it is the one that stands there, but for more matches."""
    path, said = folder / PLAN_FILE, plan.as_data()
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if any((folder / name).exists() for name in ARCHIVE_FILES):
            raise BadPlan(f"{folder} holds matches of something else; choose another") from None
        before = said | {"matches": 0}
    except (OSError, ValueError):
        raise BadPlan(f"{path} is damaged; choose another folder") from None
    for key in said:
        if key != "matches" and before.get(key) != said[key]:
            raise BadPlan(
                f"{folder} holds an arena with {_describe_setting(key, before.get(key))}, "
                f"not {_describe_setting(key, said[key])}; choose another folder"
            )
    if before["matches"] > plan.matches:
        raise BadPlan(
            f"{folder} holds an arena of {before['matches']:,} matches a pair; "
            f"--matches may be that or more"
        )
    if before["matches"] < plan.matches:
        replace_file(path, json.dumps(said, indent=1) + "\n", mode=0o644)


def _describe_setting(key: str, value: Any) -> str:
    text = one_line(value) if isinstance(value, dict) else value
    return f"{key} {', '.join(text) if isinstance(text, list) else text}"


def _without_text(played: PlayedMatch) -> PlayedMatch:
    """A match without what stands in other files."""
    return played._replace(text="", talk=[])


def _read(line: bytes, plan: Plan, number: int) -> tuple[list[int], list[PlayedMatch]] | None:
    """Where a bout ends, and the bout; None where the line is not whole or of another pair."""
    try:
        data = json.loads(line)
        bout = read_bout(data["bout"])
        texts, talk = map(int, data["ends"])
    except (ValueError, TypeError, KeyError):
        return None
    fits = line.endswith(b"\n") and {one.players for one in bout} == _both(plan.bout(number)[0])
    return ([texts, talk], bout) if fits else None


def _both(pair: tuple[int, int]) -> set[tuple[int, int]]:
    return {pair, (pair[1], pair[0])}


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
