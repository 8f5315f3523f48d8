"""Views, states and results as JSON-compatible data."""

from functools import cache
from typing import Any, Final, Literal, get_args, get_type_hints

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
    kinds = _kinds(state.__class__)
    return {
        field: _plain(value, kinds[field])
        for field, value in state._asdict().items()
        if field != "rulings"
    }


@cache
def _kinds(state: Any) -> dict[str, Any]:
    return get_type_hints(state, include_extras=True)


def result_as_data(result: MatchResult) -> dict[str, Any]:
    """A result as data: `first`, `second` or `draw`, and the reason."""
    return {"outcome": OUTCOMES[result.outcome], "reason": result.reason}


def _plain(value: Any, kind: Any) -> Any:
    if kind == Moves:
        return list(numbers(value))
    if kind == Hands:
        return [list(numbers(hand)) for hand in value]
    if get_args(kind):
        return list(value)
    return value
