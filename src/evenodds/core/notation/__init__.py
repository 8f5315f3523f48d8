"""Match notation, similar to PGN: tag lines, then picks, then the result.

    [Game "underdog"]
    [Rulings "numbers=6 target=2"]

    3-4 6-2 first

Rounds in which both pick are `7-8`, first's pick before second's; turns are single numbers. The
result is `first`, `second`, `draw` or `*`. What chance draws after a round follows it in brackets,
`7-8(3)`, and what it draws before the first stands alone, `(3)`. The draws of a server are checked
by a tag (`core.luck`).
Only the game is needed; a tag left out has its default.
A pick that is not revealed is never in notation.

What is read is checked: every tag, every pick by the rules, and the result.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date as Date
from textwrap import TextWrapper
from typing import Final, NamedTuple

from evenodds.core import catalog, terms
from evenodds.core.luck import Dice
from evenodds.core.match import IllegalPick, Match, annul
from evenodds.core.notation.seals import Sealed as Sealed
from evenodds.core.notation.seals import write_seals
from evenodds.core.pick_names import as_word
from evenodds.core.record import DRAW_REASONS, END_REASONS, OUTCOMES, VOID_REASONS
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.vocabulary import FIRST, PASS, SECOND, Outcome, Pair, Seat
from evenodds.figures import join_words
from evenodds.system import EvenOddsError, InvalidInput
from evenodds.system.text import printable, shorten

LINE_COLUMNS: Final = 78
NO_DRAW: Final = "what was drawn here is missing; it is written in brackets, such as (3)"
RESULTS: Final = OUTCOMES | {Outcome.ONGOING: "*"}
TAGS: Final = (
    *("Game", "Rulings", "Player1", "Player2", "Computer1", "Computer2", "Date", "First"),
    *("Repetition", "Reason", "TakenBack", "Sealed", "Dice"),
)

_TAG = re.compile(r'\[(?P<key>[A-Za-z0-9]+)\s+"(?P<value>(?:[^"\\]|\\["\\])*)"\]')
_NUMBER = re.compile(r"[0-9]{1,9}")
_LOSERS = {"first": SECOND, "second": FIRST}


class BadNotation(EvenOddsError, ValueError):
    """Invalid notation, with line and column."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line = line
        self.column = column
        self.problem = problem


class Token(NamedTuple):
    """A piece of text with line and column."""

    text: str
    line: int
    column: int

    def bad(self, problem: str) -> BadNotation:
        """The error at this token."""
        return BadNotation(self.line, self.column, problem)

    @property
    def is_seals(self) -> bool:
        """Whether it holds seals, which `notation.verify` checks."""
        return self.text.startswith("{")


class MatchText(NamedTuple):
    """The tags and tokens of one match in a text, and its start."""

    tags: dict[str, Token]
    tokens: list[Token]
    start: Token

    def tag(self, key: str, default: str = "") -> Token:
        """The value of a tag; where it is missing, the default at the start of the match."""
        return self.tags.get(key, self.start._replace(text=default))


def parse(text: str) -> Match:
    """The one match in a text, or `BadNotation`."""
    matches = parse_all(text)
    if len(matches) != 1:
        raise BadNotation(1, 1, f"there are {len(matches)} matches here, not one")
    return matches[0]


def parse_all(text: str) -> list[Match]:
    """Every match in a text, or `BadNotation` with line and column."""
    return [read_match(match_text) for match_text in split_matches(text)]


def play_line(match: Match, text: str, *, typed: bool = False) -> None:
    """Play picks written as `7-8 10-6` or `4 5 6` in a match; with draws `(3) 7-8(2) 10-6(1)`.

    Draws before the first round may be left out, and are then those of the match. A `typed` number
    is that in the name of a pick, as at the table, where names hold numbers.
    """
    for number, line in enumerate(text.split("\n"), 1):
        for word in _words_of(line, number):
            if word.text in RESULTS.values():
                raise word.bad(f"{word.text} is a result, and here stand only picks")
            _play(match, word, typed)


