"""Bodies of requests to a match server. Their docstrings are texts of its OpenAPI document."""

import re
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from evenodds.core.notation.seals import COMMITMENT, SALT
from evenodds.core.terms import MAX_NAME_COLUMNS

CLOCK_RANGE_S: Final = (1, 7 * 24 * 3600)
"""Smallest and largest time for a pick."""
SEAT_TOKEN_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""Format of a token, made by a server or sent by a client as its `key`."""

Name = Annotated[str, Meta(max_length=4 * MAX_NAME_COLUMNS)]
Round = Annotated[int, Meta(ge=1, le=1_000_000)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Player = Annotated[int, Meta(ge=1, le=2)]


class OpenMatchRequest(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request to open a match."""

    game: Annotated[str, Meta(max_length=64)]
    rulings: dict[str, int | str] = {}
    player: Player = 1
    """Which player the opener is."""
    name: Name = ""
    opponent: Annotated[str, Meta(max_length=32)] = ""
    """A computer's name; empty for a person, who gets an invitation."""
    own: Annotated[str, Meta(max_length=32)] = ""
    """A computer that plays for the opener, who watches."""
    first: Player = 1
    clock: Annotated[int, Meta(ge=CLOCK_RANGE_S[0], le=CLOCK_RANGE_S[1])] | None = None
    """Seconds for each pick."""
    sealed: bool = False
    """Whether seats commit to picks by a hash first, and reveal them when both have."""
    listed: bool = False


class InvitationRequest(Struct, forbid_unknown_fields=True):
    """The body of a request that asks whether an invitation is for a match."""

    match: Annotated[str, Meta(max_length=64)]
    invitation: Annotated[str, Meta(max_length=64)]


class JoinRequest(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request for a seat: by an invitation, or in a listed match."""

    invitation: Annotated[str, Meta(max_length=64)] = ""
    match: Annotated[str, Meta(max_length=64)] = ""
    name: Name = ""
    key: Annotated[str, Meta(pattern=f"^({SEAT_TOKEN_PATTERN.pattern})?$")] = ""
    """An idempotency key made by the client: a repeated request gets the same seat."""


class PickRequest(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The number for a round or, where picks are sealed, the commitment to one."""

    round: Round
    number: Number | None = None
    commitment: Annotated[str, Meta(pattern=f"^{COMMITMENT.pattern}$")] | None = None


class RevealRequest(Struct, forbid_unknown_fields=True):
    """The number and the salt of a commitment."""

    round: Round
    number: Number
    salt: Annotated[str, Meta(pattern=f"^{SALT.pattern}$")]


class ReactionRequest(Struct, forbid_unknown_fields=True):
    """A sign for all who look at the match."""

    sign: Literal["👍", "👏", "😮", "😅", "🤔", "🙏"]


class TakeBackRequest(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A request to take back the last pick, or the answer to one."""

    round: Round
    """The current round when it was made."""
    accept: bool | None = None
    """The answer to the other player's request; null for an own one."""
