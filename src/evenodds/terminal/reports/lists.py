"""Lists of the games and of the saved matches."""

from collections.abc import Mapping
from datetime import datetime

from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import Span, winner
from evenodds.system.text import display_width, wrapped
from evenodds.terminal.screen import Screen
from evenodds.terminal.storage.matches import SavedMatch


def show_games(games: Mapping[str, AnyGame], screen: Screen) -> None:
    """A line for each game under the name to call it by; two where the screen is narrow."""
    label = max(map(len, games))
    name = max(len(game.title) for game in games.values())
    longest = max(len(game.summary) for game in games.values())
    wide = label + name + longest + 6 <= screen.columns
    for call, game in games.items():
        title = Span(f"{game.title:<{name}}" if wide else game.title, "strong")
        about = Span(game.summary, "faint")
        start = Span(f"{call:>{label + 2}}  ", "open")
        if wide:
            screen.draw([[start, title, Span("  "), about]])
        else:
            lines = wrapped(game.summary, max(20, screen.columns - label - 5))
            more = [[Span(" " * (label + 4)), Span(line, "faint")] for line in lines]
            screen.draw([[start, title], *more])


def show_matches(matches: list[SavedMatch], screen: Screen) -> None:
    """Two lines for each saved match, three on a narrow screen; the last played first."""
    if not matches:
        screen.say("No match is kept yet. Begin one with: evenodds play")
    for saved in matches:
        played = datetime.fromtimestamp(saved.played).strftime("%Y-%m-%d %H:%M")
        players = " against ".join(saved.match.terms.players)
        line = [
            Span(f"{saved.id}  ", "open"),
            Span(saved.match.game.name),
            Span(f"  {played}  ", "faint"),
        ]
        state = Span(match_status(saved.match))
        wide = sum(display_width(span.text) for span in (*line, state)) < screen.columns
        screen.draw([[*line, state]] if wide else [line, [Span("      "), state]])
        screen.draw([[Span(f"      {players}", "faint")]])


def match_status(match: Match) -> str:
    """The status of a match in a few words."""
    result = match.result
    if result is None:
        return f"open, round {match.round}"
    if result.outcome == Outcome.DRAW:
        return "a draw"
    return f"{match.names[winner(result.outcome)]} won"
