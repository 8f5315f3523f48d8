"""The coach at the keyboard: a hint as bars, a review as a table and a curve."""

from typing import TYPE_CHECKING, Final

from evenodds.coach.hints import Hint, hint
from evenodds.coach.report import accuracies, lesson, result_line, turning_point
from evenodds.coach.review import Choice, Review, review
from evenodds.exact import NotSolved, solution_for
from evenodds.match import Match
from evenodds.terminal.progress import shown_progress
from evenodds.terminal.screen import Screen
from evenodds.terms import Terms
from evenodds.text import columns, padded, percent
from evenodds.vocabulary import FIRST, Seat
from evenodds.words import SEAT_STYLES, Span, bar

if TYPE_CHECKING:
    from evenodds.solver import Solution

BAR: Final = 20
SPARKS: Final = "▁▂▃▄▅▆▇█"
NAME: Final = 20
"""Columns for the name of a player."""


def solved(terms: Terms) -> "Solution":
    """The solution of a game as agreed, with a bar while it is made; `NotSolved` says why not."""
    with shown_progress() as progress:
        return solution_for(terms, progress)


def show_hint(match: Match, seat: Seat, screen: Screen) -> None:
    """What the exact table says to a seat; one line where there is none."""
    try:
        found = hint(solved(match.terms), match.state, seat)
    except NotSolved as error:
        screen.say(f"There is no hint for this match: {error}.")
        return
    if found is None:
        screen.say("There is nothing to decide here.")
        return
    _draw_hint(found, match, seat, screen)


def _draw_hint(found: Hint, match: Match, seat: Seat, screen: Screen) -> None:
    screen.say(
        f"With best play by both, {match.names[seat]} scores {percent(found.score)} from here. "
        "How often to pick each number, and what it comes to against best play:"
    )
    for number, share, _, said in found.advice:
        filled = bar(round(share * 1000), 1000, BAR, SEAT_STYLES[seat])
        screen.draw([[Span(f"{number:>4}  "), *filled, Span(f" {percent(share):>7}  {said}")]])
    screen.say(*found.why)


def reviewed(match: Match) -> Review:
    """A match judged by the exact table of its game; `NotSolved` says why not."""
    return review(match, solved(match.terms))


def show_review(found: Review, screen: Screen) -> None:
    """What every pick gave away, the curve, the turning point, and what to learn from."""
    match = found.match
    screen.say(f"{match.terms.title}. {result_line(match)}", "")
    if not found.choices:
        screen.say("Nothing was played.")
        return
    screen.say("Expected scores under best play by both, exact, in %:", "")
    screen.say(f"round  {'player':<{NAME}}  pick  before   after    gave    luck")
    last = 0
    for choice in found.choices:
        screen.draw([_row(choice, match, choice.round != last)])
        last = choice.round
    screen.say("", f"{match.names[FIRST]}'s prospects: {sparkline(found.curve)}")
    for said in (turning_point(found), accuracies(found)):
        screen.say("", said)
    lessons = found.lessons()
    if lessons:
        screen.say("", "To learn from:")
        screen.say(*(f"- {lesson(found, choice)}" for choice in lessons))


def sparkline(curve: tuple[float, ...]) -> str:
    """A mark for every round, higher where the score was."""
    return "".join(SPARKS[round(score * (len(SPARKS) - 1))] for score in curve)


def _row(choice: Choice, match: Match, heads: bool) -> list[Span]:
    name = match.names[choice.seat]
    while columns(name) > NAME:
        name = name[:-1]
    luck = f"{100 * choice.luck:+8.1f}" if choice.luck else " " * 8
    gave = f"{100 * choice.gave:8.1f}" if choice.gave else f"{'-':>8}"
    return [
        Span(f"{choice.round if heads else '':>5}  "),
        Span(padded(name, NAME), SEAT_STYLES[choice.seat]),
        Span(f"{choice.number:>6}{100 * choice.before:8.1f}{100 * choice.after:8.1f}"),
        Span(gave, "last" if choice.gave else "faint"),
        Span(luck),
    ]
