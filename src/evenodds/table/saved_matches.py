"""Saved matches: one locked file for each match, replaced atomically at every pick.

A match is a file in match notation. A pending secret pick, and the seed of the draws, are in a
second file beside it, readable by its owner alone, which no command prints; that hides them from
the screen, not on the disk.
"""

import os
import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.core.catalog import UnknownGame, folders
from evenodds.core.match import Match, pending_picks
from evenodds.players.registry import external_kind, is_built_in_player
from evenodds.system import EvenOddsError
from evenodds.system.files import (
    data_folder,
    open_private,
    private_folder,
    read_error_text,
    rename_damaged,
    replace_file,
)
from evenodds.system.locks import Lock, LockHeld
from evenodds.system.text import ID_ALPHABET, printable, shorten

if TYPE_CHECKING:
    from pathlib import Path

_MATCH_ID: Final = re.compile(rf"[{ID_ALPHABET}]{{4}}")
_MATCH_FILE_NAME: Final = re.compile(
    rf"[{ID_ALPHABET}]{{4}}\.(txt|secret|lock|llm\.jsonl|damaged[0-9]*)(\.new)?"
)

MATCHES_FOLDER: Final = "matches"
MODEL_LOG_SUFFIX: Final = "llm.jsonl"
"""The file name suffix of the log of prompts and answers of a match."""

_SHELL_SPECIAL_CHARACTERS: Final = set('"$`\\!')
"""Characters with a meaning between double quotes in a shell."""


class SavedMatch(NamedTuple):
    """A saved match, and when it was last played."""

    id: str
    match: Match
    played: float


def folder() -> "Path":
    """The folder of matches."""
    return data_folder() / MATCHES_FOLDER


def is_id(text: str) -> bool:
    """Whether a text has the form of a match ID."""
    return _MATCH_ID.fullmatch(text) is not None


class MatchFile:
    """The files of one match, locked by one process at a time.

    A new match gets its ID when it is first saved.
    """

    def __init__(self, id: str | None = None) -> None:
        self.id = id or ""
        self._lock = None if id is None else _lock_match(id)
        self._discarded = False

    def save(self, match: Match, hidden: bool = True) -> None:
        """Write a match: the notation, and with `hidden` what is secret in a second file."""
        # Imported here: the first prompt need not wait for what the first pick needs.
        import json

        from evenodds.core import notation

        text, secret = self._path("txt"), self._path("secret")
        # A pick first, the notation second, and then what is stale goes: a crash in between loses
        # no pick, and that of another round is recognised by its round.
        secrets, seed = pending_picks(match), "" if match.result else match.seed
        saved = {"round": match.round, "picks": sorted(secrets.items()), "seed": seed}
        if hidden and secrets:
            replace_file(secret, json.dumps(saved) + "\n")
        if not secrets or not text.exists():
            replace_file(text, notation.write(match))
        if hidden and seed and not secrets:
            replace_file(secret, json.dumps(saved) + "\n")
        elif not (hidden and secrets):
            secret.unlink(missing_ok=True)

    def load(self) -> tuple[Match, str]:
        """The match with its pending picks, and a line on what could not be read."""
        path = self._path("txt")
        try:
            match = read(path)
        except (OSError, ValueError) as error:
            raise EvenOddsError(fault(path, error)) from None
        return match, self._restore_secret(match)

    def append_model_log(self, line: str) -> None:
        """Add a line to the log of prompts and answers."""
        if self._discarded:
            return
        with open(open_private(self._path(MODEL_LOG_SUFFIX)), "w", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def model_log(self) -> str:
        """The log of prompts and answers; empty without models."""
        path = self._path(MODEL_LOG_SUFFIX) if self.id else None
        return path.read_text(encoding="utf-8") if path and path.exists() else ""

    def discard(self) -> None:
        """Delete the files of the match."""
        self._discarded = True
        if self.id:
            for kind in ("txt", "secret", MODEL_LOG_SUFFIX):
                self._path(kind).unlink(missing_ok=True)

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _path(self, kind: str) -> "Path":
        if not self.id:
            self._allocate_id()
        return folder() / f"{self.id}.{kind}"

    def _allocate_id(self) -> None:
        private_folder(MATCHES_FOLDER)
        while not self.id:
            id = "".join(ID_ALPHABET[byte % len(ID_ALPHABET)] for byte in os.urandom(4))
            with suppress(LockHeld):
                self._lock = Lock(folder() / f"{id}.lock")
                if any((folder() / f"{id}.{kind}").exists() for kind in ("txt", MODEL_LOG_SUFFIX)):
                    self.release()
                else:
                    self.id = id

    def _restore_secret(self, match: Match) -> str:
        import json

        path = self._path("secret")
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["round"] == match.round:
                for seat, number in saved["picks"]:
                    match.pick(seat, number)
            match.seed = str(saved.get("seed", match.seed))
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, KeyError, OSError, RecursionError):
            with suppress(OSError):
                path = rename_damaged(path, path.with_suffix(".damaged"))
            return f"A hidden pick could not be read and is asked again; its file is {path}."
        return ""


