"""Which pick is made in lost positions of games in which both pick at once."""

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any

import pytest

import evenodds
from evenodds.core import catalog
from evenodds.core.vocabulary import FIRST, SEATS, Outcome, Seat, other
from evenodds.graph import position_index_of, transition_graph_of
from evenodds.policy.policy_strategies import policy_shares
from evenodds.solver import Solution
from evenodds.solver.interpreted import StateGraph
from tests.support.game_data import cases

SMALL = [(name, given) for name, given in cases("policies") if catalog.get(name).simultaneous]


def worth(solution: Solution, state: Any, seat: Seat) -> float:
    """The value of a position to a seat."""
    return solution.value(state) * (1 if seat == FIRST else -1)


def naive_chances(solution: Solution, state: Any, seat: Seat, rounds: int) -> list[Fraction]:
    """The rule by plain recursion in fractions, for each pick."""
    game = solution.game
    replies = game.picks(state, other(seat))

    def after(pick: int, reply: int) -> Fraction:
        child = game.step(state, (pick, reply) if seat == FIRST else (reply, pick))
        value = worth(solution, child, seat)
        if value > -1 or rounds == 1 or game.outcome(child) != Outcome.ONGOING:
            return Fraction(value).limit_denominator(10**6)
        return max(naive_chances(solution, child, seat, rounds - 1))

    return [
        sum((after(pick, reply) for reply in replies), Fraction()) / len(replies)
        for pick in game.picks(state, seat)
    ]


def positions(solution: Solution) -> Iterator[tuple[Any, Seat, bool]]:
    """Every position for each seat, and whether it is lost for it."""
    for state in StateGraph(solution.game, solution.rulings, inf).states:
        for seat in SEATS:
            yield state, seat, worth(solution, state, seat) == -1


def by_arrays(name: str, given: dict[str, Any], solution: Solution, seat: Seat) -> dict[Any, Any]:
    """The mix at every position, computed for all of them at once."""
    index = position_index_of(evenodds.game(name, given), {}, None)
    graph = transition_graph_of(index)
    found = {}
    for block, rows in zip(graph.blocks, policy_shares(index, solution, seat), strict=True):
        for place, numbers, shares in zip(block.places, block.numbers(seat), rows, strict=True):
            mix = {int(n): float(share) for n, share in zip(numbers, shares, strict=True) if share}
            found[index.state(graph.keys[place])] = mix
    return found


@pytest.mark.parametrize("pairs", [144, 1], ids=["two rounds", "one round"])
@pytest.mark.parametrize(("name", "given"), SMALL)
def test_a_lost_position_is_played_for_the_best_chance(
    name: str, given: dict[str, Any], pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one, and at once for all positions; elsewhere by the mix that punishes mistakes."""
    for module in ("solver.lost_positions", "policy.policy_strategies"):
        monkeypatch.setattr(f"evenodds.{module}.MAX_PAIRS_LOOKED_AHEAD", pairs)
    solution = evenodds.solve(evenodds.game(name, given))
    at_once = [by_arrays(name, given, solution, seat) for seat in SEATS]
    for state, seat, lost in positions(solution):
        mix = solution.mix(state, seat)
        if lost:
            own = solution.game.picks(state, seat)
            rounds = 2 if len(own) * len(solution.game.picks(state, other(seat))) <= pairs else 1
            chances = naive_chances(solution, state, seat, rounds)
            assert mix == {own[chances.index(max(chances))]: 1.0}
        else:
            assert mix == solution.punishing_mix(state, seat)
        assert at_once[seat][state] == pytest.approx(mix)


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_mistakes_in_a_won_position_still_cost(name: str, given: dict[str, Any]) -> None:
    """They are measured against the mix that punishes them, not against the one pick."""
    solution = evenodds.solve(evenodds.game(name, given))
    for state, seat, lost in positions(solution):
        if lost:
            lines = solution.matrix(state).payoff
            results = list(zip(*lines, strict=True)) if seat == FIRST else lines
            gains = solution.yields(state, other(seat)).values()
            for against_each, gain in zip(results, gains, strict=True):
                wins_always = {*against_each} == {solution.value(state)}
                assert (gain > 1 - 1e-9) == wins_always
