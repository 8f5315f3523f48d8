"""The engine against a naive one, on so many games as EVENODDS_TEST_RANDOM_GAMES says."""

import os
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

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

COUNT = int(os.environ.get("EVENODDS_TEST_RANDOM_GAMES", "20"))
ENDS = (LOST, DRAWN, WON)
SHARES = {end: Fraction(int(OUTCOMES[end])) for end in ENDS}


class Kind(NamedTuple):
    """What a game may have."""

    at_once: bool = False
    chance: bool = False
    points: bool = False
    loops: bool = False


ACYCLIC = {
    "at once": Kind(at_once=True),
    "turns": Kind(),
    "dice": Kind(at_once=True, chance=True),
    "points": Kind(at_once=True, points=True),
    "dice and points": Kind(at_once=True, chance=True, points=True),
    "turns with points": Kind(points=True),
    "turns with dice": Kind(chance=True),
    "turns with both": Kind(chance=True, points=True),
}
LOOPS = {
    "turns": Kind(loops=True),
    "dice": Kind(chance=True, loops=True),
    "at once": Kind(at_once=True, loops=True),
    "dice at once": Kind(at_once=True, chance=True, loops=True),
}


@cache
def table(kind: Kind, number: int) -> Table:
    chance = Random(f"{kind} {number}")
    while True:
        found = any_table(kind, chance)
        if not kind.at_once or any((0,) not in found.picks[place] for place in reached(found)):
            return found


def any_table(kind: Kind, chance: Random) -> Table:
    size = chance.randint(2, 5)
    found = Table([], [], [], [])
    for place in range(size):
        sides: list[Any] = [tuple(range(1, chance.randint(1, 3) + 1)) for _ in range(2)]
        weights = {}
        if kind.chance and chance.random() < 0.4:
            sides[SECOND] = (0,)
            weights = {pick: chance.randint(1, 5) for pick in sides[FIRST]}
        elif not kind.at_once or chance.random() < 0.2:
            sides[chance.randrange(2)] = (0,)
        targets = [*range(0 if kind.loops else place + 1, size), *ENDS]
        leads: dict[Any, int] = {pair: chance.choice(targets) for pair in product(*sides)}
        if place == 0:  # every game can end
            leads[next(iter(leads))] = chance.choice(ENDS)
        found.picks.append(tuple(sides))
        found.after.append(leads)
        found.weights.append(weights)
        found.points.append({pair: chance.randint(-9, 9) * kind.points for pair in leads})
    return found


def reached(found: Table) -> list[int]:
    places = {0}
    for _ in found.picks:
        places |= {at for place in places for at in found.after[place].values() if at >= 0}
    return sorted(places)


@cache
def games(kind: Kind) -> Any:
    name = "chance-" + "".join(str(int(each)) for each in kind)
    return table_game(
        name,
        partial(table, kind),
        simultaneous=kind.at_once,
        loops=kind.loops,
        chance=kind.chance,
        points=kind.points,
    )


def leaning(state: Any, seat: int, found: Table) -> Any:
    """A policy that picks a number the more often, the higher it is."""
    picks = found.picks[state if isinstance(state, int) else state.place][seat]
    return {pick: Fraction(pick or 1, sum(picks) or 1) for pick in picks}


def shares_at(found: Table, place: int, policy: Any = leaning) -> dict[tuple[int, int], Fraction]:
    """How likely each pair is where both seats have a policy."""
    weights = found.weights[place]
    first = {pick: Fraction(weights[pick], sum(weights.values())) for pick in weights}
    one, two = first or policy(place, FIRST, found), policy(place, SECOND, found)
    return {(a, b): one[a] * two[b] for a, b in found.after[place]}


def backwards(found: Table, judge: Any, ends: Any) -> dict[int, Any]:
    """What is made of each position by what its pairs bring, from the last one back."""
    known = dict(ends)
    for place in reversed(range(len(found.picks))):
        known[place] = judge(place, {pair: known[at] for pair, at in found.after[place].items()})
    return known


