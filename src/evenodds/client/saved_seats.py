"""Seat tokens and committed picks, saved to disk so that a player can reconnect.

A seat is a file that only its owner can read: the token and, in a sealed match, the committed
numbers with their salts, and the commitments of both seats as they were before either was revealed.
The order of writes matters: a committed pick, and the key that a seat is requested with, are on
disk before they are sent. A crash in between, or a lost response, then costs neither pick nor seat.
"""

import hashlib
import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.client.address import Address
from evenodds.client.http_client import RemoteError
from evenodds.core.notation.seals import commitment, new_salt
from evenodds.system.files import replace_file
from evenodds.system.paths import data_folder, private_folder

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "seats"


class CommittedPick(NamedTuple):
    """A number committed to for a round, and the salt of the commitment."""

    round: int
    number: int
    salt: str


class SavedSeat:
    """The seat taken from here in one match, if there is one."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.token = ""
        self.key = ""
        """The token sent with a request for a seat, saved first: the response may be lost."""
        self.committed_picks: dict[str, CommittedPick] = {}
        self.recorded_commitments: dict[int, tuple[str, str]] = {}
        """The commitments of both seats by round, as they were before either was revealed."""
        self.save_error = ""
        """Why the file could not be written, or empty; the seat then lives in memory only."""
        self._load()

    def save_token(self, token: str) -> None:
        """Save the token of a seat that was granted."""
        self.token, self.key = token, ""
        self._save()

    def new_key(self) -> str:
        """The key for a request for a seat: the last one, if its request was never answered."""
        if not self.key:
            self.key = secrets.token_urlsafe(24)
            self._save()
        return self.key

    def drop_key(self) -> None:
        """Delete a key that no seat was granted for, and the file with it."""
        self.key = ""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def commit(self, seat: str, round: int, number: int) -> str:
        """The commitment to a number; the number and its salt are on disk when this returns."""
        current = {made: old for made, old in self.committed_picks.items() if old.round == round}
        for made, old in current.items():
            if old.number == number:  # a retry must repeat its commitment: the server compares them
                return made
        salt = new_salt()
        made = commitment(self.address.match, seat, round, number, salt)
        self.committed_picks = current | {made: CommittedPick(round, number, salt)}
        self._save()
        return made

    def record_commitments(self, round: int, commitments: tuple[str, str]) -> None:
        """Save the commitments of a round, as evidence against a server that changes them later."""
        if round not in self.recorded_commitments:
            self.recorded_commitments[round] = commitments
            self._save()

    @property
    def _path(self) -> "Path":
        name = hashlib.sha256(self.address.link.encode()).hexdigest()[:32]
        return data_folder() / FOLDER / f"{name}.json"

    def _load(self) -> None:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            self.token, self.key = str(data["token"]), str(data.get("key", ""))
            self.committed_picks = {
                key: CommittedPick(*made) for key, made in data["promises"].items()
            }
            seen = data.get("witnessed", {})
            self.recorded_commitments = {
                int(round): (one, two) for round, (one, two) in seen.items()
            }
        except (FileNotFoundError, NotADirectoryError):
            pass
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise RemoteError(f"{self._path} cannot be read and is left alone") from None

    def _save(self) -> None:
        data = {
            "match": self.address.link,
            "token": self.token,
            "key": self.key,
            "promises": self.committed_picks,
            "witnessed": self.recorded_commitments,
        }
        try:
            private_folder(FOLDER)
            replace_file(self._path, json.dumps(data) + "\n")
            self.save_error = ""
        except OSError as error:
            self.save_error = f"{error.strerror or error}"
