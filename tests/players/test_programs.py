"""Programs as opponents: the protocol, what they may do wrong, and that nothing of them is left."""

import gc
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

from evenodds import SECOND, Forfeit, Match, UnknownPlayer, list_games, notation
from tests.support.commands import Terminal, evenodds_here, lines, surroundings
from tests.support.opponents import (
    BadProgramAnswer,
    OutputCounter,
    OutputLimitExceeded,
    ProgramPlayer,
    parse_answer,
)
from tests.support.paths import ROOT
from tests.support.strategies import GAMES
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.processes

PROGRAMS = Path(__file__).parent / "programs"
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
DIALOGUES = re.findall(r"```text\n\$ (.*?)\n(.*?)\n```", PROTOCOL, re.S)
PYTHON = [sys.executable, "-S"]

NO_NUMBERS = (b'"1"', b"1.0", b"true", b"null", b"NaN", b"1e999", b"9" * 5000, b"1\xff", b"[" * 500)
NOT_PICKS = [
    *(b"what?\n", b"\n", b"7\n", b"[1]\n", b"null\n", b"[" * 60_000 + b"\n", b"\xff\xfe\x00\n"),
    *(b'{"type": "pick"}\n', b'{"number": 1}\n', b'{"type": "move", "number": 1}\n'),
    *(b'{"type": "pick", "number": %b}\n' % number for number in NO_NUMBERS),
    b"\x1b[2J\x1b]0;owned\x07 \xe2\x80\xae hello\r\n",
]
ILLEGAL = [b'{"type": "pick", "number": %d}\n' % number for number in (0, -1, 4, 10**60)]


class Traces:
    """What the programs of a test leave behind: who they were, and what they heard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    @property
    def heard(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.of("heard")]

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.of("pids")]

    def wait_for(self, name: str) -> None:
        wait_until(lambda: bool(self.of(name)))

    def wait_until_gone(self) -> None:
        wait_until(lambda: not any(map(is_alive, self.pids)))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traces]:
    folder = tmp_path / "traces"
    folder.mkdir()
    monkeypatch.setenv("PROGRAM_TRACES", str(folder))
    found = Traces(folder)
    yield found
    found.wait_until_gone()  # whatever a test does with its programs


def unruly(manner: str, argument: object = "") -> str:
    return shlex.join([*PYTHON, str(PROGRAMS / "unruly.py"), manner, str(argument)])


class Seat:
    """A program in the second seat of a duel, where 1, 2 and 3 are always legal."""

    def __init__(self, command: str, seconds: float = 60, **more: Any) -> None:
        self.match = Match("duel")
        self.player = ProgramPlayer(command, self.match.terms, SECOND, seconds, **more)

    def pick(self) -> int:
        number = self.player.pick(self.match.view(SECOND))
        self.match.play((1, number))
        return number

    def forfeit(self) -> str:
        """Why it forfeits instead of picking: one harmless line that can end in a full stop."""
        with pytest.raises(Forfeit) as caught:
            self.player.pick(self.match.view(SECOND))
        reason = str(caught.value)
        assert reason.isprintable()
        assert reason.startswith("the program ")
        assert not reason.endswith(".")
        self.match.lose(SECOND, "forfeit")
        return reason

    def leave(self) -> None:
        self.player.leave(self.match.view(SECOND))


Sit = Callable[..., Seat]


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Seats for programs, each left in the end, and soon."""
    seats: list[Seat] = []

    def take(manner: str, argument: object = "", seconds: float = 60, **more: Any) -> Seat:
        options: dict[str, Any] = {"exit_timeout_s": 0.05} | more
        seats.append(Seat(unruly(manner, argument), seconds, **options))
        return seats[-1]

    yield take
    for seat in seats:
        seat.leave()


def at_table(program: str, *more: str, home: Path) -> Terminal:
    """A person on a terminal, who has picked a 3 against a program."""
    game = Terminal("play", "duel", "--vs", f"cmd:{program}", *more, home=home)
    game.talk("(1-3): > 3")
    return game


@pytest.mark.parametrize(("command", "dialogue"), DIALOGUES)
def test_the_dialogues_are_real(command: str, dialogue: str, tmp_path: Path, home: Path) -> None:
    script, transcript = tmp_path / "script", tmp_path / "transcript"
    script.write_text(dialogue)
    program = shlex.join([*PYTHON, str(PROGRAMS / "scripted.py"), str(script), str(transcript)])
    _, typed, _, _, *arguments = shlex.split(command)
    arguments = [f"cmd:{program}" if word.startswith("cmd:") else word for word in arguments]
    done = evenodds_here(*arguments, typed=typed.replace("\\n", "\n"), home=home)
    assert done.returncode == 0
    assert transcript.read_text().splitlines() == dialogue.splitlines()


