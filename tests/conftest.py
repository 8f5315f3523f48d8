"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("tests", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("tests")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder of one's own."""
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test keeps what it keeps to itself."""
    monkeypatch.setenv("EVENODDS_HOME", str(home))
