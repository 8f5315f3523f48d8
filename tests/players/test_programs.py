"""Programs as opponents: the protocol, what they may do wrong, and that nothing of them is left."""

import json
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from evenodds.core import catalog, notation
from evenodds.core.match import Match
from evenodds.core.vocabulary import SECOND
from evenodds.players.player import CannotPlay, Forfeit, UnknownPlayer
from evenodds.players.profiles import profile
from evenodds.players.program.player import MAX_LOG_BYTES, MAX_LOG_FILES, ProgramPlayer
from evenodds.players.registry import check_opponent, is_built_in_player
from evenodds.system.text import printable
from evenodds.terminal.play.session import Session, SessionOptions
from evenodds.terminal.storage.matches import MatchFile, resume_command
from tests.support.commands import Terminal, evenodds, lines, surroundings
from tests.support.paths import ROOT
from tests.support.strategies import GAMES
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.processes

PROGRAMS = Path(__file__).parent / "programs"
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
DIALOGUES = re.findall(r"```text\n\$ (.*?)\n(.*?)\n```", PROTOCOL, re.S)
PYTHON = [sys.executable, "-S"]

NOT_PICKS = [
    b"what?\n",
    b"\n",
    b"7\n",
    b"[1]\n",
    b"null\n",
    b'{"type": "pick"}\n',
    b'{"number": 1}\n',
    b'{"type": "move", "number": 1}\n',
    b'{"type": "pick", "number": "1"}\n',
    b'{"type": "pick", "number": 1.0}\n',
    b'{"type": "pick", "number": true}\n',
    b'{"type": "pick", "number": null}\n',
    b'{"type": "pick", "number": NaN}\n',
    b'{"type": "pick", "number": 1e999}\n',
    b'{"type": "pick", "number": ' + b"9" * 5000 + b"}\n",
    b'{"type": "pick", "number": ' + b"[" * 500 + b"]" * 500 + b"}\n",
    b"[" * 60_000 + b"\n",
    b'{"type": "pick", "number": 1\xff}\n',
    b"\xff\xfe\x00\n",
    b"\x1b[2J\x1b]0;owned\x07 \xe2\x80\xae hello\r\n",
]
ILLEGAL = [b'{"type": "pick", "number": %d}\n' % number for number in (0, -1, 4, 10**60)]


def shown(answer: bytes) -> str:
    """An answer as the name of a test."""
    return repr(answer[:40])


class Traces:
    """What the programs of a test leave behind: who they were, and what they heard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, name: str) -> list[str]:
        """The lines of one kind."""
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    @property
    def heard(self) -> list[dict[str, Any]]:
        """Every message that a program heard."""
        return [json.loads(line) for line in self.of("heard")]

    @property
    def pids(self) -> list[int]:
        """Every process that a program reported, itself included."""
        return [int(line) for line in self.of("pids")]

    def wait_for(self, name: str) -> None:
        """Wait until a program says that it is so far."""
        wait_until(lambda: bool(self.of(name)))

    def wait_until_gone(self) -> None:
        """Every process that a program reported must end."""
        wait_until(lambda: not any(map(is_alive, self.pids)))


def is_alive(pid: int) -> bool:
    """Whether there is such a process, be it a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traces]:
    """No program of any test outlives it."""
    folder = tmp_path / "traces"
    folder.mkdir()
    monkeypatch.setenv("PROGRAM_TRACES", str(folder))
    found = Traces(folder)
    yield found
    found.wait_until_gone()


def unruly(manner: str, argument: object = "") -> str:
    """The command of a program with some manner of its own."""
    return shlex.join([*PYTHON, str(PROGRAMS / "unruly.py"), manner, str(argument)])


class Seat:
    """A program in the second seat of a duel, where 1, 2 and 3 are always legal."""

    def __init__(self, command: str, seconds: float = 60) -> None:
        self.match = Match("duel")
        self.player = ProgramPlayer(command, self.match.terms, SECOND, seconds)

    def pick(self) -> int:
        """What it picks, against a 1."""
        number = self.player.pick(self.match.view(SECOND))
        self.match.play((1, number))
        return number

    def forfeit(self) -> str:
        """Why it forfeits instead of picking: one harmless line that can end in a full stop."""
        with pytest.raises(Forfeit) as caught:
            self.player.pick(self.match.view(SECOND))
        reason = str(caught.value)
        assert reason == printable(reason)
        assert reason.startswith("the program ")
        assert not reason.endswith(".")
        self.match.lose(SECOND, "forfeit")
        return reason

    def leave(self) -> None:
        """The match is over."""
        self.player.leave(self.match.view(SECOND))


