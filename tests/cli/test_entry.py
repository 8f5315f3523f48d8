"""The group of commands: each is imported when it runs, and listed without that."""

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Final

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from evenodds.cli import run
from evenodds.cli.entry import load_command, main
from evenodds.cli.shared.command_table import COMMANDS
from evenodds.cli.shared.errors import explain_usage
from evenodds.players.registry import DEFAULT_OPPONENT
from evenodds.system.errors import EXIT_INTERRUPTED
from evenodds.system.imports.extras import EXTRA_OF_MODULE, MissingExtra, needs_extras
from evenodds.terminal.storage.matches import saved_matches
from tests.support.commands import evenodds_here, parsed, surroundings
from tests.support.paths import ROOT

CLI: Final = ROOT / "src" / "evenodds" / "cli"
MAY_DEFER: Final = {
    *("__init__", "arena", "cache", "full_screen", "play_options", "study", "sweep", "mcp", "serve")
}
"""Modules that import within a function what is slow or not installed everywhere."""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_is_listed_as_it_explains_itself(name: str) -> None:
    """Under the name it has, with the first paragraph of its help; its example is valid."""
    command = load_command(name)
    listed = main.commands[name]
    assert (command.name, listed.name) == (name, name)
    assert command.help is not None
    assert listed.help == command.help.split("\n\n")[0]
    example = COMMANDS[name].example.removeprefix('eval "$(').removesuffix(')"')
    program, called, *words = shlex.split(example)
    assert (program, called) == ("evenodds", name)
    help = command.get_help(parsed(name, *words))
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
    """`numbers=3` alone is `--rule numbers=3`; what follows an option is its value."""
    params = parsed("solve", *words).params
    assert (params["rules"], params["after"]) == (("numbers=3",), "1-2")


@pytest.mark.parametrize(
    ("words", "vs"),
    [
        (["margin", "--vs", "numbers=3"], (DEFAULT_OPPONENT,)),
        (["margin", "--vs", "high", "numbers=3"], ("high",)),
        (["numbers=3", "margin", "--vs"], (DEFAULT_OPPONENT,)),
        (["margin", "--vs", "cmd:./bot --depth=3", "numbers=3"], ("cmd:./bot --depth=3",)),
    ],
)
def test_a_ruling_is_no_opponent(words: list[str], vs: tuple[str, ...]) -> None:
    params = parsed("play", *words).params
    assert (params["rules"], params["vs"]) == (("numbers=3",), vs)


def test_the_list_of_commands_fits_a_screen() -> None:
    """Within 80 columns and 24 lines, of which the shell takes one; every command is in it."""
    shown = CliRunner().invoke(main, ["--help"])
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) < 80
    for name in COMMANDS:
        assert re.search(rf"\b{name}\b", shown.output)


def test_the_command_alone_lists_the_commands_where_there_is_no_terminal() -> None:
    alone = CliRunner().invoke(main, [])
    assert (alone.exit_code, alone.output) == (0, CliRunner().invoke(main, ["--help"]).output)


def test_an_interrupt_during_the_imports_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(ModuleType):
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "evenodds.cli.entry", Interrupting("entry"))
    monkeypatch.setattr(sys, "argv", ["evenodds", "list"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == EXIT_INTERRUPTED


def test_a_missing_module_is_named_with_the_extra_that_has_it() -> None:
    with pytest.raises(MissingExtra, match="this needs litestar, which"), needs_extras():
        raise ModuleNotFoundError(name="litestar")
    with pytest.raises(ModuleNotFoundError) as error, needs_extras():
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
    assert declared <= EXTRA_OF_MODULE.keys()


def test_every_command_is_listed() -> None:
    modules = [path for path in CLI.rglob("*.py") if path.parent.name != "shared"]
    written = {
        node.name
        for path in modules
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one) == "command" for one in node.decorator_list)
    }
    assert written == COMMANDS.keys()