def naive_value(found: Table, place: int, after: Any) -> Fraction:
    worth = {pair: found.points[place][pair] + after[pair] for pair in after}
    if found.weights[place]:
        return sum(
            (share * worth[pair] for pair, share in shares_at(found, place).items()), Fraction()
        )
    one, two = found.picks[place]
    return matrix_value(tuple(tuple(worth[a, b] for b in two) for a in one))


def naive_totals(found: Table, place: int, after: Any) -> Counter[Any]:
    """The sums of points and rounds still to come, each with its share."""
    total: Counter[Any] = Counter()
    for pair, share in shares_at(found, place).items():
        for (points, rounds), part in after[pair].items():
            rounds += not found.weights[place]
            total[found.points[place][pair] + points, rounds] += share * part
    return total


def naive_response(found: Table, seat: int, place: int, after: Any) -> Fraction:
    side, shares = 1 if seat == FIRST else -1, shares_at(found, place)
    worth = {pair: side * found.points[place][pair] + after[pair] for pair in after}
    if found.weights[place]:
        return sum((shares[pair] * worth[pair] for pair in worth), Fraction())
    theirs = leaning(place, 1 - seat, found)
    return max(
        sum(
            (theirs[pair[1 - seat]] * worth[pair] for pair in worth if pair[seat] == own),
            Fraction(),
        )
        for own in found.picks[place][seat]
    )


@pytest.mark.long
@pytest.mark.parametrize("kind", ACYCLIC.values(), ids=ACYCLIC)
def test_the_engine_finds_what_a_naive_one_finds(kind: Kind) -> None:
    for number in range(COUNT):
        ruled, found = games(kind)(number), table(kind, number)
        policy, start = partial(leaning, found=found), ruled.start()
        solution = evenodds.solve(ruled, fresh=True)
        values = backwards(found, partial(naive_value, found), SHARES)
        for place in reached(found):
            value = solution.value(start._replace(place=place))
            assert value == pytest.approx(float(values[place]), abs=1e-11), number
        totals = backwards(
            found, partial(naive_totals, found), {end: {(SHARES[end], 0): 1} for end in ENDS}
        )[0]
        odds = evenodds.odds(ruled, policy, policy)
        for told, sign in ((odds.first, 1), (odds.draw, 0), (odds.second, -1)):
            share = sum(
                part for (sum_, _), part in totals.items() if (sum_ > 0) - (sum_ < 0) == sign
            )
            assert told == pytest.approx(float(share), abs=1e-12), number
        length = sum(rounds * part for (_, rounds), part in totals.items())
        mean = sum(sum_ * part for (sum_, _), part in totals.items())
        assert odds.length == pytest.approx(float(length), abs=1e-12)
        assert odds.endless == 0
        brings = any(any(found.points[place].values()) for place in reached(found))
        assert odds.points == (pytest.approx(float(mean), abs=1e-11) if brings else None)
        for seat, side in ((FIRST, 1), (SECOND, -1)):
            ends = {end: side * SHARES[end] for end in ENDS}
            best = evenodds.best_response(ruled, policy, seat)
            exact = backwards(found, partial(naive_response, found, seat), ends)[0]
            assert best.value == pytest.approx(float(exact), abs=1e-11), number
            best = evenodds.best_response(ruled, solution, seat)
            assert best.value == pytest.approx(side * solution.value(start), abs=1e-9), number


def chances_of_ends(found: Table, shares: Any) -> list[dict[int, Fraction]]:
    """How likely play from each position comes to each end; the rest never ends."""
    size = len(found.picks)
    leads = [
        [(at, share) for pair, share in shares[place].items() if share for at in [after[pair]]]
        for place, after in enumerate(found.after)
    ]
    ending = [False] * size + [True] * 3
    for _ in range(size):
        ending = [any(ending[at] for at, _ in after) for after in leads] + [True] * 3
    chances: list[dict[int, Fraction]] = [{} for _ in range(size)]
    for end in ENDS:
        rows = []  # of equations: unknowns, and what is known
        for place, after in enumerate(leads):
            row = [Fraction(int(at == place)) for at in range(size + 1)]
            for at, share in after if ending[place] else ():
                if at >= 0:
                    row[at] -= share
                else:
                    row[size] += share * (at == end)
            rows.append(row)
        solved = eliminated(rows)
        assert solved
        for place in range(size):
            chances[place][end] = solved[place]
    return chances


