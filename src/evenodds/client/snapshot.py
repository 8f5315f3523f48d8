"""State of a remote match: a view of the server, checked against the rules.

The rules are not the server's: a local `Match` checks every pick of the history.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

import msgspec

from evenodds.client.http_client import InvalidResponse, RemoteError
from evenodds.core import luck
from evenodds.core.catalog import UnknownGame
from evenodds.core.match import IllegalPick, Match, annul
from evenodds.core.notation.seals import Seal, fits_commitment
from evenodds.core.notation.verify import fair_draws
from evenodds.core.record import CANCELLED_REASON, END_REASONS, VOID_REASON
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import BadTerms, Terms, agree, check_players
from evenodds.core.vocabulary import PASS, SEAT_NAMES, SEATS, Pair, Seat, other
from evenodds.protocol.messages import MatchView
from evenodds.system.text import sanitized, shorten

SEATS_BY_NAME: Final = {name: seat for seat, name in SEAT_NAMES.items()}
NO_PROMISE: Final = "none"
"""What is kept of a match whose first view promised no seed: it cannot be promised later."""
T = TypeVar("T")


class MatchSnapshot(NamedTuple):
    """A view of a match, with what is derived from it."""

    view: MatchView
    terms: Terms
    seat: Seat | None
    """The seat of this client; None for a spectator."""
    history: tuple[Pair, ...]
    draws: tuple[tuple[int, ...], ...]
    """What was drawn before the first round, and after each."""

    @property
    def rounds(self) -> tuple[tuple[Pair, tuple[int, ...]], ...]:
        """The picks of every round, and what was drawn after it."""
        return tuple(zip(self.history, self.draws[1:], strict=True))

    @property
    def ready(self) -> bool:
        """Whether both players have joined."""
        return all(self.view.joined)

    @property
    def revealing(self) -> bool:
        """Whether both seats have committed to numbers, which are to be revealed."""
        return self.view.phase == "reveal"

    @property
    def has_unrevealed_pick(self) -> bool:
        """Whether this seat has committed to a number and not revealed it."""
        view = self.view
        if self.seat is None or not view.sealed or view.result is not None:
            return False
        return view.chosen[self.seat] and (not self.revealing or view.waiting[self.seat])


def decode(data: object, kind: type[T]) -> T:
    """A message of the server; `InvalidResponse` where it is malformed."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        # such as "Expected `int`, got `str` - at `$.seq`", "Object missing required field `seq`"
        found = re.search(r"`\$\.(\w+)|field `(\w+)`$", str(error))
        wrong = f'"{found[1] or found[2]}" is wrong' if found else "it is no view"
        raise _invalid(wrong) from None


def parse_snapshot(data: object) -> MatchSnapshot:
    """A view of the server, checked; `InvalidResponse` where it is malformed."""
    view = decode(data, MatchView)
    history = tuple((one or PASS, two or PASS) for one, two in view.history)
    draws = tuple(map(tuple, view.draws)) or ((),) * (len(history) + 1)
    if len(draws) != len(history) + 1:
        raise _invalid("its draws do not fit its rounds")
    return MatchSnapshot(view, _terms(view), SEATS_BY_NAME[view.seat], history, draws)


def new_match(now: MatchSnapshot) -> Match:
    """The match before its first round, with the server's draws; `InvalidResponse` refuses them."""
    match = Match(now.terms)
    _replay(match, match.draw_first, now.draws[0])
    return match


def replay_round(match: Match, picks: Pair, drawn: tuple[int, ...]) -> None:
    """Play a round of the server's history; `InvalidResponse` where the rules forbid it."""
    _replay(match, match.play, picks, drawn)


def _replay(match: Match, play: Callable[..., None], *told: tuple[int, ...]) -> None:
    try:
        play(*told)
    except IllegalPick as error:
        raise _invalid(str(error)) from None
    if match.drawn != told[-1]:
        raise _invalid("a draw is missing")


def check_dice(now: MatchSnapshot, match: str, promised: str) -> None:
    """Check that the seed of the draws stays the promised one, and every draw once it is shown."""
    view = now.view
    if promised and (view.dice or NO_PROMISE) != promised:
        raise _invalid("another seed was promised for its draws")
    if view.result is None or not view.dice:
        return
    if not view.seed or luck.commitment(match, view.seed) != view.dice:
        raise _invalid("the seed that was promised for its draws is not shown")
    played = new_match(now)
    for picks, drawn in now.rounds:
        replay_round(played, picks, drawn)
    if fair_draws(played, view.seed) != played.draws:
        raise _invalid("its draws do not follow from its seed")


def check_commitments(now: MatchSnapshot, match: str, saved: tuple[str, str] | None) -> None:
    """Check the last round of a sealed match against its commitments.

    `saved` are those that were saved before either number was revealed, if they were.
    """
    if not (now.view.sealed and now.history):
        return
    round, picks = len(now.history), now.history[-1]
    for seat in SEATS:
        name = now.terms.names[seat]
        if now.view.seals is None:
            raise _invalid(f"nothing shows that {name} promised {picks[seat]} in round {round}")
        seal = Seal(*now.view.seals[seat])
        seen = seal.commitment if saved is None else saved[seat]
        if seal.commitment != seen or not fits_commitment(match, seat, round, picks[seat], seal):
            raise _invalid(f"{name} did not promise {picks[seat]} in round {round}")


def apply_result(match: Match, now: MatchSnapshot) -> None:
    """End a match as the server reports, where its rules have not ended it."""
    result = now.view.result
    assert result is not None
    won = SEATS_BY_NAME.get(None if result.outcome == "draw" else result.outcome)
    if result.reason == VOID_REASON:
        annul(match, VOID_REASON if now.ready else CANCELLED_REASON)
    elif result.reason not in END_REASONS or won is None:
        raise _invalid("it is over for no reason")
    else:
        match.lose(other(won), result.reason)


def _terms(view: MatchView) -> Terms:
    first, players = 1, tuple(sanitized(name) for name in view.players)
    one, two = (shorten(sanitized(name)) for name in view.computers)
    if view.first == 2:  # views list by seat, terms by player
        first, one, two, players = 2, two, one, players[::-1]
    try:
        terms = agree(view.game, view.rulings, first=first, computers=(one, two))
    except (UnknownGame, BadRuling, BadTerms) as error:
        raise RemoteError(f"this match cannot be played here: {sanitized(str(error))}") from None
    with suppress(BadTerms):  # a name of control characters only is empty by now
        return terms._replace(players=check_players(players))
    return terms


def _invalid(why: str) -> InvalidResponse:
    return InvalidResponse(
        f"what the server says of this match cannot be: {shorten(sanitized(why), 120)}"
    )
