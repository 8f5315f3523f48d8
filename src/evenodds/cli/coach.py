"""The commands `review` and `train`."""

import json
import os
from random import Random

import click

from evenodds.claims.fixed_outcome import livelier
from evenodds.cli import open_app, opens_app, options
from evenodds.cli.command_table import command
from evenodds.cli.options import option, write_output_file
from evenodds.coach.review import Review, review_all
from evenodds.coach.review_text import as_json, render_review_page
from evenodds.coach.training import Training
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import agree
from evenodds.figures import join_first
from evenodds.players.profiles import names_in_record
from evenodds.table.play_options import session_options
from evenodds.table.records import choose
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.training import train as show_puzzles
from evenodds.terminal.progress_bar import solve_with_progress
from evenodds.terminal.reports.review import show_review
from evenodds.terminal.screen import Screen

MATCH_OR_FILE = options.NamedThing("file", options.match_lines, files=True)


@command("evenodds review match.txt -o review.html")
@click.argument("file", metavar="ID", type=MATCH_OR_FILE)
@options.folder
@options.match
@option("--json", "Print JSON, one line for each match.", "as_data")
@options.page
def review(file: str, place: int | None, as_data: bool, page: str | None) -> None:
    """ID is that of a saved match, or the name of a file with recorded matches.

    GAME is the folder of its game, where that is not installed.
    """
    if as_data and page:
        raise click.UsageError("--json and -o exclude each other.")
    if page and os.path.exists(page) and os.path.exists(file) and os.path.samefile(page, file):
        raise click.UsageError(f"{page} holds the matches; name another file for the page.")
    matches = dict(enumerate(choose(file, place), place or 1))
    found, failed = review_all(matches, solve_with_progress, names_in_record)
    if found:
        _output_reviews(found, as_data, page)
    if failed:
        raise click.ClickException(_failures(file, len(matches), failed))


def _output_reviews(found: dict[int, Review], as_data: bool, page: str | None) -> None:
    """Write, print or show reviews, each by its place in the file."""
    if page:
        write_output_file(page, render_review_page(list(found.values())))
        click.echo(f"The review is in {page}.")
    elif as_data:
        for place, one in found.items():
            click.echo(json.dumps({"match": place} | as_json(one)))
    else:
        screen = Screen()
        for number, one in enumerate(found.values()):
            screen.say(*([""] * 2 if number else []))
            show_review(one, screen)


def _failures(file: str, count: int, failed: dict[str, list[int]]) -> str:
    """Which matches of a file could not be reviewed, and why."""
    if count == 1:
        return f"{file} cannot be reviewed: {next(iter(failed))}"
    said = [
        f"match{'' if len(places) == 1 else 'es'} {join_first(list(map(str, places)))}: {why}"
        for why, places in failed.items()
    ]
    return f"not all of {file} can be reviewed; {'; '.join(said)}"


@command("evenodds train factors")
@options.game
@options.rule
@options.seed
@options.plain
def train(game: AnyGame, rules: tuple[str, ...], seed: int | None, plain: bool) -> None:
    """Each puzzle is a position with one clearly best number, or with one trap.

    Where a game leaves little to decide, puzzles come from livelier rules, unless you choose some.
    """
    terms = agree(game, options.read_rulings(game, rules))
    terms = terms if rules else livelier(terms)
    if opens_app(plain):
        open_app(session_options(seed, None), first=lambda app: app.train(terms, seed, alone=True))
    solution = solve_with_progress(terms, bars=False)
    show_puzzles(Training(solution, Random(seed)), Keyboard(Screen(bars=False)))