Sit = Callable[..., Seat]


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Seats for programs, each left in the end."""
    seats: list[Seat] = []

    def take(manner: str, argument: object = "", seconds: float = 60) -> Seat:
        seats.append(Seat(unruly(manner, argument), seconds))
        return seats[-1]

    yield take
    for seat in seats:
        seat.leave()


@pytest.mark.parametrize(("command", "dialogue"), DIALOGUES)
def test_the_dialogues_of_the_protocol_are_real(
    command: str, dialogue: str, tmp_path: Path, home: Path
) -> None:
    """A program that says what is written there hears exactly what is written there."""
    script, transcript = tmp_path / "script", tmp_path / "transcript"
    script.write_text(dialogue)
    program = shlex.join([*PYTHON, str(PROGRAMS / "scripted.py"), str(script), str(transcript)])
    _, typed, _, _, *arguments = shlex.split(command)
    arguments = [f"cmd:{program}" if word.startswith("cmd:") else word for word in arguments]
    done = evenodds(*arguments, typed=typed.replace("\\n", "\n"), home=home)
    assert done.returncode == 0
    assert transcript.read_text().splitlines() == dialogue.splitlines()


def test_the_protocol_names_every_key() -> None:
    """Of every message in its dialogues, which show every type; and of every game's state."""
    keys: dict[str, set[str]] = {}
    for _, dialogue in DIALOGUES:
        for line in re.findall(r"^[<>] ({.*})$", dialogue, re.M):
            message = json.loads(line)
            keys.setdefault(message.pop("type"), set()).update(message)
    assert set(keys) == set(re.findall(r"^### `(.*)`", PROTOCOL, re.M))
    for kind, found in keys.items():
        (section,) = re.findall(rf"^### `{kind}`(.*?)^#", PROTOCOL, re.M | re.S)
        assert set(re.findall(r"^\| `(\w+)`", section, re.M)) == found
    (section,) = re.findall(r"## What `state` holds(.*?)\n## ", PROTOCOL, re.S)
    rows = re.findall(r"^\| (?:`(\w+)` )?\| `(\w+)` \|", section, re.M)
    listed: dict[str, list[str]] = {}
    for game, key in rows:
        listed.setdefault(game or list(listed)[-1], []).append(key)
    games = catalog.list_games()
    states = {game.name: game.start(game.settle({}))._fields[1:] for game in games}
    assert {game: tuple(found) for game, found in listed.items()} == states


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_bots_play_every_game(game: Any, home: Path, tmp_path: Path) -> None:
    """The examples in Python and in Perl, each in either seat, to the end by the rules."""
    bots = [
        "cmd:" + shlex.join([*PYTHON, str(ROOT / "examples" / "bots" / "bot.py")]),
        "cmd:" + shlex.join(["perl", str(ROOT / "examples" / "bots" / "bot.pl")]),
    ]
    for one, two in (bots, bots[::-1]):
        record = tmp_path / "record.txt"
        done = evenodds(
            "play", game.name, "--vs", one, "--vs", two, "--record", str(record), home=home
        )
        assert done.returncode == 0
        result = notation.parse(record.read_text()).result
        assert result is not None
        assert result.reason in ("rules", "repetition")
        record.unlink()


def test_a_bot_is_short() -> None:
    assert len((ROOT / "examples" / "bots" / "bot.py").read_text().splitlines()) < 30


