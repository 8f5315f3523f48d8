"""OpenSpiel: every game is there, plays by our rules, and passes OpenSpiel's own tests."""

import pickle
import subprocess
import sys
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

import evenodds.adapters.openspiel  # noqa: F401 (registers the games)
from evenodds import BadRuling, IllegalPick, Match
from evenodds.adapters.openspiel.games import register
from evenodds.adapters.openspiel.length_bound import count_open_positions, max_rounds
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import as_data
from evenodds.core.terms import BadTerms
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome
from tests.support.game_data import cases
from tests.support.strategies import GAMES

RULINGS = [
    *(game.name for game in GAMES),
    *(
        f"{name}({','.join(f'{key}={value}' for key, value in given.items())})"
        for name, given in cases("openspiel")
    ),
]


def load(rulings: str) -> Any:
    """A game as somebody loads it who knows OpenSpiel."""
    return pyspiel.load_game(f"evenodds_{rulings}")


def any_actions(state: Any, chance: Random) -> list[int]:
    """An action by chance for everybody who is to act."""
    asked = SEATS if state.is_simultaneous_node() else [state.current_player()]
    return [chance.choice(state.legal_actions(seat)) for seat in asked]


def apply(state: Any, actions: list[int]) -> None:
    """Take the actions of a round or of a turn."""
    if state.is_simultaneous_node():
        state.apply_actions(actions)
    else:
        state.apply_action(*actions)


@pytest.mark.parametrize("rulings", RULINGS)
def test_openspiels_own_simulation_passes(rulings: str) -> None:
    """Legal actions, copies, kept states, observations, lengths, returns."""
    pyspiel.random_sim_test(load(rulings), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("rulings", RULINGS)
def test_a_match_goes_as_it_goes_at_home(rulings: str) -> None:
    """The same picks are open, lead to the same position, and end in the same way."""
    game = load(rulings)
    chance = Random(3)
    for _ in range(5):
        state = game.new_initial_state()
        given = {key: value for key, value in game.get_parameters().items() if key != "recall"}
        repetition = given.pop("repetition", 3)
        match = Match(game.game, given, repetition=repetition)
        while match.result is None:
            assert [tuple(state.legal_actions(seat)) for seat in SEATS] == [
                match.choices(seat) for seat in SEATS
            ]
            asked = match.waiting()
            actions = any_actions(state, chance)
            apply(state, actions)
            for seat, action in zip(asked, actions, strict=True):
                match.pick(seat, action)
            assert state.position == match.state
        assert state.is_terminal()
        assert state.returns() == [match.result.outcome, -match.result.outcome]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_is_registered_with_its_rulings(game: AnyGame) -> None:
    """Parameters are the rulings, numbers as numbers and words as words."""
    spiel = load(game.name)
    parameters = spiel.get_parameters()
    agreed = {"repetition": 3} if game.loops else {"recall": True}
    assert parameters == as_data(game.settle({})) | agreed
    kind = spiel.get_type()
    both = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert both == game.simultaneous
    assert spiel.num_distinct_actions() == spiel.encoder.highest + 1
    assert (spiel.min_utility(), spiel.max_utility(), spiel.utility_sum()) == (-1, 1, 0)


@pytest.mark.parametrize(
    ("rulings", "error", "said"),
    [
        ("underdog(numbers=400)", BadRuling, "numbers=400 is not allowed; allowed: 2 to 20"),
        ("underdog(numbers=2)", BadRuling, r"target=3 \(the default\) is not allowed"),
        ("duel(knockout=both)", BadRuling, "knockout=both is not allowed; allowed: higher or draw"),
        (
            "factors(repetition=0)",
            BadTerms,
            "repetition=0 is not allowed: in OpenSpiel every match",
        ),
        ("factors(repetition=1)", BadTerms, "repetition=1 is not allowed; allowed: 2 to 9"),
        ("circle(size=3)", pyspiel.SpielError, "Unknown parameter 'size'"),
        ("circle(numbers=few)", pyspiel.SpielError, "Wrong type for parameter numbers"),
    ],
)
def test_a_bad_parameter_is_refused_in_one_line(
    rulings: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as refused:
        load(rulings)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("game", "before", "actions"), cases("illegal"))
def test_an_illegal_action_is_refused_and_changes_nothing(
    game: str, before: list[int], actions: list[int]
) -> None:
    """OpenSpiel itself hands on whatever it is given; no position comes of that."""
    state = load(game).new_initial_state()
    if before:
        apply(state, before)
    stood = str(state), state.history(), state.current_player()
    with pytest.raises(IllegalPick, match=r" (is (not|already|out)|has already) "):
        apply(state, actions)
    assert (str(state), state.history(), state.current_player()) == stood


@pytest.mark.processes
def test_games_and_states_can_be_kept_and_sent() -> None:
    """Another process takes them up without being told of the games, and ends in peace."""
    state = load("duel(hp=5)").new_initial_state()
    state.apply_actions([1, 3])
    code = "import pickle, sys; print(*pickle.load(sys.stdin.buffer), sep='; ')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps((state.get_game(), state)),
        capture_output=True,
        check=True,
    )
    name = "evenodds_duel(hp=5,knockout=higher,numbers=3,overreach=0,recall=True)"
    assert done.stdout.decode() == f"{name}; health=[2, 5]\n"
    assert done.stderr == b""


