"""The commands `matches`, `show` and `verify`."""

import click

from evenodds.cli.shared.errors import NegativeAnswer, negative_answers
from evenodds.cli.shared.options import read_rulings, rule_option
from evenodds.core import catalog
from evenodds.core.match import Match
from evenodds.core.notation import BadNotation, play_line
from evenodds.core.terms import agree
from evenodds.terminal.play.replay import replay_lines
from evenodds.terminal.reports.lists import show_matches
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import saved_matches
from evenodds.terminal.storage.records import BadRecord, choose
from evenodds.terminal.storage.records import verify as verify_records


@click.command()
def matches() -> None:
    """List the matches that are kept, the last played first."""
    found, faults = saved_matches()
    show_matches(found, Screen())
    for fault in faults:
        click.echo(fault, err=True)


@click.command()
@click.argument("file", type=click.Path())
@click.option("--match", "place", type=click.IntRange(min=1), metavar="N", help="Only the Nth.")
@click.option("--line", metavar="PICKS", help='With a game as FILE: replay picks like "7-8 10-6".')
@rule_option
def show(file: str, place: int | None, line: str | None, rules: tuple[str, ...]) -> None:
    """Replay the matches recorded in FILE, or the kept match of that name, round by round."""
    if line is None and rules:
        raise click.UsageError("--rule goes with --line: a recorded match has rulings of its own.")
    if line is not None and place:
        raise click.UsageError("--match and --line exclude each other.")
    with negative_answers(BadRecord):
        found = choose(file, place) if line is None else [_played(file, line, rules)]
    screen = Screen()
    for number, match in enumerate(found):
        screen.say(*([""] * 2 if number else []))
        replay_lines(match, screen)


def _played(name: str, line: str, rules: tuple[str, ...]) -> Match:
    """The match of a line of play that was typed."""
    game = catalog.get(name)
    match = Match(agree(game, read_rulings(game, rules)))
    try:
        play_line(match, line)
    except BadNotation as error:
        raise click.UsageError(f"--line, {error}") from None
    return match


@click.command()
@click.argument("file", type=click.Path())
def verify(file: str) -> None:
    """Check that sealed picks in FILE, a record of a match in the browser, are as promised."""
    with negative_answers(BadRecord):
        found = verify_records(file)
    if not any(verified.picks or verified.unplayed for verified in found):
        raise NegativeAnswer("no picks were sealed here, and there is nothing to check")
    for verified in found:
        picks = f"{verified.picks} sealed picks, each as it was promised." if verified.picks else ""
        status = " ".join(filter(None, [picks, verified.unplayed])) or "not sealed."
        click.echo(f"{verified.match.terms.title}: {status}")
