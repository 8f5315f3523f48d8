"""A person's record against the computer, from the saved matches."""

from itertools import takewhile
from typing import Final, NamedTuple

from evenodds.claims.fixed_outcome import fixed_outcome
from evenodds.core.match import Match
from evenodds.core.record import VOID_REASONS
from evenodds.core.vocabulary import Outcome
from evenodds.core.words import winner
from evenodds.players.profiles import BUILT_IN_PROFILES
from evenodds.table.saved_matches import SavedMatch

RECENT: Final = 4
ENOUGH: Final = 3
"""Of so many recent matches at a level so many were won: the next level is worth a try."""


class Score(NamedTuple):
    """What one match has come to for the person who played it."""

    match: Match
    opponent: str
    points: int
    """1 for a win, 0 for a draw, -1 for a loss."""


def scores(saved: list[SavedMatch]) -> list[Score]:
    """The matches against a computer that are over, in the order given: the last one first."""
    found = []
    for _, match, _ in saved:
        people = match.terms.people
        if match.result and len(people) == 1 and match.result.reason not in VOID_REASONS:
            outcome, drawn = match.result.outcome, match.result.outcome == Outcome.DRAW
            points = 0 if drawn else 1 if winner(outcome) == people[0] else -1
            found.append(Score(match, "".join(match.terms.computers), points))
    return found


def record_line(found: list[Score], game: str) -> str:
    """The record in a game: how many matches were won, drawn and lost, and the last ones."""
    points = [score.points for score in found if score.match.game.name == game]
    if not points:
        return ""
    streak = len(list(takewhile(lambda each: each == 1, points)))
    won, drawn, lost = (points.count(each) for each in (1, 0, -1))
    return f"Won {won}, drawn {drawn}, lost {lost}" + (f"; {streak} in a row" if streak > 1 else "")


def next_level(found: list[Score]) -> str:
    """The level above the one of the last match, where that was beaten often; else nothing."""
    if not found:
        return ""
    match, level, _ = found[0]
    kind, _, number = level.partition(":")
    following = f"level:{int(number) + 1}" if kind == "level" else ""
    alike = [score for score in found if (score.match.game, score.opponent) == (match.game, level)]
    won = sum(score.points == 1 for score in alike[:RECENT])
    decided = fixed_outcome(match.game, match.terms.rulings) is not None
    return following if following in BUILT_IN_PROFILES and won >= ENOUGH and not decided else ""
