"""Reports of the coach: a solved position and hints as bars, match reviews as tables."""

from functools import partial
from typing import Final

from evenodds.coach.position_report import (
    PositionReport,
    best_mixes,
    certainty_sentence,
    value_sentence,
)
from evenodds.coach.reasons import Hint
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
from evenodds.core.board import SEAT_STYLES, Line, Span
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.engine.solution import saddle_point
from evenodds.figures import percent
from evenodds.system.text import display_width, padded
from evenodds.terminal.screen import Output
from evenodds.terminal.tables import share_bar

MIX_BAR_COLUMNS: Final = 30
HINT_BAR_COLUMNS: Final = 20
CURVE_ROWS: Final = 4
CURVE_MARKS: Final = " ▁▂▃▄▅▆▇█"
CURVE_MARGIN: Final = "     "
REVIEW_TABLE_HEAD: Final = "  before  after   cost  guess"


def show_position(found: PositionReport, screen: Output) -> None:
    """Show the solution: the value in words, the best mixes as bars, and the solver's effort."""
    match, solution = found.match, found.solution
    called = partial(match.game.words.pick_name, match.terms.rulings)
    screen.say(f"{match.game.title}: {value_sentence(found)}")
    for seat, mix in enumerate(best_mixes(found)):
        if mix:
            several = "" if solution.is_only_mix(match.state, seat) else " (one of several)"
            screen.say("", f"{('First', 'Second')[seat]} player, best strategy{several}:")
            named = [(called(seat, number), share) for number, share in mix.items()]
            wide = _columns_of([name for name, _ in named])
            screen.draw([_mix_line(f"{n:>{wide}}", s, MIX_BAR_COLUMNS, seat) for n, s in named])
    is_mixed = match.game.simultaneous and not solution.unknown
    if is_mixed and (pure := saddle_point(solution.matrix(match.state))):
        one, two = (called(seat, pure[seat]) for seat in SEATS)
        screen.say("", f"Nobody needs to vary: {one} against {two} is a saddle point.")
    screen.say(
        "", f"{solution.positions:,} positions, {certainty_sentence(found)}, {found.seconds:.1f} s."
    )


def show_hint(found: Hint | None, seat: Seat, screen: Output) -> None:
    """Show the hint for a seat; one line where it has nothing to decide."""
    if found is None:
        screen.say("You have nothing to decide here.")
        return
    screen.say(*found.why)
    screen.say(f"If both play perfectly from here, your expected score is {found.worth}.")
    if found.alike:
        return
    screen.say("How often to pick each, and how it does against best play:")
    wide = _columns_of([one.name for one in found.advice])
    lines = [(f"{one.name:>{wide}}", one.share, one.text) for one in found.advice]
    screen.draw([_mix_line(name, s, HINT_BAR_COLUMNS, seat, said) for name, s, said in lines])


def _columns_of(names: list[str]) -> int:
    """The columns that the longest name of a pick takes."""
    return max(4, *map(display_width, names))


def _mix_line(name: str, share: float, columns: int, seat: Seat, said: str = "") -> Line:
    figure = f"{percent(share):>7}  {said}"
    return share_bar(name, share, columns, SEAT_STYLES[seat], figure.rstrip())


def show_review(found: Review, screen: Output) -> None:
    """Show the loss of every pick, the expected scores, the turning point and the lessons."""
    match = found.match
    screen.say(f"{match.terms.title_for(found.names)}. {result_line(match, found.names)}", "")
    if found.picks:
        screen.say(turning_point(found), accuracies(found), "")
        _draw_curve(found, screen)
    else:
        screen.say("Nothing was played.")
    if learned := lessons(found):
        screen.say("", "To learn from:", *(f"- {said}" for said in learned))
    if found.picks:
        screen.say("")
        _draw_picks(found, screen)
        screen.say_legend(explain_figures(found))


def _draw_picks(found: Review, screen: Output) -> None:
    """A table of all picks; on a narrow screen one for each player."""
    names, picks = found.names, found.picks
    width = max(map(display_width, ("player", *names.by_seat)))
    step = f"{found.match.game.round_word:>5}"
    pick_columns = _columns_of([pick.name for pick in picks])
    draw = "   draw" if found.match.game.chance else ""
    head = f" {'pick':>{pick_columns}}{REVIEW_TABLE_HEAD}{draw}"
    if display_width(step + head) + width + 2 < screen.columns:
        screen.say(f"{step}  {'player':<{width}}{head}")
        last = 0
        for choice in picks:
            player = Span(f"  {padded(names[choice.seat], width)}", SEAT_STYLES[choice.seat])
            screen.draw([_pick_line(choice, pick_columns, choice.round != last, player)])
            last = choice.round
        return
    for number, (seat, name) in enumerate(names.listed()):
        screen.say(*([""] if number else []))
        screen.draw([[Span(name, SEAT_STYLES[seat])]])
        screen.say(f"{step}{head}")
        screen.draw([_pick_line(choice, pick_columns) for choice in picks if choice.seat == seat])


def _pick_line(choice: ReviewedPick, columns: int, first: bool = True, *player: Span) -> Line:
    """The figures of a pick; its round is named by the first pick of it."""
    before, after, gave, *causes = pick_cells(choice)
    return [
        Span(f"{choice.round if first else '':>5}"),
        *player,
        Span(f" {choice.name:>{columns}}{before:>8}{after:>7}"),
        Span(f"{gave:>7}", "last" if choice.loss else "faint"),
        *(Span(f"{cause:>7}") for cause in causes),
    ]


def _draw_curve(found: Review, screen: Output) -> None:
    """A column for each score from 0 to 100%, as wide as there is room, or in several drawings."""
    label, scores = expected_scores(found)
    room = screen.report_width - len(CURVE_MARGIN)
    wide = max(1, min(3, room // len(scores)))
    screen.say(f"{label}, from the start to the end:")
    for start in range(0, len(scores), room):
        for row in reversed(range(CURVE_ROWS)):
            heights = [round(8 * CURVE_ROWS * score) - 8 * row for score in scores[start:]][:room]
            marks = [CURVE_MARKS[min(max(height, row == 0), 8)] for height in heights]
            margin = {CURVE_ROWS - 1: "100% ", 0: "  0% "}.get(row, CURVE_MARGIN)
            curve = "".join(f"{mark * max(1, wide - 1):<{wide}}" for mark in marks)
            screen.draw([[Span(margin, "faint"), Span(curve, "open")]])
