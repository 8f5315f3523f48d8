"""`evenodds new` and `evenodds check`: a game that works at once, and what is wrong with one."""

from itertools import product
from pathlib import Path

import pytest

from evenodds.authoring.new import QUESTIONS
from evenodds.core import catalog
from tests.support.commands import evenodds_here, lines

COMBINATIONS = [
    [f"--{key}" for key, wanted in zip(QUESTIONS, wants, strict=True) if wanted]
    for wants in product((False, True), repeat=len(QUESTIONS))
]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "_ADDED", {})
    monkeypatch.setattr(catalog, "_FOLDERS", {})


@pytest.mark.long
@pytest.mark.parametrize("options", COMBINATIONS, ids=" ".join)
def test_a_new_game_works_at_once(options: list[str], home: Path) -> None:
    made = evenodds_here("new", "mine", *options, home=home)
    assert made.stdout == "The game is in ./mine. Play it: evenodds play ./mine\n"
    typed = lines(*[1, 2, 3, 4] * 20)
    played = evenodds_here("play", "./mine", "--seed", "1", typed=typed, home=home)
    assert played.returncode == 0, played.stderr
    assert ("The die shows" in played.stdout) == ("--dice" in options)
    assert evenodds_here("solve", "./mine", home=home).returncode == 0
    assert evenodds_here("rules", "./mine", home=home).stdout.startswith("# Mine\n")
    tested: dict[str, object] = {"__file__": "mine/test_mine.py"}
    exec(Path("mine/test_mine.py").read_text(), tested)
    for name, test in tested.items():
        if name.startswith("test_"):
            assert callable(test)
            test()
