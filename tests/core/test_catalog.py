"""The catalog: built-in games without a search, and games that packages bring."""

import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

import evenodds as package
from evenodds.core import catalog, notation
from tests.support.commands import evenodds, lines, sentences, surroundings
from tests.support.packages import NIM, install


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with games, built for real and unpacked where Python looks."""
    source = tmp_path_factory.mktemp("source")
    (source / "evenodds_nim.py").write_text(NIM)
    (source / "pyproject.toml").write_text(
        textwrap.dedent(
            """
            [build-system]
            requires = ["hatchling"]
            build-backend = "hatchling.build"

            [project]
            name = "evenodds-nim"
            version = "1.0"

            [project.entry-points."evenodds.games"]
            nim = "evenodds_nim:GAME"
            circle = "evenodds_nim:FALSE"
            word = "evenodds_nim:NOBODY"
            alias = "evenodds_nim:GAME"
            broken = "evenodds_nim_missing:GAME"

            [tool.hatch.build.targets.wheel]
            only-include = ["evenodds_nim.py"]
            """
        )
    )
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (wheel,) = (source / "dist").glob("*.whl")
    place = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place)
    return place


@pytest.mark.processes
def test_a_sixth_game_is_played_listed_and_recorded(
    shelf: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record.txt"
    done = evenodds(
        "play",
        "nim",
        "--rule",
        "heap=4",
        "--first",
        "2",
        "--record",
        str(record),
        typed=lines(2, 3, "board", "?", "rules", 1, 1),
        home=home,
        PYTHONPATH=str(shelf),
    )
    assert done.returncode == 0
    said = sentences(done.stdout)
    assert said[:3] == ["Round 1", "Player 2, choose a number from 1, 2: 2", "Player 2 chose: 2"]
    assert "3 is not one of your numbers. Choose 1 or 2, or ? for help." in said
    assert "heap: 2" in said
    assert "Choose one of these numbers." in said
    assert "# Nim" in said
    assert said[-1] == "Player 2 wins the game!"
    assert '[Game "nim"]\n[Rulings "heap=4"]' in record.read_text()

    listed = evenodds("games", home=home, PYTHONPATH=str(shelf))
    assert listed.stdout.splitlines()[-1].split() == ["nim", "Nim", "Take", "one", "or", "two."]
    shown = evenodds("show", str(record), home=home, PYTHONPATH=str(shelf))
    assert "Player 2 wins the game!" in shown.stdout
    kept = evenodds("matches", home=home, PYTHONPATH=str(shelf))
    assert "Player 2 won" in kept.stdout

    monkeypatch.syspath_prepend(shelf)
    match = notation.parse(record.read_text())
    assert notation.parse(notation.write(match)) == match


@pytest.mark.processes
def test_a_sixth_game_is_an_environment_too(shelf: Path, home: Path) -> None:
    """In PettingZoo, in Gymnasium, and compiled for thousands of matches."""
    code = """
import warnings
import gymnasium, numpy
from pettingzoo.test import api_test
import evenodds.envs
from evenodds.adapters import pettingzoo

warnings.simplefilter("ignore")
api_test(pettingzoo.env("nim", heap=9), num_cycles=20)
one = gymnasium.make("evenodds/Nim-v0", opponent="perfect", heap=5)
print(one.reset(seed=1)[0]["observation"])
many = gymnasium.make_vec("evenodds/Nim-v0", 3, opponent="perfect", heap=5)
many.reset(seed=1)
print(many.step(numpy.full(3, 1))[0]["observation"].tolist())
"""
    path = os.pathsep.join([str(shelf), *sys.path])
    env = surroundings(home, PYTHONPATH=path)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    )
    assert done.stdout.splitlines()[-2:] == ["[0 5 0]", str([[0, 3, 0]] * 3)]


@pytest.mark.processes
def test_a_game_that_cannot_be_used_is_named_and_the_rest_goes_on(shelf: Path, home: Path) -> None:
    listed = evenodds("games", home=home, PYTHONPATH=str(shelf))
    assert listed.returncode == 0
    assert sorted(listed.stderr.splitlines()) == [
        "alias from evenodds-nim calls itself nim",
        "broken from evenodds-nim does not load: No module named 'evenodds_nim_missing'",
        "circle from evenodds-nim is not used: the name is taken",
        "word from evenodds-nim is not a Game",
    ]
    assert "A false circle" not in listed.stdout


HEAP = 'Annotated[int, Whole(1, 50, "how many there are at first")] = 7'
DECLARED = "must be declared as Annotated[int, Whole(...)] or Annotated[int, OneOf(...)]"


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
    """In one line that names what is wrong; every listed game tells its rulings."""
    assert old in NIM
    install(tmp_path, "nim", NIM.replace(old, new))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "evenodds_nim", raising=False)
    games = catalog.list_games()
    (fault,) = games.faults
    assert fault.startswith(f"nim from evenodds_nim is not used: {said}")
    assert "\n" not in fault
    assert {game.name for game in games if game.options} == catalog.built_in()
    with pytest.raises(catalog.UnknownGame, match="nim from evenodds_nim is not used"):
        catalog.get("nim")


@pytest.mark.parametrize(
    ("line", "said"), [("raise SystemExit('bye')", "bye"), ("1 / 0", "division")]
)
def test_a_package_that_ends_on_import_ends_nothing_else(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "nim", line)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "evenodds_nim", raising=False)
    games = catalog.list_games()
    (fault,) = games.faults
    assert fault.startswith(f"nim from evenodds_nim does not load: {said}")
    assert {game.name for game in games} == catalog.built_in()


@pytest.mark.processes
def test_a_built_in_name_is_never_looked_for(shelf: Path) -> None:
    code = (
        "import sys; from evenodds.core import catalog; game = catalog.get('circle');"
        "assert game.title == 'Number Circle Duel';"
        "assert 'importlib.metadata' not in sys.modules; assert 'evenodds_nim' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(shelf), "PATH": ""}
    )


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(catalog.UnknownGame) as caught:
        catalog.get("no\x1b such game " * 20)
    assert str(caught.value).startswith('there is no game called "no such game')
    names = ", ".join(game.name for game in catalog.list_games())
    assert str(caught.value).endswith(f"there are {names}")


def test_a_misspelt_name_is_answered_with_the_one_that_is_near() -> None:
    for name, near in {"underdg": "underdog", "Duel": "duel"}.items():
        with pytest.raises(catalog.UnknownGame, match=rf"; did you mean {near}\?$"):
            catalog.get(name)


def test_the_package_has_what_it_says_and_no_more() -> None:
    """What is heavy is loaded when it is asked for; what is not there is said in Python's way."""
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        package.nonsense  # type: ignore[attr-defined]  # noqa: B018
