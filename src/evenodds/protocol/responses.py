"""Answers of a match server: a match as a seat sees it, granted seats, problems (RFC 9457)."""

from typing import Any, Final, Literal

from msgspec import Struct

from evenodds.core.vocabulary import SeatName

NEW_TOKEN: Final = "new"
"""What a program sends in place of a token to be told that of the seat it asks for."""
Flags = tuple[bool, bool]
"""A flag for each seat: first, then second."""
Reaction = tuple[str, float]
"""A sign that a player has sent, and when."""


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

    `takeback`: whether this seat may take a pick back, or ask another person for it;
    `takeback_asked`: the seat that asks.

    `seals`: in a sealed match the commitment and the salt of each pick of the last round.
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
    state: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    history: list[tuple[int | None, int | None]]
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
