"""Small files of JSON: what is not understood is kept and told, and nothing else is lost."""

import json
from pathlib import Path

import pytest
from msgspec import Struct

from evenodds.system.json_store import JsonStore


class Settings(Struct, forbid_unknown_fields=True):
    """A file with two keys."""

    sound: bool = True
    volume: int = 5


def test_unknown_keys_are_told_and_stay(tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", Settings)
    store.path.write_text('{"volume": 3, "colour": "red"}')
    found = store.load()
    assert (found.value, found.strange_keys) == (Settings(True, 3), '"colour"')
    store.save(Settings(False, 4))
    assert json.loads(store.path.read_text()) == {"sound": False, "volume": 4, "colour": "red"}
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("text", ['{"volume": "loud", "sound": false}', "{", "[]", "\xff"])
def test_a_file_is_renamed_before_what_is_not_understood_is_written_over(
    text: str, tmp_path: Path
) -> None:
    store = JsonStore(tmp_path / "a.json", Settings)
    store.path.write_text(text, encoding="latin-1")
    found = store.load()
    assert found.damaged
    assert found.value == Settings(sound="sound" not in text)
    store.save(found.value)
    assert (tmp_path / "a.json.damaged").read_text(encoding="latin-1") == text
    assert not store.load().damaged


def test_the_sound_entries_of_a_file_that_is_put_aside_go_on(tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", dict[str, Settings])
    store.path.write_text('{"x": {"volume": 1}, "y": {"volume": -0.5}}')
    assert store.put_aside().name == "a.json.damaged"
    assert store.load() == ({"x": Settings(True, 1)}, {}, False)
