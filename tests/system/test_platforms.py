"""What differs on Windows and macOS, taken there by saying that this is such a system."""

import ast
import getpass
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import evenodds
from evenodds import FIRST
from evenodds.app.app import EvenOddsApp
from evenodds.cli import opens_app
from evenodds.core.terms import agree
from evenodds.players.player import CannotPlay
from evenodds.players.program_player import ProgramPlayer
from evenodds.server.http.connections import connection_cap
from evenodds.server.jobs import worker_processes
from evenodds.system import environment
from evenodds.system.files import replace_file
from evenodds.system.locks import Lock, LockHeld
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.screen import Screen

MODULES = {
    *("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"),
    *("_winapi", "msvcrt", "winreg"),
}
SOURCE = Path(evenodds.__file__).parent


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


class WindowsLocks(ModuleType):
    """The locks of Windows: held by another for some tries."""

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self, refusals: int) -> None:
        super().__init__("msvcrt")
        self.refusals = refusals
        self.modes: list[int] = []

    def locking(self, file: int, mode: int, size: int) -> None:
        self.modes.append(mode)
        if len(self.modes) <= self.refusals:
            raise PermissionError(13, "Permission denied")


@pytest.mark.long
def test_modules_of_one_system_are_imported_where_they_are_used() -> None:
    named = re.compile(rf"\b(?:import|from) (?:{'|'.join(MODULES)})\b")
    files = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    found = {path: text for path, text in files.items() if named.search(text)}
    assert found
    for path, text in found.items():
        assert not MODULES & set(imported_at_once(ast.parse(text))), path


def imported_at_once(tree: ast.Module) -> Iterator[str]:
    """The modules that loading a module imports, whatever the system is."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


@pytest.mark.usefixtures("windows")
def test_a_lock_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = WindowsLocks(refusals=1)
    monkeypatch.setitem(sys.modules, "msvcrt", held)
    with pytest.raises(LockHeld):
        Lock(tmp_path / "lock")
    Lock(tmp_path / "lock").release()
    assert held.modes == [held.LK_NBLCK] * 2
    waited = WindowsLocks(refusals=3)
    monkeypatch.setitem(sys.modules, "msvcrt", waited)
    Lock(tmp_path / "lock", wait=True).release()
    assert waited.modes == [waited.LK_LOCK] * 4


@pytest.mark.usefixtures("windows")
def test_files_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "O_RDONLY", None)  # as it would be used to open the folder
    replace_file(tmp_path / "file", "text")
    assert (tmp_path / "file").read_text() == "text"


def test_signals_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    handled: list[int] = []
    loop = SimpleNamespace(add_signal_handler=lambda number, *rest: handled.append(number))
    monkeypatch.setattr("asyncio.get_running_loop", lambda: loop)
    app: Any = SimpleNamespace(_close=None, _hang_up=None)
    EvenOddsApp._handle_signals(app)
    assert handled == [15, 1]
    monkeypatch.setattr(sys, "platform", "win32")
    EvenOddsApp._handle_signals(app)
    assert handled == [15, 1]


@pytest.mark.usefixtures("windows")
def test_a_secret_pick_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard = Keyboard(Screen())
    keyboard.terminal = True
    monkeypatch.setattr(getpass, "getpass", lambda prompt: f"7 after {prompt}")
    assert keyboard.read("Pick:", unseen=True) == "7 after Pick: \n"
    keyboard._echo(False)


@pytest.mark.parametrize(("platform", "opens"), [("win32", True), ("linux", False)])
def test_the_app_opens_without_TERM_on_windows(  # noqa: N802
    platform: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.delenv("EVENODDS_PLAIN", raising=False)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, SimpleNamespace(isatty=lambda: True))
    assert opens_app() is opens


@pytest.mark.usefixtures("windows")
def test_no_program_plays_on_windows() -> None:
    with pytest.raises(CannotPlay, match="programs can play on Linux and macOS only"):
        ProgramPlayer("python bot.py", agree("duel"), FIRST, 1)


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_limits_where_the_system_has_none(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker_processes.resident_bytes(os.getpid()) > 1 << 20
    monkeypatch.setattr(sys, "platform", platform)
    assert worker_processes.resident_bytes(os.getpid()) == 0
    if platform == "win32":
        monkeypatch.delattr(os, "setpriority")
        monkeypatch.delattr(os, "sysconf")
        worker_processes._limit(os.getpid(), worker_processes.WorkerMemory(1, 1))
        assert environment._half_of_memory() == 2 << 30
        assert connection_cap() == 65_536 * 2 // 3