def naive_plans(found: Table, seat: int) -> list[dict[int, int]]:
    """Every way to pick one number at each position."""
    own = [
        place
        for place, sides in enumerate(found.picks)
        if sides[seat] != (0,) and not found.weights[place]
    ]
    choices = product(*(found.picks[place][seat] for place in own))
    return [dict(zip(own, each, strict=True)) for each in choices]


def worths(
    found: Table, endless: int, *plans: dict[int, int], policy: Any = leaning
) -> list[Fraction]:
    """What each position is worth to the first seat; who has no plan has the policy."""
    shares = []
    for place in range(len(found.picks)):
        given = {}
        for seat, plan in enumerate(plans):
            if place in plan:
                given[seat] = plan[place]
        pairs = shares_at(found, place, policy)
        kept = {
            pair: share
            for pair, share in pairs.items()
            if all(pair[seat] == pick for seat, pick in given.items())
        }
        shares.append({pair: share / sum(kept.values()) for pair, share in kept.items()})
    return [
        sum((SHARES[end] * share for end, share in ends.items()), Fraction())
        + endless * (1 - sum(ends.values()))
        for ends in chances_of_ends(found, shares)
    ]


def naive_bounds(found: Table, endless: int) -> list[Fraction]:
    """The values of all positions where endless play is worth so much, by trying all plans."""
    firsts, seconds = (naive_plans(found, seat) for seat in (FIRST, SECOND))
    least = [
        [
            min(each)
            for each in zip(*(worths(found, endless, one, two) for two in seconds), strict=True)
        ]
        for one in firsts
    ]
    return [max(each) for each in zip(*least, strict=True)]


@pytest.mark.long
def test_what_nobody_can_force_is_a_draw() -> None:
    for number in range(COUNT):
        ruled, found = games(LOOPS["turns"])(number), table(LOOPS["turns"], number)
        solution, exact = evenodds.solve(ruled, fresh=True), naive_bounds(found, 0)
        for place in reached(found):
            assert solution.value(ruled.start()._replace(place=place)) == exact[place], number


@pytest.mark.long
def test_a_position_that_comes_up_so_many_times_is_a_draw() -> None:
    counted = drawn = 0
    for number in range(COUNT):
        ruled = games(LOOPS["turns"])(number)
        uniform, times = Uniform(ruled.game), 2 + number % 2
        try:
            odds = evenodds.odds(ruled, uniform, uniform, repetition=times)
        except evenodds.UncountedRepetition:
            continue
        counted += 1
        shares = odds_by_history(ruled.game, ruled.start(), times)
        drawn += REPEATED in shares
        lost, draw, won = (float(shares[OUTCOMES[end]]) for end in ENDS)
        draw += float(shares[REPEATED])
        assert odds[:4] == pytest.approx((won, draw, lost, 0), abs=1e-12), number
        for seat in (FIRST, SECOND):
            best = evenodds.best_response(ruled, uniform, seat, repetition=times)
            other = by_lot(ruled.game)
            exact = response_by_history(ruled.game, ruled.start(), seat, other, times)
            assert best.value == pytest.approx(float(exact), abs=1e-12), number
    assert counted >= COUNT // 10
    assert drawn


