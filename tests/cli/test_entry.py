"""The group of commands: each is imported when it runs, and listed without that."""

import ast
import subprocess
import sys
from typing import Final

import pytest
from click.shell_completion import ShellComplete

from evenodds.cli.entry import COMMANDS, load_command, main
from tests.support.paths import ROOT

CLI: Final = ROOT / "src" / "evenodds" / "cli"
MAY_DEFER: Final = {"arena", "cache", "study", "sweep", "mcp", "serve"}
"""Modules of commands that import within a function what is slow or not installed everywhere."""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_is_listed_as_it_explains_itself(name: str) -> None:
    """Under the name it has, with the first paragraph of its help."""
    command = load_command(name)
    listed = main.commands[name]
    assert (command.name, listed.name) == (name, name)
    assert command.help is not None
    assert listed.help == " ".join(command.help.split("\n\n")[0].split())


def test_every_command_is_listed() -> None:
    """None is written and then forgotten in the table."""
    modules = [path for path in CLI.rglob("*.py") if path.parent.name != "shared"]
    written = {
        node.name
        for path in modules
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one) == "click.command()" for one in node.decorator_list)
    }
    assert written == COMMANDS.keys()


@pytest.mark.processes
def test_the_list_imports_no_command() -> None:
    """So that help and completion are fast."""
    code = (
        "import sys; from evenodds.cli import main;"
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
    ],
)
def test_names_and_options_are_completed(
    words: list[str], incomplete: str, found: list[str]
) -> None:
    """Those of a command too, which is imported for it."""
    completion = ShellComplete(main, {}, "evenodds", "_EVENODDS_COMPLETE")
    assert [item.value for item in completion.get_completions(words, incomplete)] == found


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
