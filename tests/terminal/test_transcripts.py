"""Every worked example and command-line sample of the rule books, replayed word for word."""

import re
from pathlib import Path

import pytest

from tests.support.commands import evenodds, sentences
from tests.support.game_data import WITH_DATA, files

TRANSCRIPTS = files("transcript*.txt")
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


def test_every_game_has_its_transcript() -> None:
    assert {path.parent.name for path in TRANSCRIPTS} == {game.name for game in WITH_DATA}
