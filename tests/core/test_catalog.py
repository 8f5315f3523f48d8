"""The catalog: built-in games without a search, and games that packages bring."""

import os
import warnings
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

import evenodds as package
from evenodds import FIRST, IllegalPick, UnknownGame, list_games, notation
from evenodds.core.board import plain_text
from evenodds.core.catalog import get
from tests.support import environments
from tests.support.commands import evenodds_here, lines, python, sentences
from tests.support.packages import GOOF, NIM, install
from tests.support.strategies import GAMES

BUILT_IN = {game.name for game in GAMES}
MORE = """circle = evenodds_nim:FALSE
word = evenodds_nim:NOBODY
alias = evenodds_nim:GAME
broken = evenodds_nim_missing:GAME
"""
"""Games of the package that cannot be used."""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "site"
    place.mkdir()
    install(place, "nim", NIM, MORE)
    monkeypatch.syspath_prepend(place)
    return place


def test_a_sixth_game_is_played_and_recorded(shelf: Path, home: Path, tmp_path: Path) -> None:
    record = str(tmp_path / "record.txt")
    options = ("--rule", "heap=4", "--first", "2", "--record", record)
    typed = lines(2, 3, "board", "?", "rules", 1, 1)
    done = evenodds_here("play", "nim", *options, typed=typed, home=home)
    assert done.returncode == 0
    said = sentences(done.stdout)
    assert said[:3] == ["Round 1", "heap: 4", "turn: 0"]
    assert said[3:5] == ["Player 2, choose a number from 1, 2: 2", "Player 2 chose: 2"]
    assert "3 is not one of your numbers. Choose 1 or 2, or ? for help." in said
    assert "heap: 2" in said
    assert "Choose one of these numbers." in said
    assert "# Nim" in said
    assert said[-1] == "Player 2 wins the game!"
    written = Path(record).read_text()
    assert '[Game "nim"]\n[Rulings "heap=4"]' in written
    match = notation.parse(written)
    assert notation.parse(notation.write(match)) == match
    before, after, *_ = match.states
    said = [
        match.game.words.round_summary(before, match.history[0], after, names)
        for names in (match.names, replace(match.names, you=FIRST))
    ]
    assert said == ["Player 2 chose: 2.", "You pick 2."]

    listed = evenodds_here("games", home=home)
    assert listed.stdout.splitlines()[-1].split() == ["nim", "Nim", "Take", "one", "or", "two."]
    assert "Player 2 wins the game!" in evenodds_here("show", record, home=home).stdout
    assert "Player 2 won" in evenodds_here("matches", home=home).stdout


