"""OpenSpiel: every game is there, plays by our rules, and passes OpenSpiel's own tests."""


import pyspiel
import pytest

import evenodds.adapters.openspiel  # noqa: F401  registers the games

RULINGS = [
    "underdog",
    "underdog(numbers=5,target=2,gap=2,exhausted=draw)",
    "margin",
    "margin(numbers=7,last_round=decisive)",
    "circle",
    "circle(numbers=24,reach=3,leaps=2)",
    "duel",
    "duel(hp=30,numbers=9,overreach=3,knockout=draw)",
    "factors",
    "factors(target=20,numbers=6,finish=round,same=twice,opening=live,echo=barred,repetition=2)",
]


@pytest.mark.parametrize("rulings", RULINGS)
def test_openspiels_own_simulation_passes(rulings: str) -> None:
    """Legal actions, copies, undone and kept states, observations, lengths, returns."""
    game = pyspiel.load_game(f"evenodds_{rulings}")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
