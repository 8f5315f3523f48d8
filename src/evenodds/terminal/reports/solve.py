"""Report of exact solutions, as text and as JSON."""

from evenodds.coach.position_report import PositionReport, certainty_sentence, value_sentence
from evenodds.core.board import Line, Span, bar
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.figures import percent
from evenodds.terminal.screen import Output

MIX_BAR_COLUMNS = 30


def show(found: PositionReport, screen: Output) -> None:
    """Show the solution: the value in words, the best mixes as bars, and the solver's effort."""
    match, solution = found.match, found.solution
    screen.say(f"{match.game.title}: {value_sentence(found)}")
    for seat, name in ((FIRST, "First player"), (SECOND, "Second player")):
        mix = solution.mix(match.state, seat)
        if mix:
            only = solution.is_only_mix(match.state, seat)
            screen.say("", f"{name}, best strategy{'' if only else ' (one of several)'}:")
            screen.draw([_bar_line(number, share, seat) for number, share in mix.items()])
    saddle = solution.saddle(match.state) if match.game.simultaneous else None
    if saddle:
        screen.say("", f"Nobody needs to vary: {saddle[0]} against {saddle[1]} is a saddle point.")
    screen.say(
        "", f"{solution.positions:,} positions, {certainty_sentence(found)}, {found.seconds:.1f} s."
    )


def _bar_line(number: int, share: float, seat: int) -> Line:
    style = ("first", "second")[seat]
    filled = bar(round(share * 1000), 1000, MIX_BAR_COLUMNS, style)
    return [Span(f"{number:>4}  "), *filled, Span(f" {percent(share):>7}")]
