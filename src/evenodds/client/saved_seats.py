"""Seat tokens and committed picks, saved to disk so that a player can reconnect.

A seat is a file that only its owner can read: the token and, in a sealed match, the committed
numbers with their salts, and the commitments of both seats as they were before either was revealed.
The order of writes matters: a committed pick, and the key that a seat is requested with, are on
disk before they are sent. A crash in between, or a lost response, then costs neither pick nor seat.
"""

import hashlib
import secrets
from typing import Final, NamedTuple

from msgspec import Struct, field

from evenodds.client.address import Address
from evenodds.client.http_client import RemoteError
from evenodds.core.notation.seals import commitment, new_salt
from evenodds.system.files import data_folder, private_folder
from evenodds.system.json_store import JsonStore

FOLDER: Final = "seats"


class CommittedPick(NamedTuple):
    """A number committed to for a round, and the salt of the commitment."""

    round: int
    number: int
    salt: str


class SeatFile(Struct):
    """The file of a seat; the names of the fields are its keys."""

    match: str = ""
    token: str = ""
    key: str = ""
    """The token sent with a request for a seat, saved first: the response may be lost."""
    invitation: str = ""
    """What the link for the other player ends with, where this one has opened the match."""
    committed_picks: dict[str, CommittedPick] = field(default_factory=dict, name="promises")
    recorded_commitments: dict[int, tuple[str, str]] = field(default_factory=dict, name="witnessed")
    """The commitments of both seats by round, as they were before either was revealed."""
    dice: str = ""
    """The commitment to the seed of the draws, as it was seen first."""


def _store(link: str) -> JsonStore[SeatFile]:
    name = hashlib.sha256(link.encode()).hexdigest()[:32]
    return JsonStore(data_folder() / FOLDER / f"{name}.json", SeatFile)


def saved_links() -> list[str]:
    """The links to the matches with a seat here, the last one used first."""
    paths = sorted((data_folder() / FOLDER).glob("*.json"), key=lambda path: -path.stat().st_mtime)
    seats = [JsonStore(path, SeatFile).load().value for path in paths]
    return [seat.match for seat in seats if seat.token]


def delete_seat(link: str) -> None:
    """Delete the seat here in a match."""
    _store(link).path.unlink(missing_ok=True)


class SavedSeat:
    """The seat taken from here in one match, if there is one."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.save_error = ""
        """Why the file could not be written, or empty; the seat then lives in memory only."""
        self._store = _store(address.link)
        found = self._store.load()
        if found.broken:
            raise RemoteError(f"{self._store.path} cannot be read and is left alone")
        self.note = found.note
        """What is not understood in the file, in a sentence; empty where all is."""
        self.file = found.value
        """What is saved, as far as that could be done."""

    def save_token(self, token: str) -> None:
        """Save the token of a seat that was granted."""
        self.file.token, self.file.key = token, ""
        self._save()

    def new_key(self) -> str:
        """The key for a request for a seat: the last one, if its request was never answered."""
        if not self.file.key:
            self.file.key = secrets.token_urlsafe(24)
            self._save()
        return self.file.key

    def drop_key(self) -> None:
        """Forget a key that no seat was granted for."""
        self.file.key = ""
        self._save()

    def commit(self, seat: str, round: int, number: int) -> str:
        """The commitment to a number; the number and its salt are on disk when this returns."""
        picks = self.file.committed_picks
        current = {made: old for made, old in picks.items() if old.round == round}
        for made, old in current.items():
            if old.number == number:  # a retry must repeat its commitment: the server compares them
                return made
        salt = new_salt()
        made = commitment(self.address.match, seat, round, number, salt)
        self.file.committed_picks = current | {made: CommittedPick(round, number, salt)}
        self._save()
        return made

    def record_commitments(self, round: int, commitments: tuple[str, str]) -> None:
        """Save the commitments of a round, as evidence against a server that changes them later."""
        if round not in self.file.recorded_commitments:
            self.file.recorded_commitments[round] = commitments
            self._save()

    def first_dice(self, dice: str) -> str:
        """The first commitment to the seed of the draws; saved for a seat."""
        if dice and not self.file.dice:
            self.file.dice = dice
            if self.file.token:
                self._save()
        return self.file.dice

    def _save(self) -> None:
        self.file.match = self.address.link
        self.file.invitation = self.address.invitation or self.file.invitation
        try:
            private_folder(FOLDER)
            self._store.save(self.file)
            self.save_error = ""
        except OSError as error:
            self.save_error = f"{error.strerror or error}"