@pytest.mark.xdist_group("compiled steps")
def test_a_sixth_game_is_an_environment_too(shelf: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(environments.pettingzoo.env("nim", rulings={"heap": 9}), num_cycles=20)
    environments.register_all()
    one = gymnasium.make("evenodds/Nim-v0", opponent="perfect", rulings={"heap": 5})
    assert one.reset(seed=1)[0]["observation"].tolist() == [0, 5, 0]
    many = gymnasium.make_vec("evenodds/Nim-v0", 3, opponent="perfect", rulings={"heap": 5})
    many.reset(seed=1)
    assert many.step(np.full(3, 1))[0]["observation"].tolist() == [[0, 3, 0]] * 3
    del gymnasium.registry["evenodds/Nim-v0"]


def test_a_game_that_cannot_be_used_is_named_and_the_rest_goes_on(shelf: Path, home: Path) -> None:
    listed = evenodds_here("games", home=home)
    assert listed.returncode == 0
    assert sorted(listed.stderr.splitlines()) == [
        "alias from evenodds_nim calls itself nim",
        "broken from evenodds_nim does not load: No module named 'evenodds_nim_missing'",
        "circle from evenodds_nim is not used: the name is taken",
        "word from evenodds_nim is not a Game",
    ]
    assert "A false circle" not in listed.stdout


HEAP = 'Annotated[int, Whole(1, 50, "how many there are at first")] = 7'
DECLARED = "must be declared as Annotated[int, Whole(...)] or a Choice"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (HEAP, "int = 7", f"the ruling heap {DECLARED}"),
        (HEAP, 'Annotated[int, "a heap"] = 7', f"the ruling heap {DECLARED}"),
        (HEAP, HEAP.replace("7", "70"), "heap=70 (the default) is not allowed; allowed: 1 to 50"),
        (HEAP, HEAP.replace(" = 7", ""), "rulings fail with TypeError: "),
        ("ending, False", "ending, False, ladder=(1.0, 0.5)", "ladder must be 9 numbers: "),
        ("ending, False", "ending, False, place='first'", "place must be a whole number, not "),
        ("ending, False", "ending, False, words=None", "words.picture fails with AttributeError: "),
        ('"Nim"', r'"\x1b[31mNim"', "title and summary must be text without control characters"),
    ],
    ids=["bare", "unlike", "default", "missing", "ladder", "place", "words", "title"],
)
def test_a_game_that_is_declared_wrongly_is_a_fault_and_the_rest_goes_on(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in NIM
    fault = fault_of(NIM.replace(old, new), tmp_path, monkeypatch)
    assert fault.startswith(f"nim from evenodds_nim is not used: {said}")
    with pytest.raises(UnknownGame, match="nim from evenodds_nim is not used"):
        get("nim")


@pytest.mark.parametrize(
    ("line", "said"), [("raise SystemExit('bye')", "bye"), ("1 / 0", "division")]
)
def test_a_package_that_ends_on_import_ends_nothing_else(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fault_of(line, tmp_path, monkeypatch).startswith(
        f"nim from evenodds_nim does not load: {said}"
    )


def fault_of(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said of a package, while the games there are are listed."""
    install(folder, "nim", source)
    monkeypatch.syspath_prepend(folder)
    games = list_games()
    assert {game.name for game in games if game.options} == BUILT_IN
    (fault,) = games.faults
    assert "\n" not in fault
    return fault


@pytest.mark.processes
def test_a_built_in_name_is_never_looked_for(shelf: Path) -> None:
    code = (
        "import sys, evenodds; game = evenodds.game('circle').game;"
        "assert game.title == 'Number Circle Duel';"
        "assert 'importlib.metadata' not in sys.modules; assert 'evenodds_nim' not in sys.modules"
    )
    done = python(code, env={"PYTHONPATH": str(shelf), "PATH": os.defpath})
    assert done.returncode == 0, done.stderr


SPEECH = """
from evenodds.core.board import Side
from evenodds.core.vocabulary import numbers
from evenodds.core.words import Words


class Speech(Words):
    def side(self, state, seat):
        return Side(None, numbers(state.hands[seat]), state.rulings.numbers, "at war")
"""


def test_a_folder_is_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GOOF.partition("\n\nGAME = ")[0]
    files = {"rules.py": rules, "words.py": SPEECH, "claims.py": "", "rulebook.md": "# War\n"}
    (tmp_path / "war").mkdir()
    for name, text in files.items():
        (tmp_path / "war" / name).write_text(text)
    (tmp_path / "war" / "__init__.py").write_text(
        "from evenodds.core.game import Game\nfrom war import rules\n\n"
        'GAME = Game.of(rules, title="War", summary="Higher wins.")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = import_module("war").GAME
    assert (game.name, game.claims, game.simultaneous) == ("war", "war.claims", True)
    assert Path(game.page).read_text() == "# War\n"
    match = package.Match(game)
    match.play((1, 2))
    assert game.mirror(match.state) == (match.terms.rulings, (0b11010, 0b11100), (4, 0), 3)
    drawn = [plain_text(line) for line in game.words.board(match.state, match.names)]
    assert drawn == ["Player 1  at war", "  - 2 3 4", "Player 2  at war", "  1 - 3 4"]
    with pytest.raises(IllegalPick, match="1 has already been played; each number can be used"):
        match.pick(0, 1)
    solved = package.solve(game, fresh=True)
    assert solved.value(solved.start) == pytest.approx(0)
