"""What `evenodds join` does where no honest server is: it says one line, and nothing worse."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import Terminal, evenodds_here, keep_seat, surroundings
from tests.support.foreign_server import VIEW, Answer, answering, changed, told


@pytest.mark.processes
def test_names_from_strangers_are_stripped(home: Path) -> None:
    """Of control characters, of marks that turn text round, and of markup."""
    players = ["\x1b[31m[bold red]Eve[/]\u202e\x9b2J", "[[x]link=http://x]Bob\r\n"]
    with answering(Answer(changed(players=players), events=b"\n" * 9)) as link:
        guest = Terminal("join", link, "--plain", home=home)
        guest.see("Waiting for [31mEve2J and Bob.")
        guest.press("c")
        assert guest.end() == 130
    assert not re.search(rb"[^\x20-\x7e\r\n]|bold|link", guest.stream)


def test_where_nobody_answers(home: Path) -> None:
    """A closed port, and a server that speaks plainly where https is asked for."""
    with answering(Answer(VIEW)) as link:
        secure = evenodds_here("join", link.replace("http:", "https:"), home=home)
    gone = evenodds_here("join", link, home=home)
    for done, said in ((secure, "does not answer over https"), (gone, "Connection refused")):
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.processes
def test_nothing_is_needed_but_the_core(home: Path) -> None:
    extras = "litestar uvicorn sqlalchemy numba numpy"
    code = (
        f"import sys; sys.modules |= dict.fromkeys('{extras}'.split());"
        "from evenodds.cli import run; run()"
    )
    with answering(Answer(changed(result={"outcome": "first", "reason": "resigned"}))) as link:
        done = subprocess.run(
            [sys.executable, "-c", code, "join", link],
            capture_output=True,
            text=True,
            env=surroundings(home),
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Bob resigns.\nAnn wins the game!\n")


def test_time_that_is_given_back_is_called_out(home: Path) -> None:
    """A server that was away gives more time than there was left, though nothing was played."""
    view = changed(seat="first", clock=60, now=100.0, deadline=110.0, chosen=[True, False])
    view |= {"waiting": [False, True], "legal": []}
    there = {"connected": [True, True], "now": 200.0, "deadline": 230.0}
    over = view | {"seq": 4, "result": {"outcome": "first", "reason": "resigned"}}
    presence = b"event: presence\ndata: " + json.dumps(there).encode() + b"\n\n"
    with answering(
        Answer(view, events=[told(view) + presence, *[presence] * 4, told(over)])
    ) as link:
        keep_seat(link, "token")
        said = evenodds_here("join", link, home=home).stdout
    before, _, after = said.partition("Bob has 10 seconds.")
    assert before, after
    assert "Bob has 30 seconds." in after
