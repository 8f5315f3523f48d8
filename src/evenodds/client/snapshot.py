"""State of a remote match, parsed from the server's JSON and checked against the rules.

The rules are not the server's: a local `Match` checks every pick of the history.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from evenodds.client.http_client import InvalidResponse, RemoteError
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import IllegalPick, Match
from evenodds.core.notation import fits_commitment
from evenodds.core.record import END_REASONS, VOID_REASON
from evenodds.core.rulings import BadRuling
from evenodds.core.seals import Seal
from evenodds.core.serialization import OUTCOMES, SEAT_NAMES
from evenodds.core.terms import BadTerms, Terms, agree
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Pair, Seat, other
from evenodds.core.words import winner
from evenodds.system.text import sanitized, shorten

Flags = tuple[bool, bool]
MAX_TIME_LEFT_S: Final = 1e6
"""Upper bound of a time left; a wrong clock on the server must not overflow the countdown."""


class RemoteResult(NamedTuple):
    """The result of a match as the server reports it."""

    outcome: Outcome
    reason: str


class MatchSnapshot(NamedTuple):
    """The state of a match, for one seat or for a spectator."""

    seq: int
    terms: Terms
    seat: Seat | None
    joined: Flags
    history: tuple[Pair, ...]
    chosen: Flags
    waiting: Flags
    """Seats whose pick, or in a sealed match whose reveal, is still missing."""
    result: RemoteResult | None
    connected: Flags
    offers: Flags
    rematch: str
    clock: bool
    """Whether there is a time for each pick."""
    time_left_s: float | None
    """Seconds left to the seats in `waiting`, where there is a clock."""
    absence_left_s: tuple[float | None, float | None]
    """Seconds left to each absent player to return, where there is no clock."""
    sealed: bool
    revealing: bool
    commitments: tuple[str, str]
    seals: tuple[Seal, Seal] | None
    """Commitments and salts of the last round."""
    takeback: bool
    delay: str
    """Why a computer is late or plays by search: a value of the server's `Delay`, or empty."""

    @property
    def ready(self) -> bool:
        """Whether both players have joined."""
        return all(self.joined)

    @property
    def must_pick(self) -> bool:
        """Whether this seat's pick is missing."""
        return self.seat is not None and self.waiting[self.seat] and not self.revealing

    @property
    def has_unrevealed_pick(self) -> bool:
        """Whether this seat has committed to a number and not revealed it."""
        if self.seat is None or not self.sealed or self.result is not None:
            return False
        return self.chosen[self.seat] and (not self.revealing or self.waiting[self.seat])

    @property
    def void(self) -> bool:
        """Whether the match has ended without a result."""
        return self.result is not None and self.result.reason == VOID_REASON


def parse_snapshot(data: object) -> MatchSnapshot:
    """A view of the server, checked; `InvalidResponse` where it is malformed."""
    if not isinstance(data, dict):
        raise _invalid("it is no view")
    seats = {name: seat for seat, name in SEAT_NAMES.items()}
    named = data.get("seat")
    if not isinstance(named, str | None) or named not in seats:
        raise _invalid("there is no such seat")
    return MatchSnapshot(
        seq=_integer(data, "seq"),
        terms=_terms(data),
        seat=seats[named],
        joined=_flags_or_default(data, "joined"),
        history=_history(data),
        chosen=_flags_or_default(data, "chosen"),
        waiting=_flags_or_default(data, "waiting"),
        result=_result(data.get("result")),
        connected=_flags_or_default(data, "connected", (True, True)),
        offers=_flags_or_default(data, "offers", (False, False)),
        rematch=parse_text(data, "rematch"),
        clock=data.get("clock") is not None,
        time_left_s=parse_time_left(data),
        absence_left_s=parse_absence(data),
        sealed=data.get("sealed") is True,
        revealing=data.get("phase") == "reveal",
        commitments=_commitments(data),
        seals=_seals(data.get("seals")),
        takeback=data.get("takeback") is True,
        delay=parse_text(data, "delay"),
    )


def replay_round(match: Match, picks: Pair) -> None:
    """Play a round of the server's history; `InvalidResponse` where the rules forbid it."""
    try:
        match.play(picks)
    except IllegalPick as error:
        raise _invalid(str(error)) from None


def check_commitments(now: MatchSnapshot, match: str, saved: tuple[str, str] | None) -> None:
    """Check the last round of a sealed match against its commitments.

    `saved` are those that were saved before either number was revealed, if they were.
    """
    if not (now.sealed and now.history):
        return
    round, picks = len(now.history), now.history[-1]
    for seat in SEATS:
        name = now.terms.names[seat]
        if now.seals is None:
            raise _invalid(f"nothing shows that {name} promised {picks[seat]} in round {round}")
        seal = now.seals[seat]
        seen = seal.commitment if saved is None else saved[seat]
        if seal.commitment != seen or not fits_commitment(match, seat, round, picks[seat], seal):
            raise _invalid(f"{name} did not promise {picks[seat]} in round {round}")


