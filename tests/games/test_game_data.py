"""The data of games, and games that have none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evenodds.core import catalog
from tests.games import test_conformance
from tests.support.commands import surroundings
from tests.support.game_data import FOLDER, data_of, has_data
from tests.support.packages import NIM, install
from tests.support.paths import ROOT
from tests.support.strategies import GAMES


def test_data_is_of_a_game() -> None:
    assert {path.parent.name for path in FOLDER.glob("*/__init__.py")} <= catalog.built_in()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_without_data_is_known_by_its_options(game: catalog.AnyGame) -> None:
    """As it is where they are written down; and its largest rulings are allowed."""
    unknown = game._replace(name="unknown")
    assert not has_data(unknown)
    derived, written = data_of(unknown), data_of(game)
    assert derived.defaults == written.defaults
    assert derived.limits == written.limits
    assert {key: tuple(words) for key, words in derived.words.items()} == written.words
    for key, value in game.settle(derived.large)._asdict().items():
        assert key in written.words or value >= written.limits[key][1]


@pytest.mark.long
@pytest.mark.processes
def test_a_game_without_data_passes_the_conformance_suite(tmp_path: Path, home: Path) -> None:
    """All of it: a package with a game of a few lines, and nothing of it in the tests."""
    install(tmp_path, "nim", NIM)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", "nim",
         test_conformance.__file__],
        cwd=ROOT,
        env=surroundings(home, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)])),
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    suite = {
        name
        for name, test in vars(test_conformance).items()
        if test_conformance.every_game.mark in getattr(test, "pytestmark", ())
    }
    assert len(suite) >= 10
    assert set(re.findall(r"(test_\w+)\[nim\] PASSED", done.stdout)) == suite