def write(match: Match, sealed: Sealed | None = None, dice: Dice | None = None) -> str:
    """A match as text. A pending pick is left out; sealed picks are followed by their seals."""
    if not isinstance(match, Match):
        raise InvalidInput(f"a match is written in notation, not {type(match).__name__}")
    agreed, result = match.terms, match.result
    values = (
        match.game.name,
        format_rulings(ruling_texts(agreed.rulings, changed_only=True)),
        *agreed.players,
        *agreed.computers,
        agreed.date.isoformat() if agreed.date else "",
        "" if match.game.simultaneous else str(agreed.first),
        "" if agreed.repetition == terms.DEFAULT_REPETITION else str(agreed.repetition),
        result.reason if result and result.reason != "rules" else "",
        "yes" if match.taken_back else "",
        sealed.match if sealed else "",
        ":".join(filter(None, dice or ())),
    )
    escaped = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    tags = [f'[{key} "{value}"]\n' for key, value in zip(TAGS, escaped, strict=True) if value]
    opening, *draws = match.draws
    words = list(map(write_round, match.history, draws))
    if sealed:
        pairs = zip(words, map(write_seals, sealed.rounds), strict=True)
        words = [word for pair in pairs for word in pair]
        words += filter(None, [write_seals(sealed.unplayed)])
    words[:0] = [write_draws(opening)] if opening else []
    words.append(RESULTS[result.outcome if result else Outcome.ONGOING])
    wrapper = TextWrapper(LINE_COLUMNS, break_long_words=False, break_on_hyphens=False)
    return f"{''.join(tags)}\n{wrapper.fill(' '.join(words))}\n"


def write_all(matches: Iterable[Match]) -> str:
    """Any number of matches as one text."""
    return "\n".join(write(match) for match in matches)


def write_round(picks: Pair, draws: tuple[int, ...] = ()) -> str:
    """A round as text: both picks, or the one pick of a turn, and what was drawn after it."""
    return "-".join(str(pick) for pick in picks if pick != PASS) + write_draws(draws)


def write_draws(draws: tuple[int, ...]) -> str:
    """What was drawn, as text."""
    return "".join(f"({number})" for number in draws)


def split_matches(text: str) -> list[MatchText]:
    """The matches of a text: tags, then picks and a result, until the next tag."""
    if not isinstance(text, str):
        raise BadNotation(1, 1, f"a match in notation is text, not {type(text).__name__}")
    found: list[MatchText] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = _words_of(line, number)
        if not words:
            continue
        start = words[0]._replace(text=line.strip())
        if start.text.startswith("["):
            if not found or found[-1].tokens:
                found.append(MatchText({}, [], start))
            _read_tag(found[-1].tags, start)
        elif found:
            found[-1].tokens.extend(words)
        else:
            raise start.bad('a match begins with its tags, such as [Game "circle"]')
    return found


def _words_of(line: str, number: int) -> list[Token]:
    return [Token(word[0], number, word.start() + 1) for word in re.finditer(r"\S+", line)]


def _read_tag(tags: dict[str, Token], line: Token) -> None:
    found = _TAG.fullmatch(line.text)
    if not found:
        raise line.bad(f'a tag is written [Name "value"], not {shorten(line.text)}')
    key = found["key"]
    if key not in TAGS:
        raise line.bad(f"there is no tag {shorten(key)}; there are {', '.join(TAGS)}")
    if key in tags:
        raise line.bad(f"the tag {key} stands here twice")
    tags[key] = line._replace(text=re.sub(r"\\(.)", r"\1", found["value"]))


def read_match(match_text: MatchText) -> Match:
    """The match of tags and tokens."""
    with _errors_at(match_text.start):
        match = Match(_terms(match_text))
    first = (match_text.tokens or [match_text.start])[0]
    if match.drawn and _split_draws(first.text)[0]:
        raise first.bad(NO_DRAW)
    result: Token | None = None
    for token in match_text.tokens:
        if token.is_seals:
            continue
        if result:
            said = f"{shorten(token.text)} stands after the result; a match begins with its tags"
            raise token.bad(said)
        if token.text in RESULTS.values():
            result = token
        else:
            _play(match, token)
    if result is None:
        last = (match_text.tokens or [match_text.start])[-1]
        allowed = join_words(list(RESULTS.values()), "or")
        raise last.bad(f"the match has no result; it ends with {allowed}")
    match.taken_back = _one_of(match_text.tag("TakenBack"), "", "yes") == "yes"
    _finish(match, match_text.tag("Reason"), result)
    return match


@contextmanager
def _errors_at(token: Token) -> Iterator[None]:
    """Turn errors in this block into `BadNotation` at the token."""
    try:
        yield
    except (InvalidInput, IllegalPick) as error:
        raise token.bad(str(error)) from error


