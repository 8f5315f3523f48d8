"""Best responses and exploitability: what can be taken from a way of playing."""

from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds.graph.expected_visits import total_visits
from evenodds.policy import BadPolicy, Uniform, mix_of, odds
from evenodds.policy.softmax import SoftmaxPolicy
from evenodds.solver.interpreted import StateGraph
from tests.support.game_data import cases

SMALL = [(name, given) for name, given in cases("policies") if not evenodds.get(name).loops]


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_nothing_can_be_taken_from_exact_play(name: str, given: dict[str, Any]) -> None:
    solution = evenodds.solve(evenodds.game(name, given))
    value = solution.value(solution.start)
    first = evenodds.best_response(evenodds.game(name, given), solution.mix, FIRST)
    second = evenodds.best_response(evenodds.game(name, given), solution.mix, SECOND)
    assert first.value == pytest.approx(value, abs=1e-8)
    assert second.value == pytest.approx(-value, abs=1e-8)
    assert evenodds.exploitability(evenodds.game(name, given), solution) == pytest.approx(
        0, abs=1e-8
    )


def naive_response(game: Any, state: Any, seat: int) -> Fraction:
    """The best response to uniform play, by plain recursion in fractions."""
    outcome = game.outcome(state)
    if outcome != Outcome.ONGOING:
        return Fraction(int(outcome) * (1 if seat == FIRST else -1))
    own = game.picks(state, seat)
    theirs = game.picks(state, 1 - seat)

    def after(pick: int, answer: int) -> Fraction:
        picks = (pick, answer) if seat == FIRST else (answer, pick)
        return naive_response(game, game.step(state, picks), seat)

    return max(
        sum(after(pick, answer) for answer in theirs) / Fraction(len(theirs)) for pick in own
    )


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_the_best_response_to_uniform_play_is_exact(name: str, given: dict[str, Any]) -> None:
    game = evenodds.get(name)
    start = game.start(game.settle(given))
    for seat in (FIRST, SECOND):
        found = evenodds.best_response(
            evenodds.game(name, given), Uniform(evenodds.get(name)), seat
        )
        assert found.value == pytest.approx(float(naive_response(game, start, seat)), abs=1e-12)
        assert start in found.picks or not numbers(game.legal(start, seat))


@pytest.mark.parametrize("mix", [{1: 0.5}, {9: 1.0}, {1: 1.5, 2: -0.5}, {1: float("nan")}])
def test_what_is_no_mix_is_refused(mix: dict[int, float]) -> None:
    with pytest.raises(BadPolicy, match="is not a mix of"):
        evenodds.exploitability(evenodds.game("duel", hp=2), lambda state, seat: mix)


def test_a_mix_of_single_precision_is_scaled() -> None:
    game = evenodds.game("margin", numbers=3)
    third: Any = np.float32(1 / 3)
    mix = mix_of(game.game, lambda state, seat: {1: third, 2: third, 3: third}, game.start(), FIRST)
    assert sum(mix.values()) == pytest.approx(1, abs=1e-15)


def every_answer(game: Any, rulings: Any, seat: int) -> float:
    """The best of all pure answers to uniform play in a game of turns, one after the other."""
    tree = StateGraph(game, rulings, inf)
    ways = []
    for place, state in enumerate(tree.states):
        picks = [lead(tree, entry, seat) for row in tree.grids[place] for entry in row]
        ways.append(picks if state.turn == seat else [sum(picks) / len(picks)])
    return max(expected(np.array(answer)) for answer in product(*ways))


def lead(tree: StateGraph, entry: int | Outcome, seat: int) -> Any:
    """Where a pick leads: a share for each position, one for an end, and what that is worth."""
    row = np.zeros(len(tree.states) + 2)
    if isinstance(entry, Outcome):
        row[-2:] = 1, (1 if seat == FIRST else -1) * int(entry)
    else:
        row[entry] = 1
    return row


