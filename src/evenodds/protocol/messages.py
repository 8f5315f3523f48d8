"""Messages of a match server: bodies of requests, and answers.

An answer is a match as a seat sees it, granted seats, or a problem (RFC 9457). Docstrings of
requests are texts of the server's OpenAPI document.
"""

import re
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from evenodds.core.notation.seals import COMMITMENT, SALT
from evenodds.core.terms import MAX_NAME_COLUMNS
from evenodds.core.vocabulary import SeatName

CLOCK_RANGE_S: Final = (1, 7 * 24 * 3600)
"""Smallest and largest time for a pick."""
SEAT_TOKEN_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""Format of a token, made by a server or sent by a client as its `key`."""

Name = Annotated[str, Meta(max_length=4 * MAX_NAME_COLUMNS)]
Round = Annotated[int, Meta(ge=1, le=1_000_000)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Player = Annotated[int, Meta(ge=1, le=2)]

NEW_TOKEN: Final = "new"
"""What a program sends in place of a token to be told that of the seat it asks for."""
Flags = tuple[bool, bool]
"""A flag for each seat: first, then second."""
Reaction = tuple[str, float]
"""A sign that a player has sent, and when."""


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


class Presence(Struct, kw_only=True):
    """Which seats are connected, and the deadlines; `now` is the time of the server.

    `deadline`: when the seats that have to pick lose on time.

    `absence`: for each seat, when the other may claim the win because this player is absent.

    `reactions`: the last sign of each seat.

    `delay`: why a computer has not picked yet, or picks by search. `solving`: it waits until the
    game is solved; `search`: it picks by search until then; `unsolved`: it picks by search, since
    the game could not be solved; `trouble`: after an error of the server it tries again.
    """

    connected: Flags = (True, True)
    deadline: float | None = None
    absence: tuple[float | None, float | None] = (None, None)
    now: float = 0.0
    delay: str | None = None
    reactions: tuple[Reaction | None, Reaction | None] = (None, None)


class MatchEnding(Struct):
    """How a match ended: the outcome, the reason, the text of the book, and why in one line."""

    outcome: Literal["first", "second", "draw"]
    reason: str
    told: list[str] = []
    why: str = ""


class MatchView(Presence, kw_only=True):
    """A match as one seat, or a spectator, sees it. Pairs are of first and second.

    `names`: what the players are called to the reader, such as `You`.

    `goal`: what wins, in a sentence; `changed`: the rulings that are not the usual ones, in words.

    `told`: the text of the last round in the words of the rule book; `summary`: in one line.

    `pick_names`: what picks are called, by seat and number, in games where they have names.

    `takeback`: whether this seat may take a pick back, or ask another person for it;
    `takeback_asked`: the seat that asks.

    `seals`: in a sealed match the commitment and the salt of each pick of the last round.

    `draws`: in games with chance what was drawn before the first round, and after each;
    `dice`: SHA-256 over the match, a colon and the seed of all draws; `seed`: shown at the end.

    `points`: in games about points those of first, less those of second.
    """

    match: str = ""
    seq: int
    game: str
    title: str = ""
    rulings: dict[str, int | str]
    goal: str = ""
    changed: list[str] = []
    simultaneous: bool = False
    first: int = 1
    seat: SeatName | None = None
    players: tuple[str, str]
    names: tuple[str, str] = ("", "")
    computers: tuple[str, str]
    joined: Flags
    round: int = 0
    legal: list[int] = []
    previews: list[tuple[str, str]] = []
    pick_names: tuple[dict[str, str], dict[str, str]] = field(default_factory=lambda: ({}, {}))
    state: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    history: list[tuple[int | None, int | None]]
    draws: list[list[int]] = []
    dice: str | None = None
    seed: str | None = None
    points: int | None = None
    chosen: Flags
    waiting: Flags
    prompt: str = ""
    help: str = ""
    board: list[list[list[str]]] = []
    told: list[str] = []
    summary: str = ""
    result: MatchEnding | None = None
    takeback: bool = False
    takeback_asked: SeatName | None = None
    offers: Flags = (False, False)
    rematch: str | None = None
    clock: int | None = None
    sealed: bool = False
    phase: Literal["pick", "reveal"] = "pick"
    commitments: tuple[str | None, str | None] = (None, None)
    seals: tuple[tuple[str, str], tuple[str, str]] | None = None


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


class Problem(Struct):
    """An error: what is wrong with the request, and what is allowed (RFC 9457)."""

    status: int
    title: str
    detail: str


class StaleRoundProblem(Problem):
    """The error of a request for a past round, with the current view of the match."""

    view: MatchView
