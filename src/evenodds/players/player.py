"""The interface of all players, the errors of players, and the simplest player."""

from collections.abc import Mapping
from math import isfinite
from operator import add
from random import Random
from typing import Final, NamedTuple, Protocol

from evenodds.core.match import Match
from evenodds.core.record import View
from evenodds.core.vocabulary import PASS, Seat, other
from evenodds.system import EvenOddsError, InvalidInput

MAX_PICK_SECONDS: Final = 86_400
"""The longest time that a program or a language model may have for a pick."""


class IllegalAnswerCounts(NamedTuple):
    """Counts of a language model's answers that were no legal pick."""

    unreadable: int = 0
    """No pick could be found: a fault of form."""
    illegal: int = 0
    """The pick was against the rules: a fault of play."""
    cut_off: int = 0
    """The answer ended without a pick where the limit of its length was reached: neither."""

    def __add__(self, other: object) -> "IllegalAnswerCounts":
        assert isinstance(other, IllegalAnswerCounts)
        return IllegalAnswerCounts(*map(add, self, other))


class Player(Protocol):
    """The interface of a player: a number from the view of a seat."""

    faults: IllegalAnswerCounts = IllegalAnswerCounts()
    is_slow: bool = False
    """Whether a pick takes about a second of computing: others should not wait for it."""

    def check_available(self) -> None:
        """`CannotPlay` where what the player depends on cannot be reached."""
        return  # most players depend on nothing

    def pick(self, view: View) -> int:
        """One of `view.choices`; raises `Forfeit` where the player cannot go on."""

    def leave(self, view: View) -> None:
        """Called once with the last view, when the match is over or was left."""
        return  # most players hold no resources


def sample(mix: Mapping[int, float], rng: Random) -> int:
    """A number drawn by its share in a mix."""
    return rng.choices(tuple(mix), tuple(mix.values()))[0]


class CopyPlayer(Player):
    """The number nearest to the other's last one, the lower of two; its lowest to begin with."""

    def pick(self, view: View) -> int:
        """As near to the other's last number as the choices allow."""
        assert view.seat is not None
        theirs = [picks[other(view.seat)] for picks in view.history]
        last = next((number for number in reversed(theirs) if number != PASS), 0)
        return min(view.choices, key=lambda number: (abs(number - last), number))


class Forfeit(EvenOddsError):
    """A player cannot go on, and why; the match is lost for that seat.

    `where` names a source of details, such as a log file, if there is one.
    """

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(f"{why} ({where})" if where else why)
        self.why = why


def pick_seconds_fault(seconds: object) -> str:
    """Why a time for a pick is refused, as the end of a sentence; empty where it is allowed."""
    number = seconds if isinstance(seconds, int | float) and isfinite(seconds) else 0
    allowed = 0 < number <= MAX_PICK_SECONDS
    return "" if allowed else f"is not allowed; allowed: above 0, up to {MAX_PICK_SECONDS}"


def pick_timeout_message(seconds: float) -> str:
    """The message for a player that exceeded the time for a pick."""
    plural = "" if seconds == 1 else "s"
    return f"took longer than {seconds:g} second{plural} for a pick"


class UnknownPlayer(InvalidInput, LookupError):
    """There is no opponent of that name."""


class CannotPlay(UnknownPlayer):
    """An opponent that needs the exact values of a game that cannot be solved."""


class Unavailable(Forfeit):
    """A service is unreachable or a budget is exhausted; the match may be resumed later."""


def play_pick(player: Player, match: Match, seat: Seat) -> int:
    """Play a pick of the player in a seat: the number, or PASS where it forfeits the match."""
    try:
        number = player.pick(match.view(seat))
    except Unavailable:
        raise  # a service is down, which is no fault of the player
    except Forfeit:
        match.lose(seat, "forfeit")
        return PASS
    match.pick(seat, number)
    return number
