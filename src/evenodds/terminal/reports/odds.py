"""Report of exact odds between two ways to play, as text."""

from evenodds.claims.study_figures import PERFECT_POLICY, PERFECT_STRATEGY_NOTE
from evenodds.core.board import Span, bar
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import repetition_rule
from evenodds.figures import percent
from evenodds.study.named_odds import NamedOdds
from evenodds.terminal.screen import Output

BAR_COLUMNS = 30
LEGEND = "How often each player wins, and how often neither does. A draw scores half a win."


def show(game: AnyGame, names: tuple[str, str], report: NamedOdds, screen: Output) -> None:
    """Show the odds as bars, and the mean length."""
    found = report.odds
    one, two = names
    screen.say(f"{game.title}, exact odds: {one} (first) against {two} (second)", "")
    styles = {"first": "first", "draw": "strong", "second": "second", "endless": "faint"}
    for name, style in styles.items():
        share = getattr(found, name)
        if name == "endless" and (found.repetition or not game.loops):
            continue
        filled = bar(round(share * 1000), 1000, BAR_COLUMNS, style)
        screen.draw([[Span(f"{name:>8}  "), *filled, Span(f" {percent(share, 2):>8}")]])
    unit = "rounds" if game.simultaneous else "picks"
    length = (
        "may not end" if found.length is None else f"takes {found.length:.2f} {unit} on average"
    )
    score = percent(found.score, 2)
    screen.say("", LEGEND, f"The first player scores {score}. A match {length}.")
    if game.loops:
        screen.say(repetition_rule(found.repetition))
    if PERFECT_POLICY in names and (one != two or game.simultaneous):
        screen.say_wrapped(PERFECT_STRATEGY_NOTE)
