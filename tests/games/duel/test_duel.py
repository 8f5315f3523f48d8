"""Number Duel alone: its claims found a second way, its last blow, and `overreach`."""

from pathlib import Path

import pytest

import evenodds
from evenodds import FIRST
from evenodds.engine.solution import saddle_point
from tests.support.claim_results import claimed, matrices
from tests.support.commands import evenodds_here
from tests.support.play import SEATS, play, positions


@pytest.mark.parametrize("knockout", ["higher", "draw"])
def test_the_highest_number_is_safe_in_any_health(knockout: str) -> None:
    for state, value, _, matrix in matrices("duel", hp=5, knockout=knockout):
        assert min(matrix[-1]) == value, state
    found = claimed("duel", hp=5, knockout=knockout)
    assert found["bluffing"].evidence.startswith("You lose nothing by choosing 3 in every round")
    assert found["caution"].evidence == (
        "With 2.5 HP or less 3 is right in 100% of decisions that matter, with more in 100%."
    )


def test_the_goal_says_whom_a_number_that_overreaches_strikes() -> None:
    match = evenodds.Match("duel", {"numbers": 4, "overreach": 1})
    assert match.game.words.goal(match.state.rulings) == (
        "Bring your opponent from 10 HP to 0: the higher number takes that many HP from the other, "
        "but from its own player when more than 1 above."
    )


def test_the_card_and_the_summary_tell_the_same_damage() -> None:
    match = play(evenodds.Match("duel", {"hp": 1}), lambda *_: 3)
    words, (before, after) = match.game.words, match.states
    assert "both players lose 3 HP" in words.round_summary(before, (3, 3), after, match.names)
    for seat in SEATS:
        assert words.gain(before, after, seat) == -3
        side = words.side(after, seat)
        assert side is not None
        assert side.gauge is not None
        assert side.gauge.value == 0


def test_a_blow_that_reaches_too_far_swings_back(tmp_path: Path) -> None:
    rules = ("--rule", "overreach=1", "--rule", "hp=6")
    done = evenodds_here("play", "duel", *rules, typed="3\n1\n3\n2\n?\n", home=tmp_path)
    flat = " ".join(done.stdout.split())
    assert "Player 1 reaches too far! Player 1 loses 3 HP." in flat
    assert "Player 1 attacks! Player 2 loses 3 HP." in flat
    assert "a number more than 1 above the other costs its own player" in flat


@pytest.mark.parametrize(("overreach", "draws", "numbers"), [(0, 1.0, 1), (1, 0.04, 3)])
def test_overreach_gives_a_duel_real_choices(overreach: int, draws: float, numbers: int) -> None:
    ruled = evenodds.game("duel", overreach=overreach)
    solution = evenodds.solve(ruled)
    for state in positions(*ruled):
        assert (saddle_point(solution.matrix(state)) is None) == bool(overreach)
    assert evenodds.odds(ruled, solution, solution).draw == pytest.approx(draws, abs=0.005)
    assert len(solution.mix(solution.start, FIRST)) == numbers
