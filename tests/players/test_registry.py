"""The computer opponents: their names, and what each of them picks."""

import gc
from collections import Counter
from math import exp, sqrt
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Match, make_player
from evenodds.core.terms import agree
from tests.support.commands import evenodds_here as command
from tests.support.commands import python, surroundings
from tests.support.examples import TURN_GAME
from tests.support.game_data import data_of
from tests.support.opponents import (
    BUILT_IN_PLAYERS,
    DEFAULT_LADDER,
    ladder_of,
    level_policy,
    names_for_reader,
    profile,
    registered_name,
)
from tests.support.play import SEATS, by_players, play
from tests.support.strategies import GAMES

NAMES = [
    "search:50" if name == "search" else name
    for name in BUILT_IN_PLAYERS
    if name not in {f"level:{number}" for number in range(2, 8)}
]
"""Opponents of every kind; the one that looks ahead by count, so that the clock has no say."""


@pytest.mark.no_cover
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_opponent_plays_every_game_to_its_end(name: str, game: Any) -> None:
    one, two = (Match(game, data_of(game).small) for _ in range(2))
    for match in (one, two):
        players = [make_player(match, seat, name, seed=7 + seat) for seat in SEATS]
        play(match, by_players(players))
    assert one.history == two.history


def picks(name: str, line: list[tuple[int, int]], count: int = 1, **given: Any) -> Counter[int]:
    """What an opponent in the second seat picks in underdog after some rounds."""
    match = Match("underdog", given)
    for pair in line:
        match.play(pair)
    player = make_player(match, SECOND, name, seed=1)
    return Counter(player.pick(match.view(SECOND)) for _ in range(count))


@pytest.mark.parametrize(
    ("name", "line", "number"),
    [
        ("high", [], 10),
        ("high", [(1, 10)], 9),
        ("copy", [], 1),
        ("copy", [(5, 1)], 5),
        ("copy", [(5, 5)], 4),
        ("copy", [(5, 4), (9, 5)], 9),
    ],
)
def test_habits_are_habits(name: str, line: list[tuple[int, int]], number: int) -> None:
    assert picks(name, line) == {number: 1}


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
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    yields = solution.pick_values(solution.start, FIRST)
    exact = solution.mix(solution.start, FIRST)
    temperature, *sure = ladder_of(solution.game)
    assert sure == sorted(sure)
    assert sure[-1] == 1
    value = solution.value(solution.start)
    for number, chance in enumerate(sure, 1):
        blend = level_policy(solution.game, solution, number)(solution.start, FIRST)
        weights = {pick: exp(-(value - worth) / temperature) for pick, worth in yields.items()}
        for pick, weight in weights.items():
            expected = chance * exact.get(pick, 0) + (1 - chance) * weight / sum(weights.values())
            assert blend[pick] == pytest.approx(expected, abs=1e-9)


def test_a_game_that_nobody_has_measured_has_the_default_ladder() -> None:
    game = evenodds.game("duel").game
    assert len({ladder_of(game), ladder_of(evenodds.game("margin").game), DEFAULT_LADDER}) == 3
    assert ladder_of(game._replace(name="duet")) == DEFAULT_LADDER
    assert ladder_of(game._replace(ladder=(3.0, *[0.5] * 8))) == (3.0, *[0.5] * 8)


def test_an_opponent_without_a_name_is_the_usual_one(home: Path) -> None:
    done = command("play", "duel", "--vs", home=home)
    assert "Player 2 is the computer (level:4)." in done.stdout
    done = command("play", "duel", "--vs", "--vs", "high", "--seed", "1", home=home)
    assert "Player 1 is the computer (level:4)." in done.stdout
    assert "Player 2 is the computer (high)." in done.stdout
    assert done.returncode == 0