def apply_result(match: Match, result: RemoteResult) -> None:
    """End a match as the server reports, unless its rules have ended it already."""
    if match.result is None:
        if result.reason not in END_REASONS or result.outcome == Outcome.DRAW:
            raise _invalid("it is over for no reason")
        match.lose(other(winner(result.outcome)), result.reason)


def parse_flags(value: object) -> Flags:
    """One boolean for each seat."""
    match value:
        case [bool(one), bool(two)]:
            return (one, two)
    raise _invalid("a yes or no for each seat is missing")


def _flags_or_default(data: Mapping[str, Any], key: str, default: Flags | None = None) -> Flags:
    return default if default is not None and key not in data else parse_flags(data.get(key))


def _terms(data: Mapping[str, Any]) -> Terms:
    rulings = data.get("rulings")
    if not isinstance(rulings, dict):
        raise _invalid("its rulings are missing")
    first, computers, players = 1, _computers(data), _players(data)
    if data.get("first") == 2:  # views list by seat, terms by player
        first, computers, players = 2, (computers[1], computers[0]), players[::-1]
    try:
        terms = agree(parse_text(data, "game"), rulings, first=first, computers=computers)
    except (UnknownGame, BadRuling, BadTerms) as error:
        raise RemoteError(f"this match cannot be played here: {sanitized(str(error))}") from None
    try:
        return agree(terms.game, rulings, players=players, first=first, computers=computers)
    except BadTerms:  # a name of control characters only is empty by now: use the game's names
        return terms


def _players(data: Mapping[str, Any]) -> tuple[str, ...]:
    names = data.get("players")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _invalid("its players are missing")
    return tuple(sanitized(name) for name in names)


def _computers(data: Mapping[str, Any]) -> tuple[str, str]:
    match data.get("computers"):
        case [str(one), str(two)]:
            return (shorten(sanitized(one)), shorten(sanitized(two)))
    raise _invalid("its computers are missing")


def _history(data: Mapping[str, Any]) -> tuple[Pair, ...]:
    rounds = data.get("history")
    if not isinstance(rounds, list):
        raise _invalid("its history is missing")
    return tuple(_round(picks) for picks in rounds)


def _round(picks: object) -> Pair:
    match picks:
        case [int() | None as one, int() | None as two]:
            return (PASS if one is None else one, PASS if two is None else two)
    raise _invalid("a round of two picks is missing")


def _result(result: object) -> RemoteResult | None:
    if result is None:
        return None
    outcomes = {name: outcome for outcome, name in OUTCOMES.items()}
    match result:
        case {"outcome": str(outcome), "reason": str(reason)} if outcome in outcomes:
            return RemoteResult(outcomes[outcome], reason)
    raise _invalid("its result is neither open nor decided")


def parse_time_left(data: Mapping[str, Any]) -> float | None:
    """Seconds left to the seats that are waited for."""
    return _seconds_until(data.get("deadline"), data)


def parse_absence(data: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Seconds left to each absent player to return."""
    match data.get("absence", [None, None]):
        case [one, two]:
            return _seconds_until(one, data), _seconds_until(two, data)
    raise _invalid("its clock is wrong")


def _seconds_until(deadline: Any, data: Mapping[str, Any]) -> float | None:
    """Seconds until a deadline, by the server's clock: that of this machine may be wrong."""
    if deadline is None:
        return None
    now: Any = data.get("now")
    try:
        return max(0.0, min(float(deadline - now), MAX_TIME_LEFT_S))
    except (TypeError, OverflowError):
        raise _invalid("its clock is wrong") from None


def _commitments(data: Mapping[str, Any]) -> tuple[str, str]:
    match data.get("commitments", [None, None]):
        case [str() | None as one, str() | None as two]:
            return (one or "", two or "")
    raise _invalid("its commitments are wrong")


def _seals(value: object) -> tuple[Seal, Seal] | None:
    match value:
        case None:
            return None
        case [[str(one), str(first_salt)], [str(two), str(second_salt)]]:
            return Seal(one, first_salt), Seal(two, second_salt)
    raise _invalid("its seals are wrong")


def parse_text(data: Mapping[str, Any], key: str) -> str:
    """An optional text, empty where it is missing."""
    value = data.get(key)
    if not isinstance(value, str | None):
        raise _invalid(f"its {key} is wrong")
    return value or ""


def _integer(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid(f"its {key} is wrong")
    return value


def _invalid(why: str) -> InvalidResponse:
    return InvalidResponse(
        f"what the server says of this match cannot be: {shorten(sanitized(why), 120)}"
    )
