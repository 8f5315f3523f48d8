"""OpenSpiel and we find the same: what can be taken from a policy, and what a game is worth."""

import runpy
import sys
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import Policy, UniformRandomPolicy

import evenodds
from evenodds import BadPolicy
from evenodds.core.catalog import get
from tests.support.chance_games import DICE
from tests.support.environments import from_openspiel, to_openspiel
from tests.support.examples import example
from tests.support.paths import ROOT

SELFPLAY = ROOT / "examples" / "training" / "selfplay.py"
EXACT = 1e-6
SMALL: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    ("circle", {"numbers": 5, "reach": 2}, {}),
    ("duel", {"hp": 4, "overreach": 1}, {}),
    ("margin", {"numbers": 3}, {}),
    ("underdog", {"numbers": 3, "gap": 2, "exhausted": "draw"}, {}),
    ("factors", {"target": 4, "numbers": 2, "opening": "live"}, {"repetition": 2}),
    ("factors", {"target": 4, "numbers": 2, "echo": "barred"}, {"repetition": 3}),
]
"""Games, their rulings, and what else is agreed."""
TREES: list[tuple[Any, dict[str, Any]]] = [
    *((name, rulings) for name, rulings, agreed in SMALL if not agreed),
    (example("goofspiel"), {"cards": 3}),
    (example("goofspiel"), {"cards": 3, "score": "points"}),
    (DICE, {}),
]
"""Also with chance and points."""
pytestmark = pytest.mark.xdist_group("compiled")


def in_turns(name: Any, rulings: dict[str, Any], agreed: dict[str, Any]) -> Any:
    """A game of ours in OpenSpiel, simultaneous rounds taken in turn, unseen."""
    return pyspiel.load_game_as_turn_based(f"evenodds_{get(name).name}", rulings | agreed)


@pytest.mark.parametrize(
    ("name", "rulings", "agreed"), [*SMALL, *((*tree, {}) for tree in TREES[-3:])]
)
def test_our_mix_gives_nothing(name: Any, rulings: dict[str, Any], agreed: dict[str, Any]) -> None:
    game = in_turns(name, rulings, agreed)
    ours = to_openspiel(game, evenodds.solve(evenodds.game(name, rulings), fresh=True))
    assert exploitability.exploitability(game, ours) <= EXACT


@pytest.mark.parametrize(("name", "rulings", "agreed"), SMALL)
def test_cfr_finds_our_value(name: str, rulings: dict[str, Any], agreed: dict[str, Any]) -> None:
    game = in_turns(name, rulings, agreed)
    tree = pyspiel.convert_to_cached_tree(game)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    taken = pyspiel.nash_conv(tree, found)
    value = pyspiel.expected_returns(tree.new_initial_state(), found, -1, False)[0]
    solution = evenodds.solve(evenodds.game(name, rulings))
    assert taken < 0.1
    assert abs(value - solution.value(solution.start)) <= taken + EXACT


@pytest.mark.parametrize(("name", "rulings"), TREES)
def test_what_can_be_taken_is_the_same_for_both(name: Any, rulings: dict[str, Any]) -> None:
    game = in_turns(name, rulings, {"recall": False})
    tree = pyspiel.convert_to_cached_tree(game)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    learned = solver.average_policy()
    ours = evenodds.exploitability(evenodds.game(name, rulings), from_openspiel(game, learned))
    assert ours == pytest.approx(pyspiel.exploitability(tree, learned), abs=1e-9)
    chance = evenodds.exploitability(evenodds.game(name, rulings), evenodds.Uniform(name))
    theirs = exploitability.exploitability(game, UniformRandomPolicy(game))
    assert chance == pytest.approx(theirs, abs=1e-9)


class ByHistory(Policy):  # type: ignore[misc]
    """Picks that depend on how play came to a position."""

    def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
        legal = state.legal_actions()
        chosen = legal[sum(state.history()[:1]) % len(legal)]
        return {pick: float(pick == chosen) for pick in legal}


def test_a_policy_with_two_mixes_at_one_position_is_refused() -> None:
    game = in_turns("margin", {"numbers": 4}, {})
    with pytest.raises(BadPolicy, match=r"two mixes at one position, .*recall=False"):
        from_openspiel(game, ByHistory(game, [0, 1]))


def test_a_solution_of_other_rulings_is_refused() -> None:
    with pytest.raises(BadPolicy, match="of another game or of other rulings"):
        to_openspiel(
            in_turns("margin", {"numbers": 3}, {}),
            evenodds.solve(evenodds.game("margin", numbers=4)),
        )


def test_both_seats_can_be_asked_in_a_simultaneous_game() -> None:
    game = pyspiel.load_game("evenodds_margin(numbers=3)")
    ours = to_openspiel(game, evenodds.solve(evenodds.game("margin", numbers=3)))
    for seat in (0, 1):
        mix = ours.action_probabilities(game.new_initial_state(), seat)
        assert mix == pytest.approx({1: 0.2, 2: 0.6, 3: 0.2})


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_the_training_run_learns(
    sampling: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(SELFPLAY), sampling, "--numbers", "3", "--doublings", "10"]
    monkeypatch.setattr(sys, "argv", command)
    runpy.run_path(str(SELFPLAY), run_name="__main__")
    said = capsys.readouterr().out
    head, *rows = [line.split() for line in said.splitlines()]
    assert head == ["iterations", "seconds", "exploitability"]
    assert [int(row[0]) for row in rows] == [2**power for power in range(11)]
    assert float(rows[0][2]) >= 0.5
    assert float(rows[-1][2]) <= 0.15


def test_picks_by_chance_are_perfect_with_small_hands() -> None:
    for numbers in (4, 5):
        chance = evenodds.Uniform("underdog")
        assert evenodds.exploitability(evenodds.game("underdog", numbers=numbers), chance) <= EXACT
    tree = pyspiel.convert_to_cached_tree(in_turns("underdog", {"numbers": 4}, {}))
    assert pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree)) <= EXACT
