"""Report of hints as bars, and of match reviews as a table and a sparkline."""

from typing import Final

from evenodds.coach.hints import Hint
from evenodds.coach.review import Review, ReviewedPick
from evenodds.coach.review_text import (
    accuracies,
    expected_scores,
    explain_figures,
    lessons,
    pick_cells,
    result_line,
    turning_point,
)
from evenodds.core.board import SEAT_STYLES, Span, bar
from evenodds.core.vocabulary import Seat
from evenodds.figures import percent
from evenodds.system.text import display_width, padded
from evenodds.terminal.screen import Output

HINT_BAR_COLUMNS: Final = 20
SPARKLINE_CHARACTERS: Final = "▁▂▃▄▅▆▇█"
REVIEW_TABLE_HEAD: Final = " pick  before  after   cost  guess"


def show_hint(found: Hint | None, seat: Seat, screen: Output) -> None:
    """Show the hint for a seat; one line where it has nothing to decide."""
    if found is None:
        screen.say("You have nothing to decide here.")
        return
    screen.say(*found.why)
    screen.say(f"If both play perfectly from here, your expected score is {percent(found.score)}.")
    if found.alike:
        return
    screen.say("How often to pick each number, and how it does against best play:")
    style = SEAT_STYLES[seat]
    screen.draw(
        [
            [
                Span(f"{advice.number:>4}  "),
                *bar(round(advice.share * 1000), 1000, HINT_BAR_COLUMNS, style),
                Span(f" {percent(advice.share):>7}  {advice.said}"),
            ]
            for advice in found.advice
        ]
    )


def show_review(found: Review, screen: Output, curve: bool = True) -> None:
    """Show the loss of every pick, the expected scores, the turning point and the lessons."""
    match = found.match
    screen.say(f"{match.terms.title_for(found.names)}. {result_line(match, found.names)}", "")
    if found.picks:
        screen.say(turning_point(found), accuracies(found))
    else:
        screen.say("Nothing was played.")
    learned = lessons(found)
    if learned:
        screen.say("", "To learn from:", *(f"- {said}" for said in learned))
    if found.picks:
        screen.say("")
        _draw_picks(found, screen)
        screen.say_legend(explain_figures(found))
        if curve:
            screen.say("")
            _draw_curve(found, screen)


def _draw_picks(found: Review, screen: Output) -> None:
    """A table of all picks; on a narrow screen one for each player."""
    names = found.names
    width = max(len("player"), *(display_width(name) for _, name in names.listed()))
    step = f"{found.match.game.round_word:>5}"
    if display_width(step + REVIEW_TABLE_HEAD) + width + 2 < screen.columns:
        screen.say(f"{step}  {'player':<{width}}{REVIEW_TABLE_HEAD}")
        last = 0
        for choice in found.picks:
            player = Span(f"  {padded(names[choice.seat], width)}", SEAT_STYLES[choice.seat])
            screen.draw([[_round(choice, choice.round != last), player, *_figures(choice)]])
            last = choice.round
        return
    for number, (seat, name) in enumerate(names.listed()):
        screen.say(*([""] if number else []))
        screen.draw([[Span(name, SEAT_STYLES[seat])]])
        screen.say(f"{step}{REVIEW_TABLE_HEAD}")
        own = [choice for choice in found.picks if choice.seat == seat]
        screen.draw([[_round(choice), *_figures(choice)] for choice in own])


def _draw_curve(found: Review, screen: Output) -> None:
    """The curve behind its title; below it, in as many lines as it takes, where it is long."""
    label, scores = expected_scores(found)
    title = f"{label}:"
    curve, width = sparkline(scores), screen.columns - 1
    if display_width(title) + 1 + len(curve) <= width:
        screen.say(f"{title} {curve}")
    else:
        screen.say(title, *(curve[at : at + width] for at in range(0, len(curve), width)))


def sparkline(curve: tuple[float, ...]) -> str:
    """A mark for every round, higher where the score was."""
    return "".join(
        SPARKLINE_CHARACTERS[round(score * (len(SPARKLINE_CHARACTERS) - 1))] for score in curve
    )


def _round(choice: ReviewedPick, shown: bool = True) -> Span:
    return Span(f"{choice.round if shown else '':>5}")


def _figures(choice: ReviewedPick) -> list[Span]:
    before, after, gave, luck = pick_cells(choice)
    return [
        Span(f"{choice.number:>5}{before:>8}{after:>7}"),
        Span(f"{gave:>7}", "last" if choice.loss else "faint"),
        Span(f"{luck:>7}"),
    ]
