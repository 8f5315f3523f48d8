"""Seats that a server grants: in a match that is opened or joined, and in a rematch."""

from msgspec import Struct

from evenodds.core.serialization import SeatName


class GrantedSeat(Struct, kw_only=True):
    """A seat granted to the client, with its token.

    `invitation` is for the other seat: only for the opener of a match between people.
    """

    match: str
    token: str | None = None
    invitation: str | None = None
    seat: SeatName | None = None


class Rematch(Struct, kw_only=True):
    """A rematch offer; once both players agree, the new match and the client's seat and token."""

    offered: bool = True
    match: str | None
    token: str | None = None
    seat: SeatName | None = None
