"""The interface of all players: a pick from a seat's view; and the errors of players."""

from typing import NamedTuple, Protocol

from evenodds.core.record import View


class IllegalAnswerCounts(NamedTuple):
    """Answers of a language model that were no legal pick; it is asked once more after one."""

    unreadable: int = 0
    """No pick could be found: a fault of form."""
    illegal: int = 0
    """The pick was against the rules: a fault of play."""

    def and_one(self, illegal: bool) -> "IllegalAnswerCounts":
        """These, and one more."""
        return IllegalAnswerCounts(self.unreadable + (not illegal), self.illegal + illegal)

    def __add__(self, other: object) -> "IllegalAnswerCounts":
        """These and others."""
        assert isinstance(other, IllegalAnswerCounts)
        return IllegalAnswerCounts(self.unreadable + other.unreadable, self.illegal + other.illegal)


class Player(Protocol):
    """Anyone who picks a number from what a seat may see."""

    faults: IllegalAnswerCounts = IllegalAnswerCounts()

    def pick(self, view: View) -> int:
        """One of `view.choices`; `Forfeit` from one who cannot go on."""

    def leave(self, view: View) -> None:
        """The match is over or was left; this is the last that the seat sees of it."""
        return  # most have nothing to take leave of


class Forfeit(Exception):
    """A player cannot go on, and why; the match is lost for that seat.

    `where` names what tells more, such as a log, if anything does.
    """

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(f"{why} ({where})" if where else why)
        self.why = why


def pick_timeout_message(seconds: float) -> str:
    """What is said of one who has used up the time for a pick."""
    plural = "" if seconds == 1 else "s"
    return f"took longer than {seconds:g} second{plural} for a pick"


class UnknownPlayer(LookupError):
    """There is no opponent of that name."""


class CannotPlay(UnknownPlayer):
    """An opponent who must know the exact values, where these cannot be had."""


class Unavailable(Forfeit):
    """Not the player but a service or a budget is at an end; later the match may go on."""