def resume_command(id: str, match: Match) -> str:
    """The shell command that resumes a match, with its external players."""
    named = filter(external_kind, match.terms.computers)
    place = folders().get(match.game.name)
    folder = f" {shlex.quote(os.path.join('.', os.path.relpath(place)))}" if place else ""
    vs = "".join(f" --vs {_shell_quoted(name)}" for name in named)
    return f"evenodds resume {id}{folder}{vs}"


def _shell_quoted(name: str) -> str:
    """A name for a shell: in double quotes unless it holds special characters."""
    name = printable(name)
    return shlex.quote(name) if _SHELL_SPECIAL_CHARACTERS & set(name) else f'"{name}"'


def latest_open_match(external_players: tuple[str, ...] = ()) -> str:
    """The open match played last, if possible with opponents that are built in or given.

    `EvenOddsError` where none is open.
    """
    found, faults = saved_matches()
    if left := [saved for saved in found if saved.match.result is None]:
        return min(left, key=lambda saved: not is_resumable(saved.match, external_players)).id
    raise EvenOddsError("; ".join(["you have no open match to resume", *faults[:1]]))


def is_resumable(match: Match, external_players: tuple[str, ...] = ()) -> bool:
    """Whether a match is open and its opponents are built in or given."""
    computers = filter(None, match.terms.computers)
    playable = all(is_built_in_player(name) or name in external_players for name in computers)
    return match.result is None and playable


def saved_matches() -> tuple[list[SavedMatch], list[str]]:
    """Every saved match, the last played first, and a line on each file that is none."""
    found: list[SavedMatch] = []
    faults: list[str] = []
    unknown: list[str] = []
    for path in sorted(folder().iterdir()) if folder().is_dir() else []:
        if not _MATCH_FILE_NAME.fullmatch(path.name):
            faults.append(f"{path} is not a match and is left alone.")
        elif path.suffix == ".txt":
            try:
                found.append(SavedMatch(path.stem, read(path), path.stat().st_mtime))
            except (OSError, ValueError) as error:
                is_unknown = isinstance(error.__cause__, UnknownGame)
                (unknown if is_unknown else faults).append(fault(path, error))
    if len(unknown) > 1:
        left_out = f"{len(unknown)} matches are of games that are not installed"
        unknown = [f"{left_out}; for those of a folder, type: evenodds matches --game FOLDER"]
    faults += unknown
    return sorted(found, key=lambda saved: -saved.played), faults


def delete_match(id: str) -> None:
    """Delete a saved match; `EvenOddsError` where it is being played."""
    match_file = MatchFile(id)
    match_file.discard()
    match_file.release()


def fault(path: "Path", error: OSError | ValueError) -> str:
    """What is wrong with a file of a match."""
    if isinstance(error.__cause__, UnknownGame):
        unknown = f"is a match of a game that is not installed: {error.__cause__}"
        return f"{path} {unknown}; if it is in a folder, type: evenodds resume {path.stem} FOLDER"
    what = "cannot be read" if isinstance(error, OSError) else "is damaged and is left alone"
    return f"{path} {what}: {read_error_text(error)}"


def read(path: "Path") -> Match:
    """The match in a file of notation."""
    from evenodds.core import notation

    return notation.parse(path.read_text(encoding="utf-8"))


def _lock_match(id: str) -> Lock:
    """Lock a saved match; `EvenOddsError` where it is missing or locked."""
    if not is_id(id) or not (folder() / f"{id}.txt").is_file():
        raise EvenOddsError(f'there is no match "{shorten(id)}"; evenodds matches lists yours')
    try:
        return Lock(folder() / f"{id}.lock")
    except LockHeld:
        raise EvenOddsError(f"the match {id} is being played in another window") from None
