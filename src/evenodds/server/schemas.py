"""Response schemas of the HTTP API that only pages read, as its OpenAPI document shows them."""

from typing import Any, TypedDict


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
    goal: str
    simultaneous: bool
    rulings: dict[str, RulingField]
    players: list[str]


class Opponents(TypedDict):
    """The computers: how each plays, and the name that people see."""

    usual: str
    players: dict[str, str]
    names: dict[str, str]


class ServerAddress(TypedDict):
    """The address of the server for others in its network."""

    address: str | None


class MatchSummary(TypedDict):
    """A match in the list of the lobby; `joinable` while a seat is free.

    `names`: what the players are called to whoever reads, in the order of `players`.
    """

    match: str
    game: str
    title: str
    players: list[str]
    names: list[str]
    computers: list[str]
    round: int
    clock: int | None
    sealed: bool
    joinable: bool


class RulesPage(TypedDict):
    """The rules of a game: sections with their titles, levels and blocks."""

    game: str
    title: str
    short: list[str]
    sections: list[dict[str, Any]]


class PayoffTable(TypedDict):
    """What each pair of picks is worth to first, from -1 to 1: a row for each pick of first.

    `text` and `short` are the expected score of first as text, in per cent.
    """

    first: list[int]
    second: list[int]
    payoff: list[list[float]]
    text: list[list[str]]
    short: list[list[str]]


class BoardPosition(TypedDict):
    """A position as a board draws it, with the previous one and the history.

    `draws`: in games with chance what was drawn before the first round, and after each.
    """

    game: str
    title: str
    simultaneous: bool
    rulings: dict[str, int | str]
    players: tuple[str, str]
    history: list[tuple[int | None, int | None]]
    draws: list[list[int]]
    points: int | None
    state: dict[str, Any]
    before: dict[str, Any] | None
    pick_names: tuple[dict[str, str], dict[str, str]]
    told: list[str]
    board: list[list[list[str]]]
    summary: str


class Invitation(TypedDict):
    """An invitation that can be taken, and who invites."""

    match: str
    host: str


class PuzzleView(BoardPosition):
    """A position in which a seat looks for a number."""

    seat: str
    legal: list[int]
    about: str
    """What the game is about, and by which rule it differs from the book's."""
    question: str
    reply: int | None
    """What the opponent picks, where the puzzle tells it."""
    difficulty: float


class PuzzleAnswer(TypedDict):
    """Whether an answer is right, the right one, and why."""

    right: bool
    answer: int
    trap: bool
    """Whether that is the only mistake, and not the best number."""
    reply: int | None
    """What the other seat most likely picks, where both pick at once."""
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
    text: dict[str, Any]