@pytest.mark.parametrize("answer", [*NOT_PICKS, *ILLEGAL], ids=shown)
def test_a_bad_answer_is_explained_and_asked_once_more(
    answer: bytes, sit: Sit, traces: Traces
) -> None:
    """In one harmless line that says what is allowed; and so at every pick."""
    seat = sit("answers_badly_first", answer)
    assert [seat.pick(), seat.pick()] == [1, 1]
    errors = [message for message in traces.heard if message["type"] == "error"]
    assert len(errors) == 2
    for error in errors:
        assert error["legal"] == [1, 2, 3]
        assert error["problem"] == printable(error["problem"])
        assert error["problem"].endswith("1, 2, 3")
        assert ("is not a pick" in error["problem"]) == (answer in NOT_PICKS)


@pytest.mark.parametrize("answer", [*NOT_PICKS, *ILLEGAL], ids=shown)
def test_two_bad_answers_to_one_question_forfeit(answer: bytes, sit: Sit) -> None:
    reason = sit("answers_badly", answer).forfeit()
    assert reason.startswith("the program was asked twice and gave no legal number")


def test_a_crash_is_made_good_once(sit: Sit, traces: Traces, home: Path) -> None:
    """The new process is told all that the old one knew, and the old one's last words are kept."""
    seat = sit("crashes_once")
    assert [seat.pick(), seat.pick()] == [1, 1]
    hello, view, *after = traces.heard
    assert after[:2] == [hello, view]
    assert len(traces.pids) == 2
    (log,) = (home / "programs").iterdir()
    assert "out of ideas" in log.read_text()


@pytest.mark.parametrize("manner", ["crashes_always", "closes_its_output"])
def test_a_second_crash_forfeits(manner: str, sit: Sit, traces: Traces) -> None:
    assert "ended before its pick, and did so again" in sit(manner).forfeit()
    assert len(traces.pids) == 2


def test_crashes_are_counted_over_the_match(sit: Sit) -> None:
    seat = sit("crashes_after_each_pick")
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert "did so again" in seat.forfeit()


def test_a_crash_buys_no_third_answer(sit: Sit) -> None:
    assert "was asked twice" in sit("answers_badly_and_crashes").forfeit()


def test_who_cannot_hear_has_crashed(sit: Sit, traces: Traces) -> None:
    seat = sit("closes_its_input_once")
    traces.wait_for("ready")
    assert seat.pick() == 1
    assert len(traces.pids) == 2


def test_who_shuts_its_ears_after_the_question_has_crashed(sit: Sit, traces: Traces) -> None:
    """It is started once more and shown the match, long before its clock runs out."""
    seat = sit("closes_its_input_after_the_view")
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert len(traces.pids) == 2
    hello, view, *after = traces.heard
    assert after[:2] == [hello, view]


def test_a_child_that_holds_the_output_does_not_hide_a_crash(sit: Sit, traces: Traces) -> None:
    """The program itself has ended, and that counts: at its start, and later."""
    with pytest.raises(CannotPlay, match=r"it ended at once$"):
        sit("leaves_its_output_to_a_child")
    assert "did so again" in sit("leaves_its_output_to_a_child", "asked").forfeit()
    assert len(traces.pids) == 8


def test_a_program_that_ends_at_once_is_refused_with_its_last_words(sit: Sit) -> None:
    """It is tried twice; a path that was mistyped is told by whoever should have run it."""
    for command, said in (
        (shlex.join([*PYTHON, "no-such-bot.py"]), "can't open file .*no-such-bot.py"),
        (shlex.join([*PYTHON, "-c", "import no_such_module"]), "No module named 'no_such_module'"),
    ):
        with pytest.raises(CannotPlay, match=f"cannot be started: it ended at once, .*{said}"):
            Seat(command)
    for command in ("true", unruly("crashes_at_start")):
        with pytest.raises(CannotPlay, match=r"cannot be started: it ended at once$"):
            Seat(command)


def test_a_program_that_comes_up_at_the_second_start_plays(tmp_path: Path, traces: Traces) -> None:
    first = tmp_path / "first"
    first.touch()
    code = f"import os\nif os.path.exists({str(first)!r}): os.remove({str(first)!r}); exit(1)\n"
    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text(f"{code}os.execv({PYTHON[0]!r}, {shlex.split(unruly('crashes_once'))!r})\n")
    seat = Seat(shlex.join([*PYTHON, str(wrapper)]))
    assert "did so again" in seat.forfeit()
    seat.leave()


