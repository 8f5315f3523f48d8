"""The data of games, and games that have none."""

from pathlib import Path

import pytest

from evenodds.core.catalog import get
from tests.games import test_conformance
from tests.support.packages import NIM, install

SUITE = {
    name: test
    for name, test in vars(test_conformance).items()
    if test_conformance.every_game.mark in getattr(test, "pytestmark", ())
}


@pytest.mark.long
@pytest.mark.parametrize("name", SUITE)
def test_a_packaged_game_passes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SUITE) >= 4
    install(tmp_path, "nim", NIM)
    monkeypatch.syspath_prepend(tmp_path)
    SUITE[name](game=get("nim"))
