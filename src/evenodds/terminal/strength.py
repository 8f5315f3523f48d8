"""The opponents and how strong they are, for people and for programs."""

from typing import Any

from evenodds.catalog import AnyGame
from evenodds.players import PLAYERS
from evenodds.players.strength import Strengths, strengths
from evenodds.rulings import as_data
from evenodds.terminal.progress import shown_progress
from evenodds.terminal.screen import Screen
from evenodds.text import SURE, percent
from evenodds.words import Span

ENDLESS = (
    "Weighed without the draw by repetition: who never gives in wins here in the end, while "
    "in a match most of this comes to a draw."
)


def weigh(game: AnyGame, rulings: Any) -> Strengths:
    """The exact strength of every level, with a bar while it is found."""
    with shown_progress() as progress:
        return strengths(game, rulings, progress)


def show_names(screen: Screen) -> None:
    """Every opponent, and how it plays."""
    for name, manner in PLAYERS.items():
        screen.draw([[Span(f"{name:<9}", "strong"), Span(manner)]])


def show(game: AnyGame, found: Strengths, screen: Screen) -> None:
    """A table of exact scores, and in words how much room for skill there is."""
    screen.say(f"{game.title}: what each level scores, exactly, in %.", "")
    screen.say("          against   against   against   the best opponent")
    screen.say("          the one    random   perfect      against it")
    screen.say("            below")
    for standing in found.standings:
        below = "" if standing.below is None else f"{100 * standing.below:.1f}"
        screen.draw(
            [
                [
                    Span(f"{standing.name:<10}", "strong"),
                    Span(f"{below:>7}{100 * standing.random:>10.1f}"),
                    Span(f"{100 * standing.perfect:>10.1f}{100 * standing.taken:>15.1f}"),
                ]
            ]
        )
    screen.say("", skill(found))
    if game.loops:
        screen.say(ENDLESS)


def skill(found: Strengths) -> str:
    """How much room for skill a game has, in a sentence."""
    if all(abs(standing.taken - 0.5) < SURE for standing in found.standings):
        return "There is no room for skill: however you play, it comes to the same."
    room = f"Perfect play scores {percent(found.room)} against random picks"
    if found.room > 0.9:
        return f"{room}: skill decides."
    if found.room > 0.7:
        return f"{room}: skill counts for much."
    if found.room > 0.55:
        return f"{room}: skill counts, and so does luck."
    return f"{room}: luck counts for most of it."


def as_json(game: AnyGame, rulings: Any, found: Strengths) -> dict[str, Any]:
    """The table as data."""
    return {
        "game": game.name,
        "rules": as_data(rulings),
        "room": found.room,
        "levels": [standing._asdict() for standing in found.standings],
    }
