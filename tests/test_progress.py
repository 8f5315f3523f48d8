"""Long work on a real terminal: a bar says what is done and how long it will take."""

from pathlib import Path

import pytest

from evenodds.terminal import progress
from evenodds.text import columns, percent
from tests.commands import Terminal, evenodds

LARGE = ("circle", "--rule", "numbers=18", "--rule", "reach=3")


@pytest.mark.xdist_group("compiled")
def test_work_of_seconds_tells_how_it_goes(home: Path) -> None:
    """Compiling, listing and solving each have their word; the last screen is the finding alone."""
    solving = Terminal("solve", *LARGE, home=home)
    solving.see("making ready")
    solving.see("to go")
    solving.see("listing positions")
    solving.see("solving positions")
    solving.see("to go")
    assert solving.end() == 0
    assert not any("positions ━" in line for line in solving.scrollback())


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize("stage", ["making ready", "solving positions"])
def test_an_interruption_leaves_nothing_behind(stage: str, home: Path) -> None:
    """No traceback, no half-written table; while loops compile, too."""
    solving = Terminal("solve", *LARGE, home=home)
    solving.see(stage)
    solving.press("c")
    assert solving.end() == 130
    assert b"Traceback" not in solving.stream
    assert list((home / "cache").glob("*")) == []


def test_nothing_is_shown_to_those_who_need_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe is told nothing, and neither is a terminal within a second."""
    with progress.shown_progress() as tell:
        tell("listing positions", 1, 2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0.0 %"), (1, "100.0 %"), (0.0004, "<0.1 %"), (0.9996, ">99.9 %"), (0.125, "12.5 %")],
)
def test_a_small_share_is_not_said_to_be_none(share: float, said: str) -> None:
    """Nothing and all are said only of what is."""
    assert percent(share) == said


def test_marks_upon_letters_take_no_room() -> None:
    """Wide signs take two columns, and an accent by itself none."""
    assert [columns(name) for name in ("Jose", "Jose\u0301", "李四")] == [4, 4, 4]


@pytest.mark.parametrize("words", [("players",), ("players", "duel"), ("games",)])
def test_lists_fit_on_a_narrow_screen(words: tuple[str, ...], home: Path) -> None:
    """No word is cut in two at 40 columns."""
    shown = Terminal(*words, home=home, columns=40)
    assert shown.end() == 0
    said = " ".join(" ".join(shown.scrollback()).split())
    whole = evenodds(*words, home=home).stdout.split()
    cut = {word for word in whole if word.isalpha() and word not in said.split()}
    assert cut <= {"opponent", "best", "below", "perfect", "random"}, "these are in the legend"
