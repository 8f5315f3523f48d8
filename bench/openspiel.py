"""Moves a second from Python through OpenSpiel: our games beside its own."""

import statistics
import time
from random import Random
from typing import Any, Final

import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers the game)

import evenodds.adapters.openspiel  # noqa: F401 (registers the games)
from bench.comparison import report
from evenodds import list_games

SECONDS: Final = 1.0
REPEATS: Final = 5
IN_CPP: Final = "OpenSpiel's goofspiel with 10 cards, in C++"
IN_PYTHON: Final = "OpenSpiel's tic-tac-toe, in Python"
THEIRS: Final = {
    IN_CPP: "goofspiel(num_cards=10,points_order=descending)",
    IN_PYTHON: "python_tic_tac_toe",
}


def played(game: Any, chance: Random) -> int:
    """A match between players who pick by chance; how many picks it took."""
    state = game.new_initial_state()
    picks = 0
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([chance.choice(state.legal_actions(seat)) for seat in (0, 1)])
            picks += 2
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            picks += 1
    return picks


def rate(game: Any) -> float:
    """Picks in a second of the processor."""
    chance = Random(1)
    start, picks = time.process_time(), 0
    while (spent := time.process_time() - start) < SECONDS:
        picks += played(game, chance)
    return picks / spent


def section() -> str:
    """OpenSpiel, as a section of the page on performance."""
    games = {name: pyspiel.load_game(text) for name, text in THEIRS.items()}
    for game in list_games():
        games[f"`evenodds_{game.name}`"] = pyspiel.load_game(f"evenodds_{game.name}")
    games["`evenodds_margin` as a cached tree"] = pyspiel.convert_to_cached_tree(
        pyspiel.load_game_as_turn_based("evenodds_margin")
    )
    runs = [{name: rate(game) for name, game in games.items()} for _ in range(REPEATS)]
    rates = {name: statistics.median(run[name] for run in runs) for name in games}
    rows = [
        f"| {name} | {found:,.0f} | {found / rates[IN_CPP]:.2f} | {found / rates[IN_PYTHON]:.1f} |"
        for name, found in rates.items()
    ]
    about = (
        "Picks in a second of the processor, from Python and by chance, whole matches with default "
        f"rulings; the median of {REPEATS} runs taken in turn. A cached tree is for small games: "
        "it is in C++ wherever play has been before."
    )
    heads = ["", "picks a second", "times goofspiel in C++", "times tic-tac-toe in Python"]
    return report("Through OpenSpiel", about, heads, rows)