def expected(rows: Any) -> float:
    """What play is worth that leads from each position as its row says: a linear equation for each.

    Where no line leads to an end the match goes on for ever, a draw.
    """
    leads, can_end, worth = rows[:, :-2], rows[:, -2] > 0, rows[:, -1]
    for _ in range(len(rows)):
        can_end = can_end | (leads @ can_end > 0)
    leads[~can_end] = leads[:, ~can_end] = 0.0
    return float(np.linalg.solve(np.eye(len(rows)) - leads, worth)[0])


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    "given",
    [
        {"target": 3, "numbers": 2, "finish": "round"},
        {"target": 4, "numbers": 2},
        {"target": 3, "numbers": 3, "same": "twice"},
        {"target": 3, "numbers": 3, "opening": "live"},
    ],
)
def test_the_best_response_with_loops_is_the_best_of_all(given: dict[str, Any]) -> None:
    """Every pure answer to uniform play, from either seat; play may go on for ever."""
    game = evenodds.get("factors")
    for seat in (FIRST, SECOND):
        found = evenodds.best_response(
            evenodds.game("factors", given), Uniform(game), seat, repetition=0
        )
        best = every_answer(game, game.settle(given), seat)
        assert found.value == pytest.approx(best, abs=1e-12)


@pytest.mark.xdist_group("compiled")
def test_whoever_can_stay_for_ever_does_not_lose() -> None:
    """Against exact play of a drawn game with loops there is a draw and no more."""
    solution = evenodds.solve(evenodds.game("factors", target=19))
    for seat in (FIRST, SECOND):
        assert (
            evenodds.best_response(evenodds.game("factors", target=19), solution, seat).value == 0
        )
    assert (
        evenodds.exploitability(evenodds.game("factors", target=19), Uniform(solution.game)) > 0.9
    )


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), [*SMALL, ("factors", {"target": 9})])
def test_a_response_that_is_played_earns_its_value(name: str, given: dict[str, Any]) -> None:
    """Its picks as a policy have just these odds, where no draw by repetition makes them change."""
    game = evenodds.get(name)
    for seat in (FIRST, SECOND):
        found = evenodds.best_response(
            evenodds.game(name, given), Uniform(game), seat, repetition=0
        )
        answer = {state: {pick: 1.0} for state, pick in found.picks.items()}
        ways = (answer, Uniform(game)) if seat == FIRST else (Uniform(game), answer)
        earned = odds(evenodds.game(name, given), *ways, repetition=0)
        side = 1 if seat == FIRST else -1
        assert side * (earned.first - earned.second) == pytest.approx(found.value, abs=1e-12)


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize(("name", "given"), cases("large_responses"))
def test_large_games_are_answered_as_small_ones(name: str, given: dict[str, Any]) -> None:
    """The same loops, compiled: exact play leaves nothing, and a policy is asked if it must be."""
    solution = evenodds.solve(evenodds.game(name, given))
    assert evenodds.exploitability(evenodds.game(name, given), solution) == pytest.approx(
        0, abs=1e-9
    )
    uniform = Uniform(solution.game)
    known = evenodds.best_response(evenodds.game(name, given), uniform, FIRST)
    asked = evenodds.best_response(
        evenodds.game(name, given), lambda *where: uniform(*where), FIRST
    )
    assert known.value == pytest.approx(asked.value, abs=1e-12)
    assert dict(known.picks) == dict(asked.picks)


def test_a_policy_is_a_function_a_mapping_or_a_solution() -> None:
    """By position, or by position and seat; all the same to the odds."""
    solution = evenodds.solve(evenodds.game("duel", hp=6, numbers=4))
    found = evenodds.best_response(evenodds.game("duel", hp=6, numbers=4), solution, FIRST)
    by_both = {(state, seat): solution.mix(state, seat) for state in found.picks for seat in SEATS}
    by_state = {state: solution.mix(state, FIRST) for state in found.picks}
    expected = odds(evenodds.game("duel", hp=6, numbers=4), solution, solution)
    for way in (solution.mix, by_both, lambda state, seat: solution.mix(state, seat)):
        assert odds(evenodds.game("duel", hp=6, numbers=4), way, way) == pytest.approx(
            expected, abs=1e-12
        )
    assert odds(evenodds.game("duel", hp=6, numbers=4), by_state, solution) == pytest.approx(
        expected, abs=1e-12
    )
    with pytest.raises(BadPolicy, match="the policy has no mix at"):
        odds(evenodds.game("duel", hp=6, numbers=4), {}, solution)


