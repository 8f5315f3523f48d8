"""The matches of an arena on disk; an interrupted arena resumes from it.

`matches.txt` holds every match in notation, in the order of the plan; `talk.jsonl` the dialogue of
language models; `results.jsonl` a line for each bout: its results, and the offsets at which it ends
in the other two files; `arena.json` the plan. On opening, all three are truncated to the last
complete bout. Where nothing was played, no file stays.
"""

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from operator import gt
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from evenodds.arena.bouts import PlayedMatch
from evenodds.arena.schedule import BadPlan, Plan
from evenodds.core.rulings import format_rulings
from evenodds.system.files import open_private, replace_file
from evenodds.system.locks import Lock

TALK_FILE: Final = "talk.jsonl"
ARCHIVE_FILES: Final = ("matches.txt", TALK_FILE, "results.jsonl")
PLAN_FILE: Final = "arena.json"
UNFINISHED_TALK_FILE: Final = "unfinished.jsonl"
"""Dialogue of models in bouts that could not be finished."""


class BoutLine(msgspec.Struct):
    """A line of `results.jsonl`."""

    ends: tuple[int, int]
    bout: list[PlayedMatch]


class ArenaArchive:
    """The files of an arena; `bouts` are the complete ones found on opening."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._folder = folder
        os.close(open_private(folder / TALK_FILE))  # dialogues may hold private text: mode 0600
        self._files = [open(folder / name, "ab") for name in ARCHIVE_FILES]  # noqa: SIM115
        self._matches, self._talk, self._results = self._files
        self.bouts = self._recover(plan)

    def add(self, bouts: list[list[PlayedMatch]]) -> None:
        """Append bouts.

        Matches and dialogues are synced before the results: a line of results names offsets in
        them, so a crash in between leaves no result without its match.
        """
        lines = b""
        for bout in bouts:
            for played in bout:
                blank = "\n" if self._matches.tell() else ""
                self._matches.write(f"{blank}{played.text}".encode())
                self._talk.write("".join(f"{line}\n" for line in played.talk).encode())
            bare = [played._replace(text="", talk=[]) for played in bout]
            line = BoutLine((self._matches.tell(), self._talk.tell()), bare)
            lines += msgspec.json.encode(line) + b"\n"
        _flush(self._matches)
        _flush(self._talk)
        self._results.write(lines)
        _flush(self._results)

    def put_aside(self, talk: list[str]) -> None:
        """Store the dialogue of an unfinished bout in a file of its own; the bout is replayed."""
        if talk:
            private = open_private(self._folder / UNFINISHED_TALK_FILE)
            with open(private, "a", encoding="utf-8") as file:
                file.write("".join(f"{line}\n" for line in talk))

    def close(self) -> None:
        """Close the files, and remove empty ones."""
        empty = [file.name for file in self._files if not file.tell()]
        for file in self._files:
            file.close()
        for name in empty:
            os.unlink(name)
        if len(empty) == len(ARCHIVE_FILES):
            (self._folder / PLAN_FILE).unlink()

    def _recover(self, plan: Plan) -> list[list[PlayedMatch]]:
        """The complete bouts; truncates the files behind them."""
        sizes = [file.seek(0, os.SEEK_END) for file in (self._matches, self._talk)]
        bouts: list[list[PlayedMatch]] = []
        ends, size = (0, 0), 0
        for line in (self._folder / ARCHIVE_FILES[-1]).read_bytes().splitlines(keepends=True):
            if len(bouts) >= plan.bouts or not line.endswith(b"\n"):
                break
            try:
                found = msgspec.json.decode(line, type=BoutLine)
            except ValueError:
                break
            pair, _ = plan.bout(len(bouts))
            places = {played.players for played in found.bout}
            if places != {pair, pair[::-1]} or any(map(gt, found.ends, sizes)):
                break
            ends, size = found.ends, size + len(line)
            bouts.append(found.bout)
        for file, end in zip(self._files, (*ends, size), strict=True):
            file.truncate(end)
            file.seek(end)
        return bouts


@contextmanager
def open_archive(folder: Path, plan: Plan) -> Iterator[ArenaArchive]:
    """The archive of a plan in a folder, created where there is none, locked while it is open.

    `BadPlan` where the folder holds another arena, `LockHeld` where another process has the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = Lock(folder / "arena.lock")
    try:
        _check_plan(folder, plan)
        with closing(ArenaArchive(folder, plan)) as archive:
            yield archive
    finally:
        lock.release()
        with suppress(OSError):  # only an empty folder can be removed
            folder.rmdir()


def _check_plan(folder: Path, plan: Plan) -> None:
    """Write the plan, or compare it with the stored one; only `matches` may have grown."""
    path, data = folder / PLAN_FILE, plan.as_data()
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if any((folder / name).exists() for name in ARCHIVE_FILES):
            raise BadPlan(f"{folder} holds something else; choose another folder") from None
        stored = data | {"matches": 0}
    except (OSError, ValueError):
        raise BadPlan(f"{path} is damaged; choose another folder") from None
    for key in data:
        if key != "matches" and stored.get(key) != data[key]:
            raise BadPlan(
                f"{folder} holds an arena with {_describe_setting(key, stored.get(key))}, "
                f"not {_describe_setting(key, data[key])}; choose another folder"
            )
    if stored["matches"] > plan.matches:
        raise BadPlan(
            f"{folder} holds an arena of {stored['matches']:,} matches a pair; "
            "--matches must be at least that"
        )
    if stored["matches"] < plan.matches:
        replace_file(path, json.dumps(data, indent=1) + "\n", mode=0o644)


def _describe_setting(key: str, value: Any) -> str:
    text = format_rulings(value) if isinstance(value, dict) else value
    return f"{key} {', '.join(text) if isinstance(text, list) else text}"


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
