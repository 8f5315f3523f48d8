"""The engine against a naive one, dense and in fractions, on games made at random.

EVENODDS_TEST_RANDOM_GAMES sets how many of each kind.
"""

import os
from fractions import Fraction
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Uniform
from tests.support.exact import (
    REPEATED,
    by_lot,
    eliminated,
    matrix_value,
    odds_by_history,
    response_by_history,
)
from tests.support.table_games import DRAWN, LOST, OUTCOMES, WON, Table, table_game

COUNT = int(os.environ.get("EVENODDS_TEST_RANDOM_GAMES", "25"))
ENDS = (LOST, DRAWN, WON)


@cache
def table(kind: int, number: int) -> Table:
    """A game in which both pick at once, one in turns, or one in turns with loops."""
    chance = Random(f"{kind} {number}")
    size = chance.randint(2, 5)
    picks: list[Any] = []
    after: list[Any] = []
    for place in range(size):
        sides = [tuple(range(1, chance.randint(1, 3) + 1)) for _ in range(2)]
        if kind:
            sides[chance.randrange(2)] = (0,)
        targets = [*range(place + 1 if kind < 2 else 0, size), *ENDS]
        leads = {pair: chance.choice(targets) for pair in product(*sides)}
        if place == 0:  # every game can end
            leads[next(iter(leads))] = chance.choice(ENDS)
        picks.append(tuple(sides))
        after.append(leads)
    return Table(picks, after)


GAMES = [
    table_game(f"random-{kind}", partial(table, kind), simultaneous=kind == 0, loops=kind == 2)
    for kind in range(3)
]


def naive_values(found: Table) -> list[Fraction]:
    """The values of all positions for the first seat; what nobody can force is a draw."""
    values: list[Any] = [None] * len(found.picks)
    values += [Fraction(int(OUTCOMES[end])) for end in ENDS]  # at -3, -2, -1
    for _ in found.picks:
        for place, ((one, two), leads) in enumerate(zip(found.picks, found.after, strict=True)):
            known = [values[at] for at in leads.values()]
            if one == (0,) or two == (0,):
                side = 1 if two == (0,) else -1
                if side in known or all(each == -side for each in known):
                    values[place] = Fraction(side if side in known else -side)
            elif None not in known:
                values[place] = matrix_value(
                    tuple(tuple(values[leads[i, j]] for j in two) for i in one)
                )
    return [Fraction(0) if each is None else each for each in values]


def endless_worth(found: Table, seat: int, picks: dict[int, int]) -> Fraction:
    """What picks of a seat win against random ones; play that never ends is a draw."""
    size, side = len(found.picks), 1 if seat == FIRST else -1
    leads: list[list[int]] = []
    for place, pairs in enumerate(found.after):
        leads.append([at for pair, at in pairs.items() if picks.get(place) in (None, pair[seat])])
    ending = [False] * size + [True] * 3
    for _ in range(size):
        ending = [any(ending[at] for at in after) for after in leads] + [True] * 3
    rows = []  # of equations: unknowns, and what is known
    for place, after in enumerate(leads):
        row = [Fraction(int(at == place)) for at in range(size + 1)]
        for at in after if ending[place] else ():
            if at >= 0:
                row[at] -= Fraction(1, len(after))
            else:
                row[size] += Fraction(side * int(OUTCOMES[at]), len(after))
        rows.append(row)
    worths = eliminated(rows)
    assert worths
    return worths[0]


def naive_endless_response(found: Table, seat: int) -> Fraction:
    own = [place for place, sides in enumerate(found.picks) if sides[seat] != (0,)]
    choices = product(*(found.picks[place][seat] for place in own))
    return max(endless_worth(found, seat, dict(zip(own, each, strict=True))) for each in choices)


@pytest.mark.long
@pytest.mark.parametrize("kind", range(3), ids=["at once", "turns", "loops"])
def test_the_engine_finds_what_a_naive_one_finds(kind: int) -> None:
    counted = drawn = 0
    for seed in range(COUNT):
        ruled, found = GAMES[kind](seed), table(kind, seed)
        solution, uniform = evenodds.solve(ruled, fresh=True), Uniform(ruled.game)
        reached = naive_reached(found)
        values = naive_values(found)
        for place in reached:
            value = solution.value(ruled.start()._replace(place=place))
            assert value == pytest.approx(float(values[place]), abs=1e-11), (seed, place)
        for seat in (FIRST, SECOND):
            best = evenodds.best_response(ruled, uniform, seat, repetition=0)
            picks = {state.place: pick for state, pick in best.picks.items()}
            if kind:
                assert best.value == pytest.approx(
                    float(naive_endless_response(found, seat)), abs=1e-11
                ), seed
                earned = float(endless_worth(found, seat, picks))
                assert best.value == pytest.approx(earned, abs=1e-11), seed
        try:
            odds = evenodds.odds(ruled, uniform, uniform)
        except evenodds.UncountedRepetition:
            continue
        counted += 1
        shares = odds_by_history(ruled.game, ruled.start(), 3)
        drawn += REPEATED in shares
        lost, draw, won = (float(shares[OUTCOMES[end]]) for end in ENDS)
        draw += float(shares[REPEATED])
        assert odds[:4] == pytest.approx((won, draw, lost, 0), abs=1e-12), seed
        for seat in (FIRST, SECOND):
            best = evenodds.best_response(ruled, uniform, seat)
            other = by_lot(ruled.game)
            exact = response_by_history(ruled.game, ruled.start(), seat, other, 3)
            assert best.value == pytest.approx(float(exact), abs=1e-12), seed
    assert counted >= (COUNT // 10)
    assert drawn or kind < 2


def naive_reached(found: Table) -> set[int]:
    reached = {0}
    for _ in found.picks:
        reached |= {at for place in reached for at in found.after[place].values() if at >= 0}
    return reached
