"""OpenSpiel: every game is there, plays by our rules, and passes OpenSpiel's own tests."""

import pickle
import subprocess
import sys
from math import inf
from random import Random
from typing import Any

import pyspiel
import pytest

from evenodds import FIRST, SECOND, BadTerms, IllegalPick, Match
from evenodds.core.catalog import get
from tests.support.chance_games import CHANCE
from tests.support.environments import max_rounds, register
from tests.support.examples import example
from tests.support.game_data import cases, ruled
from tests.support.play import SEATS, is_open, pairs, play, positions, worth
from tests.support.strategies import GAMES

RULINGS = [
    *(game.name for game in GAMES),
    *(
        f"{name}({','.join(f'{key}={value}' for key, value in given.items())})"
        for name, given in cases("environments")
        if "max_cycles" not in given
    ),
    *(
        f"{game.name}({','.join(f'{key}={value}' for key, value in given.items())})"
        for game, given in CHANCE
    ),
]
LIMIT = "evenodds.adapters.openspiel.games.MAX_COUNTED_STEPS"


def load(rulings: str) -> Any:
    return pyspiel.load_game(f"evenodds_{rulings}")


def any_actions(state: Any, chance: Random) -> list[int]:
    asked = SEATS if state.is_simultaneous_node() else [state.current_player()]
    return [chance.choice(state.legal_actions(seat)) for seat in asked]


def apply(state: Any, actions: list[int]) -> None:
    if state.is_simultaneous_node():
        state.apply_actions(actions)
    else:
        state.apply_action(*actions)


@pytest.mark.long
@pytest.mark.parametrize("rulings", RULINGS)
def test_openspiels_own_simulation_passes(rulings: str) -> None:
    game = load(rulings)
    assert (game.max_chance_outcomes() > 0) == bool(game.game.chance)
    forms = [game, pyspiel.convert_to_turn_based(game)] if game.game.simultaneous else [game]
    for form in forms:
        pyspiel.random_sim_test(form, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("rulings", RULINGS)
def test_a_match_goes_as_it_goes_at_home(rulings: str) -> None:
    game = load(rulings)
    chance = Random(3)
    for number in range(5):
        state, paid = game.new_initial_state(), 0.0
        given = {key: value for key, value in game.get_parameters().items() if key != "recall"}
        given.pop("horizon", None)
        repetition = given.pop("repetition", 3)
        match = Match(game.game, given, repetition=repetition, seed=str(number))
        drawn = list(match.draws[0])
        while not state.is_terminal():
            if state.is_chance_node():
                weights = match.game.draws(state.position)
                shares = {each: weight / sum(weights.values()) for each, weight in weights.items()}
                assert dict(state.chance_outcomes()) == pytest.approx(shares)
                state.apply_action(drawn.pop(0))
                continue
            paid += state.rewards()[FIRST]
            assert not drawn
            assert state.position == match.state
            assert state.returns()[FIRST] == (match.points or 0)
            assert [tuple(state.legal_actions(seat)) for seat in SEATS] == [
                match.choices(seat) for seat in SEATS
            ]
            actions = any_actions(state, chance)
            apply(state, actions)
            picks = iter(actions)
            play(match, lambda *_, picks=picks: next(picks), rounds=1)
            drawn = list(match.draws[-1])
        assert match.result
        assert state.position == match.state
        total = worth(match)
        assert state.returns() == [total, -total]
        assert paid + state.rewards()[FIRST] == total
        assert game.min_utility() <= -abs(total) <= abs(total) <= game.max_utility()


def test_the_greatest_returns_are_exact_where_they_can_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LIMIT, 10_000)
    for cards, most in ((2, 1), (3, 4)):  # all but the worst prize, and the best one lost
        game = load(f"goofspiel(cards={cards},score=points)")
        assert (game.min_utility(), game.max_utility()) == (-most, most)
    assert load("dice").max_utility() == 2 + 7 + 10
    long = example("goofspiel")._replace(name="goofspiel_long", longest=lambda ruled: ruled.cards)
    register(long)
    game = load("goofspiel_long(cards=12,score=points)")
    assert (game.max_game_length(), game.max_utility()) == (12, inf)


