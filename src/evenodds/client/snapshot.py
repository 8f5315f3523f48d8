"""State of a remote match, parsed from the server's JSON and checked against the rules.

The rules are not taken from there: a `Match` of this house judges every pick of the history.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from evenodds.client.http_client import InvalidResponse, RemoteError
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import is_promised
from evenodds.core.record import END_REASONS, VOID_REASON
from evenodds.core.rulings import BadRuling
from evenodds.core.seals import Seal
from evenodds.core.serialization import OUTCOMES, SEAT_NAMES
from evenodds.core.terms import BadTerms, Terms, agree
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Pair, Seat, other
from evenodds.core.words import winner
from evenodds.system.text import brief, plain

Flags = tuple[bool, bool]
MAX_TIME_LEFT_S: Final = 1e6
"""Seconds beyond which nobody counts."""


class RemoteResult(NamedTuple):
    """How a server says a match has ended."""

    outcome: Outcome
    reason: str


class MatchSnapshot(NamedTuple):
    """How a match stands, for one seat or for someone who watches."""

    seq: int
    terms: Terms
    seat: Seat | None
    joined: Flags
    history: tuple[Pair, ...]
    chosen: Flags
    waiting: Flags
    """Whose pick, or in a sealed match whose reveal, is still to come."""
    verdict: RemoteResult | None
    connected: Flags
    offers: Flags
    rematch: str
    clock: bool
    """Whether there is a time for each pick."""
    left: float | None
    """Seconds that those who are waited for still have, where there is a clock."""
    absence: tuple[float | None, float | None]
    """Seconds that a player who is away has to come back, where there is no clock."""
    sealed: bool
    revealing: bool
    commitments: tuple[str, str]
    seals: tuple[Seal, Seal] | None
    """What the picks of the last round were promised by, and what opens that."""
    takeback: bool
    delay: str
    """Why a computer is late or not itself, in a word of the server's."""

    @property
    def ready(self) -> bool:
        """Whether everyone has come."""
        return all(self.joined)

    @property
    def asked(self) -> bool:
        """Whether this seat is to pick now."""
        return self.seat is not None and self.waiting[self.seat] and not self.revealing

    @property
    def unshown(self) -> bool:
        """Whether this seat has promised a number that it has still to show."""
        if self.seat is None or not self.sealed or self.verdict is not None:
            return False
        return self.chosen[self.seat] and (not self.revealing or self.waiting[self.seat])

    @property
    def void(self) -> bool:
        """Whether the match has ended for nobody."""
        return self.verdict is not None and self.verdict.reason == VOID_REASON


def parse_snapshot(data: object) -> MatchSnapshot:
    """What a server says, checked; `InvalidResponse` in one line where it cannot be used."""
    if not isinstance(data, dict):
        raise _cannot_be("it is no view")
    seats = {name: seat for seat, name in SEAT_NAMES.items()}
    named = data.get("seat")
    if not isinstance(named, str | None) or named not in seats:
        raise _cannot_be("there is no such seat")
    return MatchSnapshot(
        seq=_whole(data, "seq"),
        terms=_terms(data),
        seat=seats[named],
        joined=_flags(data, "joined"),
        history=_history(data),
        chosen=_flags(data, "chosen"),
        waiting=_flags(data, "waiting"),
        verdict=_verdict(data.get("result")),
        connected=_flags(data, "connected", (True, True)),
        offers=_flags(data, "offers", (False, False)),
        rematch=text_in(data, "rematch"),
        clock=data.get("clock") is not None,
        left=left_in(data),
        absence=absence_in(data),
        sealed=data.get("sealed") is True,
        revealing=data.get("phase") == "reveal",
        commitments=_commitments(data),
        seals=_seals(data.get("seals")),
        takeback=data.get("takeback") is True,
        delay=text_in(data, "delay"),
    )


def follow(match: Match, picks: Pair) -> None:
    """Play a round of a server's history; the rules have the last word."""
    try:
        match.play(picks)
    except IllegalPick as error:
        raise _cannot_be(str(error)) from None


def check_promises(now: MatchSnapshot, match: str, promised: tuple[str, str] | None) -> None:
    """Hold the last round of a sealed match against what its players have promised.

    `promised` is what was seen of that before anybody showed a number.
    """
    if not (now.sealed and now.history):
        return
    round, picks = len(now.history), now.history[-1]
    for seat in SEATS:
        name = now.terms.names[seat]
        if now.seals is None:
            raise _cannot_be(f"nothing shows that {name} promised {picks[seat]} in round {round}")
        seal = now.seals[seat]
        seen = seal.commitment if promised is None else promised[seat]
        if seal.commitment != seen or not is_promised(match, seat, round, picks[seat], seal):
            raise _cannot_be(f"{name} did not promise {picks[seat]} in round {round}")


