"""OpenSpiel's own games and the same ones written as rules here: pick by pick, and in value.

What differs is left out: in OpenSpiel's Oshi-Zumo play goes on where both bid nothing, and ours
stops there; in its Pig a turn may end before the first roll, and has to end with enough points; in
its Goofspiel the last cards play themselves, and a point of difference is half a point for each.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple

import pyspiel
import pytest

import evenodds
from evenodds import FIRST, SECOND, Match
from tests.support.engine import solve_by_kernels
from tests.support.exact import matrix_value
from tests.support.examples import example
from tests.support.play import SEATS

pytestmark = pytest.mark.xdist_group("compiled")
NIM_HEAPS, NIM_MOST = 3, 15
ROLL, STOP = 0, 1
GAINS: Final[dict[str, Any]] = {
    "win_loss": itemgetter(FIRST),
    "point_difference": lambda returns: 2 * returns[FIRST],
    "total_points": lambda returns: returns[FIRST] - returns[SECOND],
}


class Pairing(NamedTuple):
    """A game of ours and OpenSpiel's, which number picks differently."""

    name: str
    rulings: dict[str, Any]
    theirs: str
    action: Callable[[int], int] = lambda pick: pick - 1
    gain: Callable[[list[float]], float] = itemgetter(FIRST)
    """What the first seat has here, by OpenSpiel's returns."""


def goofspiel(cards: int, order: str, returns: str) -> Pairing:
    given = f"imp_info=False,num_cards={cards},points_order={order},returns_type={returns}"
    ours = {
        "cards": cards,
        "order": "chance" if order == "random" else "rising",
        "score": "win" if returns == "win_loss" else "points",
    }
    return Pairing("goofspiel", ours, f"goofspiel({given})", gain=GAINS[returns])


def oshi_zumo(coins: int, size: int, least: int) -> Pairing:
    theirs = f"oshi_zumo(alesia=False,coins={coins},size={size},min_bid={least})"
    return Pairing("oshi_zumo", {"coins": coins, "fields": size, "least": least}, theirs)


def nim(heaps: tuple[int, int, int], misere: bool) -> Pairing:
    def action(pick: int) -> int:
        heap, rest = divmod(pick - 1, NIM_MOST)
        return rest * NIM_HEAPS + heap

    given = dict(zip(("first", "second", "third"), heaps, strict=True))
    last = "loses" if misere else "wins"
    theirs = f"nim(is_misere={misere},pile_sizes={';'.join(map(str, heaps))})"
    return Pairing("nim", given | {"last": last}, theirs, action)


def pig(goal: int, sides: int, horizon: int) -> Pairing:
    theirs = f"pig(diceoutcomes={sides},horizon={horizon},winscore={goal})"
    return Pairing("pig", {"goal": goal, "sides": sides}, theirs)


SMALL = [
    *(goofspiel(3, order, returns) for order in ("random", "ascending") for returns in GAINS),
    *(goofspiel(2, "random", "win_loss"), goofspiel(4, "ascending", "point_difference")),
    *(oshi_zumo(coins, size, 1) for coins, size in ((3, 1), (6, 1), (6, 2), (7, 2))),
    *(
        nim(heaps, misere)
        for heaps in ((1, 2, 3), (0, 0, 1), (2, 2, 3))
        for misere in (False, True)
    ),
]
LARGE = [
    *(goofspiel(4, "random", "total_points"), goofspiel(5, "ascending", "win_loss")),
    *(oshi_zumo(coins, size, least) for coins, size, least in ((30, 3, 1), (9, 1, 0), (9, 1, 1))),
    *(nim((7, 15, 11), misere) for misere in (False, True)),
    *(pig(20, sides, 1000) for sides in (2, 6)),
]


def text(pairing: Pairing) -> str:
    return pairing.theirs


def loaded(pairing: Pairing) -> Any:
    return pyspiel.load_game(pairing.theirs).new_initial_state()


def played(pairing: Pairing, number: int) -> Iterator[tuple[Match, Any]]:
    """A match of random picks in both: each time that somebody picks, and its end."""
    chance = Random(number)
    match = Match(example(pairing.name), pairing.rulings, seed=str(number))
    state = loaded(pairing)
    draw(match, state)
    while match.result is None:
        yield match, state
        if state.is_terminal():  # the last cards have played themselves
            assert [len(match.choices(seat)) for seat in SEATS] == [1, 1]
            match.play((match.choices(FIRST)[0], match.choices(SECOND)[0]))
            continue
        picks = [pick_of(pairing, match, state, seat, chance) for seat in SEATS]
        match.play((picks[FIRST], picks[SECOND]))
        actions = [pairing.action(pick) for pick in picks if pick]
        if state.is_simultaneous_node():
            state.apply_actions(actions)
        else:
            state.apply_action(*actions)
        if pairing.name == "oshi_zumo" and actions == [0, 0]:
            return
        draw(match, state)
    yield match, state


