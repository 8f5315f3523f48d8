"""Programs that play, most of them badly: `unruly.py MANNER [ARGUMENT]`.

Each adds its process id to `pids` in the folder PROGRAM_TRACES, and what it hears to `heard`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from ast import literal_eval
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TRACES = Path(os.environ["PROGRAM_TRACES"])


def trace(name: str, text: str) -> None:
    with (TRACES / name).open("a") as file:
        file.write(text + "\n")


def questions() -> Iterator[dict[str, Any]]:
    while line := sys.stdin.readline():
        trace("heard", line.rstrip("\n"))
        message = json.loads(line)
        if message["type"] in ("view", "error"):
            yield message
        if message["type"] == "bye":
            return


def say(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def pick(number: int, **more: object) -> None:
    say(json.dumps({"type": "pick", "number": number, **more}).encode() + b"\n")


def polite(argument: str) -> None:
    for question in questions():
        pick(question["legal"][0])


def answers_badly_first(argument: str) -> None:
    """Something else in answer to every view, and the lowest number when asked again."""
    for question in questions():
        if question["type"] == "error":
            pick(question["legal"][0])
        else:
            say(literal_eval(argument))


def answers_badly(argument: str) -> None:
    for _ in questions():
        say(literal_eval(argument))


def crashes_once(argument: str) -> None:
    for question in questions():
        if not (TRACES / "crashed").exists():
            trace("crashed", "here")
            raise RuntimeError("\x1b[31mout of ideas")
        pick(question["legal"][0])


def answers_badly_and_crashes(argument: str) -> None:
    """Nonsense, a crash when that is explained, and nonsense again after the new start."""
    for question in questions():
        if question["type"] == "error":
            sys.exit(1)
        say(b"nonsense\n")


def crashes_always(argument: str) -> None:
    for _ in questions():
        raise RuntimeError("out of ideas")


def crashes_after_each_pick(argument: str) -> None:
    for question in questions():
        if not argument:
            pick(question["legal"][0])
        sys.exit(0)


def closes_its_output(argument: str) -> None:
    os.close(1)
    signal.pause()


def closes_its_input_once(argument: str) -> None:
    """It shuts its ears, at once or when asked, and lives on; after a new start it plays well."""
    if (TRACES / "ready").exists():
        polite(argument)
    if argument:
        next(questions())
    os.close(0)
    trace("ready", "closed")
    signal.pause()


def leaves_its_output_to_a_child(argument: str) -> None:
    """It ends, at its start or when it is asked, but its output stays open."""
    start_a_child()
    if argument:
        next(questions())
    sys.exit(1)


def thinks_forever(argument: str) -> None:
    for _ in questions():
        trace("ready", "thinking")
        signal.pause()


def never_listens(argument: str) -> None:
    signal.pause()


def floods(argument: str) -> None:
    for _ in questions():
        say(b"x" * 200_000 if argument == "one line" else b"x\n" * 100_000)


def floods_between_questions(argument: str) -> None:
    for question in questions():
        pick(question["legal"][0])
        while not (TRACES / "go").exists():
            time.sleep(0.01)
        say(b"and another thing\n" * 1001)
        trace("ready", "talked")


def floods_its_errors(argument: str) -> None:
    for question in questions():
        sys.stderr.write("This is fine.\n" * 200_000)
        sys.stderr.flush()
        pick(question["legal"][0])


def answers_before_it_is_asked(argument: str) -> None:
    """The highest number at the start, the lowest in answer to questions."""
    pick(3)
    trace("ready", "said")
    polite(argument)


def answers_twice(argument: str) -> None:
    """The lowest and the highest number in answer to the same question."""
    for question in questions():
        low, *_, high = question["legal"]
        say(b"".join(b'{"type": "pick", "number": %d}\n' % number for number in (low, high)))


def answers_the_last_question_first(argument: str) -> None:
    """The highest number for the round before, then the lowest for this one."""
    for question in questions():
        pick(question["legal"][-1], round=question["round"] - 1)
        pick(question["legal"][0], round=question["round"])


def stays_after_the_result(argument: str) -> None:
    """It plays well, says that it has heard how it ended, and must be killed in spite of that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    polite(argument)
    trace("ready", "heard")
    while True:
        signal.pause()


def starts_a_child(argument: str) -> None:
    start_a_child()
    trace("ready", "started")
    polite(argument)


def start_a_child() -> None:
    """Somebody who ignores all requests to end, in this process group."""
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"
    trace("pids", str(subprocess.Popen([sys.executable, "-S", "-c", code]).pid))


def main(manner: str, argument: str = "") -> None:
    trace("pids", str(os.getpid()))
    play: Callable[[str], None] = globals()[manner]
    play(argument)


main(*sys.argv[1:])
