"""Views, states and results as JSON-compatible data."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, get_origin, get_type_hints

from evenodds.core.record import MatchResult, View
from evenodds.core.vocabulary import FIRST, PASS, SECOND, Hands, Moves, Outcome, Seat, numbers

SeatName = Literal["first", "second"]
SEAT_NAMES: Final[dict[Seat | None, SeatName | None]] = {
    FIRST: "first",
    SECOND: "second",
    None: None,
}
OUTCOMES: Final = {
    Outcome.FIRST_WINS: "first",
    Outcome.SECOND_WINS: "second",
    Outcome.DRAW: "draw",
}


def view_as_data(view: View) -> dict[str, Any]:
    """A view as data; a seat that had nothing to decide in a round has null there."""
    return {
        "round": view.round,
        "legal": list(view.choices),
        "state": state_as_data(view.state),
        "history": [[pick if pick != PASS else None for pick in picks] for picks in view.history],
        "chosen": list(view.chosen),
    }


def state_as_data(state: Any) -> dict[str, Any]:
    """A position as data: its fields but the rulings, with sets of numbers as lists."""
    return {
        field: convert(value) if convert else value
        for value, (field, convert) in zip(state, _converters(state.__class__), strict=True)
        if field != "rulings"
    }


@cache
def _converters(state: Any) -> list[tuple[str, Callable[[Any], Any] | None]]:
    """The fields of a position, and what makes data of each where it is not data already."""
    kinds = get_type_hints(state, include_extras=True)
    return [(field, _converter(kinds[field])) for field in state._fields]


def result_as_data(result: MatchResult) -> dict[str, Any]:
    """A result as data: `first`, `second` or `draw`, and the reason."""
    return {"outcome": OUTCOMES[result.outcome], "reason": result.reason}


def _converter(kind: Any) -> Callable[[Any], Any] | None:
    if kind == Moves:
        return lambda moves: list(numbers(moves))
    if kind == Hands:
        return lambda hands: [list(numbers(hand)) for hand in hands]
    return list if get_origin(kind) is tuple else None
