"""The Python in the pages for programmers and researchers runs, and prints what it says."""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evenodds.adapters.observation import describe_observation
from evenodds.cli.entry import load_command
from tests.support.commands import surroundings
from tests.support.paths import ROOT

GUIDE = ROOT / "docs" / "guide.md"
PYTHON = ROOT / "docs" / "python.md"
ENVIRONMENTS = ROOT / "docs" / "environments.md"
OPENSPIEL = ROOT / "docs" / "openspiel.md"
EXAMPLES = {
    page: re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    for page in (PYTHON, ENVIRONMENTS, OPENSPIEL)
}
INLINE = re.findall(r"`(gymnasium\.make\(.*?\))`", GUIDE.read_text())
"""What the guide says of Gymnasium in the middle of a sentence."""


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize(
    ("page", "example"), [(page, example) for page in EXAMPLES for example in EXAMPLES[page]]
)
def test_the_examples_run_and_print_what_they_say(
    page: Path, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each `print` is followed by a comment with what comes of it."""
    monkeypatch.setenv("EVENODDS_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    if "gymnasium" in example:  # what other tests have registered must not help it
        said = run_afresh(example, tmp_path).splitlines()
    else:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example, str(page), "exec"), {})
        said = printed.getvalue().splitlines()
    promised = re.findall(r"print\(.*\)\s+# (.*)", example)
    assert len(said) == len(promised) > 0
    for line, promise in zip(said, promised, strict=True):
        assert line in (promise, promise.split(": ")[0])


def run_afresh(code: str, home: Path) -> str:
    """What a program prints in a process that has imported nothing."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings(home)
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.processes
@pytest.mark.parametrize("call", INLINE)
def test_gymnasium_finds_a_game_without_an_import(call: str, home_with_tables: Path) -> None:
    """As the guide writes it."""
    code = f"import gymnasium\nprint({call}.reset(seed=1)[1])"
    assert run_afresh(code, home_with_tables) == "{'opponent_pick': 0}\n"


def test_there_are_examples() -> None:
    """The pages show Python at all."""
    assert {page.name: len(found) for page, found in EXAMPLES.items()} == {
        "python.md": 7,
        "environments.md": 8,
        "openspiel.md": 2,
    }
    assert len(INLINE) == 1


def test_the_layout_of_an_observation_is_shown() -> None:
    """As the function has it that describes those of all games."""
    assert ENVIRONMENTS.read_text().endswith(f"\n\n{describe_observation('underdog')}\n")


def test_the_record_in_the_guide_is_a_match() -> None:
    """What is shown as notation can be read."""
    from evenodds.core import notation

    (record,) = re.findall(r"```text\n(\[Game.*?)```", GUIDE.read_text(), re.S)
    assert notation.parse(record).result is not None


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_lead_to_files(page: Path) -> None:
    """Those within the project."""
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
    assert all((page.parent / link).exists() for link in links), links


@pytest.mark.parametrize("page", [ROOT / "README.md", GUIDE])
def test_commands_of_the_pages_are_valid(page: Path) -> None:
    """Every line of commands parses: names, options and arguments exist."""
    lines = re.findall(r"^    (?:printf .* \| )?(evenodds .*)$", page.read_text(), re.M)
    assert lines
    for line in lines:
        _, *words = shlex.split(line, comments=True)
        if words:
            load_command(words[0]).make_context(words[0], words[1:])