def _terms(match_text: MatchText) -> terms.Terms:
    if "Game" not in match_text.tags:
        raise match_text.start.bad('the tag Game is missing: [Game "circle"]')
    with _errors_at(tag := match_text.tag("Game")):
        game = catalog.get(tag.text)
    with _errors_at(tag := match_text.tag("Rulings")):
        rulings = game.settle_typed(_rulings(tag))
    one, two = map(match_text.tag, ("Player1", "Player2"), game.words.players)
    with _errors_at(one if "Player1" in match_text.tags else two):
        players = terms.check_players((one.text, two.text))
    with _errors_at(tag := match_text.tag("First", "1")):
        first = terms.check_first(game, _whole(tag))
    with _errors_at(tag := match_text.tag("Repetition", str(terms.DEFAULT_REPETITION))):
        repetition = terms.check_repetition(_whole(tag))
    one, two = map(match_text.tag, ("Computer1", "Computer2"))
    computers = printable(one.text), printable(two.text)
    date = _date(match_text.tag("Date"))
    return terms.Terms(game, rulings, players, first, repetition, computers, date)


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


def _play(match: Match, token: Token, typed: bool = False) -> None:
    text, drawn = _split_draws(token.text)
    with _errors_at(token):
        if text:
            _play_round(match, token, text, drawn, typed)
        else:
            match.draw_first(drawn)
    if match.drawn != drawn:
        raise token.bad(NO_DRAW)


def _play_round(match: Match, token: Token, text: str, drawn: tuple[int, ...], typed: bool) -> None:
    numbers = text.split("-")
    unread = token.bad(f"{shorten(token.text)} is neither a pick nor a result")
    if not (match.game.words.names_picks or all(map(_NUMBER.fullmatch, numbers))):
        raise unread
    asked = match.waiting()
    if not asked:
        raise token.bad("the match is over")
    if len(numbers) != len(asked):
        form = "7-8, a number for each player" if len(asked) == 2 else "7, one number"
        raise token.bad(f"a round is written {form}; not {shorten(token.text)}")
    said = zip(asked, numbers, strict=True)
    picks = {seat: _read_pick(match, seat, each, typed) for seat, each in said}
    if -1 in picks.values():
        raise unread
    match.play((picks.get(FIRST, PASS), picks.get(SECOND, PASS)), drawn)


def _read_pick(match: Match, seat: Seat, text: str, typed: bool) -> int:
    """A number, or the name of a pick with `_` for spaces; -1 for neither."""
    words, asked = match.game.words, (match.terms.rulings, seat, match.choices(seat))
    if _NUMBER.fullmatch(text):
        found = words.find_pick(*asked, text) if typed else int(text)
        return -1 if found is None else found
    names = {as_word(name): number for number, name in words.pick_names(*asked).items()}
    return names.get(as_word(text), -1)


def _split_draws(text: str) -> tuple[str, tuple[int, ...]]:
    """A word without the draws in brackets at its end, and these."""
    drawn, end = [], len(text)
    while text.endswith(")", 0, end):
        begin = text.rfind("(", 0, end)
        if begin < 0 or not _NUMBER.fullmatch(text, begin + 1, end - 1):
            break
        drawn.append(int(text[begin + 1 : end - 1]))
        end = begin
    return text[:end], tuple(drawn[::-1])


def _finish(match: Match, reason: Token, result: Token) -> None:
    """End the match for the given reason, and compare the result with the match."""
    stated = _one_of(reason, "", *DRAW_REASONS, *END_REASONS, *VOID_REASONS)
    if stated in END_REASONS and result.text not in _LOSERS:
        raise reason.bad(f"{stated} needs a winner, and the result is {result.text}")
    with _errors_at(reason):
        if stated in END_REASONS:
            match.lose(_LOSERS[result.text], stated)
        elif stated in VOID_REASONS:
            annul(match, stated)
    actual = match.result
    if stated in DRAW_REASONS and (actual is None or actual.reason != stated):
        why = "no position has come up often enough for a draw by repetition"
        raise reason.bad(why if stated == "repetition" else "there are too few rounds for a draw")
    expected = RESULTS[actual.outcome if actual else Outcome.ONGOING]
    if result.text != expected:
        raise result.bad(f"the result of these picks is {expected}, not {result.text}")
