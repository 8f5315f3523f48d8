"""The package as people install it: built, and alone with what its core needs."""

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import evenodds
from evenodds import FIRST
from tests.support.commands import python, surroundings
from tests.support.paths import ROOT

pytestmark = pytest.mark.processes

TOUR = {
    "games": "",
    "rules factors": "",
    "play duel": "3\n4\nresign\n",
    "play underdog --names Red,Blue": "resign\n",
    "play circle --first coin --rule reach=2 --seed 1": "resign\n",
    "play margin --vs": "hint\n3\nresign\n",
    "play duel --vs level:8 --vs high --record match.txt": "",
    "show match.txt": "",
    "review match.txt": "",
    "show duel --line 3-3,3-3 --rule hp=6": "",
    "train factors --seed 1": "quit\n",
    "matches": "",
    "play underdog --vs reader --names Ann,Computer": "3\n4\n5\nresign\n",
    "habits Ann": "",
    "forget Ann": "",
    "odds underdog level:3 perfect": "",
    "study underdog -o report.html": "",
    "cache": "",
    "completion bash": "",
}
"""Commands that need nothing more, with what is typed at them."""
NEEDS_MORE = {
    "solve underdog --rule numbers=9": "solver",
    "sweep circle --rule numbers=6..7": "solver",
    "repair duel --want fair": "solver",
    "serve": "server",
    "mcp": "mcp",
}
"""Commands, and the extra that they ask for."""
ONE_BY_ONE = """
import json, sys
from click.testing import CliRunner
from evenodds.cli import run
said = {}
for command, typed in json.loads(sys.argv[1]).items():
    words = [word.replace(",", " ") if "-" in word else word for word in command.split()]
    with CliRunner().isolation(typed) as (told, complained, _):
        sys.argv = ["evenodds", *words]
        try:
            run()
        except SystemExit as end:
            code = end.code or 0
    said[command] = code, told.getvalue().decode(), complained.getvalue().decode()
print(json.dumps(said))
"""
"""Runs commands one after the other in one process."""


def needed(name: str) -> set[str]:
    found, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for line in distribution(one).requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the built package and its requirements, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    for name in needed("evenodds") - {"evenodds"}:
        for file in distribution(name).files or ():
            link = folder / file.parts[0]
            if file.parts[0] != ".." and not link.exists():
                link.symlink_to(Path(str(file.locate())).parents[len(file.parts) - 1] / link.name)
    return folder


Said = tuple[int, str, str]


@pytest.fixture(scope="module")
def said(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    return run_alone(
        installed, tmp_path_factory.mktemp("home"), TOUR | dict.fromkeys(NEEDS_MORE, "")
    )


def run_alone(installed: Path, home: Path, typed: dict[str, str]) -> dict[str, Said]:
    """Exit code, output and errors of all commands, in an environment with nothing else."""
    bare = home / "bare"  # processes that a command starts have no other packages either
    venv.create(bare)
    done = subprocess.run(
        [bare / "bin" / "python", "-c", ONE_BY_ONE, json.dumps(typed)],
        capture_output=True,
        text=True,
        cwd=home,
        env=surroundings(home) | {"PYTHONPATH": os.fspath(installed)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Said] = json.loads(done.stdout)
    return found


def test_default_rulings_need_no_numpy(installed: Path, tmp_path: Path) -> None:
    typed: dict[str, tuple[str, str]] = {}
    for game in evenodds.list_games(installed=False):
        name = game.name
        match = f"hint\n{game.picks(game.start(game.rulings()), FIRST)[-1]}\nresign\n"
        typed |= {
            f"solve {name}": ("", "positions"),
            f"players {name}": ("", "level:8"),
            f"study {name}": ("", "-o report.html"),
            f"odds {name} perfect uniform": ("", "The first player scores"),
            f"odds {name} perfect level:4": ("", "The first player scores"),
        }
        for opponent in ("level:1", "level:8", "perfect"):
            typed[f"play {name} --vs {opponent}"] = (match, "If both play perfectly from")
    found = run_alone(installed, tmp_path, {words: keys for words, (keys, _) in typed.items()})
    for words, (code, told, errors) in found.items():
        assert (code, errors) == (0, ""), words
        assert typed[words][1] in told, words
    assert not (tmp_path / "cache").exists()


def test_it_holds_all_that_it_shows(installed: Path) -> None:
    package = installed / "evenodds"
    for name in ("py.typed", "precomputed", "games/duel/rulebook.md", "games/duel/board.js"):
        assert (package / name).exists(), name
    assert not {"numpy", "numba"} & {path.name for path in installed.iterdir()}


def test_its_description_names_every_extra_and_links_to_no_file(installed: Path) -> None:
    (metadata,) = installed.glob("evenodds-*.dist-info/METADATA")
    head, _, description = metadata.read_text().partition("\n\n")
    assert "](" not in description
    for extra in re.findall(r"^Provides-Extra: (\w+)", head, re.M):
        assert f"`{extra}`" in description or f"evenodds[{extra}]" in description, extra


def test_the_tour_needs_nothing_more(said: dict[str, Said]) -> None:
    for command in TOUR:
        code, told, errors = said[command]
        assert (code, "Traceback" in errors) == (0, False), (command, told, errors)
        assert told, command


@pytest.mark.parametrize("command", NEEDS_MORE)
def test_what_needs_more_says_what(command: str, said: dict[str, Said]) -> None:
    code, _, errors = said[command]
    assert code != 0
    *progress, fault = errors.splitlines()
    assert all(line.startswith("exploring positions") for line in progress), errors
    assert f"evenodds[{NEEDS_MORE[command]}]" in fault


LOADED = """
import sys
import venv
from evenodds.cli import run
for command in ("play duel", "play duel --vs level:3", "study duel", "solve duel", "rules duel"):
    sys.argv = ["evenodds", *command.split()]
    try:
        run()
    except SystemExit:
        pass
loaded = {name.partition(".")[0] for name in sys.modules if not name.startswith("_")}
print(sorted(loaded - set(sys.stdlib_module_names)), "evenodds.protocol" in sys.modules)
import evenodds.server.app
print("jinja2" in sys.modules)
"""


def test_libraries_are_imported_when_they_are_needed(home: Path) -> None:
    typed = 2 * TOUR["play duel"]
    done = python(LOADED, stdin=None, input=typed, env=surroundings(home))
    libraries = ["click", "evenodds", "msgspec", "typing_extensions"]
    assert done.stdout.splitlines()[-2:] == [f"{libraries} False", "False"], done.stderr