def test_the_command_refuses_a_bot_that_was_mistyped(home: Path) -> None:
    bot = f"cmd:{shlex.join([*PYTHON, 'no-such-bot.py'])}"
    done = evenodds("play", "duel", "--vs", bot, typed="3\n", home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no-such-bot.py" in done.stderr.partition("with the words: ")[2]
    assert done.stderr.count("\n") == 1
    assert not (home / "matches").exists()


def test_the_clock_runs_out(sit: Sit) -> None:
    reason = sit("thinks_forever", seconds=0.25).forfeit()
    assert reason == "the program took longer than 0.25 seconds for a pick"


def test_who_never_listens_stops_nobody(sit: Sit) -> None:
    seat = sit("never_listens", seconds=1)
    view = seat.match.view(SECOND)._replace(history=((1, 1),) * 100_000)
    with pytest.raises(Forfeit, match="took longer than 1 second for a pick"):
        seat.player.pick(view)


@pytest.mark.parametrize("manner", ["floods_with_lines", "floods_with_one_line"])
def test_floods_forfeit(manner: str, sit: Sit) -> None:
    assert sit(manner).forfeit() == "the program flooded its output"


@pytest.mark.parametrize(
    ("count", "size", "flood"),
    [(999, 0, False), (1000, 0, True), (400, 2000, False), (600, 2000, True)],
)
def test_a_flood_is_a_thousand_lines_or_a_mebibyte(
    count: int, size: int, flood: bool, sit: Sit
) -> None:
    seat = sit("answers_late_and_long", (count, size))
    if flood:
        assert seat.forfeit() == "the program flooded its output"
    else:
        assert seat.pick() == 1


def test_a_flood_between_two_questions_forfeits(sit: Sit, traces: Traces) -> None:
    seat = sit("floods_between_questions")
    assert seat.pick() == 1
    (traces.folder / "go").touch()
    traces.wait_for("ready")
    assert seat.forfeit() == "the program flooded its output"


@pytest.mark.parametrize(
    "manner",
    ["answers_before_it_is_asked", "answers_twice", "answers_the_last_question_first"],
)
def test_only_an_answer_to_the_question_counts(manner: str, sit: Sit, traces: Traces) -> None:
    """Not what was said before it, and not what belongs to another round."""
    seat = sit(manner)
    if manner == "answers_before_it_is_asked":
        traces.wait_for("ready")
    assert [seat.pick() for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("over", [True, False])
def test_the_program_hears_a_goodbye(
    over: bool, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "evenodds.players.program.player.EXIT_TIMEOUT_S", 60
    )  # however busy the machine is
    seat = Seat(unruly("polite"))
    seat.pick()
    if over:
        seat.match.resign(SECOND)
    seat.leave()
    result = [{"type": "result", "outcome": "first", "reason": "resigned"}] if over else []
    assert traces.heard[2:] == [*result, {"type": "bye"}]


@pytest.mark.parametrize("manner", ["ignores_requests_to_end", "starts_a_child"])
def test_the_whole_group_is_gone_afterwards(manner: str, traces: Traces) -> None:
    seat = Seat(unruly(manner))
    seat.pick()
    seat.leave()
    assert len(traces.pids) == 1 + (manner == "starts_a_child")
    traces.wait_until_gone()


@pytest.mark.parametrize(
    "manner", ["polite", "crashes_always", "thinks_forever", "ignores_requests_to_end"]
)
def test_nothing_is_left_of_a_program(manner: str, traces: Traces) -> None:
    before = sorted(os.listdir("/dev/fd")), threading.active_count()
    seat = Seat(unruly(manner), seconds=1)
    try:
        seat.pick()
    except Forfeit:
        seat.match.lose(SECOND, "forfeit")
    seat.leave()
    assert (sorted(os.listdir("/dev/fd")), threading.active_count()) == before
    assert not any(map(is_alive, traces.pids))


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "raise KeyboardInterrupt"])
def test_programs_end_with_the_interpreter(ending: str, traces: Traces, home: Path) -> None:
    code = (
        "from evenodds.core.match import Match\n"
        "from evenodds.players.program.player import ProgramPlayer\n"
        f"match = Match('duel')\nplayer = ProgramPlayer({unruly('starts_a_child')!r},"
        f" match.terms, 1, 60)\nplayer.pick(match.view(1))\n{ending}"
    )
    run(
        [sys.executable, "-c", code], env=surroundings(home), timeout=TIMEOUT_S, capture_output=True
    )
    assert len(traces.pids) == 2
    traces.wait_until_gone()