def draw(match: Match, state: Any) -> None:
    """Let OpenSpiel draw what has been drawn in a match, where it draws."""
    for number in match.draws[-1]:
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            assert outcomes[number - 1] == pytest.approx(1 / len(outcomes))
            state.apply_action(number - 1)


def pick_of(pairing: Pairing, match: Match, state: Any, seat: int, chance: Random) -> int:
    """A pick that both allow; 0 for a seat with nothing to decide."""
    choices = {pairing.action(pick): pick for pick in match.choices(seat)}
    theirs = set(state.legal_actions(seat))
    if pairing.name != "pig":
        assert set(choices) == theirs
    elif choices:
        held = match.state
        enough = held.points[seat] + held.brought >= held.rulings.goal
        assert theirs == ({STOP} if enough else {ROLL, STOP})
        assert set(choices) == ({ROLL, STOP} if held.brought else {ROLL})
    both = sorted(theirs & set(choices))
    return choices[chance.choice(both)] if both else 0


def tree_value(state: Any, gain: Callable[[list[float]], float], known: Any, moves: int = 0) -> Any:
    """What OpenSpiel's game is worth to the first seat, by walking through it in fractions."""
    if state.is_terminal():
        return Fraction(gain(state.returns()))
    key = (str(state), moves)
    if key not in known:
        known[key] = _tree_value(state, gain, known, moves)
    return known[key]


def _tree_value(state: Any, gain: Any, known: Any, moves: int) -> Any:
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        worths = [tree_value(state.child(drawn), gain, known, moves) for drawn, _ in outcomes]
        return sum(worths, Fraction()) / len(worths)
    if not state.is_simultaneous_node():
        actions = state.legal_actions()
        worths = [tree_value(state.child(action), gain, known, moves + 1) for action in actions]
        return max(worths) if state.current_player() == FIRST else min(worths)
    rows = []
    for one in state.legal_actions(FIRST):
        row = []
        for two in state.legal_actions(SECOND):
            after = state.clone()
            after.apply_actions([one, two])
            row.append(tree_value(after, gain, known, moves + 1))
        rows.append(tuple(row))
    return matrix_value(tuple(rows))


@pytest.mark.parametrize("pairing", SMALL + LARGE, ids=text)
def test_they_agree_pick_by_pick(pairing: Pairing) -> None:
    for number in range(20):
        for match, state in played(pairing, number):
            if match.result is not None:
                assert state.is_terminal()
                gain = pairing.gain(state.returns())
                assert gain == (match.points or 0) + match.game.outcome(match.state)
                assert match.result.outcome == (gain > 0) - (gain < 0)


@pytest.mark.long
@pytest.mark.parametrize("pairing", [*SMALL, pig(3, 2, 60), pig(5, 3, 60), pig(7, 6, 60)], ids=text)
def test_positions_are_worth_the_same(pairing: Pairing) -> None:
    game = evenodds.game(example(pairing.name), pairing.rulings)
    # In Pig a match that has not ended by the horizon is a draw: hardly any.
    tolerance = 1e-6 if pairing.name == "pig" else 1e-11
    solutions = evenodds.solve(game, fresh=True), solve_by_kernels(*game)
    assert solutions[0].span == solutions[1].span
    known: dict[Any, Fraction] = {}
    for number in range(10):
        for moves, (match, state) in enumerate(played(pairing, number)):
            worth = float(tree_value(state, pairing.gain, known, moves))
            for solution in solutions:
                found = (match.points or 0) + solution.value(match.state)
                assert found == pytest.approx(worth, abs=tolerance)


def test_pig_is_worth_what_is_published() -> None:
    """Neller and Presser 2004: with a coin and two points to win, the first wins 4 times of 7."""
    ruled = evenodds.game(example("pig"), goal=4, sides=2)
    solution, start = evenodds.solve(ruled, fresh=True), ruled.start()
    wins = {(0, 0, 0): 4 / 7, (0, 0, 1): 5 / 7, (0, 1, 0): 2 / 5, (0, 1, 1): 3 / 5}
    for (own, theirs, turn), chance in (wins | {(1, 0, 0): 4 / 5, (1, 1, 0): 2 / 3}).items():
        state = start._replace(points=(2 * own, 2 * theirs), brought=2 * turn)
        assert solution.value(state) == pytest.approx(2 * chance - 1, abs=1e-12)
