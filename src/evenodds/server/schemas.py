"""Response schemas of the HTTP API, as its OpenAPI document shows them."""

from typing import Any, TypedDict

Numbers = list[int]
SeatFlags = list[bool]
"""A flag for each seat: first, then second."""


class RulingField(TypedDict, total=False):
    """A ruling as a form field: `meanings` of a choice, or `low` and `high` of a number."""

    about: str
    usual: int | str
    meanings: dict[str, str]
    low: int
    high: int | str


class GameDescription(TypedDict):
    """A game that can be played here."""

    name: str
    title: str
    summary: str
    simultaneous: bool
    rulings: dict[str, RulingField]
    players: list[str]


class Opponents(TypedDict):
    """The computers, and how each plays."""

    usual: str
    players: dict[str, str]


class MatchSummary(TypedDict):
    """A match in the list of the lobby; `joinable` while a seat is free."""

    match: str
    game: str
    title: str
    players: list[str]
    computers: list[str]
    round: int
    clock: int | None
    sealed: bool
    joinable: bool


class GrantedSeat(TypedDict):
    """A seat granted to the client, with its token.

    `invitation` is for the other seat: only for the opener of a match between people.
    """

    match: str
    token: str | None
    invitation: str | None
    seat: str | None


class MatchEnding(TypedDict):
    """How a match ended: the outcome `first`, `second` or `draw`, the reason, and the text."""

    outcome: str
    reason: str
    told: list[str]


class MatchView(TypedDict):
    """A match as one seat, or a spectator, sees it. Pairs are of first and second.

    `seals`: in a sealed match the commitment and the salt of each pick of the last round.
    """

    match: str
    seq: int
    game: str
    title: str
    rulings: dict[str, int | str]
    simultaneous: bool
    first: int
    seat: str | None
    players: list[str]
    computers: list[str]
    joined: SeatFlags
    connected: SeatFlags
    round: int
    legal: Numbers
    state: dict[str, Any]
    before: dict[str, Any] | None
    history: list[list[int | None]]
    chosen: SeatFlags
    waiting: SeatFlags
    prompt: str
    help: str
    board: list[list[list[str]]]
    told: list[str]
    result: MatchEnding | None
    takeback: bool
    offers: SeatFlags
    rematch: str | None
    clock: int | None
    deadline: float | None
    absence: list[float | None]
    now: float
    delay: str | None
    sealed: bool
    phase: str
    commitments: list[str | None]
    seals: list[list[str]] | None


class Rematch(TypedDict):
    """A rematch offer; once both players agree, the new match and the client's seat and token."""

    offered: bool
    match: str | None
    token: str | None
    seat: str | None


class RulesPage(TypedDict):
    """The rules of a game: sections with their titles, levels and blocks."""

    game: str
    title: str
    sections: list[dict[str, Any]]


class PayoffTable(TypedDict):
    """What each pair of picks is worth to first, from -1 to 1: a row for each pick of first.

    `said` and `short` are the expected score of first as text, in per cent.
    """

    first: Numbers
    second: Numbers
    payoff: list[list[float]]
    said: list[list[str]]
    short: list[list[str]]


class BoardPosition(TypedDict):
    """A position as a board draws it, with the previous one and the history."""

    game: str
    title: str
    simultaneous: bool
    rulings: dict[str, int | str]
    players: list[str]
    history: list[list[int | None]]
    state: dict[str, Any]
    before: dict[str, Any] | None
    board: list[list[list[str]]]
    told: list[str]


class PositionView(BoardPosition):
    """A position with its exact solution."""

    rules: dict[str, int | str]
    after: str
    positions: int
    value: float
    first: dict[str, float]
    second: dict[str, float]
    only: dict[str, bool]
    distance: int | None
    gap: float
    seconds: float
    over: bool
    verdict: str
    sure: str
    matrix: PayoffTable
    hints: dict[str, dict[str, Any] | None]


class ReviewView(TypedDict):
    """The review of a match: the loss of every pick, all positions, and the review in words."""

    game: str
    title: str
    rules: dict[str, int | str]
    first: str
    second: str
    result: str | None
    reason: str | None
    picks: list[dict[str, Any]]
    curve: list[float]
    accuracy: dict[str, float | None]
    turning: dict[str, Any] | None
    gave_up: dict[str, Any] | None
    lessons: list[dict[str, Any]]
    stands: list[BoardPosition]
    said: dict[str, Any]


class Presence(TypedDict):
    """Which seats are connected, and the deadlines; `now` is the time of the server.

    `deadline`: when the seats that have to pick lose on time.

    `absence`: for each seat, when the other may claim the win because this player is absent.

    `delay`: why a computer has not picked yet, or picks by search. `solving`: it waits until the
    game is solved; `search`: it picks by search until then; `unsolved`: it picks by search, since
    the game could not be solved; `trouble`: after an error of the server it tries again.
    """

    connected: SeatFlags
    deadline: float | None
    absence: list[float | None]
    now: float
    delay: str | None


class Problem(TypedDict):
    """An error: what is wrong with the request, and what is allowed (RFC 9457)."""

    status: int
    title: str
    detail: str


class StaleRoundProblem(Problem):
    """The error of a request for a past round, with the current view of the match."""

    view: MatchView
