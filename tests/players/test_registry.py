"""The computer opponents: what each of them picks."""

import gc
import subprocess
import sys
from collections import Counter
from math import exp, sqrt
from pathlib import Path
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

import evenodds
from evenodds.core.match import Match
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.players.exact import level_policy
from evenodds.players.player import UnknownPlayer
from evenodds.players.registry import BUILT_IN_PLAYERS, opponent
from tests.support.commands import evenodds_here as command
from tests.support.commands import surroundings
from tests.support.game_data import data_of
from tests.support.strategies import GAMES

NAMES = [name if name != "search" else "search:50" for name in BUILT_IN_PLAYERS]
"""Every opponent; the one that looks ahead by count, so that the clock has no say."""


@pytest.mark.no_cover
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_opponent_plays_every_game_to_its_end(name: str, game: Any) -> None:
    histories = []
    for _ in range(2):
        terms = agree(game, data_of(game).small)
        chance = Random(7)
        players = [opponent(name, terms, seat, chance) for seat in SEATS]
        match = Match(terms)
        while match.result is None:
            for seat in match.waiting():
                match.pick(seat, players[seat].pick(match.view(seat)))
        histories.append(match.history)
    assert histories[0] == histories[1]


def picks(name: str, line: list[tuple[int, int]], count: int = 1, **given: Any) -> Counter[int]:
    """What an opponent in the second seat picks in underdog after some rounds."""
    terms = agree("underdog", given)
    match = Match(terms)
    for pair in line:
        match.play(pair)
    player = opponent(name, terms, SECOND, Random(1))
    return Counter(player.pick(match.view(SECOND)) for _ in range(count))


def test_habits_are_habits() -> None:
    """The highest number; the one nearest to the other's last, the lower of two equally near."""
    assert picks("high", []) == {10: 1}
    assert picks("high", [(1, 10)]) == {9: 1}
    assert picks("copy", []) == {1: 1}
    assert picks("copy", [(5, 1)]) == {5: 1}
    assert picks("copy", [(5, 5)]) == {4: 1}
    assert picks("copy", [(5, 4), (9, 5)]) == {9: 1}


@pytest.mark.long
def test_perfect_draws_from_the_named_mix() -> None:
    solution = evenodds.solve(evenodds.game("underdog", numbers=5))
    state = solution.game.step(solution.start, (5, 1))
    mix = solution.mix(state, SECOND)
    assert len(mix) > 1
    found = picks("perfect", [(5, 1)], 1500, numbers=5)
    assert set(found) == set(mix)
    for number, share in mix.items():
        assert abs(found[number] - 1500 * share) < 5 * sqrt(1500 * share * (1 - share))


def test_levels_are_exact_play_ever_more_often() -> None:
    """The share of every number is that of the definition; the last level is perfect."""
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    yields = solution.yields(solution.start, FIRST)
    exact = solution.mix(solution.start, FIRST)
    temperature, *sure = solution.game.ladder
    assert sure == sorted(sure)
    assert sure[-1] == 1
    value = solution.value(solution.start)
    for number, chance in enumerate(sure, 1):
        blend = level_policy(solution.game, solution, number)(solution.start, FIRST)
        weights = {pick: exp(-(value - worth) / temperature) for pick, worth in yields.items()}
        for pick, weight in weights.items():
            expected = chance * exact.get(pick, 0) + (1 - chance) * weight / sum(weights.values())
            assert blend[pick] == pytest.approx(expected, abs=1e-9)


def test_unknown_opponents_are_refused() -> None:
    for name in ("level:0", "level:9", "level:x", "level", "", "Perfect"):
        with pytest.raises(UnknownPlayer, match="there are random, high"):
            opponent(name, agree("duel"), FIRST, Random(1))


def test_an_opponent_without_a_name_is_the_usual_one(home: Path) -> None:
    done = command("play", "duel", "--vs", home=home)
    assert "Player 2 is the computer (level:4)." in done.stdout
    done = command("play", "duel", "--vs", "--vs", "high", "--seed", "1", home=home)
    assert "Player 1 is the computer (level:4)." in done.stdout
    assert "Player 2 is the computer (high)." in done.stdout
    assert done.returncode == 0


@pytest.mark.processes
def test_who_cannot_play_says_why_in_one_line(home: Path) -> None:
    """A ruling too large to be solved, and a part that is not installed."""
    done = command("play", "underdog", "--rule", "numbers=20", "--vs", "perfect", home=home)
    assert done.returncode == 2
    assert done.stderr.startswith("perfect cannot play this, but search can: ")
    assert done.stderr.count("\n") == 1
    code = (
        "import sys; sys.modules['numpy'] = None;"
        "sys.argv = 'evenodds play underdog --rule numbers=9 --vs perfect'.split();"
        "from evenodds.cli import run; run()"
    )
    bare = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=surroundings(home),
        stdin=subprocess.DEVNULL,
    )
    assert bare.returncode == 2
    assert bare.stderr.startswith("perfect cannot play this, but search can: this needs numpy")
    assert bare.stderr.count("\n") == 1


@pytest.mark.processes
def test_a_level_waits_for_the_solution_alone(home: Path) -> None:
    code = (
        "import sys; from random import Random; from evenodds.players.registry import opponent;"
        "from evenodds.core.terms import agree;"
        "opponent('level:4', agree('factors', {'target': 9}), 0, Random(1));"
        "print([name for name in sys.modules if name.endswith(('.level_strength', 'numba'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings(home)
    )
    assert done.stdout == "[]\n"


class Secret(int):
    """A pick that is found wherever it lies."""


def within(*roots: Any) -> list[Any]:
    """Everything that can be reached from some objects, the code that they are made of left out."""
    found: dict[int, Any] = {}
    left = list(roots)
    while left:
        thing = left.pop()
        code = (ModuleType, type, FunctionType, BuiltinFunctionType)
        if id(thing) not in found and not isinstance(thing, code):
            found[id(thing)] = thing
            left += gc.get_referents(thing)
    return list(found.values())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [game for game in GAMES if game.simultaneous], ids=str)
def test_no_opponent_can_find_the_secret_pick(name: str, game: Any) -> None:
    """Not in anything it was ever handed; and what it picks does not depend on it."""
    terms = agree(game, data_of(game).small)
    picked = set()
    for secret in Match(terms).choices(FIRST):
        match = Match(terms)
        player = opponent(name, terms, SECOND, Random(3))
        match.pick(FIRST, Secret(secret))
        assert any(isinstance(thing, Secret) for thing in within(match))
        view = match.view(SECOND)
        picked.add(player.pick(view))
        assert not any(isinstance(thing, Secret) for thing in within(player, view))
    assert len(picked) == 1