def test_what_was_drawn_is_part_of_what_is_remembered() -> None:
    state = load("goofspiel(cards=3)").new_initial_state()
    for _ in range(2):
        state.apply_action(max(dict(state.chance_outcomes())))
        state.apply_actions([max(state.legal_actions(seat)) for seat in SEATS])
    assert state.information_state_string(FIRST) == "first: (3) 3-3(2) 2-2"
    with pytest.raises(IllegalPick, match="3 cannot be drawn"):
        state.apply_action(3)


def test_play_that_might_never_end_is_cut_off_as_a_draw() -> None:
    game = load("rock_paper_scissors(horizon=2)")
    state = game.new_initial_state()
    for _ in range(game.max_game_length()):
        state.apply_actions([1, 1])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    with pytest.raises(BadTerms, match="horizon=0 is not allowed; allowed: 1 or more"):
        load("pig(horizon=0)")


@pytest.mark.parametrize(
    ("game", "before", "actions"),
    [
        ("circle", [3], [9]),
        ("circle", [3], [0]),
        ("circle", [], [-2]),
        ("underdog", [4, 5], [1, 5]),
        ("underdog", [4, 5], [4, 1]),
        ("duel", [1, 2], [1, 400]),
    ],
)
def test_illegal_actions_change_nothing(game: str, before: list[int], actions: list[int]) -> None:
    state = load(game).new_initial_state()
    if before:
        apply(state, before)
    stood = str(state), state.history(), state.current_player()
    with pytest.raises(IllegalPick, match=r" (is (not|already|out)|has already) "):
        apply(state, actions)
    assert (str(state), state.history(), state.current_player()) == stood


@pytest.mark.processes
def test_games_and_states_can_be_kept_and_sent() -> None:
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


def rounds_of_the_longest(game: Any, state: Any, known: dict[Any, int]) -> int:
    """The most rounds from a position on, by going everywhere."""
    if not is_open(game, state):
        return 0
    if state not in known:
        onward = [game.step(state, pair) for pair in pairs(game, state)]
        known[state] = 1 + max(rounds_of_the_longest(game, after, known) for after in onward)
    return known[state]


@pytest.mark.parametrize(
    "typed",
    [
        *("circle numbers=1", "circle numbers=7 reach=2", "circle numbers=6 leaps=2", "duel hp=1"),
        *("duel hp=12 numbers=4", "duel hp=9 numbers=5 overreach=2", "margin numbers=4"),
        *("underdog numbers=2 target=1", "underdog numbers=5 target=2 gap=2"),
    ],
)
def test_the_length_of_the_longest_match_is_exact(typed: str) -> None:
    name, given = ruled(typed)
    game = get(name)
    longest = rounds_of_the_longest(game, game.start(game.settle(given)), {})
    assert pyspiel.load_game(f"evenodds_{name}", given).max_game_length() == longest


def test_where_matches_can_go_on_the_draw_by_repetition_bounds_them() -> None:
    game = get("factors")
    assert load("factors").max_game_length() == 81_002
    for given in ({"target": 5, "numbers": 2}, {"target": 4, "numbers": 3, "finish": "round"}):
        rulings = game.settle(given)
        counted = len(positions(game, rulings))
        assert counted <= max_rounds(game, rulings, 2)
        assert max_rounds(game._replace(bound=None), rulings, 4) == 3 * counted


@pytest.mark.long
def test_a_game_that_says_nothing_of_its_length_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LIMIT, 10_000)
    circle = get("circle")
    register(circle._replace(name="quiet", longest=None, bound=None))
    game = load("quiet(numbers=5,reach=2)")
    counted = positions(circle, circle.settle({"numbers": 5, "reach": 2}))
    assert game.max_game_length() == len(counted)
    assert not game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    with pytest.raises(BadTerms, match="it has no `longest`"):
        load("quiet(numbers=24,reach=3)")


def test_without_recall_the_information_state_is_the_position() -> None:
    states = [load("underdog(numbers=4,recall=False)").new_initial_state() for _ in range(2)]
    for state, rounds in zip(states, ([(1, 1), (2, 2)], [(2, 2), (1, 1)]), strict=True):
        for picks in rounds:
            state.apply_actions(picks)
    told = {state.information_state_string(FIRST) for state in states}
    assert told == {"first: hands=[[3, 4], [3, 4]] scores=[0, 0]"}


@pytest.mark.parametrize("name", [game.name for game in GAMES if game.simultaneous])
def test_nobody_sees_a_pick_that_is_not_revealed(name: str) -> None:
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
