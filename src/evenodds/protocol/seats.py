"""Seats that a server grants: in a match that is opened or joined, and in a rematch."""

from typing import Final

from msgspec import Struct

from evenodds.core.serialization import SeatName

NEW_TOKEN: Final = "new"
"""What a program sends in place of a token to be told that of the seat it asks for."""


class GrantedSeat(Struct, kw_only=True):
    """A seat granted to the client.

    `token` is told to programs, which ask by the header `X-Seat-Token: new`; it is null for others,
    who have it in a cookie. `invitation` is for the other seat: only for the opener of a match
    between people.
    """

    match: str
    token: str | None = None
    invitation: str | None = None
    seat: SeatName | None = None


class Rematch(Struct, kw_only=True):
    """A rematch offer; once both players agree, the new match and the client's seat.

    `token` is that of the request, null where it came in a cookie.
    """

    offered: bool = True
    match: str | None
    token: str | None = None
    seat: SeatName | None = None