def test_picks_are_a_mapping_from_positions_of_these_rulings() -> None:
    found = evenodds.best_response(
        evenodds.game("circle", numbers=6), Uniform(evenodds.get("circle")), FIRST
    )
    start = evenodds.get("circle").start(evenodds.get("circle").settle({"numbers": 6}))
    assert start in found.picks
    assert len(found.picks) == len(list(found.picks))
    elsewhere = evenodds.get("circle").start(evenodds.get("circle").settle({"numbers": 7}))
    assert elsewhere not in found.picks
    assert "nonsense" not in found.picks
    with pytest.raises(ValueError, match="not a seat"):
        evenodds.best_response("circle", Uniform(evenodds.get("circle")), 2)


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), cases("policies"))
def test_a_blend_is_the_same_by_the_block_and_one_by_one(name: str, given: dict[str, Any]) -> None:
    """Exact play with a probability, otherwise the better picks more often."""
    softmax = SoftmaxPolicy(evenodds.solve(evenodds.game(name, given)), 0.3, 0.5)
    uniform = Uniform(name)
    fast = odds(evenodds.game(name, given), softmax, uniform)
    slow = odds(evenodds.game(name, given), lambda state, seat: softmax(state, seat), uniform)
    assert fast == pytest.approx(slow, abs=1e-12)
    assert evenodds.exploitability(evenodds.game(name, given), softmax) == pytest.approx(
        evenodds.exploitability(
            evenodds.game(name, given), lambda state, seat: softmax(state, seat)
        ),
        abs=1e-12,
    )


def test_play_that_hardly_ever_ends_is_summed_up_all_the_same() -> None:
    """Against a dense linear equation: loops of several lengths, each left once in 10,000 times."""
    chance = np.random.default_rng(4)
    size = 60
    leads = np.zeros((size, size))
    for place in range(size):
        leads[place, (place + 1) % size] += 0.7
        leads[place, chance.integers(size)] += 0.2999
    start = np.eye(size)[0]
    found = total_visits(lambda mass: mass @ leads, start)
    exact = np.linalg.solve(np.eye(size) - leads.T, start)
    assert found == pytest.approx(exact, rel=1e-9)
    assert found.sum() == pytest.approx(10_000, rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("given", [{"target": 9}, {"target": 6, "same": "twice"}])
def test_knots_are_solved_at_once_or_followed(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways come to the same, however many positions lead back to each other."""
    softmax = SoftmaxPolicy(evenodds.solve(evenodds.game("factors", given)), 0.7, 0.5)
    game = evenodds.game("factors", given)
    found = []
    for tight in (10_000, 1):
        monkeypatch.setattr("evenodds.graph.components.MAX_DENSE_COMPONENT_SIZE", tight)
        values = [evenodds.best_response(game, softmax, seat, repetition=0).value for seat in SEATS]
        found.append((*values, *odds(game, softmax, Uniform("factors"), repetition=0)))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.no_cover
@pytest.mark.xdist_group("compiled")
def test_nearly_perfect_play_with_loops_is_answered() -> None:
    softmax = SoftmaxPolicy(evenodds.solve(evenodds.game("factors", target=19)), 0.999, 0.5)
    best = evenodds.best_response(evenodds.game("factors", target=19), softmax, FIRST, repetition=0)
    assert best.value == pytest.approx(1)
    found = odds(evenodds.game("factors", target=19), softmax, softmax, repetition=0)
    assert found.length is not None
    assert found.length > 1000
    assert found.first + found.draw + found.second == pytest.approx(1, abs=1e-9)
