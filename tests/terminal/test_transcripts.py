"""Every worked example and command-line sample of the rule books, replayed word for word."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evenodds import FIRST, SECOND, IllegalPick, Match
from tests.support.commands import evenodds, keep_seat, lines
from tests.support.game_data import WITH_DATA, files
from tests.support.servers import Opener, Server
from tests.support.waiting import wait_until

TRANSCRIPTS = files("transcript*.txt")
NOTICE = re.compile(
    r"You are |Your pick is in|Waiting for |(Player \w|Your opponent) (is|has left)|.* away"
)
PAUSE = "Press Enter to continue to the next round...\n\n"
"""What nobody waits for in a pipe."""
pytestmark = pytest.mark.processes


def sample(path: Path) -> tuple[list[str], str]:
    """The words of the command, and what is typed as `<7>` and said, to the byte."""
    command, text = path.read_text().split("\n", 1)
    return command.split()[1:], text.replace(PAUSE, "")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_dialog_is_the_rule_books(path: Path, home: Path) -> None:
    """`$` is the command; it may begin with an empty line, and all else is as in the book."""
    command, said = sample(path)
    typed = re.findall(r"<(\w+)>", said)

    done = evenodds(*command, typed="\n".join(typed) + "\n", home=home)

    assert done.stdout.removeprefix("\n") == re.sub(r"<(\w+)>", r"\1", said)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("here", [FIRST, SECOND])
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_on_a_server_the_dialog_is_the_rule_books_too(
    path: Path, here: int, server: Server, home: Path
) -> None:
    """Of either player, who is not asked for the other one's picks; notices come between."""
    (_, name, *rules), said = sample(path)
    given = (rule.split("=") for rule in rules if rule != "--rule")
    rulings = {key: int(value) for key, value in given}
    match = Match(name, rulings)
    due: dict[int, int] = {}
    typed_here, expected, elsewhere = [], [], False
    for line in said.splitlines():
        typed = re.search(r"<(\d+)>", line)
        if not elsewhere and not typed:
            expected.append(line)
        elsewhere = False
        if not typed:
            continue
        seat, number = match.waiting()[0], int(typed[1])
        if seat == here:
            typed_here.append(number)
            expected.append(re.sub(r"<(\d+)>", r"\1", line))
        else:
            due[match.round] = number
        try:
            match.pick(seat, number)
        except IllegalPick:
            elsewhere = seat != here  # and so is the refusal, which follows
    one, two = match.names.by_seat
    opener = Opener(server, name, name=one, rulings=rulings)
    join = ["join", opener.invitation, "--name", two]
    if here == FIRST:
        guest = {"invitation": opener.secret, "name": two}
        token = server.client().post("/api/join", json=guest).json()["token"]
        keep_seat(opener.link, opener.token)
        opener.client, join = server.client(token), ["join", opener.link]

    def act(view: dict[str, Any]) -> None:
        wait_until(lambda: opener.view()["connected"][here])
        if view["legal"] and view["round"] in due:
            opener.pick(due.pop(view["round"]))

    with ThreadPoolExecutor() as pool:
        done = pool.submit(evenodds, *join, typed=lines(*typed_here), home=home)
        opener.play(act)
    found = [line for line in done.result().stdout.splitlines() if not NOTICE.match(line)]
    assert found[found[0] == "" :] == expected


def test_every_game_has_its_transcript() -> None:
    assert {path.parent.name for path in TRANSCRIPTS} == {game.name for game in WITH_DATA}
