"""A match as a seat or a spectator sees it, and the part of it that changes between events."""

from typing import Any, Literal

from msgspec import Struct

from evenodds.core.serialization import SeatName

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
