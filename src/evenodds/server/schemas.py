"""Response schemas of the HTTP API, as its OpenAPI document shows them."""

from typing import Any, TypedDict

Numbers = list[int]
Both = list[bool]
"""Something of first and of second, in this order."""


class Ruling(TypedDict, total=False):
    """A ruling as a field of a form: either its meanings by name, or a range."""

    about: str
    usual: int | str
    meanings: dict[str, str]
    low: int
    high: int | str


class GameShape(TypedDict):
    """A game that can be played here."""

    name: str
    title: str
    summary: str
    simultaneous: bool
    rulings: dict[str, Ruling]
    players: list[str]


class Opponents(TypedDict):
    """The computers, and how each plays."""

    usual: str
    players: dict[str, str]


class Summary(TypedDict):
    """A line of the lobby; `joinable` while a seat is free."""

    match: str
    game: str
    title: str
    players: list[str]
    computers: list[str]
    round: int
    clock: int | None
    sealed: bool
    joinable: bool


class Seated(TypedDict):
    """A seat that was taken; who opens a match among people gets an invitation for the other."""

    match: str
    token: str | None
    invitation: str | None
    seat: str | None


class Ending(TypedDict):
    """How a match ended: `first`, `second` or `draw`; the reason; in words."""

    outcome: str
    reason: str
    told: list[str]


class MatchView(TypedDict):
    """A match as one seat, or a spectator, sees it. Pairs are of first and second.

    `seals`: in a sealed match what each pick of the last round was promised by, and its salt.
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
    joined: Both
    connected: Both
    round: int
    legal: Numbers
    state: dict[str, Any]
    before: dict[str, Any] | None
    history: list[list[int | None]]
    chosen: Both
    waiting: Both
    prompt: str
    help: str
    board: list[list[list[str]]]
    told: list[str]
    result: Ending | None
    takeback: bool
    offers: Both
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
    """Whether a rematch is offered; the match and the token of the seat there once both agree."""

    offered: bool
    match: str | None
    token: str | None
    seat: str | None


class RulesPage(TypedDict):
    """The rules of a game: sections with their titles, levels and blocks."""

    game: str
    title: str
    sections: list[dict[str, Any]]


class Matrix(TypedDict):
    """What each pair of picks is worth to first, from -1 to 1: a row for each pick of first.

    `said` and `short` are what first scores then, in per cent.
    """

    first: Numbers
    second: Numbers
    payoff: list[list[float]]
    said: list[list[str]]
    short: list[list[str]]


class Standing(TypedDict):
    """A position as a board draws it, with what led to it."""

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


class PositionView(Standing):
    """A position with what the solver knows of it."""

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
    matrix: Matrix
    hints: dict[str, dict[str, Any] | None]


class ReviewView(TypedDict):
    """What every pick of a match gave away; the positions on the way; the review in words."""

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
    stands: list[Standing]
    said: dict[str, Any]


class Presence(TypedDict):
    """Who is there, and until when those who are waited for may come; `now` by the same clock.

    `absence`: until when a player who is away may come back before the other may claim to win.

    `delay`: why a computer is late or not itself. `solving`: the game is being solved, and it waits
    for that; `search`: meanwhile it looks ahead; `unsolved`: so it does, for the game could not be
    solved; `trouble`: something went wrong here, and it tries again.
    """

    connected: Both
    deadline: float | None
    absence: list[float | None]
    now: float
    delay: str | None


class Problem(TypedDict):
    """What was wrong, and what to mend."""

    status: int
    title: str
    detail: str


class Stale(Problem):
    """What came for a round that is over: how the match stands now."""

    view: MatchView