def rounds_of_the_longest(game: AnyGame, state: Any, known: dict[Any, int]) -> int:
    """The most rounds from a position on, by going everywhere."""
    if game.outcome(state) != Outcome.ONGOING:
        return 0
    if state not in known:
        picks = product(game.picks(state, FIRST), game.picks(state, SECOND))
        known[state] = 1 + max(
            rounds_of_the_longest(game, game.step(state, pair), known) for pair in picks
        )
    return known[state]


@pytest.mark.parametrize(("name", "given"), cases("longest"))
def test_the_length_of_the_longest_match_is_exact(name: str, given: dict[str, Any]) -> None:
    """What a game says of its matches is what comes of going everywhere."""
    game = catalog.get(name)
    rulings = game.settle(given)
    longest = rounds_of_the_longest(game, game.start(rulings), {})
    assert pyspiel.load_game(f"evenodds_{name}", given).max_game_length() == longest


def test_where_matches_can_go_on_the_draw_by_repetition_bounds_them() -> None:
    """Each round begins at an open position, each of them less often than makes a draw."""
    game = catalog.get("factors")
    assert load("factors").max_game_length() == 81_002
    for given in ({"target": 5, "numbers": 2}, {"target": 4, "numbers": 3, "finish": "round"}):
        rulings = game.settle(given)
        counted = count_open_positions(game, rulings)
        assert counted <= max_rounds(game, rulings, 2)
        assert max_rounds(game._replace(bound=None), rulings, 4) == 3 * counted


def test_a_game_that_says_nothing_of_its_length_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a game from somebody's package may be; without a length there is no row of its picks."""
    duel = catalog.get("duel")
    register(duel._replace(name="quiet", longest=None))
    game = load("quiet(hp=4)")
    known: dict[Any, int] = {}
    rounds_of_the_longest(duel, duel.start(duel.settle({"hp": 4})), known)
    assert game.max_game_length() == len(known)
    assert not game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    monkeypatch.setattr("evenodds.adapters.openspiel.length_bound.MAX_COUNTED_POSITIONS", 11)
    with pytest.raises(BadTerms, match="it has no `longest`"):
        load("quiet(hp=4)")


def test_the_observation_is_the_position_and_the_information_state_all_picks() -> None:
    state = load("underdog(numbers=4)").new_initial_state()
    state.apply_actions([1, 2])
    assert state.observation_string(SECOND) == (
        "second: hands=[[2, 3, 4], [1, 3, 4]] scores=[1, 0]"
    )
    encoder = state.get_game().encoder
    for seat in SEATS:
        assert state.observation_tensor(seat) == encoder.row(state.position, seat)
    state.apply_actions([4, 4])
    assert state.information_state_string(FIRST) == "first: 1-2 4-4"
    tensor = np.array(state.information_state_tensor(SECOND))
    assert tensor[:2].tolist() == [0, 1]
    assert tensor[2 : 2 + encoder.size].tolist() == encoder.row(state.position, SECOND)
    picks = tensor[2 + encoder.size :].reshape(4, 2, 5)
    assert np.argwhere(picks).tolist() == [[0, 0, 1], [0, 1, 2], [1, 0, 4], [1, 1, 4]]


def test_without_recall_the_information_state_is_the_position() -> None:
    states = [load("underdog(numbers=4,recall=False)").new_initial_state() for _ in range(2)]
    for state, rounds in zip(states, ([(1, 1), (2, 2)], [(2, 2), (1, 1)]), strict=True):
        for picks in rounds:
            state.apply_actions(picks)
    told = {state.information_state_string(FIRST) for state in states}
    assert told == {"first: hands=[[3, 4], [3, 4]] scores=[0, 0]"}


@pytest.mark.parametrize("name", [game.name for game in GAMES if game.simultaneous])
def test_nobody_sees_a_pick_that_is_not_revealed(name: str) -> None:
    """In the turn-based version the second seat sees the same whatever the first has picked."""
    game = pyspiel.load_game_as_turn_based(f"evenodds_{name}")
    seen = set()
    for pick in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(pick)
        seen.add(
            (
                state.information_state_string(SECOND),
                tuple(state.information_state_tensor(SECOND)),
                state.observation_string(SECOND),
                tuple(state.observation_tensor(SECOND)),
            )
        )
    assert len(seen) == 1
