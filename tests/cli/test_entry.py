"""The group of commands: each is imported when it runs, and listed without that."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from evenodds.system.imports import EXTRAS, MissingExtra, needs
from tests.support.commands import (
    command_names,
    completions,
    evenodds_here,
    kept_matches,
    parsed,
    surroundings,
)
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", command_names())
def test_a_command_is_listed_as_it_explains_itself(name: str, home: Path) -> None:
    listed = evenodds_here("--help", home=home).stdout
    help = evenodds_here(name, "--help", home=home).stdout
    summary = re.search(rf"\b{name} {{2,}}(.*)\n|, {name}\b|\b{name},", listed)
    assert summary
    assert (summary[1] or "") in " ".join(help.split())
    example = help.split("Example:\n  ")[1].strip().removeprefix('eval "$(').removesuffix(')"')
    program, called, *words = shlex.split(example)
    assert (program, called) == ("evenodds", name)
    assert parsed(name, *words).command.name == name
    assert "x<" not in help  # limits are said in words
    assert "x>" not in help


@pytest.mark.parametrize(
    "words",
    [
        ["margin", "numbers=3", "--after", "1-2"],
        ["numbers=3", "margin", "--after", "1-2"],
        ["margin", "--after", "1-2", "--rule", "numbers=3"],
        ["margin", "--rule=numbers=3", "--after=1-2"],
    ],
)
def test_a_ruling_needs_no_option(words: list[str]) -> None:
    params = parsed("solve", *words).params
    assert (params["rules"], params["after"]) == (("numbers=3",), "1-2")


@pytest.mark.parametrize(
    ("words", "vs"),
    [
        (["margin", "--vs", "numbers=3"], ("level:4",)),
        (["margin", "--vs", "high", "numbers=3"], ("high",)),
        (["numbers=3", "margin", "--vs"], ("level:4",)),
        (["margin", "--vs", "cmd:./bot --depth=3", "numbers=3"], ("cmd:./bot --depth=3",)),
    ],
)
def test_a_ruling_is_no_opponent(words: list[str], vs: tuple[str, ...]) -> None:
    params = parsed("play", *words).params
    assert (params["rules"], params["vs"]) == (("numbers=3",), vs)


def test_the_list_of_commands_fits_a_screen(home: Path) -> None:
    shown = evenodds_here("--help", home=home)
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) < 80
    alone = evenodds_here(home=home)
    assert (alone.returncode, alone.stdout) == (0, shown.stdout)


def test_an_interrupt_during_the_imports_is_quiet(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupting(ModuleType):
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "evenodds.cli.entry", Interrupting("entry"))
    done = evenodds_here("list", home=home)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_missing_module_is_named_with_the_extra_that_has_it() -> None:
    with pytest.raises(MissingExtra, match="this needs litestar, which"), needs():
        raise ModuleNotFoundError(name="litestar")
    with pytest.raises(ModuleNotFoundError) as error, needs():
        raise ModuleNotFoundError(name="nonsense")
    assert not isinstance(error.value, MissingExtra)


def test_every_module_of_an_extra_is_known() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {
        re.split(r"[^\w-]|-cuda\d", requirement)[0].replace("-", "_")
        for extra, requirements in extras["optional-dependencies"].items()
        if extra != "all"
        for requirement in requirements
    }
    assert declared <= {module for modules in EXTRAS.values() for module in modules.split()}


@pytest.mark.processes
def test_the_list_imports_no_command() -> None:
    code = (
        "import sys; from evenodds.cli.entry import COMMANDS, main;"
        "main(['--help'], standalone_mode=False);"
        "modules = {f'evenodds.cli.{entry.module}' for entry in COMMANDS.values()};"
        "print(modules & sys.modules.keys() or len(modules) > 10)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "True", done.stderr


@pytest.mark.parametrize(
    ("words", "incomplete", "found"),
    [
        ([], "so", ["solve"]),
        (["solve"], "--af", ["--after"]),
        (["odds", "duel"], "per", ["perfect"]),
        (["play", "duel", "--vs"], "level:3", ["level:3"]),
        (["play", "duel", "--rule"], "k", ["knockout="]),
        (["solve", "duel", "--rule"], "knockout=d", ["knockout=draw"]),
        (["play", "duel"], "k", ["knockout="]),
        (["play", "duel", "--vs", "high"], "knockout=d", ["knockout=draw"]),
        (["play", "duel"], "--reco", ["--record"]),
        (["arena", "duel", "--player"], "ra", ["random"]),
    ],
)
def test_names_and_options_are_completed(
    words: list[str], incomplete: str, found: list[str]
) -> None:
    assert completions(*words, incomplete=incomplete) == found


def test_saved_matches_are_completed(home: Path) -> None:
    evenodds_here("play", "circle", "--rule", "numbers=1", typed="1\n", home=home)
    evenodds_here("play", "duel", typed="1\n", home=home)
    ids = {match.game.name: id for id, match in kept_matches(home).items()}
    assert completions("resume") == [ids["duel"]]
    assert {*completions("review")} == {*ids.values(), ""}  # and files


@pytest.mark.processes
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("evenodds play duel --vs level:", ["1", "2", "3", "4", "5", "6", "7", "8"]),
        ("evenodds play duel --rule knockout=", ["higher", "draw"]),
        ("evenodds solve --fr", ["--fresh"]),
    ],
)
def test_bash_completes_words_with_colons(line: str, found: list[str], home: Path) -> None:
    script = f'eval "$(evenodds completion bash)"\nCOMP_LINE="{line}" COMP_POINT={len(line)}\n' + (
        'compopt() { :; }; _evenodds_completion evenodds; echo "${COMPREPLY[@]}"'
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=surroundings(home, PATH=path)
    )
    assert done.stdout.split() == found, done.stderr


@pytest.mark.processes
def test_what_is_typed_is_checked_before_an_extra_is_missed() -> None:
    refusals = {
        "repair duel --want fun": 'there is no goal called "fun"; there are fair, few-draws',
        "sweep duel --measure fun": 'there is no measure called "fun"; there are positions',
        "benchmark --player fun": 'there is no opponent called "fun"; there are random',
        "benchmark --player random --matches 3": "--matches 3 is not allowed; allowed: an even",
    }
    code = (
        "import sys; from contextlib import suppress; sys.modules['numpy'] = None;"
        "from evenodds.cli import run\n"
        f"for typed in {list(refusals)}:\n"
        "    sys.argv = ['evenodds', *typed.split()]\n"
        "    with suppress(SystemExit): run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    for line, problem in zip(done.stderr.splitlines(), refusals.values(), strict=True):
        assert line.startswith(problem)
