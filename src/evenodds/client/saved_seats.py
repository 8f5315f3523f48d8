"""Seat tokens and promised picks, saved to disk so that a player can reconnect.

A seat is a file that its owner alone can read: the token that opens it and, in a sealed match, the
numbers promised and their salts, and what both had promised before a number was shown. A promise is
on disk before the server hears of it, and so is the key with which a seat is asked for.
"""

import hashlib
import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.client.address import Address
from evenodds.client.http_client import RemoteError
from evenodds.core.seals import commitment, new_salt
from evenodds.system.files import replace_file
from evenodds.system.paths import data_folder, private_folder

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "seats"


class Promise(NamedTuple):
    """A number promised for a round, and the salt that opens the promise."""

    round: int
    number: int
    salt: str


class SavedSeat:
    """The seat taken from here in one match, if there is one."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.token = ""
        self.key = ""
        """The token that a seat is asked for with, kept before it is: an answer may be lost."""
        self.promises: dict[str, Promise] = {}
        self.witnessed: dict[int, tuple[str, str]] = {}
        """What both seats had promised in each round, as it was seen before anybody showed it."""
        self.trouble = ""
        """Why the seat could not be kept; it is held all the same as long as the process lives."""
        self._load()

    def keep(self, token: str) -> None:
        """Keep the token of a seat just taken."""
        self.token, self.key = token, ""
        self._save()

    def new_key(self) -> str:
        """The key with which a seat is asked for: the one of last time, if nobody answered then."""
        if not self.key:
            self.key = secrets.token_urlsafe(24)
            self._save()
        return self.key

    def drop_key(self) -> None:
        """Forget a key that no seat was given for, and with it that one was asked for."""
        self.key = ""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def promise(self, seat: str, round: int, number: int) -> str:
        """The commitment to a number, which is kept with its salt before this returns."""
        current = {made: old for made, old in self.promises.items() if old.round == round}
        for made, old in current.items():
            if old.number == number:  # sent again, since nobody knows whether it came
                return made
        salt = new_salt()
        made = commitment(self.address.match, seat, round, number, salt)
        self.promises = current | {made: Promise(round, number, salt)}
        self._save()
        return made

    def witness(self, round: int, promised: tuple[str, str]) -> None:
        """Keep what both have promised for a round, whatever the server says of it later."""
        if round not in self.witnessed:
            self.witnessed[round] = promised
            self._save()

    @property
    def _path(self) -> "Path":
        name = hashlib.sha256(self.address.link.encode()).hexdigest()[:32]
        return data_folder() / FOLDER / f"{name}.json"

    def _load(self) -> None:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            self.token, self.key = str(kept["token"]), str(kept.get("key", ""))
            self.promises = {key: Promise(*made) for key, made in kept["promises"].items()}
            seen = kept.get("witnessed", {})
            self.witnessed = {int(round): (one, two) for round, (one, two) in seen.items()}
        except (FileNotFoundError, NotADirectoryError):
            pass
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise RemoteError(f"{self._path} cannot be read and is left alone") from None

    def _save(self) -> None:
        kept = {
            "match": self.address.link,
            "token": self.token,
            "key": self.key,
            "promises": self.promises,
            "witnessed": self.witnessed,
        }
        try:
            private_folder(FOLDER)
            replace_file(self._path, json.dumps(kept) + "\n")
            self.trouble = ""
        except OSError as error:
            self.trouble = f"{error.strerror or error}"
