"""The real command, as a person would run it, or in this process, which spares its start."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import click
import pexpect
import pyte
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from evenodds import Match, notation
from evenodds.cli import run
from evenodds.cli.entry import main
from evenodds.client.address import address
from evenodds.client.saved_seats import SavedSeat
from tests.support.paths import COMMAND
from tests.support.waiting import TIMEOUT_S, wait_until

UNMEASURED: Final = {"COVERAGE_PROCESS_CONFIG": ""}
"""The environment of a process whose coverage would be lost with it, or tells nothing."""

UNSET: Final = ("NO_COLOR", "COLUMNS", "LINES")
"""What changes how a terminal looks; readline sets a size for the workers of the tests."""


def evenodds(
    *arguments: str, typed: str | bytes = "", home: Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    command = [COMMAND, *arguments]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(home, **environment),
    ) as process:
        entered = typed if isinstance(typed, bytes) else typed.encode()
        try:
            said = [stream.decode() for stream in process.communicate(entered, TIMEOUT_S)]
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, *said)


def evenodds_here(
    *arguments: str, typed: str | bytes = "", home: Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """The same in this process: what a command says and does, where its start is in no question.

    That spares the start, and what is compiled stays compiled. With one core no command starts a
    second process.
    """
    command = [COMMAND, *arguments]
    wanted = surroundings(home, **{"EVENODDS_CORES": "1"} | environment)
    absent = dict.fromkeys(os.environ.keys() - wanted.keys())
    before = sys.argv
    with CliRunner().isolation(typed, env=wanted | absent) as (told, complained, _):
        sys.argv = command
        try:
            run()
        except SystemExit as end:
            code = end.code or 0
        finally:
            sys.argv = before
        sys.stdout.flush()
        sys.stderr.flush()
    assert isinstance(code, int)
    said = (stream.getvalue().decode() for stream in (told, complained))
    return subprocess.CompletedProcess(command, code, *said)


def python(code: str, **given: Any) -> "subprocess.CompletedProcess[str]":
    """A program in a process that has imported nothing, and to which nobody types."""
    usual = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
    return subprocess.run([sys.executable, "-c", code], **usual | given)


def surroundings(home: Path, **environment: str) -> dict[str, str]:
    """The environment of a command: its own data folder, and a terminal that has colours."""
    kept = {key: value for key, value in os.environ.items() if key not in UNSET}
    return kept | {"EVENODDS_HOME": str(home), "TERM": "xterm-256color"} | environment


def lines(*entries: object) -> str:
    return "".join(f"{entry}\n" for entry in entries)


class Terminal:
    """A real pseudo-terminal with the dialog on it, unless the environment says otherwise."""

    program = COMMAND

    def __init__(
        self,
        *arguments: str,
        home: Path,
        columns: int = 80,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.stream = b""
        self.process = pexpect.spawn(
            self.program,
            list(arguments),
            env=surroundings(home, **{"EVENODDS_PLAIN": "1"} | (environment or {})),
            dimensions=(60, columns),
            timeout=TIMEOUT_S,
        )
        self.process.delaybeforesend = None
        self.process.ptyproc.delayafterclose = 0  # type: ignore[attr-defined]  # it has ended by then
        self.columns = columns

    def see(self, text: str) -> str:
        """Wait until a text comes up, and give all that came before it."""
        self.process.expect_exact(text)
        before = self.process.before
        assert isinstance(before, bytes)
        self.stream += before + text.encode()
        return before.decode()

    def type(self, *entries: object) -> None:
        for entry in entries:
            self.process.sendline(str(entry))

    def talk(self, *steps: str) -> None:
        """Lines `what is seen > what is typed then`; without an answer nothing is typed."""
        for step in steps:
            seen, *typed = step.split(" > ")
            self.see(seen)
            self.type(*typed)

    def press(self, control: str, at_work: bool = False) -> None:
        """Press a key together with Control: when the command waits for it, or while it works."""
        if not at_work:
            wait_until(self.waits)
        self.process.sendcontrol(control)

    def wake(self) -> None:
        """As `fg` does after Ctrl-Z, when the command waits for what is typed.

        Python looks for signals before it waits, and not on the way there: what interrupts it in
        just that moment would be noticed with the next line only.
        """
        wait_until(self.waits)
        self.process.kill(signal.SIGCONT)

    def waits(self) -> bool:
        """Whether the command sleeps until something comes; where nobody can tell, it does."""
        status = Path(f"/proc/{self.process.pid}/stat")
        return not status.exists() or status.read_text().rpartition(") ")[2].startswith("S")

    def end(self) -> int:
        self.process.expect(pexpect.EOF)
        assert isinstance(self.process.before, bytes)
        self.stream += self.process.before
        self.process.close()
        status = self.process.exitstatus
        return status if status is not None else -(self.process.signalstatus or 0)

    def scrollback(self) -> list[str]:
        screen = pyte.HistoryScreen(self.columns, 400, history=10_000)
        pyte.ByteStream(screen).feed(self.stream)
        return [line.rstrip() for line in screen.display]


def kept_matches(home: Path) -> dict[str, Match]:
    """The matches that are kept, by their IDs, without picks that are hidden."""
    files = (home / "matches").glob("*.txt")
    return {path.stem: notation.parse(path.read_text()) for path in files}


def kept_match(home: Path) -> Match:
    (match,) = kept_matches(home).values()
    return match


def keep_seat(link: str, token: str) -> None:
    """Keep a seat at the server where this process has its data, as if it had joined by `join`."""
    SavedSeat(address(link)).save_token(token)


def typed_rulings(rulings: Mapping[str, Any]) -> list[str]:
    return [f"{key}={value}" for key, value in rulings.items()]


def sentences(text: str | Iterable[str]) -> list[str]:
    found = text.splitlines() if isinstance(text, str) else text
    return [line.rstrip() for line in found if line.strip()]


def parsed(*words: str) -> click.Context:
    """A command with its options as it would run; an error where one of them is wrong."""
    name, command, rest = main.resolve_command(click.Context(main), list(words))
    assert command is not None
    return command.make_context(name, rest)


def command_names() -> list[str]:
    return list(main.commands)


def completions(*words: str, incomplete: str = "") -> list[str]:
    found = ShellComplete(main, {}, "evenodds", "_EVENODDS_COMPLETE")
    return [item.value for item in found.get_completions(list(words), incomplete)]
