"""Parser of match notation.

Every tag checked, every pick judged by the rules, the result compared.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date as Date

from evenodds.core import catalog
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation.seal_notation import is_seals
from evenodds.core.notation.tokens import (
    RESULTS,
    BadNotation,
    MatchText,
    Token,
    split_matches,
    words_of,
)
from evenodds.core.record import END_REASONS
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import (
    DEFAULT_REPETITION,
    BadTerms,
    Terms,
    check_first,
    check_players,
    check_repetition,
)
from evenodds.core.vocabulary import FIRST, PASS, SECOND, Outcome, Pair
from evenodds.system.text import brief, listed, printable

_NUMBER = re.compile(r"[0-9]{1,9}")
_LOSERS = {"first": SECOND, "second": FIRST}


def parse(text: str) -> Match:
    """The one match in a text, or `BadNotation`."""
    matches = parse_all(text)
    if len(matches) != 1:
        raise BadNotation(1, 1, f"there are {len(matches)} matches here, not one")
    return matches[0]


def parse_all(text: str) -> list[Match]:
    """Every match in a text, or `BadNotation` with line and column."""
    return [read_match(passage) for passage in split_matches(text)]


def play_line(match: Match, text: str) -> None:
    """Play picks written as `7-8 10-6` or `4 5 6` on from where a match stands."""
    for number, line in enumerate(text.split("\n"), 1):
        for word in words_of(line, number):
            if word.text in RESULTS.values():
                raise word.bad(f"{word.text} is a result, and here stand only picks")
            _play(match, word)


@contextmanager
def _errors_at(token: Token) -> Iterator[None]:
    """Whatever is refused in this block is refused at the place of the token."""
    try:
        yield
    except (UnknownGame, BadRuling, BadTerms, IllegalPick) as error:
        raise token.bad(str(error)) from None


def read_match(passage: MatchText) -> Match:
    """The match of a passage."""
    match = Match(_terms(passage))
    result: Token | None = None
    for token in passage.tokens:
        if is_seals(token):
            continue  # `notation.verify` looks at these
        if result:
            raise token.bad(
                f"{brief(token.text)} stands after the result; a match begins with its tags"
            )
        if token.text in RESULTS.values():
            result = token
        else:
            _play(match, token)
    if result is None:
        last = (passage.tokens or [passage.start])[-1]
        raise last.bad(
            f"the match has no result; it ends with {listed(list(RESULTS.values()), 'or')}"
        )
    match.taken_back = _one_of(passage.tag("TakenBack"), "", "yes") == "yes"
    _finish(match, passage.tag("Reason"), result)
    return match


def _terms(passage: MatchText) -> Terms:
    if "Game" not in passage.tags:
        raise passage.start.bad('the tag Game is missing: [Game "circle"]')
    with _errors_at(tag := passage.tag("Game")):
        game = catalog.get(tag.text)
    with _errors_at(tag := passage.tag("Rulings")):
        rulings = game.settle_typed(_rulings(tag))
    one, two = game.words.players
    tags = (passage.tag("Player1", one), passage.tag("Player2", two))
    with _errors_at(tags[0] if "Player1" in passage.tags else tags[1]):
        players = check_players((tags[0].text, tags[1].text))
    with _errors_at(tag := passage.tag("First", "1")):
        first = check_first(game, _whole(tag))
    with _errors_at(tag := passage.tag("Repetition", str(DEFAULT_REPETITION))):
        repetition = check_repetition(_whole(tag))
    computers = (printable(passage.tag("Computer1").text), printable(passage.tag("Computer2").text))
    return Terms(game, rulings, players, first, repetition, computers, _date(passage.tag("Date")))


def _rulings(tag: Token) -> dict[str, str]:
    """`numbers=6 target=2` taken apart."""
    rulings: dict[str, str] = {}
    for word in tag.text.split():
        key, equals, value = word.partition("=")
        if not equals or key in rulings:
            raise tag.bad(f"rulings are written once each as key=value, not {brief(word)}")
        rulings[key] = value
    return rulings


def _whole(tag: Token) -> int:
    if not _NUMBER.fullmatch(tag.text):
        raise tag.bad(f"{brief(tag.text)} is not a whole number")
    return int(tag.text)


def _date(tag: Token) -> Date | None:
    try:
        return Date.fromisoformat(tag.text) if tag.text else None
    except ValueError:
        raise tag.bad(f"a date is written 2026-01-31, not {brief(tag.text)}") from None


def _one_of(tag: Token, *allowed: str) -> str:
    if tag.text not in allowed:
        words = listed([word for word in allowed if word], "or")
        raise tag.bad(f"{brief(tag.text)} is not allowed; allowed: {words}")
    return tag.text


def _play(match: Match, token: Token) -> None:
    """One round of picks, written as the game's rounds are written."""
    with _errors_at(token):
        match.play(_picks(match, token))


def _picks(match: Match, token: Token) -> Pair:
    numbers = token.text.split("-")
    if not all(map(_NUMBER.fullmatch, numbers)):
        raise token.bad(f"{brief(token.text)} is neither a pick nor a result")
    asked = match.waiting()
    if not asked:
        raise IllegalPick("the match is over")
    if len(numbers) != len(asked):
        form = "7-8, a number for each player" if len(asked) == 2 else "7, one number"
        raise token.bad(f"a round is written {form}; not {brief(token.text)}")
    picks = dict(zip(asked, map(int, numbers), strict=True))
    return (picks.get(FIRST, PASS), picks.get(SECOND, PASS))


def _finish(match: Match, reason: Token, result: Token) -> None:
    """End the match for the reason given, and hold the result against what the match says."""
    said = _one_of(reason, "", "repetition", *END_REASONS)
    if said in END_REASONS:
        if result.text not in _LOSERS:
            raise reason.bad(f"{said} needs a winner, and the result is {result.text}")
        with _errors_at(reason):
            match.lose(_LOSERS[result.text], said)
    true = match.result
    if said == "repetition" and (true is None or true.reason != said):
        raise reason.bad("no position has come up often enough for a draw by repetition")
    expected = RESULTS[true.outcome if true else Outcome.ONGOING]
    if result.text != expected:
        raise result.bad(f"the result of these picks is {expected}, not {result.text}")
