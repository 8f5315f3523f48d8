"""The record, the result and the views of a match, and what programs get of them as JSON."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, get_origin

from evenodds.core.rulings import field_types
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, Hands, Moves, Outcome, Pair, Seat, State, numbers
from evenodds.core.words import Names, Words

OUTCOMES: Final = {Outcome.FIRST_WINS: "first", Outcome.SECOND_WINS: "second", Outcome.DRAW: "draw"}
END_REASONS: Final = ("resigned", "time", "forfeit")
"""Reasons, other than the rules and repetition, for which a seat loses a match."""
DRAW_REASONS: Final = ("repetition", "rounds")
"""Reasons for a draw of a match that its rules would leave open."""
VOID_REASON: Final = "void"
"""The reason of a match without a result: both ran out of time, or it never began."""
CANCELLED_REASON: Final = "cancelled"
"""The reason in records and sentences where such a match never began."""
VOID_REASONS: Final = (VOID_REASON, CANCELLED_REASON)
"""Reasons for which a match ends without a result; it counts as a draw."""


class MatchResult(NamedTuple):
    """The result of a match: the outcome, and `rules` or another reason with the loser, if any."""

    outcome: Outcome
    reason: str = "rules"
    loser: Seat | None = None


class Record(NamedTuple):
    """The public data of a match, enough to rebuild it."""

    terms: Terms
    history: tuple[Pair, ...]
    end: MatchResult | None
    """The result where it is not by the rules."""
    taken_back: bool
    draws: tuple[tuple[int, ...], ...] = ()
    """What chance has drawn before the first round, and after each; empty: nothing."""


class View(NamedTuple):
    """The view of a seat or a spectator. It never holds a pick that is not revealed."""

    game: str
    seat: Seat | None
    names: Names
    round: int
    state: State
    history: tuple[Pair, ...]
    choices: tuple[int, ...]
    """The numbers this seat may pick now; none for a spectator or when nothing is asked."""
    chosen: tuple[bool, bool]
    """Which seats have a pick in this round."""
    result: MatchResult | None
    draws: tuple[tuple[int, ...], ...] = ()
    """What chance has drawn before the first round, and after each."""
    points: int | None = None
    """The points of the first seat so far, the second's taken off; None in other games."""


def view_as_data(view: View, words: Words[Any]) -> dict[str, Any]:
    """A view as data; a seat that had nothing to decide in a round has null there.

    Where picks have names, those of the legal ones are added; so are draws and points.
    """
    named = words.pick_names(view.state[0], view.seat or FIRST, view.choices)
    names = {str(number): name for number, name in named.items()}
    return {
        "round": view.round,
        "legal": list(view.choices),
        **({"pick_names": names} if names else {}),
        "state": state_as_data(view.state),
        "history": [[pick if pick != PASS else None for pick in picks] for picks in view.history],
        **({"draws": list(map(list, view.draws))} if view.draws else {}),
        **({} if view.points is None else {"points": view.points}),
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
    sets = {
        Moves: lambda moves: list(numbers(moves)),
        Hands: lambda hands: [list(numbers(hand)) for hand in hands],
    }
    lists = {field: list for field, kind in field_types(state).items() if get_origin(kind) is tuple}
    return [(field, sets.get(kind, lists.get(field))) for field, kind in field_types(state).items()]


def result_as_data(result: MatchResult) -> dict[str, Any]:
    """A result as data: `first`, `second` or `draw`, and the reason."""
    return {"outcome": OUTCOMES[result.outcome], "reason": result.reason}
