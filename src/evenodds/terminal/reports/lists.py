"""Lists of the games and of the saved matches."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.record import VOID_REASONS
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import winner
from evenodds.players.profiles import names_in_record
from evenodds.system.text import TextTable, hanging
from evenodds.terminal.screen import Output
from evenodds.terminal.tables import columns_width, select_columns, table_lines

if TYPE_CHECKING:
    from evenodds.table.saved_matches import SavedMatch

MATCH_COLUMNS: Final = ("ID", "Game", "Players", "Played", "Result")
PLAYERS: Final = 2
BESIDE_PLAYERS: Final = (0, 1, 3, 4)
"""Places of columns: the players stand below the others where the screen is narrow."""


def show_games(games: Mapping[str, AnyGame], screen: Output) -> None:
    """A line for each game under the name to call it by; two where the screen is narrow."""
    label, width = max(map(len, games)) + 2, screen.columns - 1
    titles = [f"{call:>{label}}  {game.title}" for call, game in games.items()]
    summaries, lead = [game.summary for game in games.values()], max(map(len, titles)) + 2
    lines = [f"{title:<{lead}}{about}" for title, about in zip(titles, summaries, strict=True)]
    if max(map(len, lines)) > width:
        below = [hanging(" " * (label + 2), about, width) for about in summaries]
        lines = [line for title, rest in zip(titles, below, strict=True) for line in (title, *rest)]
    screen.say(*lines)


def show_matches(matches: "list[SavedMatch]", screen: Output, any_saved: bool = False) -> None:
    """A line for each saved match under a heading; two where the screen is narrow."""
    if not matches:
        screen.say(
            "No saved match is like that."
            if any_saved
            else "You have no saved matches. Start one with: evenodds play"
        )
        return
    table = TextTable(MATCH_COLUMNS, [match_cells(saved) for saved in matches])
    if columns_width(table, range(len(MATCH_COLUMNS))) < screen.columns:
        screen.say(*table_lines(table, len(MATCH_COLUMNS)))
        return
    lines = table_lines(select_columns(table, BESIDE_PLAYERS), len(BESIDE_PLAYERS))
    for line, cells in zip(lines[1:], table.rows, strict=True):
        screen.say(line, f"      {cells[PLAYERS]}")


def match_cells(saved: "SavedMatch", against: bool = False) -> tuple[str, ...]:
    """What `MATCH_COLUMNS` say of a match; `against`, "You" is left out of the players."""
    terms, names = saved.match.terms, names_in_record(saved.match.terms)
    players = [name for seat, name in names.listed() if not against or seat != names.you]
    played = datetime.fromtimestamp(saved.played).strftime("%Y-%m-%d %H:%M")
    return saved.id, terms.game.name, " - ".join(players), played, match_status(saved.match)


def match_status(match: Match) -> str:
    """The status of a match in a few words."""
    result = match.result
    if result is None:
        return f"open, {match.game.round_word} {match.round}"
    if result.outcome == Outcome.DRAW:
        return result.reason if result.reason in VOID_REASONS else "draw"
    return f"{names_in_record(match.terms).inside(winner(result.outcome))} won"
