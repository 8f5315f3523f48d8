"""Parser of match notation: checks every tag, every pick by the rules, and the result."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date as Date

from evenodds.core import catalog
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation.seals import is_seals
from evenodds.core.notation.tokenizer import (
    RESULTS,
    BadNotation,
    MatchText,
    Token,
    split_matches,
    words_of,
)
from evenodds.core.record import END_REASONS, VOID_REASONS
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
from evenodds.figures import join_words
from evenodds.system.text import printable, shorten

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
    return [read_match(match_text) for match_text in split_matches(text)]


def play_line(match: Match, text: str) -> None:
    """Play picks written as `7-8 10-6` or `4 5 6` in a match."""
    for number, line in enumerate(text.split("\n"), 1):
        for word in words_of(line, number):
            if word.text in RESULTS.values():
                raise word.bad(f"{word.text} is a result, and here stand only picks")
            _play(match, word)


@contextmanager
def _errors_at(token: Token) -> Iterator[None]:
    """Turn errors in this block into `BadNotation` at the token."""
    try:
        yield
    except (UnknownGame, BadRuling, BadTerms, IllegalPick) as error:
        raise token.bad(str(error)) from error


def read_match(match_text: MatchText) -> Match:
    """The match of tags and tokens."""
    match = Match(_terms(match_text))
    result: Token | None = None
    for token in match_text.tokens:
        if is_seals(token):
            continue  # checked by `notation.verify`
        if result:
            raise token.bad(
                f"{shorten(token.text)} stands after the result; a match begins with its tags"
            )
        if token.text in RESULTS.values():
            result = token
        else:
            _play(match, token)
    if result is None:
        last = (match_text.tokens or [match_text.start])[-1]
        raise last.bad(
            f"the match has no result; it ends with {join_words(list(RESULTS.values()), 'or')}"
        )
    match.taken_back = _one_of(match_text.tag("TakenBack"), "", "yes") == "yes"
    _finish(match, match_text.tag("Reason"), result)
    return match


def _terms(match_text: MatchText) -> Terms:
    if "Game" not in match_text.tags:
        raise match_text.start.bad('the tag Game is missing: [Game "circle"]')
    with _errors_at(tag := match_text.tag("Game")):
        game = catalog.get(tag.text)
    with _errors_at(tag := match_text.tag("Rulings")):
        rulings = game.settle_typed(_rulings(tag))
    one, two = game.words.players
    tags = (match_text.tag("Player1", one), match_text.tag("Player2", two))
    with _errors_at(tags[0] if "Player1" in match_text.tags else tags[1]):
        players = check_players((tags[0].text, tags[1].text))
    with _errors_at(tag := match_text.tag("First", "1")):
        first = check_first(game, _whole(tag))
    with _errors_at(tag := match_text.tag("Repetition", str(DEFAULT_REPETITION))):
        repetition = check_repetition(_whole(tag))
    computers = (
        printable(match_text.tag("Computer1").text),
        printable(match_text.tag("Computer2").text),
    )
    return Terms(
        game, rulings, players, first, repetition, computers, _date(match_text.tag("Date"))
    )


def _rulings(tag: Token) -> dict[str, str]:
    """Parse `numbers=6 target=2`."""
    rulings: dict[str, str] = {}
    for word in tag.text.split():
        key, equals, value = word.partition("=")
        if not equals or key in rulings:
            raise tag.bad(f"rulings are written once each as key=value, not {shorten(word)}")
        rulings[key] = value
    return rulings


def _whole(tag: Token) -> int:
    if not _NUMBER.fullmatch(tag.text):
        raise tag.bad(f"{shorten(tag.text)} is not a whole number")
    return int(tag.text)


def _date(tag: Token) -> Date | None:
    try:
        return Date.fromisoformat(tag.text) if tag.text else None
    except ValueError:
        raise tag.bad(f"a date is written 2026-01-31, not {shorten(tag.text)}") from None


def _one_of(tag: Token, *allowed: str) -> str:
    if tag.text not in allowed:
        words = join_words([word for word in allowed if word], "or")
        raise tag.bad(f"{shorten(tag.text)} is not allowed; allowed: {words}")
    return tag.text


def _play(match: Match, token: Token) -> None:
    """Play one round in notation."""
    with _errors_at(token):
        match.play(_picks(match, token))


def _picks(match: Match, token: Token) -> Pair:
    numbers = token.text.split("-")
    if not all(map(_NUMBER.fullmatch, numbers)):
        raise token.bad(f"{shorten(token.text)} is neither a pick nor a result")
    asked = match.waiting()
    if not asked:
        raise IllegalPick("the match is over")
    if len(numbers) != len(asked):
        form = "7-8, a number for each player" if len(asked) == 2 else "7, one number"
        raise token.bad(f"a round is written {form}; not {shorten(token.text)}")
    picks = dict(zip(asked, map(int, numbers), strict=True))
    return (picks.get(FIRST, PASS), picks.get(SECOND, PASS))


def _finish(match: Match, reason: Token, result: Token) -> None:
    """End the match for the given reason, and compare the result with the match."""
    stated = _one_of(reason, "", "repetition", *END_REASONS, *VOID_REASONS)
    if stated in END_REASONS:
        if result.text not in _LOSERS:
            raise reason.bad(f"{stated} needs a winner, and the result is {result.text}")
        with _errors_at(reason):
            match.lose(_LOSERS[result.text], stated)
    elif stated in VOID_REASONS:
        with _errors_at(reason):
            match.annul(stated)
    actual = match.result
    if stated == "repetition" and (actual is None or actual.reason != stated):
        raise reason.bad("no position has come up often enough for a draw by repetition")
    expected = RESULTS[actual.outcome if actual else Outcome.ONGOING]
    if result.text != expected:
        raise result.bad(f"the result of these picks is {expected}, not {result.text}")