def conclude(match: Match, verdict: RemoteResult) -> None:
    """End a match as a server says, where its rules have not ended it."""
    if match.result is None:
        if verdict.reason not in END_REASONS or verdict.outcome == Outcome.DRAW:
            raise _cannot_be("it is over for no reason")
        match.lose(other(winner(verdict.outcome)), verdict.reason)


def flags(value: object) -> Flags:
    """A yes or no for each seat."""
    match value:
        case [bool(one), bool(two)]:
            return (one, two)
    raise _cannot_be("a yes or no for each seat is missing")


def _flags(data: Mapping[str, Any], key: str, usual: Flags | None = None) -> Flags:
    return usual if usual is not None and key not in data else flags(data.get(key))


def _terms(data: Mapping[str, Any]) -> Terms:
    rulings = data.get("rulings")
    if not isinstance(rulings, dict):
        raise _cannot_be("its rulings are missing")
    first, computers, players = 1, _computers(data), _players(data)
    if data.get("first") == 2:  # what is told by seat is agreed on by player
        first, computers, players = 2, (computers[1], computers[0]), players[::-1]
    try:
        terms = agree(text_in(data, "game"), rulings, first=first, computers=computers)
    except (UnknownGame, BadRuling, BadTerms) as error:
        raise RemoteError(f"this match cannot be played here: {plain(str(error))}") from None
    try:
        return agree(terms.game, rulings, players=players, first=first, computers=computers)
    except BadTerms:  # a name that is nothing but markup: the rule book has names enough
        return terms


def _players(data: Mapping[str, Any]) -> tuple[str, ...]:
    names = data.get("players")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _cannot_be("its players are missing")
    return tuple(plain(name) for name in names)


def _computers(data: Mapping[str, Any]) -> tuple[str, str]:
    match data.get("computers"):
        case [str(one), str(two)]:
            return (brief(plain(one)), brief(plain(two)))
    raise _cannot_be("its computers are missing")


def _history(data: Mapping[str, Any]) -> tuple[Pair, ...]:
    rounds = data.get("history")
    if not isinstance(rounds, list):
        raise _cannot_be("its history is missing")
    return tuple(_round(picks) for picks in rounds)


def _round(picks: object) -> Pair:
    match picks:
        case [int() | None as one, int() | None as two]:
            return (PASS if one is None else one, PASS if two is None else two)
    raise _cannot_be("a round of two picks is missing")


def _verdict(result: object) -> RemoteResult | None:
    if result is None:
        return None
    outcomes = {name: outcome for outcome, name in OUTCOMES.items()}
    match result:
        case {"outcome": str(outcome), "reason": str(reason)} if outcome in outcomes:
            return RemoteResult(outcomes[outcome], reason)
    raise _cannot_be("its result is neither open nor decided")


def left_in(data: Mapping[str, Any]) -> float | None:
    """Seconds that those who are waited for still have."""
    return _until(data.get("deadline"), data)


def absence_in(data: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Seconds that each player who is away has to come back."""
    match data.get("absence", [None, None]):
        case [one, two]:
            return _until(one, data), _until(two, data)
    raise _cannot_be("its clock is wrong")


def _until(deadline: Any, data: Mapping[str, Any]) -> float | None:
    """Seconds until a moment by the server's clock."""
    if deadline is None:
        return None
    now: Any = data.get("now")
    try:
        return max(0.0, min(float(deadline - now), MAX_TIME_LEFT_S))
    except (TypeError, OverflowError):
        raise _cannot_be("its clock is wrong") from None


def _commitments(data: Mapping[str, Any]) -> tuple[str, str]:
    match data.get("commitments", [None, None]):
        case [str() | None as one, str() | None as two]:
            return (one or "", two or "")
    raise _cannot_be("its commitments are wrong")


def _seals(value: object) -> tuple[Seal, Seal] | None:
    match value:
        case None:
            return None
        case [[str(one), str(salt)], [str(two), str(spice)]]:
            return Seal(one, salt), Seal(two, spice)
    raise _cannot_be("its seals are wrong")


def text_in(data: Mapping[str, Any], key: str) -> str:
    """A text that may be missing."""
    value = data.get(key)
    if not isinstance(value, str | None):
        raise _cannot_be(f"its {key} is wrong")
    return value or ""


def _whole(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _cannot_be(f"its {key} is wrong")
    return value


def _cannot_be(why: str) -> InvalidResponse:
    return InvalidResponse(
        f"what the server says of this match cannot be: {brief(plain(why), 120)}"
    )
