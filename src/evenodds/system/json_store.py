"""Small files of JSON, one type each: settings, seats, memories, training progress, budgets.

What is not understood is kept and told, and nothing else is lost. Unknown keys and entries with bad
values are left out of what is read, and stay in the file when it is written. Where one would be
written over, or the file is no object at all, it is renamed first.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, get_origin

import msgspec

from evenodds.system.files import rename_damaged, replace_file
from evenodds.system.locks import Lock
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from pathlib import Path

Kind = TypeVar("Kind")


class StoredValue(NamedTuple, Generic[Kind]):
    """What a file holds."""

    value: Kind
    note: str = ""
    """What is not understood, in a sentence; empty where all is."""
    damaged: bool = False
    """Whether a value is bad; an unknown key is no damage."""
    broken: bool = False
    """Whether the file cannot be read, or is no object in JSON at all."""
    left: tuple[tuple[tuple[str, ...], Any], ...] = ()
    """The entries that are not understood, each with its path."""


class JsonStore(Generic[Kind]):
    """A file of one type: a `Struct` whose fields have defaults, or a mapping."""

    def __init__(self, path: "Path", kind: type[Kind]) -> None:
        self.path = path
        self._kind = kind

    def load(self) -> StoredValue[Kind]:
        """What the file holds; the defaults where there is none, or it cannot be read."""
        try:
            return self._read()
        except OSError as error:
            note = f"{self.path} cannot be read: {error.strerror or error}."
            return StoredValue(self._kind(), note, damaged=True, broken=True)

    def save(self, value: Kind) -> None:
        """Replace the file; what is not understood in it is kept. `OSError` where that fails."""
        found, data = self._read(), msgspec.to_builtins(value, str_keys=True)
        stays = [_put(data, *left) for left in found.left]
        if found.broken or not all(stays):
            rename_damaged(self.path, self.path.with_name(f"{self.path.name}.damaged"))
        text = msgspec.json.format(msgspec.json.encode(data), indent=1)
        replace_file(self.path, f"{text.decode()}\n")

    def locked(self) -> Lock:
        """The file's lock: reading, changing and writing it is one step between processes."""
        return Lock(self.path.with_name(f"{self.path.name}.lock"), wait=True)

    def _read(self) -> StoredValue[Kind]:
        try:
            data = msgspec.json.decode(self.path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            data = {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            data = None
        if not isinstance(data, dict):
            note = f"{self.path} is damaged: nothing in it is used, and it is kept."
            return StoredValue(self._kind(), note, damaged=True, broken=True)
        good = self._good(data)
        value = msgspec.convert(good, self._kind, str_keys=True)
        left = tuple(_left(data, good, msgspec.to_builtins(value, str_keys=True)))
        keys = ", ".join(f'"{shorten(".".join(path))}"' for path, _ in left)
        note = f"Not understood in {self.path}: {keys}." if left else ""
        return StoredValue(value, note, good != data, left=left)

    def _good(self, data: dict[str, Any]) -> dict[str, Any]:
        """The entries that are valid, each beside the defaults of all others.

        Of a field that is a mapping, those of its entries.
        """
        good: dict[str, Any] = {}
        has_fields = get_origin(self._kind) is not dict
        for key, entry in data.items():
            if self._is_valid({key: entry}):
                good[key] = entry
            elif has_fields and isinstance(entry, dict) and self._is_valid({key: {}}):
                good[key] = {
                    name: each
                    for name, each in entry.items()
                    if self._is_valid({key: {name: each}})
                }
        return good if self._is_valid(good) else {}

    def _is_valid(self, data: dict[str, Any]) -> bool:
        try:
            msgspec.convert(data, self._kind, str_keys=True)
        except msgspec.ValidationError:
            return False
        return True


def _left(
    data: dict[str, Any], good: dict[str, Any], known: dict[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The entries of an object that are not good or not known, each with its path."""
    for key, entry in data.items():
        if key not in good or key not in known:
            yield (*path, key), entry
        elif isinstance(entry, dict):
            yield from _left(entry, good[key], known[key], (*path, key))


def _put(data: dict[str, Any], path: tuple[str, ...], entry: object) -> bool:
    """Add an entry at its path; whether nothing else is there."""
    *outer, key = path
    for each in outer:
        data = data.setdefault(each, {})
    return bool(data.setdefault(key, entry) == entry)
