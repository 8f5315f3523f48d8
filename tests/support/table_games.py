"""Games that are tables: what may be picked and drawn, where that leads, what points it brings."""

from collections.abc import Callable
from enum import IntEnum
from typing import Annotated, Any, Final, NamedTuple

from evenodds import RuledGame
from evenodds.core.game import Game
from evenodds.core.rulings import Whole
from evenodds.core.vocabulary import NOTHING, PASS, SEATS, Outcome, Pair, alone

WON, DRAWN, LOST = -1, -2, -3
"""The ends, in the place of a position: for the first seat."""
OUTCOMES: Final = {WON: Outcome.FIRST_WINS, DRAWN: Outcome.DRAW, LOST: Outcome.SECOND_WINS}


class Table(NamedTuple):
    """Of each open position the picks of both seats, and where each pair leads."""

    picks: list[tuple[tuple[int, ...], ...]]
    after: list[dict[Pair, int]]
    weights: list[dict[int, int]] = []  # noqa: RUF012 - nothing is added to it
    """The numbers that may be drawn, as the first seat's picks: none where somebody picks."""
    points: list[dict[Pair, int]] = []  # noqa: RUF012
    """What each pair brings the first seat."""


class Rulings(NamedTuple):
    """Which table."""

    number: Annotated[int, Whole(0, 1_000_000, "which of them")] = 0


class State(NamedTuple):
    """A row of it, or how it has ended."""

    rulings: Rulings
    place: int


class Ending(IntEnum):
    """Why it is over."""

    OPEN = 0
    OVER = 1


def outcome(state: State) -> Outcome:
    return OUTCOMES.get(state.place, Outcome.ONGOING)


def table_game(
    name: str,
    table: Callable[[int], Table],
    *,
    simultaneous: bool,
    loops: bool,
    chance: bool = False,
    points: bool = False,
) -> Callable[[int], RuledGame]:
    """The games of tables by their number."""

    def weights(state: State) -> dict[int, int]:
        return table(state.rulings.number).weights[state.place] if chance else {}

    def draws(state: State) -> int:
        return sum(1 << number for number in weights(state)) or NOTHING

    def legal(state: State, seat: int) -> int:
        picks = table(state.rulings.number).picks[state.place][seat]
        if weights(state) or picks == (PASS,):
            return NOTHING
        return sum(1 << number for number in picks)

    def reward(state: State, picks: Pair) -> int:
        return table(state.rulings.number).points[state.place][picks]

    def step(state: State, picks: Pair) -> State:
        return State(state.rulings, table(state.rulings.number).after[state.place][picks])

    game: Any = Game(
        name=name,
        title=name.title(),
        summary="A table.",
        rulings=Rulings,
        start=lambda rulings: State(rulings, 0),
        legal=legal,
        step=step,
        outcome=outcome,
        ending=lambda state: Ending(int(state.place < 0)),
        simultaneous=simultaneous,
        loops=loops,
        chance=draws if chance else None,
        weight=(lambda state, number: weights(state)[number]) if chance else None,
        reward=reward if points else None,
    )
    return lambda number: RuledGame(game, game.settle({"number": number}))


def in_turns(rows: list[tuple[int, list[int]]]) -> Table:
    """A game of turns: who is to move at each position, and where the picks 1, 2, ... lead."""
    after = [
        {alone(mover, number): target for number, target in enumerate(targets, 1)}
        for mover, targets in rows
    ]
    picks = [
        tuple(tuple(dict.fromkeys(pair[seat] for pair in leads)) for seat in SEATS)
        for leads in after
    ]
    return Table(picks, after)
