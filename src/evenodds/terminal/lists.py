"""Lists of what there is: games to play, and matches that are kept."""

from datetime import datetime

from evenodds.catalog import Listing
from evenodds.match import Match
from evenodds.terminal.screen import Screen
from evenodds.terminal.store import Kept
from evenodds.vocabulary import Outcome
from evenodds.words import Span, winner


def list_games(listing: Listing, screen: Screen) -> None:
    """A line for each game: its name for commands, its title, what it is about."""
    width = max(len(game.name) for game in listing.games)
    for game in listing.games:
        title = [Span(f"{game.name:<{width}}  ", "open"), Span(game.title, "strong")]
        about = [Span(" " * (width + 2)), Span(game.summary, "faint")]
        screen.draw([title, about])


def list_matches(matches: list[Kept], screen: Screen) -> None:
    """A line for each kept match, the last played first."""
    if not matches:
        screen.say("No match is kept yet. Begin one with: evenodds play")
        return
    width = max(len(kept.match.game.name) for kept in matches)
    for kept in matches:
        played = datetime.fromtimestamp(kept.played).strftime("%Y-%m-%d %H:%M")
        players = " against ".join(kept.match.terms.players)
        line = [
            Span(f"{kept.id}  ", "open"),
            Span(f"{kept.match.game.name:<{width}}  {played}  ", "faint"),
            Span(f"{players}: {standing(kept.match)}"),
        ]
        screen.draw([line])


def standing(match: Match) -> str:
    """Where a match stands, in a few words."""
    result = match.result
    if result is None:
        return f"open, round {match.round}"
    if result.outcome == Outcome.DRAW:
        return "a draw"
    return f"{match.names[winner(result.outcome)]} won"
