"""The commands `new` and `check`, for those who write games."""

import json
import os
import sys

import click

from evenodds.authoring.findings import load_finding
from evenodds.authoring.new import QUESTIONS, make_folder
from evenodds.cli import options
from evenodds.cli.command_table import command
from evenodds.cli.errors import EXIT_NEGATIVE
from evenodds.cli.options import option, writing
from evenodds.core.rule_checks import BadGame
from evenodds.terminal.progress_bar import progress_bar

GAME = options.NamedThing("game", options.game_titles, files=True)
"""A game as it is typed: that it does not load is a finding."""


@command("evenodds new mygame --turns --dice")
@click.argument("name")
@option("--turns/--at-once", "Take turns, or pick at once.", default=None)
@option("--pool/--hands", "One pool for both, or a hand of cards for each.", default=None)
@option("--points/--win", "A match about points, or won and lost.", default=None)
@option("--dice/--no-dice", "With a die, or without chance.", default=None)
def new(name: str, **given: bool | None) -> None:
    """At a terminal you are asked what you do not say; elsewhere the second of each two holds."""
    asked = sys.stdin.isatty()
    answers = {
        key: click.confirm(question) if given[key] is None and asked else bool(given[key])
        for key, question in QUESTIONS.items()
    }
    with writing(name):
        folder = make_folder(name, answers)
    click.echo(f"The game is in ./{folder}. Play it: evenodds play ./{folder}")


@command("evenodds check ./mygame")
@click.argument("game", type=GAME)
@option("--json", "Print the findings as JSON.", "as_data")
def check(game: str, as_data: bool) -> None:
    """Each finding is a line: the file, line and column, what is wrong, and where it shows.

    The exit code is 1 where there is any.
    """
    from evenodds.authoring.check import check_game  # needs the solver, which the help does not

    try:
        loaded = options.find_game(game)
        with progress_bar() as progress:
            findings, about = check_game(loaded, progress)
    except BadGame as error:
        findings, about = [load_finding(error, os.path.abspath(game))], ""
    if as_data:
        data = [finding._asdict() for finding in findings]
        click.echo(json.dumps({"findings": data, "checked": about}))
    else:
        said = "\n".join(map(str, findings))
        click.echo(said or f"Nothing is wrong. Checked: {about}.")
    if findings:
        raise click.exceptions.Exit(EXIT_NEGATIVE)