def test_the_protocol_names_every_key() -> None:
    elsewhere = {"pick_names", "draws", "points"}  # in games that have such
    keys: dict[str, set[str]] = {}
    for _, dialogue in DIALOGUES:
        for line in re.findall(r"^[<>] ({.*})$", dialogue, re.M):
            message = json.loads(line)
            keys.setdefault(message.pop("type"), set()).update(message)
    assert set(keys) == set(re.findall(r"^### `(.*)`", PROTOCOL, re.M))
    for kind, found in keys.items():
        (section,) = re.findall(rf"^### `{kind}`(.*?)^#", PROTOCOL, re.M | re.S)
        assert set(re.findall(r"^\| `(\w+)`", section, re.M)) - elsewhere == found
    (section,) = re.findall(r"## What `state` holds(.*?)\n## ", PROTOCOL, re.S)
    rows = re.findall(r"^\| (?:`(\w+)` )?\| `(\w+)` \|", section, re.M)
    listed: dict[str, list[str]] = {}
    for game, key in rows:
        listed.setdefault(game or list(listed)[-1], []).append(key)
    states = {game.name: game.start(game.settle({}))._fields[1:] for game in list_games()}
    assert {game: tuple(found) for game, found in listed.items()} == states


@pytest.mark.parametrize("place", range(len(GAMES)), ids=[game.name for game in GAMES])
def test_the_bots_play_every_game(place: int, home: Path, tmp_path: Path) -> None:
    assert len((ROOT / "examples" / "bots" / "bot.py").read_text().splitlines()) < 30
    bots = [
        "cmd:" + shlex.join([*PYTHON, str(ROOT / "examples" / "bots" / "bot.py")]),
        "cmd:" + shlex.join(["perl", str(ROOT / "examples" / "bots" / "bot.pl")]),
    ]
    first, second = bots[:: -1 if place % 2 else 1]
    record = tmp_path / "record.txt"
    wanted = ("play", GAMES[place].name, "--vs", first, "--vs", second, "--record", str(record))
    assert evenodds_here(*wanted, home=home).returncode == 0
    assert notation.parse(record.read_text()).result


@pytest.mark.parametrize("answer", [*NOT_PICKS, *ILLEGAL], ids=lambda answer: repr(answer[:40]))
def test_what_is_wrong_with_an_answer_is_said_in_a_line(answer: bytes) -> None:
    match = Match("duel")
    with pytest.raises(BadProgramAnswer) as caught:
        parse_answer(answer.removesuffix(b"\n"), match.terms, match.view(SECOND))
    problem = str(caught.value)
    assert problem.isprintable()
    assert problem.endswith("1, 2, 3")
    assert ("is not a pick" in problem) == (answer in NOT_PICKS)


@pytest.mark.parametrize("answer", [NOT_PICKS[0], ILLEGAL[0]])
def test_a_bad_answer_is_explained_and_asked_again(answer: bytes, sit: Sit, traces: Traces) -> None:
    seat = sit("answers_badly_first", answer)
    assert [seat.pick(), seat.pick()] == [1, 1]
    one, two = (message for message in traces.heard if message["type"] == "error")
    assert one == two
    assert one["legal"] == [1, 2, 3]
    assert one["problem"].endswith("1, 2, 3")


@pytest.mark.parametrize(
    ("manner", "argument", "picks", "said", "starts"),
    [
        (
            "answers_badly",
            NOT_PICKS[-1],
            0,
            'gave no legal number; its last answer was "[2J]0;owned',
            1,
        ),
        ("answers_badly_and_crashes", "", 0, "was asked twice", 2),
        ("crashes_always", "", 0, "ended before its pick, and did so again", 2),
        ("crashes_after_each_pick", "", 2, "did so again", 2),
        ("closes_its_output", "", 0, "did so again", 2),
        ("floods", "", 0, "flooded its output", 1),
        ("floods", "one line", 0, "flooded its output", 1),
    ],
)
def test_who_fails_for_good_forfeits(
    manner: str, argument: object, picks: int, said: str, starts: int, sit: Sit, traces: Traces
) -> None:
    seat = sit(manner, argument)
    assert [seat.pick() for _ in range(picks)] == [1] * picks
    assert said in seat.forfeit()
    assert len(traces.pids) == starts


