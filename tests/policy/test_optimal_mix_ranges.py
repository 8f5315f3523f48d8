"""Several best mixes: how far figures of perfect play depend on those that are named."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, Solution, Uniform
from evenodds.graph import StrategyShares
from evenodds.kernels import KERNEL_KIND
from evenodds.policy import Figure, OptimalMixRanges
from tests.support.commands import evenodds_here as command
from tests.support.game_data import cases
from tests.support.play import SEATS, is_open
from tests.support.scipy_solver import linear_program
from tests.support.solved import solved_game
from tests.support.studies import (
    NAMED_MIXES_NOTE,
    Range,
    SolvedGame,
    depends_on_mixes,
    equilibrium_ranges_note,
    other_mixes_note,
    render_report,
    sentences_of,
    strengths,
    study_of,
)


def surveyed(name: str, given: dict[str, Any]) -> tuple[SolvedGame, OptimalMixRanges]:
    solved = solved_game(name, **given)
    return solved, OptimalMixRanges(solved.position_index, solved.solution)


def least(costs: Any, payoff: Any, value: float) -> float:
    """The least that a mix of rows costs which holds the value."""
    found = linear_program(
        costs,
        A_ub=-payoff.T,
        b_ub=np.full(payoff.shape[1], 1e-10 - value),
        A_eq=np.ones((1, len(payoff))),
        b_eq=[1.0],
    )
    assert found.fun is not None, found.message
    return float(found.fun)


def by_linear_programs(
    solution: Solution, state: Any, seat: int, side: int, known: dict[Any, float]
) -> float:
    """What a perfect player scores at most or least against chance: SciPy at each position."""
    game = solution.game
    if not is_open(game, state):
        return 0.5 + (1 if seat == FIRST else -1) * int(game.outcome(state)) / 2
    if state not in known:
        matrix = solution.matrix(state)
        payoff = np.array(matrix.payoff)
        scores = np.array(
            [
                [
                    by_linear_programs(solution, game.step(state, (one, two)), seat, side, known)
                    for two in matrix.second
                ]
                for one in matrix.first
            ]
        )
        if seat == SECOND:
            payoff, scores = -payoff.T, scores.T
        if len(payoff) == 1:  # nothing to choose
            known[state] = float(scores.mean())
            return known[state]
        value = solution.value(state) * (1 if seat == FIRST else -1)
        known[state] = -side * least(-side * scores.mean(axis=1), payoff, value)
    return known[state]


@pytest.mark.long
@pytest.mark.parametrize(("name", "given"), cases("equilibria"))
def test_bounds_against_chance_are_those_of_linear_programs(
    name: str, given: dict[str, Any]
) -> None:
    """In either seat, the most and the least; the mix that is named lies between them."""
    solved, best = surveyed(name, given)
    for seat in SEATS:
        found = best.score_against(solved.graph.uniform(1 - seat), seat)
        for side, bound in ((-1, found.least), (1, found.most)):
            exact = by_linear_programs(solved.solution, solved.solution.start, seat, side, {})
            assert bound == pytest.approx(exact, abs=1e-7)
        ways = (solved.solution, Uniform(name))
        named = evenodds.odds(evenodds.game(name, given), *(ways if seat == FIRST else ways[::-1]))
        score = named.score if seat == FIRST else 1 - named.score
        assert found.least - 1e-9 <= score <= found.most + 1e-9


def as_policy(
    solved: SolvedGame, first: StrategyShares, second: StrategyShares
) -> dict[Any, dict[int, float]]:
    """Shares on sheets as a policy that anyone can ask."""
    found = {}
    for place, block in enumerate(solved.graph.blocks):
        for line, key in enumerate(solved.graph.keys[block.places]):
            state = solved.position_index.state(key)
            for seat, shares in zip(SEATS, (first, second), strict=True):
                numbers = map(int, block.numbers(seat)[line])
                found[state, seat] = dict(zip(numbers, shares[place][line].tolist(), strict=True))
    return found


@pytest.mark.long
def test_another_perfect_pair_draws_less() -> None:
    """Margin: nothing can be taken from the pair, and its odds are as reached."""
    ruled = evenodds.game("margin", numbers=4)
    solved, best = surveyed("margin", {"numbers": 4})
    named = evenodds.odds(ruled, *[solved.solution] * 2).draw
    draws = Figure(solved.graph.outcomes() == 0.0)
    reached = best.reached(draws, solved.equilibrium)
    assert reached.least < named - 1e-3
    assert reached.most >= named - 1e-9
    first, second = solved.equilibrium
    for _ in range(3):
        _, first = best.best(draws, second, FIRST, -1)
        found, second = best.best(draws, first, SECOND, -1)
    assert found == pytest.approx(reached.least, abs=1e-9)
    policy = as_policy(solved, first, second)
    assert evenodds.exploitability(ruled, policy) == pytest.approx(0, abs=1e-8)
    assert evenodds.odds(ruled, policy, policy).draw == pytest.approx(found, abs=1e-9)


@pytest.mark.long
@pytest.mark.own_tables
def test_perfect_against_random_has_a_range(request: pytest.FixtureRequest) -> None:
    """Margin as in the book: from 55.7 to 59.8%, by any loops; the table of levels keeps it."""
    margin = evenodds.game("margin")
    _, best = surveyed("margin", {})
    found = best.score_against_chance()
    request.getfixturevalue("kernels")
    KERNEL_KIND.path("fill_extreme_mixes", "0" * 32).touch()  # so it takes compiled ones
    assert best.score_against_chance() == pytest.approx(found, abs=1e-12)
    assert found == pytest.approx((0.5571, 0.5976), abs=1e-4)
    for _ in range(2):  # found, and then kept
        assert strengths(*margin).range == pytest.approx(found, abs=1e-12)


def test_whether_a_mix_is_the_only_one() -> None:
    """By the definition: no share can be raised or lowered and the value kept."""
    solution = evenodds.solve(evenodds.game("margin", numbers=3))
    game = solution.game
    for picks in ([], [(1, 2)], [(1, 1)], [(3, 1)], [(2, 2)]):
        state = solution.start
        for pair in picks:
            state = game.step(state, pair)
        for seat in SEATS:
            assert solution.is_only_mix(state, seat) == only_by_programs(solution, state, seat)
    assert solution.is_only_mix(solution.start, FIRST)
    circle = evenodds.solve(evenodds.game("circle", numbers=6))
    assert not circle.is_only_mix(circle.start, FIRST)
    assert circle.is_only_mix(circle.start, SECOND), "it has nothing to decide"


def only_by_programs(solution: Solution, state: Any, seat: int) -> bool:
    matrix = solution.matrix(state)
    payoff = np.array(matrix.payoff) if seat == FIRST else -np.array(matrix.payoff).T
    value = solution.value(state) * (1 if seat == FIRST else -1)
    bounds = [
        side * least(side * cost, payoff, value) for cost in np.eye(len(payoff)) for side in (1, -1)
    ]
    return bool(np.allclose(bounds[::2], bounds[1::2], atol=1e-6))


def test_a_figure_says_whose_mixes_it_holds_for() -> None:
    assert depends_on_mixes(None)
    assert other_mixes_note(None) == ""
    assert not depends_on_mixes(Range(0.5, 0.5000001))
    assert other_mixes_note(Range(0.5, 0.5000001)) == ""
    assert depends_on_mixes(Range(0.5571, 0.5976))
    said = " (other perfect strategies score 55.7% to 59.8%)"
    assert other_mixes_note(Range(0.5571, 0.5976)) == said


@pytest.mark.long
def test_a_study_says_what_depends_on_the_mixes_named() -> None:
    study = study_of(*evenodds.game("margin"))
    _, drawn, _, _, skill, _ = sentences_of(study)
    assert "draw 32.3% (other perfect strategies reach 28.5% to 32.6%)" in drawn
    assert "(other perfect strategies score 55.7% to 59.8%)" in skill
    assert equilibrium_ranges_note(study.ranges) == NAMED_MIXES_NOTE
    page = render_report(study).replace("\N{NO-BREAK SPACE}", " ")
    assert "What other best mixes come to" in page
    assert "The exact best mix" not in page
    even = study_of(*evenodds.game("duel"))
    assert equilibrium_ranges_note(even.ranges) == ""
    assert "named here (" not in render_report(even)


@pytest.mark.long
def test_commands_say_whose_mixes_figures_hold_for(home: Path) -> None:
    """Odds, players and solve; where the range is not known, that it is the mixes named."""
    one = command("odds", "margin", "perfect", "uniform", home=home).stdout
    assert "59.76% (other perfect strategies score 55.7% to 59.8%)" in one
    assert "Several strategies are perfect." in one
    two = command("odds", "margin", "uniform", "perfect", home=home).stdout
    assert "40.24% (other perfect strategies score 40.2% to 44.3%)" in two
    both = command("odds", "margin", "perfect", "perfect", home=home).stdout
    assert "32.34% are drawn (other perfect strategies reach 28.5%" in both
    assert "Several strategies are perfect." in both
    chance = command("odds", "margin", "uniform", "uniform", home=home).stdout
    assert "Several strategies are perfect." not in chance
    loops = command("odds", "factors", "perfect", "uniform", "--rule", "target=12", home=home)
    assert "Several strategies are perfect." in loops.stdout
    told = json.loads(command("odds", "margin", "perfect", "perfect", "--json", home=home).stdout)
    assert told["others"]["draw"]["least"] == pytest.approx(0.2848, abs=1e-4)
    assert "(other perfect strategies score 55.7%" in command("players", "margin", home=home).stdout
    solved = command("solve", "circle", home=home).stdout
    assert "First player, best strategy (one of several):" in solved
    assert "First player, best strategy:" in command("solve", "margin", home=home).stdout
