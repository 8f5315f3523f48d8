"""Matches in bulk: counts that agree with exact odds, and do not depend on the machine."""

import tracemalloc
from collections import Counter
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

import evenodds
from evenodds import BadPolicy, Match, Uniform, odds, simulate
from evenodds.engine.random_streams import PICK_RANDOM_BITS, stream
from tests.support.engine import LOW_HALF_MASK, next_random, random_member, rule
from tests.support.examples import LOOPING_GAME, SIMULTANEOUS_GAME
from tests.support.game_data import cases
from tests.support.play import SEATS, play, positions
from tests.support.strategies import GAMES

MATCHES = 200_000


@rule
def highest(state: Any, seat: int, moves: int, chance: int) -> int:
    number = 0
    while moves >> number != 1:
        number += 1
    return number


def within(count: int, odds: float) -> bool:
    return abs(count - MATCHES * odds) <= 5 * sqrt(MATCHES * odds * (1 - odds)) + 1


def test_the_same_seed_gives_the_same_counts_on_any_number_of_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    for count in (1, 2, 3):
        monkeypatch.setenv("EVENODDS_CORES", str(count))
        found.append(simulate("duel", matches=150_001, seed=5))
    assert found[0] == found[1] == found[2]
    assert simulate("duel", matches=150_001, seed=6) != found[0]


def test_counts_are_added_up_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"matches": 600, "longest": 1_000_000, "compiled": False}
    at_once = simulate("duel", **options)
    monkeypatch.setenv("EVENODDS_CORES", "2")
    monkeypatch.setattr("evenodds.engine.simulate.BATCH_MATCHES", 12)
    tracemalloc.start()
    try:
        assert simulate("duel", **options) == at_once
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_compiled_and_interpreted_play_the_same_matches() -> None:
    for name in GAMES:
        fast = simulate(name, matches=40, seed=3, longest=60)
        slow = simulate(name, matches=40, seed=3, longest=60, compiled=False)
        assert fast == slow, name


@pytest.mark.long
def test_any_rule_is_a_way_of_picking() -> None:
    found = simulate("duel", highest, highest, matches=1000)
    assert (found.draw, found.lengths) == (1000, {4: 1000})
    assert found.endings == {"DOUBLE_KNOCKOUT": 1000}
    better = simulate("duel", highest, matches=20_000)
    assert better.first > better.second


@pytest.mark.long
@pytest.mark.xdist_group("compiling")
def test_any_function_is_a_way_of_picking() -> None:
    def first_of(rank: int) -> Any:
        return lambda state, seat, moves, chance: random_member(moves, 0) + rank

    lowest = simulate("duel", first_of(0), first_of(0), matches=1000)
    assert lowest.lengths == {10: 1000}
    for better in (first_of(1), njit(first_of(1))):  # or one that its author has compiled
        assert simulate("duel", better, first_of(0), matches=1000).first == 1000
    with pytest.raises(BadPolicy, match="not one of the moves"):
        simulate("duel", first_of(3), first_of(0), matches=1000)
    with pytest.raises(BadPolicy, match="does not compile"):
        simulate("duel", lambda state, seat, moves, chance: max({1: 2}, key=str))


SOME = [case for case in cases("policies") if case[0] in (SIMULTANEOUS_GAME, LOOPING_GAME)]
"""Each game takes seconds to be compiled with tables."""


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), SOME)
def test_a_table_of_mixes_is_played_as_its_odds_say(name: str, given: dict[str, Any]) -> None:
    ruled, uniform = evenodds.game(name, given), Uniform(name)
    solution = evenodds.solve(ruled)
    mapping = {(s, seat): uniform(s, seat) for s in positions(*ruled) for seat in SEATS}
    found = simulate(ruled, solution, mapping, MATCHES, 4)
    exact = odds(ruled, solution, uniform)
    assert within(found.first, exact.first)
    assert within(found.draw, exact.draw)
    assert within(found.second, exact.second)
    few = [simulate(ruled, solution, mapping, 30, 4, compiled=quick) for quick in (True, False)]
    assert few[0] == few[1]


@pytest.mark.long
def test_repetition_is_as_in_a_match_unless_asked_for() -> None:
    ruled = evenodds.game("factors", target=19)
    solution = evenodds.solve(ruled)
    both = (ruled, solution, solution, 10)
    endless = simulate(*both, repetition=0, longest=500)
    assert (endless.cut_off, endless.repetition) == (10, 0)
    found = simulate(*both)
    assert found.repetition == 3
    assert (found.draw, found.endings) == (10, {"REPETITION": 10})
    assert simulate(*both, repetition=3, compiled=False) == found
    match = play(Match(ruled), lambda match, seat: max(solution.mix(match.state, seat)))
    assert found.lengths == {len(match.history): 10}


def test_streams_are_even_and_apart() -> None:
    for seed in (0, 1, 2**40):
        counts: list[Counter[int]] = [Counter() for _ in range(4)]
        for match in range(6000):
            one = next_random(stream(seed, match))
            two = next_random(next_random(one))
            halves = [
                half for n in (one, two) for half in (n >> PICK_RANDOM_BITS, n & LOW_HALF_MASK)
            ]
            for place, chance in enumerate(halves):
                counts[place][random_member(0b1011010, chance)] += 1
        for count in counts:
            assert set(count) == {1, 3, 4, 6}
            assert all(abs(times - 1500) < 5 * sqrt(6000 * 0.25 * 0.75) for times in count.values())


@given(st.integers(1, 2**63 - 1), st.integers(0, LOW_HALF_MASK))
def test_any_number_is_drawn_from_any_set(moves: int, chance: int) -> None:
    held = [number for number in range(63) if moves >> number & 1]
    assert random_member(moves, chance) == held[chance * len(held) >> PICK_RANDOM_BITS]
