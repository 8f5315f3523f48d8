"""Writer of match notation."""

from collections.abc import Iterable
from typing import Final

from evenodds.core.match import Match
from evenodds.core.notation.seals import Sealed, write_seals, write_unplayed
from evenodds.core.notation.tokenizer import RESULTS, escape
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.terms import DEFAULT_REPETITION
from evenodds.core.vocabulary import PASS, Outcome, Pair
from evenodds.system.errors import InvalidInput

LINE_COLUMNS: Final = 78


def write(match: Match, sealed: Sealed | None = None) -> str:
    """A match as text. A pending pick is left out; sealed picks are followed by their seals."""
    if not isinstance(match, Match):
        raise InvalidInput(f"a match is written in notation, not {type(match).__name__}")
    named = _tags(match) | {"Sealed": sealed.match if sealed else ""}
    tags = "".join(f'[{key} "{escape(value)}"]\n' for key, value in named.items() if value)
    result = match.result
    words = [write_round(picks) for picks in match.history]
    if sealed:
        pairs = zip(words, map(write_seals, sealed.rounds), strict=True)
        words = [word for pair in pairs for word in pair]
        words += filter(None, [write_unplayed(sealed.unplayed)])
    words.append(RESULTS[result.outcome if result else Outcome.ONGOING])
    return f"{tags}\n{_wrap(words)}\n"


def write_all(matches: Iterable[Match]) -> str:
    """Any number of matches as one text."""
    return "\n".join(write(match) for match in matches)


def write_round(picks: Pair) -> str:
    """A round as text: both picks, or the one pick of a turn."""
    return "-".join(str(pick) for pick in picks if pick != PASS)


def _tags(match: Match) -> dict[str, str]:
    terms = match.terms
    result = match.result
    return {
        "Game": match.game.name,
        "Rulings": format_rulings(ruling_texts(terms.rulings, changed_only=True)),
        "Player1": terms.players[0],
        "Player2": terms.players[1],
        "Computer1": terms.computers[0],
        "Computer2": terms.computers[1],
        "Date": terms.date.isoformat() if terms.date else "",
        "First": "" if match.game.simultaneous else str(terms.first),
        "Repetition": "" if terms.repetition == DEFAULT_REPETITION else str(terms.repetition),
        "Reason": result.reason if result and result.reason != "rules" else "",
        "TakenBack": "yes" if match.taken_back else "",
    }


def _wrap(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_COLUMNS:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