@pytest.mark.parametrize("manner", ["starts_a_child", "ignores_requests_to_end"])
def test_programs_end_when_the_game_is_killed(manner: str, traces: Traces, home: Path) -> None:
    """By kill -9, so that nobody can take leave of them: their whole group goes."""
    game = Terminal("play", "duel", "--vs", f"cmd:{unruly(manner)}", home=home)
    game.see("(1-3):")
    game.type(3)
    game.see("Press Enter")
    game.process.kill(signal.SIGKILL)
    assert game.end() == -signal.SIGKILL
    assert len(traces.pids) == 1 + (manner == "starts_a_child")
    traces.wait_until_gone()


def test_without_a_shell_there_is_no_watchman(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenodds.players.program.process.SHELL", "/nowhere/sh")
    assert sit("polite").pick() == 1


def test_standard_error_goes_to_a_log_up_to_a_limit(sit: Sit, home: Path) -> None:
    seat = sit("floods_its_errors")
    assert [seat.pick(), seat.pick()] == [1, 1]
    (log,) = (home / "programs").iterdir()
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d-\d{{6}}-{os.getpid()}-second\.log", log.name)
    assert log.stat().st_mode & 0o777 == 0o600
    kept, note = log.read_bytes()[:MAX_LOG_BYTES], log.read_bytes()[MAX_LOG_BYTES:]
    assert set(kept.splitlines()[:-1]) == {b"This is fine."}
    assert note.strip() == b"(The log is full; what came after this was not kept.)"


def test_a_forfeit_names_the_log_if_there_is_one(sit: Sit, home: Path) -> None:
    reason = sit("crashes_always").forfeit()
    (log,) = (home / "programs").iterdir()
    assert f"(its log is {log})" in reason
    assert "RuntimeError: out of ideas" in log.read_text()
    assert "log" not in sit("crashes_after_each_pick", "at once").forfeit()


def test_only_the_last_logs_are_kept(sit: Sit, home: Path) -> None:
    folder = home / "programs"
    folder.mkdir(parents=True)
    for number in range(MAX_LOG_FILES + 5):
        (folder / f"2020-01-01-{number:06}-1-first.log").touch()
    (folder / "mine.log").touch()
    sit("crashes_always").forfeit()
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == MAX_LOG_FILES + 1
    assert "mine.log" in names
    assert names[0] == "2020-01-01-000006-1-first.log"


def test_where_no_log_can_be_kept_play_goes_on(sit: Sit, home: Path) -> None:
    home.write_text("this is not a folder")
    seat = sit("floods_its_errors")
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert "log" not in sit("crashes_always").forfeit()


@pytest.mark.parametrize("command", ["no-such-program", "'open", "/", "''", "a\0b"])
def test_what_cannot_be_started_is_refused_at_once(command: str) -> None:
    with pytest.raises(CannotPlay, match=r"^the program .* cannot be started: .*\w$"):
        Seat(command)


def test_a_program_that_has_vanished_cannot_be_started_again(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text(f"#!{sys.executable} -S\nimport os\ninput()\nos.remove({str(program)!r})\n")
    program.chmod(0o700)
    seat = Seat(str(program))
    assert seat.forfeit().startswith("the program ended and cannot be started again: No such file")
    seat.leave()


def test_the_command_refuses_what_cannot_be_started(home: Path) -> None:
    done = evenodds("play", "duel", "--vs", "cmd:no-such-program", home=home)
    assert done.returncode == 2
    assert done.stderr.startswith("the program no-such-program cannot be started: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not home.exists()


def test_programs_are_strangers_anywhere_but_on_the_command_line(home: Path) -> None:
    assert not is_built_in_player("cmd:python mybot.py")
    with pytest.raises(UnknownPlayer, match="is taken from the command line only"):
        check_opponent("cmd:python mybot.py")
    game = Terminal("play", home=home)
    game.see("Which game?")
    game.type("duel")
    game.see("vs for the computer:")
    game.type(f"vs cmd:{unruly('polite')}")
    game.see("There is no opponent called")
    game.type("quit")
    assert game.end() == 0


@pytest.mark.parametrize(
    ("manner", "reason"),
    [("crashes_always", "did so again"), ("thinks_forever", "took longer than 0.5 seconds")],
)
def test_the_screen_and_the_match_survive_a_forfeit(manner: str, reason: str, home: Path) -> None:
    record = home.parent / "record.txt"
    options = ["--bot-seconds", "0.5"] if manner == "thinks_forever" else []
    game = Terminal(
        "play",
        "duel",
        "--vs",
        f"cmd:{unruly(manner)}",
        "--record",
        str(record),
        *options,
        home=home,
    )
    game.see("(1-3):")
    game.type(3)
    game.see(reason)
    game.see("Player 2 forfeits the game.")
    game.see("Player 1 wins the game!")
    assert game.end() == 0
    assert '[Reason "forfeit"]' in record.read_text()
    (kept,) = (home / "matches").glob("*.txt")
    assert '[Reason "forfeit"]' in kept.read_text()


def test_no_escape_sequence_reaches_the_screen(home: Path) -> None:
    program = unruly("answers_badly", b"\x1b[2J\x1b]0;owned\x07hello\n")
    done = evenodds("play", "duel", "--vs", f"cmd:{program}", typed=lines(1), home=home)
    assert done.returncode == 0
    assert 'its last answer was "[2J]0;ownedhello"' in done.stdout
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


def test_a_match_goes_on_when_its_program_is_named_again(home: Path) -> None:
    program = f"cmd:{unruly('polite')}"
    left = evenodds("play", "duel", "--vs", program, typed=lines(3), home=home)
    assert left.returncode == 1
    (id,) = re.findall(r"evenodds resume (\w{4}) --vs", left.stdout)
    refused = evenodds("resume", id, home=home)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"{id} is played against a program, which must be named again: "
        f'evenodds resume {id} --vs "{program}"\n'
    )
    assert refused.stderr.count("\n") == 1
    assert evenodds("resume", home=home).stderr == "you have no open match to resume\n"
    done = evenodds("resume", "--vs", program, typed=lines(3, 3, 3), home=home)
    assert done.returncode == 0
    assert "Player 1 wins the game!" in done.stdout


@pytest.mark.parametrize("way", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_who_interrupts_the_match_ends_the_program(way: str, home: Path, traces: Traces) -> None:
    game = Terminal("play", "duel", "--vs", f"cmd:{unruly('thinks_forever')}", home=home)
    game.see("(1-3):")
    game.type(3)
    traces.wait_for("ready")
    if way == "SIGINT":
        game.press("c")
        game.see("The match is saved.")
    else:
        game.process.kill(getattr(signal, way))
    assert game.end() == 128 + getattr(signal, way)
    assert len(traces.pids) == 1
    traces.wait_until_gone()


def test_ctrl_c_is_not_for_the_program(home: Path, traces: Traces) -> None:
    game = Terminal("play", "duel", "--vs", f"cmd:{unruly('polite')}", home=home)
    game.see("(1-3):")
    game.type(3)
    game.see("Press Enter")
    game.press("c")
    assert game.end() == 130
    assert traces.heard[-1] == {"type": "bye"}


@pytest.mark.parametrize("typed", ["quit\n", ""])
def test_who_leaves_the_match_ends_the_program(typed: str, home: Path, traces: Traces) -> None:
    program = f"cmd:{unruly('starts_a_child')}"
    evenodds("play", "duel", "--vs", program, typed=lines(3) + typed, home=home)
    assert len(traces.pids) == 2
    traces.wait_until_gone()


@pytest.mark.parametrize("seconds", ["nan", "0", "-1", "inf", "1e9"])
def test_a_clock_that_nobody_could_mean_is_refused(seconds: str, home: Path) -> None:
    done = evenodds("play", "duel", "--vs", "random", "--bot-seconds", seconds, home=home)
    assert done.returncode == 2
    assert "is not allowed; allowed: above 0, up to 86400. Example: evenodds play" in done.stderr


def test_a_program_plays_a_game_from_the_menu(home: Path) -> None:
    program = f"cmd:{unruly('polite')}"
    game = Terminal("play", "--vs", program, home=home, columns=1000)
    game.see("or quit)")
    game.type("duel")
    game.see(f"Player 2 is {profile(program).name}")
    game.type("quit")
    assert game.end() == 0


def test_who_hurries_a_program_out_loses_nothing(
    home: Path, tmp_path: Path, traces: Traces
) -> None:
    """The record is written and the match let go before a program is seen off."""
    program = f"cmd:{unruly('stays_after_the_result')}"
    record = tmp_path / "record.txt"
    asked = ("play", "duel", "--rule", "hp=1", "--vs", program, "--record", str(record))
    game = Terminal(*asked, home=home)
    game.see("(1-3):")
    game.type(3)
    traces.wait_for("ready")
    game.press("c")
    assert game.end() == 130
    assert notation.parse(record.read_text()).result is not None
    assert not list((home / "matches").glob("*.lock"))
    traces.wait_until_gone()


def test_who_hurries_one_player_out_leaves_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is cut short does not keep the next from being seen off."""
    left: list[int] = []

    def leave(player: ProgramPlayer, view: Any) -> None:
        player._process.stop()
        left.append(view.seat)
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgramPlayer, "leave", leave)
    program = f"cmd:{unruly('polite')}"
    match = Match("circle", computers=(program, program))
    with pytest.raises(KeyboardInterrupt):
        Session(SessionOptions(None, 1, (program,))).play_match(match, MatchFile())
    assert sorted(left) == [0, 1]


def test_a_match_is_kept_while_a_program_thinks_and_the_pick_hidden(
    home: Path, traces: Traces
) -> None:
    """A game that is killed then is resumed; what the program could have read is asked again."""
    program = f"cmd:{unruly('thinks_forever')}"
    game = Terminal("play", "duel", "--vs", program, home=home)
    game.see("(1-3):")
    game.type(3)
    traces.wait_for("ready")
    assert not list((home / "matches").glob("*.secret"))
    game.process.kill(signal.SIGKILL)
    game.end()
    again = Terminal("resume", "--vs", program, home=home)
    again.see("round 1")
    again.see("(1-3):")
    again.press("c")
    assert again.end() == 130


def test_a_hidden_pick_is_taken_off_the_disk_when_a_program_is_asked_again(
    home: Path, traces: Traces
) -> None:
    """Left with Ctrl-C it was kept; resumed, the program thinks without it on the disk."""
    program = f"cmd:{unruly('thinks_forever')}"
    game = Terminal("play", "duel", "--vs", program, home=home)
    game.see("(1-3):")
    game.type(3)
    traces.wait_for("ready")
    game.press("c")
    assert game.end() == 130
    assert list((home / "matches").glob("*.secret"))
    again = Terminal("resume", "--vs", program, home=home)
    wait_until(lambda: len(traces.of("ready")) == 2)
    assert not list((home / "matches").glob("*.secret"))
    again.press("c")
    assert again.end() == 130
    assert list((home / "matches").glob("*.secret"))


@pytest.mark.parametrize("argument", ['say "hi"', "$HOME `id`", "it's", "a\\b!", "plain"])
def test_the_way_back_can_be_pasted(argument: str, home: Path) -> None:
    program = f"cmd:{unruly('polite', argument)}"
    match = Match("duel", computers=("", program))
    words = run(
        ["bash", "-c", f"printf '%s\\n' {resume_command('abcd', match)}"],
        capture_output=True,
        text=True,
    )
    assert words.stdout.splitlines() == ["evenodds", "resume", "abcd", "--vs", program]
    left = evenodds("play", "duel", "--vs", program, typed=lines(3), home=home)
    (id,) = re.findall(r"evenodds resume (\w{4}) --vs", left.stdout)
    assert f"Resume it with: {resume_command(id, match)}\n" in left.stdout
    assert evenodds("resume", id, home=home).stderr.endswith(f": {resume_command(id, match)}\n")