@pytest.mark.processes
def test_the_list_imports_no_command() -> None:
    code = (
        "import sys; from evenodds.cli.entry import main;"
        "main(['--help'], standalone_mode=False);"
        "print([name for name in sys.modules if name.startswith(('evenodds.cli.playing',"
        " 'evenodds.cli.analysis', 'evenodds.cli.services'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


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
    completion = ShellComplete(main, {}, "evenodds", "_EVENODDS_COMPLETE")
    assert [item.value for item in completion.get_completions(words, incomplete)] == found


def test_saved_matches_are_completed(home: Path) -> None:
    evenodds_here("play", "circle", "--rule", "numbers=1", typed="1\n", home=home)
    evenodds_here("play", "duel", typed="1\n", home=home)
    ids = {saved.match.game.name: saved.id for saved in saved_matches()[0]}
    completion = ShellComplete(main, {}, "evenodds", "_EVENODDS_COMPLETE")
    found = {
        name: {item.value for item in completion.get_completions([name], "")}
        for name in ("resume", "review")
    }
    assert found["resume"] == {ids["duel"]}
    assert found["review"] == {*ids.values(), ""}  # and files


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


def test_commands_import_at_their_top() -> None:
    """Except for what is slow or may be missing, where the help must not need it."""
    deferring = {
        path.stem
        for path in CLI.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))
    }
    assert deferring == MAY_DEFER


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("paly", 'there is no command "paly"; did you mean play? Example: evenodds play'),
        ("zz", 'there is no command "zz"; evenodds --help lists all. Example: evenodds play'),
        ("games --all", "there is no option --all; evenodds games has none. Example: evenodds"),
        (
            "odds margin",
            "FIRST is missing; type evenodds odds GAME FIRST SECOND. Example: evenodds",
        ),
        ("benchmark", "--player NAME is missing; type evenodds benchmark --player NAME. Example:"),
        ("games x y", '"x y" is not expected; type evenodds games. Example: evenodds games'),
        ("play underdog numbers", '"numbers" is not expected; to change a rule type numbers=7.'),
        ("play --names", "--names needs a value. Example: evenodds play underdog"),
        ("serve --port x", "--port x is not allowed; allowed: whole numbers 0 to 65535. Example:"),
        ("play --pace 99", "--pace 99 is not allowed; allowed: 0 to 60. Example: evenodds play"),
        ("play --pace '5 is not 6'", "--pace 5 is not 6 is not allowed; allowed: 0 to 60."),
        ("serve --port it\\'s", "--port it's is not allowed; allowed: whole numbers 0 to 65535."),
        ("games '(a) b (c)'", '"(a) b (c)" is not expected; type evenodds games. Example:'),
        ("play --pace nan", "--pace nan is not allowed; allowed: 0 to 60. Example: evenodds play"),
        ("completion sh", "sh is not allowed; allowed: bash, zsh, fish. Example: eval"),
    ],
)
def test_wrong_usage_is_told_with_what_is_allowed_and_an_example(typed: str, problem: str) -> None:
    with pytest.raises(click.UsageError) as caught:
        main(shlex.split(typed), prog_name="evenodds", standalone_mode=False)
    assert explain_usage(caught.value).startswith(problem)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        (
            "repair duel --want fun",
            'there is no wish called "fun"; there are fair, no-draws, skill',
        ),
        ("sweep duel --measure fun", 'there is no measure called "fun"; there are positions'),
        ("benchmark --player fun", 'there is no opponent called "fun"; there are random'),
        ("benchmark --player random --matches 3", "--matches 3 is not allowed; allowed: an even"),
    ],
)
def test_what_is_typed_is_checked_before_an_extra_is_missed(typed: str, problem: str) -> None:
    code = (
        f"import sys; sys.modules['numpy'] = None; sys.argv = 'evenodds {typed}'.split();"
        "from evenodds.cli import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.startswith(problem)
