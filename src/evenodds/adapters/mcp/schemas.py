"""Schemas of the tools' results."""

from typing import Any, cast

from typing_extensions import TypedDict

from evenodds.adapters.mcp.tool_matches import ToolMatch
from evenodds.coach import review_text
from evenodds.coach.review import Review
from evenodds.core.board import plain_text
from evenodds.core.catalog import AnyGame
from evenodds.core.notation import write
from evenodds.core.rulings import OneOf, Option, as_data, ruling_texts
from evenodds.core.serialization import SEAT_NAMES, result_as_data, view_as_data
from evenodds.render.narration import describe_rounds, nonempty_ending_lines


class RulingShape(TypedDict):
    """A ruling that may be changed when a match is opened."""

    key: str
    usual: str
    allowed: str
    about: str


class GameShape(TypedDict):
    """A game in the list."""

    game: str
    title: str
    about: str
    both_pick_at_once: bool
    rulings: list[RulingShape]


class GamesShape(TypedDict):
    """The games, and the opponents by name with how they play."""

    games: list[GameShape]
    opponents: dict[str, str]


class RulesShape(TypedDict):
    """The page of a game, in Markdown."""

    game: str
    page: str


class ResultShape(TypedDict):
    """How a match ended: `first`, `second` or `draw`, and the reason."""

    outcome: str
    reason: str


class MatchShape(TypedDict):
    """What your seat sees of a match. Wherever there are two, the first seat's comes first.

    `legal` are the numbers you may pick now, `told` is what happened since your last pick. In
    `history` a seat that had nothing to decide has null. `chosen` says whether each seat has a
    pick in this round; what it is nobody learns before both are in.
    """

    match: str
    game: str
    rulings: dict[str, int | str]
    your_seat: str
    you_are: str
    players: list[str]
    opponent: str
    round: int
    legal: list[int]
    help: str
    chosen: list[bool]
    state: dict[str, Any]
    history: list[list[int | None]]
    board: list[str]
    told: list[str]
    result: ResultShape | None


class ReviewShape(TypedDict):
    """What every pick gave away, exactly; in sentences, as data, and the match in notation."""

    match: str
    summary: list[str]
    lessons: list[str]
    picks: list[dict[str, Any]]
    record: str


def game_shape(game: AnyGame) -> GameShape:
    """The schema data of a game for the list."""

    def allowed(option: Option) -> str:
        return option.allowed({}) if isinstance(option, OneOf) else f"{option.low} to {option.high}"

    usual = ruling_texts(game.rulings())
    return {
        "game": game.name,
        "title": game.title,
        "about": game.summary,
        "both_pick_at_once": game.simultaneous,
        "rulings": [
            {"key": key, "usual": usual[key], "allowed": allowed(option), "about": option.about}
            for key, option in game.options.items()
        ],
    }


def match_shape(tool_match: ToolMatch, since: int | None = None) -> MatchShape:
    """The view of a match, with the narration from a round on."""
    match, seat = tool_match.match, tool_match.seat
    view = match.view(seat)
    words, result, seen = match.game.words, view.result, view_as_data(view)
    said = describe_rounds(match, since) + (nonempty_ending_lines(match, result) if result else [])
    return {
        "match": tool_match.id,
        "game": match.game.name,
        "rulings": as_data(match.terms.rulings),
        "your_seat": str(SEAT_NAMES[seat]),
        "you_are": match.names[seat],
        "players": list(match.terms.players),
        "opponent": tool_match.opponent,
        "round": seen["round"],
        "legal": seen["legal"],
        "help": words.choices(match.state, seat, view.choices) if view.choices else "",
        "chosen": seen["chosen"],
        "state": seen["state"],
        "history": seen["history"],
        "board": [plain_text(line) for line in words.board(match.state, match.names)],
        "told": said,
        "result": cast("ResultShape", result_as_data(result)) if result else None,
    }


def review_shape(tool_match: ToolMatch, found: Review) -> ReviewShape:
    """The review of a finished match."""
    return {
        "match": tool_match.id,
        "summary": [
            review_text.result_line(found.match, found.names),
            review_text.turning_point(found),
            review_text.accuracies(found),
            review_text.explain_figures(found),
        ],
        "lessons": review_text.lessons(found),
        "picks": review_text.as_json(found)["picks"],
        "record": write(tool_match.match),
    }
