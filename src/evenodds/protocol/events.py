"""Events of a match, as they are stored and sent from process to process; none holds a secret.

The tag of each is its `kind`. Fields that are not always written have a default, and are omitted.
"""

from msgspec import Struct

from evenodds.core.vocabulary import Pair, Seat
from evenodds.protocol.messages import Flags


class _Event(Struct, frozen=True, tag_field="kind", tag=str.lower):
    pass


class _SeatEvent(_Event, frozen=True):
    seat: Seat


class Opened(_Event, frozen=True, kw_only=True):
    """The match is opened: its terms, options, and which players have joined.

    Here alone pairs are of Player 1 and Player 2.
    """

    game: str
    rulings: dict[str, int | str]
    players: tuple[str, str]
    first: int
    repetition: int
    computers: tuple[str, str]
    clock: int | None
    sealed: bool = False
    listed: bool
    joined: Flags


class Joined(_Event, frozen=True):
    """Player 1 or 2 takes the free seat."""

    player: int
    name: str


class Picked(_SeatEvent, frozen=True, omit_defaults=True):
    """A pick is in, and not the last of its round; in a sealed match a commitment to it."""

    round: int
    commitment: str = ""


class Revealed(_SeatEvent, frozen=True):
    """A committed pick is revealed, and not the last of its round."""


class Played(_Event, frozen=True, omit_defaults=True):
    """A round is complete; in a sealed match with the salts."""

    round: int
    picks: Pair
    salts: tuple[str, str] = ("", "")


class Undone(_Event, frozen=True):
    """Rounds are taken back; this many are left."""

    rounds: int


class TakeBackAsked(_SeatEvent, frozen=True, tag="asked"):
    """A player asks to take back their last pick."""


class TakeBackRefused(_SeatEvent, frozen=True, tag="refused"):
    """The request of this seat is refused; one that is granted is `Undone`."""


class Ended(_Event, frozen=True, omit_defaults=True):
    """The match ends before its rules end it; `shown`: numbers and salts revealed, by seat."""

    reason: str
    loser: Seat | None
    shown: dict[str, tuple[int, str]] = {}


class Absent(_SeatEvent, frozen=True):
    """A player who is waited for is absent."""


class Present(_SeatEvent, frozen=True):
    """A player is back."""


class Offered(_SeatEvent, frozen=True, omit_defaults=True):
    """A rematch is offered, or the offer no longer stands."""

    stands: bool = True


class RematchOpened(_Event, frozen=True, tag="rematch"):
    """The rematch is opened."""

    match: str


RoundEvent = Joined | Played | Undone | Ended
"""Events after which a round begins, or the match is over."""
SeatEvent = (
    Picked | Revealed | TakeBackAsked | TakeBackRefused | Absent | Present | Offered | RematchOpened
)
MatchEvent = Opened | RoundEvent | SeatEvent
