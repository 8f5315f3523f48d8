"""Small files of JSON: what is not understood is kept and told, and nothing else is lost."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import Struct

from evenodds.system.json_store import JsonStore
from tests.support.coaching import TrainingProgressFile
from tests.support.models import Budget, BudgetExhausted
from tests.support.opponents import ObservedPick, ReaderMemory, Situation, memory


class Settings(Struct):
    """A file with keys of two types."""

    sound: bool = True
    volume: int = 5
    rooms: dict[str, int] = {}


def test_unknown_keys_are_told_and_stay(tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", Settings)
    store.path.write_text('{"volume": 3, "colour": "red"}')
    found = store.load()
    assert (found.value, found.damaged) == (Settings(True, 3), False)
    assert found.note == f'Not understood in {store.path}: "colour".'
    store.save(Settings(False, 4))
    saved = {"sound": False, "volume": 4, "rooms": {}, "colour": "red"}
    assert json.loads(store.path.read_text()) == saved
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("text", ['{"volume": "loud", "sound": false}', "{", "[]", "\xff"])
def test_a_file_is_renamed_before_it_is_written_over(text: str, tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", Settings)
    store.path.write_text(text, encoding="latin-1")
    found = store.load()
    assert found.damaged
    assert found.value == Settings(sound="sound" not in text)
    store.save(found.value)
    assert (tmp_path / "a.json.damaged").read_text(encoding="latin-1") == text
    assert not store.load().damaged


def test_sound_entries_go_on_beside_bad_ones_which_stay(tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", dict[str, Settings])
    x, y = {"volume": 1, "hue": 2}, {"volume": -0.5, "sound": False}
    store.path.write_text(json.dumps({"x": x, "y": y}))
    found = store.load()
    assert (found.value, found.damaged) == ({"x": Settings(True, 1)}, True)
    assert found.note.endswith(': "x.hue", "y".')
    store.save(found.value)
    kept = json.loads(store.path.read_text())
    assert (kept["x"]["hue"], kept["y"]) == (2, y)
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]
    store.save({"y": Settings()})
    assert json.loads((tmp_path / "a.json.damaged").read_text()) == kept


def test_of_a_field_that_is_a_mapping_the_sound_entries_go_on(tmp_path: Path) -> None:
    store = JsonStore(tmp_path / "a.json", Settings)
    store.path.write_text('{"volume": 1, "rooms": {"hall": 1, "attic": []}}')
    found = store.load()
    assert found.value == Settings(True, 1, {"hall": 1})
    assert found.note.endswith(': "rooms.attic".')
    store.save(Settings(rooms={"hall": 2}))
    assert json.loads(store.path.read_text())["rooms"] == {"hall": 2, "attic": []}


def learn() -> None:
    seen = ObservedPick(Situation((1, 2), (), (), None), {}, 1)
    ReaderMemory().learn("Ann", "duel", [seen])


def book(spent: Path) -> None:
    with suppress(BudgetExhausted):
        Budget(requests=50, file=spent).reserve(30)


WRITERS: dict[str, tuple[Callable[[Path], object], Callable[[Path], int], int]] = {
    "reader": (lambda _: learn(), lambda _: memory.read("Ann")["duel"].picks, 60),
    "training": (
        lambda _: TrainingProgressFile("duel").enter("", "a", 1.0, True),
        lambda _: TrainingProgressFile("duel").progress("").tried,
        60,
    ),
    "budget": (book, lambda spent: Budget(file=spent).spent.requests, 50),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_several_write_at_once_is_all_kept(name: str, home: Path, tmp_path: Path) -> None:
    write, written, expected = WRITERS[name]
    with ThreadPoolExecutor(3) as windows:
        list(windows.map(write, [tmp_path / "spent.json"] * 60))
    assert written(tmp_path / "spent.json") == expected
    assert {file.suffix for file in tmp_path.rglob("*") if file.is_file()} == {".json"}