@pytest.mark.parametrize(
    ("manner", "argument", "starts"),
    [
        ("crashes_once", "", 2),
        ("closes_its_input_once", "", 2),
        ("closes_its_input_once", "when asked", 2),
        ("answers_before_it_is_asked", "", 1),
        ("answers_twice", "", 1),
        ("answers_the_last_question_first", "", 1),
    ],
)
def test_who_can_be_forgiven_plays_on(
    manner: str, argument: str, starts: int, sit: Sit, traces: Traces
) -> None:
    seat = sit(manner, argument)
    if manner in ("closes_its_input_once", "answers_before_it_is_asked") and not argument:
        traces.wait_for("ready")
    assert [seat.pick() for _ in range(3)] == [1, 1, 1]
    assert len(traces.pids) == starts
    if manner == "crashes_once" or argument:
        hello, view, *after = traces.heard
        assert after[:2] == [hello, view]


def test_a_child_that_holds_the_output_does_not_hide_a_crash(sit: Sit, traces: Traces) -> None:
    with pytest.raises(UnknownPlayer, match=r"it ended at once$"):
        sit("leaves_its_output_to_a_child")
    assert "did so again" in sit("leaves_its_output_to_a_child", "asked").forfeit()
    assert len(traces.pids) == 8


@pytest.mark.parametrize(
    ("command", "said"),
    [
        *((name, r".*\w") for name in ("no-such-program", "'open", "/", "''", "a\0b")),
        ("true", "it ended at once"),
        (shlex.join([*PYTHON, "no-such-bot.py"]), "it ended at once, .*open file .*no-such-bot.*"),
        (shlex.join([*PYTHON, "-c", "import what"]), "it ended at once, .*No module named 'what'"),
    ],
)
def test_what_cannot_be_started_is_refused(command: str, said: str) -> None:
    with pytest.raises(UnknownPlayer, match=rf"^the program .* cannot be started: {said}$"):
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


