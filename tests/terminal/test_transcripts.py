"""Every worked example and command-line sample of the rule books, replayed word for word."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evenodds import FIRST, SECOND, IllegalPick, Match
from tests.support.commands import evenodds, lines, sentences
from tests.support.game_data import WITH_DATA, files
from tests.support.servers import Opener, Server
from tests.support.waiting import wait_until

TRANSCRIPTS = files("transcript*.txt")
NOTICE = re.compile(r"You are |Your pick is in|Waiting for |Player \w (is|has left)|.* away")
PAUSE = "Press Enter to continue to the next round..."


@pytest.mark.processes
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_dialog_is_the_rule_books(path: Path, home: Path) -> None:
    """`$` is the command, `<7>` is typed, the rest is said, in this order and nothing else."""
    command, text = path.read_text().split("\n", 1)
    typed = re.findall(r"<(\w+)>", text)
    said = re.sub(r"<(\w+)>", r"\1", text.replace(PAUSE, ""))

    done = evenodds(*command.split()[1:], typed="\n".join(typed) + "\n", home=home)

    assert sentences(done.stdout) == sentences(said)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.processes
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_on_a_server_the_dialog_is_the_rule_books_too(
    path: Path, server: Server, home: Path
) -> None:
    """Of the second player, who is not asked for the first one's picks; notices come between."""
    command, *said = sentences(path.read_text().replace(PAUSE, ""))
    name, *rules = [word for word in command.split()[2:] if word != "--rule"]
    rulings = {key: int(value) for key, value in (rule.split("=") for rule in rules)}
    match = Match(name, rulings)
    due: dict[int, int] = {}
    typed_by_second, expected = [], []
    for line in said:
        if not (typed := re.search(r"<(\d+)>", line)):
            expected.append(line)
            continue
        seat = match.waiting()[0]
        if seat == FIRST:
            due[match.round] = int(typed[1])
        else:
            typed_by_second.append(typed[1])
            expected.append(re.sub(r"<(\d+)>", r"\1", line))
        with suppress(IllegalPick):
            match.pick(seat, int(typed[1]))
    one, two = match.names.by_seat
    opener = Opener(server, name, name=one, rulings=rulings)

    def act(view: dict[str, Any]) -> None:
        wait_until(lambda: opener.view()["connected"][SECOND])
        if view["legal"] and view["round"] in due:
            opener.pick(due.pop(view["round"]))

    with ThreadPoolExecutor() as pool:
        join = ("join", opener.invitation, "--name", two)
        done = pool.submit(evenodds, *join, typed=lines(*typed_by_second), home=home)
        opener.play(act)
    found = [line for line in sentences(done.result().stdout) if not NOTICE.match(line)]
    assert found == expected


def test_every_game_has_its_transcript() -> None:
    assert {path.parent.name for path in TRANSCRIPTS} == {game.name for game in WITH_DATA}