@pytest.mark.processes
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("margin --vs search:50 --vs random", ""),
        ("underdog numbers=8 --vs level:2 --vs random", "Level 2 plays by search here: this needs"),
    ],
)
def test_search_needs_nothing_more(asked: str, said: str, home: Path) -> None:
    done = python(
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None;"
        f"sys.argv = 'evenodds play {asked}'.split(); from evenodds.cli import run; run()",
        env=surroundings(home),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout
    assert "make setup" in done.stdout or not said


@pytest.mark.processes
def test_a_level_waits_for_the_solution_alone(home: Path) -> None:
    done = python(
        "import sys; from evenodds import Match, make_player;"
        "make_player(Match('factors', {'target': 9}), 0, 'level:4');"
        "print('numba' in sys.modules)",
        env=surroundings(home),
    )
    assert done.stdout == "False\n"
    assert not list(home.rglob("*.odds"))


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
    picked = set()
    for secret in Match(game, data_of(game).small).choices(FIRST):
        match = Match(game, data_of(game).small)
        player = make_player(match, SECOND, name, seed=3)
        match.pick(FIRST, Secret(secret))
        assert any(isinstance(thing, Secret) for thing in within(match))
        view = match.view(SECOND)
        picked.add(player.pick(view))
        assert not any(isinstance(thing, Secret) for thing in within(player, view))
    assert len(picked) == 1


@pytest.mark.parametrize("name", BUILT_IN_PLAYERS)
def test_every_opponent_has_a_name_and_a_whole_sentence(name: str) -> None:
    shown = profile(name)
    assert agree("duel", players=(shown.name, "You")).players == (shown.name, "You")
    assert shown.line[0].isupper()
    assert shown.line.endswith(".")
    assert len(shown.line) <= 64
    assert registered_name(shown.name) == registered_name(name) == name


@pytest.mark.parametrize(
    ("name", "shown", "line"),
    [
        ("level:4", "Level 4", "Plays well, but slips often enough for you to win."),
        ("perfect", "Perfect", "Never makes a mistake, and makes the most of yours."),
        ("search:2000", "Search", "Looks ahead by 2000 trial matches before each pick."),
        ("search:0.5s", "Search", "Looks ahead for 0.5 seconds before each pick."),
        ("cmd:python3 -u a/bot.py --fast", "bot.py", "A program: python3 -u a/bot.py --fast."),
        ("cmd:./mybot", "mybot", "A program: ./mybot."),
        ("cmd:uv run shark.py --deep", "shark.py", "A program: uv run shark.py --deep."),
        ("cmd:python3 bots/shark.py", "shark.py", "A program: python3 bots/shark.py."),
        ("cmd:env X=/a/b Y=1 python3 b.py", "b.py", "A program: env X=/a/b Y=1 python3 b.py."),
        ("cmd:/usr/bin/env -i ./go", "go", "A program: /usr/bin/env -i ./go."),
        ("cmd:'unclosed", "'unclosed", "A program: 'unclosed."),
        ("cmd:python -", "python -", "A program: python -."),
        ("llm:m@https://host.example/v1", "m", "A language model at https://host.example/v1."),
        ("somebody", "somebody", ""),
    ],
)
def test_names_and_lines(name: str, shown: str, line: str) -> None:
    assert profile(name) == (shown, line)
    assert registered_name(f"{name} x") == f"{name} x"


@pytest.mark.parametrize(
    ("players", "computers", "first", "shown"),
    [
        (None, ("", ""), 1, ("The first player", "The second player")),
        (("Player 1", "Bob"), ("", ""), 2, ("Bob", "The second player")),
        (("Player 1", "Level 4"), ("", "level:4"), 1, ("The first player", "Level 4")),
        (None, ("level:4", "perfect"), 2, ("Perfect", "Level 4")),
        (None, ("perfect", "perfect"), 1, ("Perfect (1)", "Perfect (2)")),
        (("Player 2", "Player 1"), ("", ""), 1, ("The first player", "The second player")),
    ],
)
def test_spectators_read_who_is_who(
    players: tuple[str, str] | None, computers: tuple[str, str], first: int, shown: tuple[str, str]
) -> None:
    terms = agree(TURN_GAME, players=players, computers=computers, first=first)
    names = names_for_reader(terms)
    assert (names.by_seat, names.you) == (shown, None)
    assert names.whose(0) == f"{shown[0].replace('The', 'the')}'s"