def test_a_program_that_has_vanished_cannot_be_started_again(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text(f"#!{sys.executable} -S\nimport os\ninput()\nos.remove({str(program)!r})\n")
    program.chmod(0o700)
    seat = Seat(str(program))
    assert seat.forfeit().startswith("the program ended and cannot be started again: No such file")
    seat.leave()


def test_the_clock_runs_out(sit: Sit) -> None:
    reason = sit("thinks_forever", seconds=0.25).forfeit()
    assert reason == "the program took longer than 0.25 seconds for a pick"
    seat = sit("never_listens", seconds=0.25)
    view = seat.match.view(SECOND)._replace(history=((1, 1),) * 20_000)  # more than a pipe holds
    with pytest.raises(Forfeit, match=r"took longer than 0.25 seconds"):
        seat.player.pick(view)


@pytest.mark.parametrize(
    ("chunks", "flood"),
    [
        ([b"x\n" * 1000], False),
        ([b"x\n" * 1000, b"x\n"], True),
        ([b"x" * 65_535 + b"\n"] * 16, False),
        ([b"x" * 65_535 + b"\n"] * 16 + [b"x"], True),
        ([b"x" * 65_536, b"\nx"], False),
        ([b"x" * 65_536, b"x"], True),
    ],
)
def test_a_flood_is_many_lines_or_bytes_or_a_long_line(chunks: list[bytes], flood: bool) -> None:
    counter = OutputCounter()
    for chunk in chunks[:-1]:
        counter.add(chunk)
    if flood:
        with pytest.raises(OutputLimitExceeded):
            counter.add(chunks[-1])
    else:
        counter.add(chunks[-1])


def test_a_flood_between_two_questions_forfeits(sit: Sit, traces: Traces) -> None:
    seat = sit("floods_between_questions")
    assert seat.pick() == 1
    (traces.folder / "go").touch()
    traces.wait_for("ready")
    assert seat.forfeit() == "the program flooded its output"


@pytest.mark.parametrize("over", [True, False])
def test_the_program_hears_a_goodbye(over: bool, traces: Traces) -> None:
    seat = Seat(unruly("polite"), exit_timeout_s=60)  # however busy the machine is
    seat.pick()
    if over:
        seat.match.resign(SECOND)
    seat.leave()
    result = [{"type": "result", "outcome": "first", "reason": "resigned"}] if over else []
    assert traces.heard[2:] == [*result, {"type": "bye"}]


def test_nothing_is_left_of_a_program(traces: Traces) -> None:
    gc.collect()  # what others left open is not counted, nor is it closed meanwhile
    before = set(os.listdir("/dev/fd")), threading.active_count()
    for manner, seconds, processes in (
        ("polite", 60, 1),
        ("crashes_always", 60, 2),
        ("thinks_forever", 0.25, 1),
        ("stays_after_the_result", 60, 1),
        ("starts_a_child", 60, 2),
    ):
        known = len(traces.pids)
        seat = Seat(unruly(manner), seconds, exit_timeout_s=0.05)
        try:
            seat.pick()
        except Forfeit:
            seat.match.lose(SECOND, "forfeit")
        seat.leave()
        assert set(os.listdir("/dev/fd")) <= before[0]
        assert threading.active_count() <= before[1]
        assert len(traces.pids) == known + processes
        if manner == "starts_a_child":
            traces.wait_until_gone()  # its child is an orphan, whom somebody else sees off
        assert not any(map(is_alive, traces.pids))


def test_programs_end_with_the_interpreter(traces: Traces, home: Path) -> None:
    name = f"cmd:{unruly('starts_a_child')}"
    code = (
        f"import evenodds\nmatch = evenodds.Match('duel')\n"
        f"evenodds.make_player(match, 1, {name!r}).pick(match.view(1))\nraise SystemExit(3)"
    )
    asked = [sys.executable, "-c", code]
    done = run(asked, env=surroundings(home), timeout=TIMEOUT_S, capture_output=True)
    assert done.returncode == 3
    assert len(traces.pids) == 2


def test_programs_end_when_the_game_is_killed(traces: Traces, home: Path) -> None:
    game = at_table(unruly("starts_a_child"), home=home)
    game.see("Press Enter")
    game.process.kill(signal.SIGKILL)
    assert game.end() == -signal.SIGKILL
    assert len(traces.pids) == 2


def test_without_a_shell_there_is_no_watchman(sit: Sit) -> None:
    assert sit("polite", shell="/nowhere/sh").pick() == 1


def test_standard_error_goes_to_a_log_up_to_a_limit(sit: Sit, home: Path) -> None:
    seat = sit("floods_its_errors")
    assert [seat.pick(), seat.pick()] == [1, 1]
    (log,) = (home / "programs").iterdir()
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d-\d{{6}}-{os.getpid()}-second\.log", log.name)
    assert log.stat().st_mode & 0o777 == 0o600
    kept, note = log.read_bytes()[: 1 << 20], log.read_bytes()[1 << 20 :]
    assert set(kept.splitlines()[:-1]) == {b"This is fine."}
    assert note.strip() == b"(The log is full; what came after this was not kept.)"


def test_a_forfeit_names_the_log_if_there_is_one(sit: Sit, home: Path) -> None:
    reason = sit("crashes_always").forfeit()
    (log,) = (home / "programs").iterdir()
    assert f"(its log is {log})" in reason
    assert "RuntimeError: out of ideas" in log.read_text()
    assert "log" not in sit("crashes_after_each_pick", "at once").forfeit()


def test_only_the_last_fifty_logs_are_kept(sit: Sit, home: Path) -> None:
    folder = home / "programs"
    folder.mkdir(parents=True)
    for number in range(55):
        (folder / f"2020-01-01-{number:06}-1-first.log").touch()
    (folder / "mine.log").touch()
    sit("crashes_always").forfeit()
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 51
    assert "mine.log" in names
    assert names[0] == "2020-01-01-000006-1-first.log"


def test_where_no_log_can_be_kept_play_goes_on(sit: Sit, home: Path) -> None:
    home.write_text("this is not a folder")
    seat = sit("floods_its_errors")
    assert [seat.pick(), seat.pick()] == [1, 1]
    assert "log" not in sit("crashes_always").forfeit()


def test_programs_are_strangers_anywhere_but_on_the_command_line(home: Path) -> None:
    game = Terminal("play", home=home)
    asks = f"vs for the computer: > vs cmd:{unruly('polite')}"
    game.talk("Which game? > duel", asks, "There is no opponent called > quit")
    assert game.end() == 0


def test_the_screen_and_the_match_survive_a_forfeit(home: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    options = ("--bot-seconds", "0.5", "--record", str(record))
    game = at_table(unruly("thinks_forever"), *options, home=home)
    game.talk(
        "took longer than 0.5 seconds", "Player 2 forfeits the game.", "Player 1 wins the game!"
    )
    game.talk("Another match? (y/n) > n")
    assert game.end() == 0
    (kept,) = (home / "matches").glob("*.txt")
    for file in (record, kept):
        assert '[Reason "forfeit"]' in file.read_text()


def test_a_match_goes_on_when_its_program_is_named_again(home: Path) -> None:
    program = f"cmd:{unruly('polite')}"
    left = evenodds_here("play", "duel", "--vs", program, typed=lines(3), home=home)
    assert left.returncode == 1
    (id,) = re.findall(r"evenodds resume (\w{4}) --vs", left.stdout)
    refused = evenodds_here("resume", id, home=home)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"{id} is played against a program, which must be named again: "
        f'evenodds resume {id} --vs "{program}"\n'
    )
    assert evenodds_here("resume", home=home).stderr == refused.stderr
    done = evenodds_here("resume", "--vs", program, typed=lines(3, 3, 3), home=home)
    assert done.returncode == 0
    assert "Player 1 wins the game!" in done.stdout


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGHUP])
def test_who_ends_a_game_ends_the_program(way: signal.Signals, home: Path, traces: Traces) -> None:
    game = at_table(unruly("thinks_forever"), home=home)
    traces.wait_for("ready")
    game.process.kill(way)
    assert game.end() == 128 + way
    assert len(traces.pids) == 1


