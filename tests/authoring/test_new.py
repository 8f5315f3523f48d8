"""`evenodds new` and `evenodds check`: a game that works at once, and what is wrong with one."""

import json
from itertools import product
from pathlib import Path

import pytest

from evenodds.authoring.new import QUESTIONS
from evenodds.core import catalog
from tests.support.commands import Terminal, evenodds_here, lines

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


def test_truths_of_fields_are_subtracted_without_a_compiler(home: Path) -> None:
    evenodds_here("new", "mine", "--turns", home=home)
    assert (
        "The first player scores 50%."
        in evenodds_here("odds", "./mine", "random", "random", home=home).stdout
    )


@pytest.mark.processes
def test_questions_are_asked_at_a_terminal(home: Path) -> None:
    terminal = Terminal("new", "mine", "--no-dice", home=home)
    terminal.talk("take turns?", "at once. [y/N]: > y", "cards. [y/N]: > y", "lost. [y/N]: > n")
    assert terminal.end() == 0
    assert "Nim" not in Path("mine/rules.py").read_text()
    assert "turn: Seat" in Path("mine/rules.py").read_text()
    assert "die" not in Path("mine/rules.py").read_text()


@pytest.mark.long
@pytest.mark.xdist_group("compiling")
def test_findings_are_lines_or_data_with_an_exit_code(home: Path) -> None:
    evenodds_here("new", "mine", "--pool", "--turns", home=home)
    again = evenodds_here("new", "mine", home=home)
    assert again.stderr == "mine is here already; give the game another name\n"
    sound = evenodds_here("check", "./mine", home=home)
    assert (sound.returncode, sound.stderr) == (0, "")
    about = "all 18 positions, 9 other rulings, words, worked examples"
    assert sound.stdout == f"Nothing is wrong. Checked: {about}.\n"
    rules = Path("mine/rules.py")
    rules.write_text(rules.read_text().replace("= 1\n", "= 1\n    STUCK = 2\n"))
    wrong = evenodds_here("check", "./mine", "--json", home=home)
    (finding,) = json.loads(wrong.stdout)["findings"]
    assert (wrong.returncode, finding["line"], finding["column"]) == (1, 33, 5)
    assert finding["text"] == "the ending STUCK never comes"
    rules.write_text("def")
    said = evenodds_here("check", "./mine", home=home)
    assert (said.returncode, said.stdout) == (1, "mine/rules.py:1:4: invalid syntax\n")
