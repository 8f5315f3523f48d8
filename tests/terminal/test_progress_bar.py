"""Long work on a real terminal: a bar says what is done and how long it will take."""

import time
from io import StringIO
from itertools import count
from pathlib import Path

import pyte
import pytest
from rich.console import Console

import evenodds
from evenodds.figures import percent
from evenodds.system.text import display_width
from evenodds.terminal import progress_bar
from tests.app.pilots import TerminalStream
from tests.support import commands
from tests.support.commands import Terminal
from tests.support.engine import solve_compiled
from tests.support.waiting import wait_until


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
def test_a_hint_that_takes_too_long_is_stopped_by_ctrl_c(home: Path) -> None:
    """While loops compile, too: lines fit for a screen reader, no half table; loops are kept."""
    question = "select your number from"
    game = Terminal("play", "margin", "--rule", "numbers=8", "--vs", "random", home=home)
    game.talk(f"{question} > hint", "positions")
    wait_until(lambda: list((home / "cache").glob("*.nbc")))
    game.press("c")
    game.talk("Hint cancelled.", f"{question} > 4", f"{question} > quit")
    assert game.end() == 0
    assert not any(word in game.stream for word in (b"Traceback", b"\x1b", "━".encode()))
    assert {path.suffix for path in (home / "cache").glob("*")} == {".nbc", ".nbi"}


@pytest.mark.long
def test_a_bar_tells_how_it_goes_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told = TerminalStream()
    monkeypatch.setattr("sys.stderr", told)
    monkeypatch.setenv("TERM", "xterm-256color")
    with progress_bar.progress_bar() as tell:
        tell("listing positions", 1000, 0)
        wait_until(lambda: "1,000 positions, " in told.getvalue())
        for done in count(1000):
            tell("solving positions", done, 10**9)
            if "to go" in told.getvalue():
                break
            time.sleep(0.01)
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed(told.getvalue())
    assert "━" in told.getvalue()
    assert "".join(screen.display).strip() == ""


def test_a_solve_tells_what_it_lists_and_solves() -> None:
    told: dict[str, tuple[int, int]] = {}
    game, rulings = evenodds.game("circle", numbers=6)

    def tell(stage: str, *counted: int) -> None:
        told[stage] = (counted[0], counted[1])

    solved = solve_compiled(game, rulings, 1 << 30, tell, compiled=False)
    assert list(told) == ["listing positions", "linking positions", "solving positions"]
    assert told["solving positions"] == (solved.positions, solved.positions)


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (40, "preparing positions, 5940 s so far"),
        (60, "preparing positions, 5940 s so far"),
        (64, "preparing ━━━━━━━━ 9,999,999 positions, 5940 s so far"),
        (80, f"preparing {'━' * 24} 9,999,999 positions, 5940 s so far"),
    ],
)
def test_progress_is_told_in_one_line(width: int, line: str) -> None:
    """Where there is no room for a bar and a count, without them; a count says of what."""
    told, clock = StringIO(), iter([0.0])
    console = Console(file=told, width=width, force_terminal=True, color_system=None)
    bar = progress_bar.new_bar(console, lambda: next(clock, 5940.0))
    bar.update(bar.task_ids[0], description="preparing positions", completed=9_999_999, total=None)
    console.print(bar.get_renderable())
    assert [line.rstrip() for line in told.getvalue().splitlines()] == [line]
    assert len(line) < width


def test_an_estimate_only_falls() -> None:
    """Where a stage needs much longer than was said, the time so far is told instead."""
    clock = iter([100.0, 112.0, 130.0])
    estimate = progress_bar.TimeEstimate(lambda: next(clock))
    told = [estimate.text(left) for left in (8.2, 2.1, 4.0, None, 36.0, 3.0, 0.2)]
    assert told == [
        "about 8 s to go",
        "about 2 s to go",
        "about 2 s to go",
        "12 s so far",
        "30 s so far",
        "about 2 s to go",
        "about 1 s to go",
    ]
    assert progress_bar.TimeEstimate(lambda: 0).text(5940) == "about 99 min to go"


def test_nothing_is_shown_to_those_who_need_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe is told nothing at first, and neither is a terminal within a second."""
    with progress_bar.progress_bar() as tell:
        tell("listing positions", 1, 2)
    assert capsys.readouterr().err == ""


def test_long_work_in_a_pipe_writes_lines_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line with the count now and then, and nothing on standard output."""
    lines = progress_bar.ProgressLines(0)
    lines.report("compiling", 0, 0)
    lines.report("listing positions", 1000, 0)
    lines.report("solving positions", 1000, 20_000)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "compiling",
        "listing positions: 1,000",
        "solving positions: 1,000 of 20,000",
    ]


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0%"), (1, "100%"), (0.0004, "<0.1%"), (0.9996, ">99.9%"), (0.125, "12.5%")],
)
def test_a_small_share_is_not_said_to_be_none(share: float, said: str) -> None:
    assert percent(share) == said


def test_marks_upon_letters_take_no_room() -> None:
    assert [display_width(name) for name in ("Jose", "Jose\u0301", "李四")] == [4, 4, 4]


@pytest.mark.processes
@pytest.mark.parametrize("words", [("players",), ("players", "duel"), ("games",)])
def test_lists_fit_on_a_narrow_screen(words: tuple[str, ...], home: Path) -> None:
    shown = Terminal(*words, home=home, columns=40)
    assert shown.end() == 0
    said = " ".join(" ".join(shown.scrollback()).split())
    assert said == " ".join(commands.evenodds(*words, home=home).stdout.split())