def test_ctrl_c_is_not_for_the_program(home: Path, traces: Traces) -> None:
    game = at_table(unruly("polite"), home=home)
    game.see("Press Enter")
    game.press("c")
    assert game.end() == 130
    assert traces.heard[-1] == {"type": "bye"}


def test_who_hurries_programs_out_loses_nothing(home: Path, tmp_path: Path, traces: Traces) -> None:
    record = tmp_path / "record.txt"
    options = ("--rule", "hp=1", "--record", str(record))
    game = at_table(unruly("stays_after_the_result"), *options, home=home)
    traces.wait_for("ready")
    game.press("c")
    assert game.end() == 0  # the match is over
    assert notation.parse(record.read_text()).result is not None
    assert not list((home / "matches").glob("*.lock"))


def test_who_hurries_one_out_leaves_others(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    leave = ProgramPlayer.leave

    def cut_short(player: ProgramPlayer, view: Any) -> None:
        leave(player, view)
        left.append(view.seat)
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgramPlayer, "leave", cut_short)
    program = f"cmd:{unruly('polite')}"
    evenodds_here("play", "duel", "hp=1", "--vs", program, "--vs", program, home=home)
    assert sorted(left) == [0, 1]


def test_a_hidden_pick_is_off_the_disk_while_a_program_thinks(home: Path, traces: Traces) -> None:
    program = unruly("thinks_forever")
    game = at_table(program, home=home)
    for waits in (1, 2):
        wait_until(lambda: len(traces.of("ready")) == waits)  # noqa: B023
        assert not list((home / "matches").glob("*.secret"))
        game.press("c")
        game.see("The match is saved.")
        assert game.end() == 130
        assert list((home / "matches").glob("*.secret"))
        game = Terminal("resume", "--vs", f"cmd:{program}", home=home)
    wait_until(lambda: len(traces.of("ready")) == 3)
    game.process.kill(signal.SIGKILL)
    game.end()
    again = Terminal("resume", "--vs", f"cmd:{program}", home=home)
    again.see("round 1")
    again.see("(1-3):")
    again.press("c")
    assert again.end() == 130


@pytest.mark.parametrize("argument", ['say "hi"', "$HOME `id`", "it's", "a\\b!", "plain"])
def test_the_way_back_can_be_pasted(argument: str, home: Path) -> None:
    program = f"cmd:{unruly('polite', argument)}"
    left = evenodds_here("play", "duel", "--vs", program, typed=lines(3), home=home)
    (way, id) = re.findall(r"Resume it with: (evenodds resume (\w{4}) --vs .*)\n", left.stdout)[0]
    words = run(["bash", "-c", f"printf '%s\\n' {way}"], capture_output=True, text=True)
    assert words.stdout.splitlines() == ["evenodds", "resume", id, "--vs", program]
    assert evenodds_here("resume", id, home=home).stderr.endswith(f": {way}\n")
