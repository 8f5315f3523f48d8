"""What all tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browsers import Person
    from tests.servers import Server

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


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """One browser for the tests of a file; while it is there, no test can run a loop of its own."""
    from tests.browsers import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def person(browser: "Browser", server: "Server") -> "Iterator[Callable[..., Person]]":
    """People with browsers of their own, at the server of the file."""
    from tests.browsers import Person

    people: list[Person] = []

    def come(**wish: Any) -> Person:
        people.append(Person(browser, server, **wish))
        return people[-1]

    yield come
    for one in people:
        one.leave()
