"""Lists of the games and of the saved matches."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from evenodds.core.board import Line, Span
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.record import VOID_REASONS
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import winner
from evenodds.players.profiles import names_in_record
from evenodds.system.text import display_width, padded, wrapped
from evenodds.terminal.screen import Screen

if TYPE_CHECKING:
    from evenodds.terminal.storage.matches import SavedMatch

MATCH_COLUMNS: Final = ("ID", "Game", "Players", "Played", "Result")
COLUMN_GAP: Final = 2


def show_games(games: Mapping[str, AnyGame], screen: Screen) -> None:
    """A line for each game under the name to call it by; two where the screen is narrow."""
    label = max(map(len, games))
    name = max(len(game.title) for game in games.values())
    longest = max(len(game.summary) for game in games.values())
    wide = label + name + longest + 6 < screen.columns
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


def show_matches(matches: "list[SavedMatch]", screen: Screen, any_saved: bool = False) -> None:
    """A line for each saved match under a heading; two where the screen is narrow."""
    if not matches:
        screen.say(
            "No saved match is like that."
            if any_saved
            else "You have no saved matches. Start one with: evenodds play"
        )
        return
    rows = [_match_cells(saved) for saved in matches]
    widths = [
        max(display_width(cell) for cell in column)
        for column in zip(MATCH_COLUMNS, *rows, strict=True)
    ]
    wide = sum(widths) + COLUMN_GAP * (len(widths) - 1) < screen.columns
    if wide:
        screen.draw([_columns([Span(head, "strong") for head in MATCH_COLUMNS], widths)])
    for id, game, players, played, status in rows:
        start = [Span(id, "open"), Span(game)]
        end = [Span(played, "faint"), Span(status)]
        if wide:
            screen.draw([_columns([*start, Span(players), *end], widths)])
        else:
            short = [*widths[:2], *widths[3:]]
            screen.draw([_columns([*start, *end], short), [Span(f"      {players}", "faint")]])


def _match_cells(saved: "SavedMatch") -> tuple[str, ...]:
    terms = saved.match.terms
    players = [name for _, name in names_in_record(terms).listed()]
    played = datetime.fromtimestamp(saved.played).strftime("%Y-%m-%d %H:%M")
    return saved.id, terms.game.name, " - ".join(players), played, match_status(saved.match)


def _columns(cells: list[Span], widths: list[int]) -> Line:
    """Cells padded to the widths of their columns."""
    gap = " " * COLUMN_GAP
    padded_cells = [
        cell._replace(text=padded(cell.text, width) + gap)
        for cell, width in zip(cells[:-1], widths, strict=False)
    ]
    return [*padded_cells, cells[-1]]


def match_status(match: Match) -> str:
    """The status of a match in a few words."""
    result = match.result
    if result is None:
        return f"open, {match.game.round_word} {match.round}"
    if result.outcome == Outcome.DRAW:
        return result.reason if result.reason in VOID_REASONS else "draw"
    return f"{names_in_record(match.terms).inside(winner(result.outcome))} won"
