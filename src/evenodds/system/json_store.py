"""Small files of JSON, one type each: settings, seats, memories, training progress, budgets.

What is not understood is kept and told, and nothing else is lost. Entries with unknown keys or bad
values are left out of what is read, and stay in the file when it is written. Where one would be
written over, or the file is no object at all, it is renamed first.
"""

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

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
    strange: dict[str, Any]
    """The entries that are not understood."""
    broken: bool
    """Whether the file is no object in JSON at all."""

    @property
    def damaged(self) -> bool:
        """Whether anything is not understood."""
        return self.broken or bool(self.strange)

    @property
    def strange_keys(self) -> str:
        """The keys of the entries that are not understood, as a list in a sentence."""
        return ", ".join(f'"{shorten(key)}"' for key in self.strange)


class JsonStore(Generic[Kind]):
    """A file of one type: a `Struct` that forbids unknown fields and has defaults, or a mapping."""

    def __init__(self, path: "Path", kind: type[Kind]) -> None:
        self.path = path
        self._kind = kind

    def load(self) -> StoredValue[Kind]:
        """What the file holds, the defaults where there is none; `OSError` where it is unreadable.

        An entry is understood if it is valid beside the defaults of all others.
        """
        try:
            data = msgspec.json.decode(self.path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            data = {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            data = None
        if not isinstance(data, dict):
            return StoredValue(self._kind(), {}, broken=True)
        strange = {key: value for key, value in data.items() if not self._understands({key: value})}
        known = {key: value for key, value in data.items() if key not in strange}
        if not self._understands(known):
            return StoredValue(self._kind(), data, broken=False)
        return StoredValue(self._convert(known), strange, broken=False)

    def save(self, value: Kind) -> None:
        """Replace the file; what is not understood in it is kept. `OSError` where that fails."""
        found, data = self.load(), msgspec.to_builtins(value, str_keys=True)
        if found.broken or found.strange.keys() & data.keys():
            self._rename()
        text = msgspec.json.format(msgspec.json.encode(found.strange | data), indent=1)
        replace_file(self.path, f"{text.decode()}\n")

    def put_aside(self) -> "Path":
        """Rename a damaged file, and write what is understood of it anew; where it now is."""
        found = self.load()
        place = self._rename()
        if found.value != self._kind():
            self.save(found.value)
        return place

    def locked(self) -> Lock:
        """The file's lock: reading, changing and writing it is one step between processes."""
        return Lock(self.path.with_name(f"{self.path.name}.lock"), wait=True)

    def _rename(self) -> "Path":
        return rename_damaged(self.path, self.path.with_name(f"{self.path.name}.damaged"))

    def _convert(self, data: dict[str, Any]) -> Kind:
        return msgspec.convert(data, self._kind, str_keys=True)

    def _understands(self, data: dict[str, Any]) -> bool:
        try:
            self._convert(data)
        except msgspec.ValidationError:
            return False
        return True
