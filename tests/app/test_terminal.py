"""The app on a real pseudo-terminal: how it opens, and what survives its end."""

import signal
from pathlib import Path

import pexpect
import pyte
import pytest

from tests.support import models
from tests.support.commands import Terminal, kept_match
from tests.support.examples import LARGE_GAME
from tests.support.paths import COMMAND
from tests.support.waiting import wait_until

pytestmark = pytest.mark.processes

APP = {"EVENODDS_PLAIN": "0"}


class AppTerminal(Terminal):
    """A terminal of 80 by 60 with the app on it, as a person sees it."""

    def __init__(self, *arguments: str, home: Path, **environment: str) -> None:
        super().__init__(*arguments, home=home, environment=APP | environment)
        self.window = pyte.Screen(80, 60)
        self.feed = pyte.ByteStream(self.window)

    def shows(self, text: str) -> bool:
        """Read what has come; whether a text is on the screen."""
        try:
            data = self.process.read_nonblocking(65536, 0)
            assert isinstance(data, bytes)
            self.feed.feed(data)
        except pexpect.TIMEOUT:
            return any(text in line for line in self.window.display)
        except pexpect.EOF:
            raise AssertionError(self.picture()) from None
        return False

    def resize(self, rows: int, columns: int) -> None:
        self.process.setwinsize(rows, columns)
        self.window.resize(rows, columns)

    def until(self, text: str) -> None:
        wait_until(lambda: self.shows(text), shown=self.picture)

    def picture(self) -> str:
        """The screen, for the message of a test that waits in vain."""
        state = "runs" if self.process.isalive() else "has ended"
        return "\n".join([f"The app {state} and shows:", *self.window.display])


def test_a_new_size_leaves_nothing_of_the_old_one(home: Path) -> None:
    """All looks as if opened at this size, whatever size other programs have left in variables."""

    def opened(*size: int) -> AppTerminal:
        terminal = AppTerminal(home=home, LINES="24", COLUMNS="80")
        terminal.until("Puzzle of the day")
        terminal.until("? Help")
        if size:
            terminal.resize(*size)
        terminal.process.send("3")
        terminal.until("Esc goes back")
        return terminal

    def look_alike() -> bool:
        shown = [terminal.shows("Esc goes back") for terminal in (new, resized)]
        footer = "? Help" in new.window.display[-1]
        return all(shown) and footer and new.window.display == resized.window.display

    new, resized = opened(20, 120), opened()
    resized.resize(20, 120)
    wait_until(look_alike, shown=resized.picture)
    for terminal in (new, resized):
        terminal.process.sendcontrol("c")
        assert terminal.end() == 130


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGHUP, 129), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_signals_keep_the_match(number: signal.Signals, code: int, home: Path) -> None:
    """Every pick is on disk, the exit code tells the signal, and `resume` opens the board."""
    terminal = AppTerminal("play", LARGE_GAME, "--vs", "random", home=home)
    terminal.until("to pick")
    terminal.process.send("5")
    terminal.until("You pick 5.")
    terminal.process.kill(number)
    assert terminal.end() == code
    assert [first for first, _ in kept_match(home).history] == [5]
    if number == signal.SIGKILL:
        again = AppTerminal("resume", home=home)
        again.until("round 2.")
        again.until("to pick")
        again.process.sendcontrol("c")
        assert again.end() == 130
        assert b"Traceback" not in again.stream
        assert b"evenodds resume" in again.stream


@pytest.mark.parametrize("answers", [True, False])
def test_leaving_says_all_and_need_not_wait_for_an_opponent(answers: bool, home: Path) -> None:
    """That the match is saved, and what its model has cost; of one that never answers only that."""
    with models.service() as service:
        manners = [models.says("PICK: 1", {"prompt_tokens": 10, "completion_tokens": 1})]
        service.will(*(manners if answers else [models.never]))
        terminal = AppTerminal("play", LARGE_GAME, "--vs", service.name, home=home)
        terminal.until("to pick")
        terminal.process.send("5")
        terminal.until("You pick 5." if answers else "has picked")
        terminal.process.sendcontrol("q")
        assert terminal.end() == 0
    assert terminal.stream.count(b"evenodds resume") == 1
    assert (b"tokens" in terminal.stream) == answers


def test_ctrl_z_suspends_the_job_and_fg_brings_everything_back(home: Path) -> None:
    """From panels too, and where a program waits for the app, as `make` does."""

    class Shell(AppTerminal):
        program = "sh"

    terminal = Shell("-i", home=home, PS1="READY> ")
    terminal.until("READY> ")
    terminal.process.sendline(f"sh -c '{COMMAND}; true'")
    terminal.until("Puzzle of the day")
    for key in ("", "?"):
        terminal.process.send(key)
        terminal.until("1-5  play a game" if key else "? Help")
        terminal.process.sendcontrol("z")
        terminal.until("Stopped")
        terminal.until("READY> ")
        terminal.window.reset()
        terminal.process.sendline("fg")
        terminal.until("Your matches")
        terminal.until("1-5  play a game" if key else "Number Circle Duel")
    terminal.process.sendcontrol("c")
    terminal.until("READY> ")
    terminal.process.sendline("exit 0")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    ("options", "environment"),
    [(["--plain"], APP), ([], {"EVENODDS_PLAIN": "1"}), ([], APP | {"TERM": "dumb"})],
    ids=["option", "variable", "dumb"],
)
def test_plain_text_keeps_the_dialog(
    options: list[str], environment: dict[str, str], home: Path
) -> None:
    terminal = Terminal("play", LARGE_GAME, *options, home=home, environment=environment)
    terminal.see("enter your chosen number")
    terminal.type("quit")
    assert terminal.end() == 0