@pytest.mark.long
def test_dice_in_loops_have_the_value_of_endless_play_as_a_draw() -> None:
    open_ended = 0
    for number in range(COUNT):
        ruled, found = games(LOOPS["dice"])(number), table(LOOPS["dice"], number)
        solution = evenodds.solve(ruled, fresh=True)
        low, even, high = (naive_bounds(found, endless) for endless in (-1, 0, 1))
        assert solution.gap < 1e-11
        for place in reached(found):
            value = solution.value(ruled.start()._replace(place=place))
            assert value == pytest.approx(float(even[place]), abs=1e-11), number
        open_ended += low != high
    assert 0 < open_ended < COUNT


def against(own: int, mixes: Any, plan: Any, place: int, seat: int, found: Table) -> Any:
    """Mixes of one seat and picks of the other; where there is none, the policy that leans."""
    given = mixes if seat == own else {at: {pick: 1} for at, pick in plan.items()}
    if not (mix := given.get(place)):
        return leaning(place, seat, found)
    shares = {pick: Fraction(mix.get(pick, 0)) for pick in found.picks[place][seat]}
    return {pick: share / sum(shares.values()) for pick, share in shares.items()}


@pytest.mark.long
@pytest.mark.parametrize("name", ["at once", "dice at once"])
def test_mixes_in_loops_guarantee_the_values_that_are_known(name: str) -> None:
    known = 0
    for number in range(COUNT):
        ruled, found = games(LOOPS[name])(number), table(LOOPS[name], number)
        solution, places = evenodds.solve(ruled, fresh=True), reached(found)
        if solution.unknown:
            continue
        known += 1
        states = [ruled.start()._replace(place=place) for place in range(len(found.picks))]
        for own, worst in ((FIRST, min), (SECOND, max)):
            mixes = {place: solution.mix(states[place], own) or {0: 1.0} for place in places}
            given = [(own, mixes, plan) for plan in naive_plans(found, 1 - own)]
            earned = [worths(found, 0, policy=partial(against, *each)) for each in given]
            for place in places:
                value = solution.value(states[place])
                least = float(worst(each[place] for each in earned))
                assert least == pytest.approx(value, abs=1e-9), (number, own, place)
    assert known > 0.8 * COUNT


@pytest.mark.long
@pytest.mark.parametrize("kind", LOOPS.values(), ids=LOOPS)
def test_policies_in_loops_do_what_they_should(kind: Kind) -> None:
    endless = known = 0
    for number in range(COUNT):
        ruled, found = games(kind)(number), table(kind, number)
        policy = partial(leaning, found=found)
        shares = [shares_at(found, place) for place in range(len(found.picks))]
        lost, drawn, won = (chances_of_ends(found, shares)[0][end] for end in ENDS)
        exact = tuple(map(float, (won, drawn, lost, 1 - won - drawn - lost)))
        odds = evenodds.odds(ruled, policy, policy, repetition=0)
        assert odds[:4] == pytest.approx(exact, abs=1e-12), number
        endless += exact[3] > 0
        solution = evenodds.solve(ruled, fresh=True)
        known += not solution.unknown
        for seat in (FIRST, SECOND):
            if not solution.unknown:
                worth = solution.value(solution.start, seat)
                taken = evenodds.best_response(ruled, solution, seat, repetition=0).value
                assert taken == pytest.approx(worth, abs=1e-9), number
            best = evenodds.best_response(ruled, policy, seat, repetition=0)
            assert best.value == pytest.approx(float(naive_best(found, seat)), abs=1e-11), number
            sides = (best.picks, policy) if seat == FIRST else (policy, best.picks)
            earned = evenodds.odds(ruled, *sides, repetition=0)
            side = 1 if seat == FIRST else -1
            assert side * (earned.first - earned.second) == pytest.approx(best.value, abs=1e-12)
    assert endless or kind.at_once or not kind.chance
    assert known == COUNT or (kind.at_once and known)


def naive_best(found: Table, seat: int) -> Fraction:
    """What a seat wins at most against one that leans; endless play is a draw."""
    side = 1 if seat == FIRST else -1
    given = ((plan, {}) if seat == FIRST else ({}, plan) for plan in naive_plans(found, seat))
    return max(side * worths(found, 0, *plans)[0] for plans in given)
