"""What is refused at every door, and the one line that says what was wrong and what is allowed."""

import json
import shlex
from collections.abc import Callable
from datetime import datetime
from functools import partial
from math import nan
from pathlib import Path
from typing import Any, Final, cast

import httpx
import numpy as np
import pyspiel
import pytest

import evenodds
from evenodds import FIRST, EvenOddsError, Match, make_player, run_arena
from evenodds.core.catalog import get
from evenodds.core.terms import agree
from evenodds.system.files import write_output
from evenodds.text import TextEnv
from tests.support.commands import evenodds_here
from tests.support.environments import (
    SeatEnv,
    SeatVectorEnv,
    from_openspiel,
    pettingzoo,
    to_openspiel,
)
from tests.support.servers import Pair, Server, refused_start

ARRAY: Any = np.array([1, 2])
"""Compared with anything it is no truth value."""


def lowest(state: Any, seat: int) -> int:
    return min(evenodds.game("duel").game.picks(state, seat))


def arena(**options: Any) -> object:
    return run_arena("duel", ["high", "random"], **options)


def player(seat: int, **options: Any) -> object:
    return make_player(Match("duel"), seat, "level:4", **options)


NO_SEAT: Final = "allowed: first, second, alternate, random"


Row = tuple[dict[str, Any], str]

# Rulings of a game, and options of an environment.
RULINGS: Final[list[Row]] = [
    ({"x": 1}, "x=1: there is no such ruling; allowed: numbers, target, gap, exhausted"),
    ({"numbers": "21"}, "numbers=21 is not allowed; allowed: 2 to 20"),
    ({"numbers": "ten"}, "numbers=ten is not allowed; allowed: 2 to 20"),
    ({"numbers": 5.0}, "numbers=5.0 is not allowed"),
    ({"numbers": True}, "numbers=True is not allowed"),
    ({"numbers": None}, "numbers=None is not allowed"),
    ({"numbers": "５"}, "numbers=５ is not allowed"),
    ({"numbers": "\x1b[31m9\n"}, "numbers=[31m9 is not allowed"),
    ({"exhausted": ["score"]}, "exhausted=['score'] is not allowed; allowed: score or draw"),
    ({"exhausted": 0}, "exhausted=0 is not allowed"),
    ({"numbers": 6, "target": 7}, "target=7 is not allowed; allowed: 1 to 6 (numbers)"),
    ({"numbers": 2}, "target=3 (the default) is not allowed; allowed: 1 to 2 (numbers)"),
    ({"numbers": 6, "gap": 6}, "gap=6 is not allowed; allowed: 0 to 5 (numbers - 1)"),
]
ENVIRONMENT_OPTIONS: Final[list[Row]] = [
    ({"opponent": "nobody"}, 'there is no opponent called "nobody"'),
    ({"opponent": None}, 'there is no opponent called "None"; there are random'),
    ({"seat": "third"}, f"seat=third is not allowed; {NO_SEAT}"),
    ({"seat": 2}, f"seat=2 is not allowed; {NO_SEAT}"),
    ({"seat": True}, f"seat=True is not allowed; {NO_SEAT}"),
    ({"seat": None}, f"seat=None is not allowed; {NO_SEAT}"),
    ({"rulings": {"hp": 0}}, "hp=0 is not allowed"),
    ({"max_cycles": 0}, "max_cycles=0 is not allowed; allowed: 1 or more"),
]
ENVIRONMENTS: Final[list[Any]] = [
    pettingzoo.env,
    pettingzoo.parallel_env,
    SeatEnv,
    partial(SeatVectorEnv, 3),
]


def wrong(game: str, **terms: Any) -> Any:
    return agree(game, **terms)


def openspiel(rulings: str) -> Any:
    return pyspiel.load_game(f"evenodds_{rulings}")


TWICE: Final = evenodds.game("factors", target=9, same="twice")
UNIFORM: Final = evenodds.Uniform("factors")
COUNTS: Final[list[tuple[str, Any, str]]] = [
    ("matches", (-5, 1.5, "10"), "0 to 1,000,000,000,000"),
    ("seed", (None, 1.5, 2**62, -1), "0 to 4,611,686,018,427,387,903"),
    ("longest", (0, 10**12, None), "1 to 1,000,000"),
]
simulate: Any = evenodds.simulate
NOT_ONCE: Final = "repetition=1 is not allowed; allowed: 2 to 9, or 0 for never"
matrix: Any = evenodds.matrix


def seated(name: str) -> Callable[[], Any]:
    return lambda: make_player(Match("duel"), 0, name)


NO_MODEL: Final = "is not allowed; allowed: llm:MODEL@https://HOST/v1"

# Calls of Python, room by room, and what the line begins with.
CALLS: Final[list[tuple[Callable[[], Any], str]]] = [
    # core
    (lambda: Match("duel", {"hp": 0}), "hp=0 is not allowed; allowed: 1 to 100"),
    (lambda: agree("circle", first=3), "first=3 is not allowed; allowed: 1 or 2"),
    (lambda: agree("circle", first=True), "first=True is not allowed"),
    (lambda: wrong("circle", first=1.0), "first=1.0 is not allowed"),
    (lambda: agree("duel", first=2), "first=2 is not allowed: in duel both players pick at once"),
    (lambda: agree("circle", repetition=1), "repetition=1 is not allowed; allowed: 2 to 9"),
    (lambda: agree("circle", repetition=10), "repetition=10 is not allowed"),
    (lambda: wrong("circle", repetition=3.0), "repetition=3.0 is not allowed"),
    (lambda: wrong("circle", repetition="3"), "repetition='3' is not allowed"),
    (lambda: wrong("circle", computers=("a",)), "computers=('a',) is not allowed"),
    (lambda: wrong("circle", computers="ab"), "computers=ab is not allowed; allowed: two names"),
    (lambda: wrong("circle", computers=(1, 2)), "computers=(1, 2) is not allowed"),
    (lambda: wrong("circle", date="now"), "date=now is not allowed; allowed: a datetime.date"),
    (lambda: agree("circle", date=datetime(2026, 1, 1)), "date=datetime.datetime(2026, 1"),
    (lambda: wrong("circle", players=(1, 1)), "both players would be called 1"),
    (lambda: wrong("circle", players=5), "names=5 is not allowed; allowed: two different names"),
    (lambda: wrong("circle", players="AB"), "names=AB is not allowed"),
    (lambda: wrong("circle", players=()), '"" is not allowed; allowed: two different names'),
    (lambda: wrong("circle", players=("R",)), '"R" is not allowed'),
    (lambda: agree("circle", players=("", "Blue")), 'the name "" is not allowed'),
    (lambda: agree("circle", players=("x" * 21, "B")), f'the name "{"x" * 21}" is not allowed'),
    (lambda: agree("circle", players=("猫" * 11, "B")), f'the name "{"猫" * 11}" is not allowed'),
    (lambda: agree("circle", players=("\x1b\x07", "Blue")), 'the name "" is not allowed'),
    *((partial(get("underdog").settle, given), said) for given, said in RULINGS),
    # api, arena
    (lambda: run_arena("duel", ["random"]), "an arena takes 2 to 32 players, not 1"),
    (lambda: run_arena("duel", "high"), "an arena takes 2 to 32 players, not 1"),
    (lambda: evenodds.make_policy("duel", "reader"), "reader depends on more than the position"),
    (lambda: run_arena("duel", ["a", "b"]), 'there is no opponent called "a"'),
    (lambda: evenodds.run_benchmark("a"), 'there is no opponent called "a"'),
    (lambda: arena(matches=3), "matches=3 is not allowed; allowed: an even number"),
    (lambda: run_arena("duel", cast(Any, [3, "high"])), "3 is not a policy"),
    (
        lambda: run_arena("duel", {"high": lowest, "random": "random"}),
        'there is a player "high" already; give yours another name',
    ),
    (
        lambda: run_arena("duel", [lambda state, seat: 99, "high"], matches=2),
        "99 is not one of 1, 2, 3",
    ),
    (
        lambda: run_arena("duel", cast(Any, {3: "random", "a": "high"})),
        "3 is not a name of a player",
    ),
    (lambda: evenodds.run_benchmark("high", matches=0), "a score card takes one game or more"),
    (
        lambda: evenodds.run_benchmark("high", games="circle"),
        "in circle under these rulings no pick matters; a score card needs others, such as reach=2",
    ),
    (
        lambda: evenodds.run_benchmark("high", games=cast(Any, 5)),
        "games=5 is not allowed; allowed: a game or a list of games",
    ),
    (lambda: evenodds.run_benchmark(ARRAY), "array([1, 2]) is not a policy"),
    *(
        (
            lambda seconds=seconds: arena(seconds=seconds),
            f"seconds={seconds!r} is not allowed; allowed: above 0, up to 86400",
        )
        for seconds in (-1, 0, nan, "a", 1e6)
    ),
    *(
        (
            lambda key=key, value=value: arena(**{key: value}),
            f"{key}={value!r} is not allowed; allowed: whole numbers",
        )
        for key, values in (("matches", (2.0, "2", None)), ("seed", (1.5, "a")))
        for value in values
    ),
    (lambda: run_arena("duel", cast(Any, lowest)), "players=<function lowest"),
    (lambda: evenodds.game("duel", cast(Any, 3)), "rulings are a mapping of keys to values, not 3"),
    (lambda: agree("duel", cast(Any, 3)), "rulings are a mapping of keys to values"),
    (lambda: Match("duel", ARRAY), "rulings are a mapping of keys to values, not array"),
    (lambda: evenodds.game(ARRAY), 'there is no game called "array'),
    (lambda: get("no\x1b game"), 'there is no game called "no game"; there are underdog, margin, '),
    (lambda: get("underdg"), 'there is no game called "underdg"; did you mean underdog?'),
    (lambda: get("Duel"), 'there is no game called "Duel"; did you mean duel?'),
    (lambda: Match("duel").view(2), "2 is not a seat; it is FIRST (0) or SECOND (1)"),
    (lambda: Match("duel").choices(ARRAY), "array([1, 2]) is not a seat"),
    (lambda: player(2), "2 is not a seat; it is FIRST (0) or SECOND (1)"),
    (lambda: player(1, seconds=-1), "seconds=-1 is not allowed; allowed: above 0, up to 86400"),
    (lambda: player(1, seed=[1]), "seed=[1] is not allowed; allowed: whole numbers"),
    (
        lambda: make_player(cast(Any, "duel"), 1, "level:4"),
        "match=duel is not allowed; allowed: a Match",
    ),
    (
        lambda: evenodds.notation.parse(cast(Any, b"[Game]")),
        "line 1, column 1: a match in notation is text, not bytes",
    ),
    *(
        (seated(name), f'there is no opponent called "{name}"; there are random, high, copy')
        for name in ("level:0", "level:9", "level:x", "level", "", "Perfect")
    ),
    (seated("search:"), "search: is not allowed; allowed: search:1 to search:10000000 playouts"),
    (seated("search:0"), "search:0 is not allowed; allowed: search:1 to search:10000000 playouts"),
    (seated("llm:"), "llm: needs a model and its address"),
    (seated("cmd: "), "cmd: needs a command"),
    (lambda: TextEnv("duel", opponent="nobody"), 'there is no opponent called "nobody"'),
    (lambda: TextEnv("duel", seat="third"), f"seat=third is not allowed; {NO_SEAT}"),
    (lambda: TextEnv("duel").answer("PICK: 1"), "nothing is asked; reset() begins a match"),
    *(
        (seated(name), f"{name} {NO_MODEL}")
        for name in (
            *("llm:m", "llm:m@", "llm:@https://example.com", "llm:m@example.com"),
            *("llm:m@ftp://example.com", "llm:m@file:///etc/passwd", "llm:m@https://"),
            *("llm:m@https://example.com/v1#x", "llm:m@https://example.com:port/v1"),
            *("llm:m@https://exa mple.com/v1", "llm:m m@https://example.com"),
        )
    ),
    *(  # what is harmful or may be a password is not repeated
        (seated(f"llm:{detail}"), said)
        for detail, said in (
            ("m@https://user:pass@example.com/v1", NO_MODEL),
            ("m@https://example.com/v1?key=hush", NO_MODEL),
            ("m\x1b[2J@https://example.com", f"llm:m[2J@https://example.com {NO_MODEL}"),
            ("m@https://example.com/\r\nX: y", "llm:m@https://example.com/"),
        )
    ),
    (
        lambda: run_arena("duel", ["random", "high", "random"]),
        "random is named twice; each player is named once",
    ),
    # solver, policy, study
    *(
        (lambda ask=ask: ask(TWICE, UNIFORM), "How many matches the draw by repetition would end")
        for ask in (
            lambda game, policy: evenodds.odds(game, policy, policy),
            lambda game, policy: evenodds.best_response(game, policy, FIRST),
            evenodds.exploitability,
        )
    ),
    *(
        (
            partial(simulate, "duel", **{key: value}),
            f"{key}={value!r} is not allowed; allowed: {allowed}",
        )
        for key, values, allowed in COUNTS
        for value in values
    ),
    (partial(matrix.solve, [[1]], device="x"), "device=x is not allowed; allowed: auto, cpu, gpu"),
    (lambda: evenodds.odds("factors", UNIFORM, UNIFORM, repetition=1), NOT_ONCE),
    (lambda: evenodds.simulate("factors", repetition=1), NOT_ONCE),
    (lambda: evenodds.simulate("duel", cast(Any, None), matches=2), "None is not a policy; "),
    (
        partial(cast(Any, evenodds.odds), "duel", UNIFORM, UNIFORM, repetition="3"),
        "repetition='3' is not allowed; allowed: 2 to 9",
    ),
    (lambda: evenodds.solve(evenodds.game("underdog", numbers=99)), "numbers=99 is not allowed"),
    (lambda: evenodds.solve(evenodds.game("duel", {"hp": 2}, hp=2)), "hp is given twice"),
    (lambda: evenodds.game(TWICE, numbers=4), "numbers=4 is given beside a game that has its"),
    (lambda: evenodds.solve(evenodds.game("duel", {"heap": 2})), "heap=2: there is no such ruling"),
    *(
        (partial(write_output, Path(path), ""), f"{path} cannot be written: {why}")
        for path, why in (("/no/x.html", "No such file"), ("/", "Is a directory"))
    ),
    # adapters
    *(
        (partial(make, game), "there is no game called")
        for make in ENVIRONMENTS
        for game in (5, None, ["duel"], "chess")
    ),
    *(
        (partial(make, "duel", **options), said)
        for make in ENVIRONMENTS[2:]
        for options, said in ENVIRONMENT_OPTIONS
    ),
    (
        lambda: SeatVectorEnv(3, "duel", opponent="cmd:true"),
        "cmd:true depends on more than the position",
    ),
    (lambda: SeatEnv("duel", opponent="cmd: "), "cmd: needs a command"),
    (lambda: SeatEnv("duel", opponent=cast(Any, 3)), 'there is no opponent called "3"'),
    (lambda: SeatVectorEnv(3, "duel", opponent="reader"), "reader depends on more"),
    (
        lambda: SeatVectorEnv(3, "duel", autoreset_mode="x"),
        "autoreset_mode=x is not allowed; allowed: AutoresetMode.NEXT_STEP, AutoresetMode.SAME",
    ),
    (lambda: SeatVectorEnv(0, "duel"), "num_envs=0 is not allowed; allowed: 1 or more"),
    (lambda: SeatVectorEnv(3, "duel", render_mode="x"), "render_mode is for a single environment"),
    (lambda: pettingzoo.env("duel", max_cycles=0), "max_cycles=0 is not allowed"),
    (lambda: pettingzoo.env("duel", render_mode="3d"), "render_mode=3d is not allowed"),
    (lambda: pettingzoo.env("duel", repetition=1), "repetition=1 is not allowed; allowed: 2 to 9"),
    (lambda: pettingzoo.env("duel", rulings={"colour": 3}), "colour=3: there is no such ruling"),
    (
        lambda: from_openspiel(openspiel("duel"), UNIFORM),
        "in duel both pick at once; pass the game of pyspiel.load_game_as_turn_based(",
    ),
    *(
        (
            partial(convert, pyspiel.load_game("kuhn_poker"), UNIFORM),
            "this game of OpenSpiel is none",
        )
        for convert in (from_openspiel, to_openspiel)
    ),
    (lambda: openspiel("underdog(numbers=400)"), "numbers=400 is not allowed; allowed: 2 to 20"),
    (lambda: openspiel("underdog(numbers=2)"), "target=3 (the default) is not allowed"),
    (lambda: openspiel("duel(knockout=both)"), "knockout=both is not allowed; allowed: higher"),
    (lambda: openspiel("factors(repetition=0)"), "repetition=0 is not allowed: in OpenSpiel"),
    (lambda: openspiel("factors(repetition=1)"), "repetition=1 is not allowed; allowed: 2 to 9"),
]

# Commands, and what the line on standard error begins with.
COMMANDS: Final[list[tuple[str, str]]] = [
    # play, list, games, rules
    ("play circle --rule numbers=99", "numbers=99 is not allowed; allowed: 1 to 24"),
    ("play chess", 'there is no game called "chess"; there are underdog, margin, circle'),
    ("play", "name a game to play: underdog, margin, circle, duel, factors"),
    ("play circle --rule numbers", "--rule numbers is not allowed; allowed: key=value"),
    ("play circle reach=1 reach=2", "reach=2 is not allowed: reach is given twice"),
    ("play circle size=3", "size=3: there is no such ruling; allowed: numbers, reach, leaps"),
    ("play underdog numbers=5 target=6", "target=6 is not allowed"),
    ("play duel --first 2", "--first does not apply: in duel both players pick at once"),
    ("play duel --first 1", "--first does not apply"),
    ("play circle --first 3", "--first 3 is not allowed; allowed: 1, 2, coin"),
    ("play circle --repetition 1", "repetition=1 is not allowed; allowed: 2 to 9"),
    ("play circle --names Red", '"Red" is not allowed; allowed: two different names'),
    ("play circle --names Red,Blue,Green", '"Red,Blue,Green" is not allowed'),
    ("play circle --vs bob", 'there is no opponent called "bob"; there are random, high'),
    ("play --vs bob", 'there is no opponent called "bob"; there are random, high'),
    ("play circle --vs high --vs high --vs high", "--vs may be given at most twice"),
    ("play circle --seat 2", "--seat goes with one --vs"),
    ("play circle --seed x", "--seed x is not allowed; allowed: whole numbers"),
    ("play circle --colour", "there is no option --colour; did you mean --record?"),
    ("play circle --record /no/file", '"/no/file" cannot hold records: No such folder'),
    ("play circle --record ''", '"" cannot hold records'),
    ("play circle --record /dev/null", '"/dev/null" cannot hold records: It is not a file'),
    ("play underdog numbers", '"numbers" is not expected; to change a rule type numbers=7.'),
    ("play --names", "--names needs a value. Example: evenodds play underdog --vs level:3"),
    ("play --pace 99", "--pace 99 is not allowed; allowed: 0 to 60."),
    ("play --pace '5 is not 6'", "--pace 5 is not 6 is not allowed; allowed: 0 to 60."),
    ("play --pace nan", "--pace nan is not allowed; allowed: 0 to 60."),
    ("paly", 'there is no command "paly"; did you mean play? Example: evenodds play'),
    ("zz", 'there is no command "zz"; evenodds --help lists all.'),
    ("new duel", "duel is the name of a built-in game; give the game another"),
    ("new 'My game'", "My game is no name; allowed: up to 30 small letters, digits, - and _"),
    ("new ../x", "../x is no name; allowed: up to 30 small letters"),
    ("check chess", 'there is no game called "chess"'),
    ("check ./nowhere", "there is no folder ./nowhere"),
    ("games --all", "there is no option --all; evenodds games has none."),
    ("games x y", '"x y" is not expected; type evenodds games. Example: evenodds games'),
    ("games '(a) b (c)'", '"(a) b (c)" is not expected; type evenodds games.'),
    ("completion sh", "sh is not allowed; allowed: bash, zsh, fish."),
    ("rules", "GAME is missing; type evenodds rules GAME."),
    ("rules chess", 'there is no game called "chess"'),
    ("show", "FILE is missing; type evenodds show FILE [GAME]."),
    # solve, odds, study, sweep, repair
    ("show duel --rule hp=3", "--rule goes with --line"),
    ("show duel --line 1-1 --match 1", "--match and --line exclude each other"),
    ("show nim --line 1", 'there is no game called "nim"'),
    ("show duel --line 1-1 --rule hp=0", "hp=0 is not allowed"),
    ("odds duel perfect clever", 'there is no opponent called "clever"'),
    ("odds factors uniform uniform --repetition=1", "repetition=1 is not allowed"),
    ("players factors --repetition 1", "repetition=1 is not allowed; allowed: 2 to 9, or 0"),
    ("players --repetition 0", "--rule, --repetition and --json go with a GAME."),
    ("sweep underdog --rule numbers=6..x", "numbers=6..x is not allowed; allowed: whole numbers"),
    ("sweep underdog --rule numbers=*", "numbers=* is not allowed; allowed: whole numbers"),
    ("sweep underdog --rule numbers=", "numbers= is not allowed"),
    ("sweep underdog --rule numbers=1.5", "numbers=1.5 is not allowed"),
    ("sweep underdog --rule numbers=9..2", "numbers=9..2 is not allowed: 9..2 runs backwards"),
    ("sweep underdog --rule exhausted=no", "exhausted=no is not allowed; allowed: score or draw"),
    ("sweep underdog --rule numbers=1..99999", "99,999 combinations are too many; allowed: 10,000"),
    (
        "sweep duel --rule size=1..2",
        "size=1..2: there is no such ruling; allowed: hp, numbers, knockout, overreach",
    ),
    ("sweep duel --rule hp", "--rule hp is not allowed; allowed: key=value"),
    ("sweep duel --rule hp=1 --rule hp=2", "hp=2 is not allowed: hp is given twice"),
    ("sweep duel --measure luck", 'there is no measure called "luck"; there are positions'),
    ("sweep duel --json -o x.csv", "--json and -o exclude each other."),
    (
        "repair duel --want ''",
        'there is no goal called ""; there are fair, few-draws, no-draws, skill',
    ),
    ("repair duel --want fair,fun", 'there is no goal called "fun"'),
    ("solve circle --after '4 9'", "--after, line 1, column 3: 9 is not next to 4"),
    ("solve circle numbers=99", "numbers=99 is not allowed"),
    ("solve chess", 'there is no game called "chess"'),
    ("odds margin", "FIRST is missing; type evenodds odds GAME FIRST SECOND."),
    ("study", "Name a GAME, or say --all."),
    ("study duel --all -o x", "Name a GAME, or say --all."),
    ("study --all", "--all goes with -o FOLDER"),
    ("study duel --json -o x", "--json and -o exclude each other."),
    ("study duel hp=0", "hp=0 is not allowed; allowed: 1 to 100"),
    ("study chess", "there is no game called"),
    ("study circle --rule numbers=3 -o x.pdf", "-o x.pdf is not allowed; allowed: a name in .html"),
    ("study --all -o x.html", "-o x.html is not allowed with --all"),
    # arena, benchmark
    *(
        (
            f"arena duel --player random --player high --{option}",
            f"--{option} is not allowed; {what}",
        )
        for option, what in (
            *(
                (f"matches {count}", "allowed: an even number up to 10,000,000")
                for count in (9, -2)
            ),
            *(
                (f"sprt {elo}", "allowed: above 0, up to 1000")
                for elo in ("0", "-5", "1001", "nan")
            ),
        )
    ),
    *(
        (
            f"play duel --vs random --bot-seconds {seconds}",
            f"--bot-seconds {seconds} is not allowed; allowed: above 0, up to 86400.",
        )
        for seconds in ("nan", "0", "-1", "inf", "86401")
    ),
    ("arena underdog numbers=20 --player perfect --player high", "perfect cannot play this, but"),
    ("arena duel --player random", "an arena takes 2 to 32 players, not 1"),
    ("arena duel --player random --player nobody", "there is no opponent called"),
    (
        "arena duel --player random --player high --player copy --sprt 5",
        "--sprt is between two players, not 3",
    ),
    (
        "arena duel --player random --player cmd:true --cluster tcp://127.0.0.1:1",
        "programs and language models play on this machine, not with --cluster",
    ),
    ("benchmark", "--player NAME is missing; type evenodds benchmark --player NAME."),
    ("benchmark --player nobody", 'there is no opponent called "nobody"'),
    ("benchmark --player high --matches 3", "--matches 3 is not allowed; allowed: an even number"),
    ("benchmark --player high --rule hp=3", "--rule needs one --game, whose rules it changes"),
    ("benchmark --player high --question x", "the question x is not known; allowed: listed, unlis"),
    ("benchmark --player high --set x", "--set x is not allowed; allowed: --set temperature=0.7"),
    ("benchmark --player high --set model=x", "model is not a parameter that is passed on"),
    ("benchmark --player high --price x", "--price x is not allowed; allowed: --price 3/15"),
    ("benchmark --player high --parallel 0", "parallel 0 is not allowed; allowed: 1 to 256"),
    ("cards one.json", "Name the cards and the page: evenodds cards CARD.json -o PAGE.html"),
    ("cards pyproject.toml -o x.html", "pyproject.toml is no score card of this edition"),
    # serve, join, mcp
    ("mcp --port 1", "--port goes with --http."),
    ("serve --log loud", "--log loud is not allowed; allowed: warning, info, debug"),
    ("serve --port x", "--port x is not allowed; allowed: whole numbers 0 to 65535."),
    ("serve --port it\\'s", "--port it's is not allowed; allowed: whole numbers 0 to 65535."),
    (
        "join http://host/play/m#secret",
        '"http://host/play/m" is no link to a match; it looks like http://HOST/match/ID.',
    ),
]

# Options and settings that no server starts with, and what the line on standard error holds.
STARTS: Final[list[tuple[str, str]]] = [
    ("--database nonsense", "this is not a database URL"),
    ("--database mysql://x/y", "this is not a database URL"),
    ("--database sqlite:////proc/no/where", "the database cannot be used"),
    ("--database sqlite:////proc/x", "the database cannot be used"),
    ("--database postgresql://127.0.0.1:x/y", "this is not a database URL"),
    ("--database postgresql://127.0.0.1:99999/y", "port must be 0-65535"),
    ("--database 'postgresql://127.0.0.1:1/y?no=1'", "unexpected keyword argument 'no'"),
    ("--host 300.1.1.1", "cannot be used"),
    ("--proxy nginx", "--proxy nginx is not an address; allowed: an address"),
    ("SERVER_STREAMS=many", "EVENODDS_SERVER_STREAMS=many is not allowed; allowed: a whole number"),
    ("SERVER_MATCHES=0", "EVENODDS_SERVER_MATCHES=0 is not allowed; allowed: a whole number"),
    ("SERVER_ARCHIVE_DAYS=nan", "ARCHIVE_DAYS=nan is not allowed; allowed: a number"),
    ("DEVICE=x", "EVENODDS_DEVICE=x is not allowed; allowed: auto"),
    ("SERVER_STREEMS=5", "EVENODDS_SERVER_STREEMS is no setting"),
]

OPEN: Final = "POST /api/matches"
PICK: Final = "POST {match}/picks"
TAKE_BODIES: Final = (
    *("/api/invitations", "/api/join", "{match}/picks"),
    *("{match}/reveals", "{match}/reactions", "{match}/takeback"),
)
NO_CHESS: Final = 'there is no game called "chess"'
OUT_OF_REACH: Final = {"game": "underdog", "rulings": {"numbers": 20}, "opponent": "perfect"}
NO_SERVER: Final = "takes longer than a server may"

# Requests, what is sent as JSON or as it is, the status, and what the detail holds.
REQUESTS: Final[list[tuple[str, object, int, str]]] = [
    ("GET /api/games/chess/position", None, 404, NO_CHESS),
    ("GET /api/games/duel/position?hp=0", None, 422, "hp=0 is not allowed; allowed: 1 to 100"),
    ("GET /api/games/duel/position?hip=3", None, 422, "there is no such ruling"),
    ("GET /api/games/duel/position?after=4-1", None, 422, "4 is not a number from 1 to 3"),
    ("GET /api/games/duel/position?after=x", None, 422, "column 1"),
    (
        "GET /api/games/duel/position?seat=x",
        None,
        400,
        "seat: this value is not allowed; allowed: first second",
    ),
    (f"GET /api/games/duel/position?after={'1-1+' * 2000}", None, 400, "after is too long"),
    ("GET /api/games/underdog/position?numbers=14", None, 422, NO_SERVER),
    ("GET /api/games/factors/position?target=1000&numbers=30", None, 422, NO_SERVER),
    ("GET /api/games/chess/rules", None, 404, NO_CHESS),
    ("GET /api/games/circle/rules?reach=9", None, 422, "reach=9 is not allowed"),
    ("GET /api/puzzles/chess-1", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/2026-13-01", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/margin-", None, 404, "there is no such puzzle"),
    ("GET /api/puzzles/margin-5/answers/99", None, 400, "99 is not one of the choices"),
    ("GET /api/puzzles/margin-5?strength=x", None, 400, "strength: a text is not allowed"),
    ("GET /api/puzzles/margin-5?strength=nan", None, 400, "a strength is a number, not nan"),
    ("GET /api/puzzles/margin-5/answers/1?strength=-inf", None, 400, "a number, not -inf"),
    ("GET /study/chess", None, 404, NO_CHESS),
    ("GET /study/duel?hp=0", None, 422, "hp=0 is not allowed"),
    ("GET /study/duel?hp=3&hp=4", None, 422, "hp is set more than once"),
    ("GET /study/underdog?numbers=20", None, 422, "positions at least"),
    ("GET /map/chess", None, 404, NO_CHESS),
    ("GET /static/../app.py", None, 404, "there is no"),
    ("GET /static", None, 404, "there is no"),
    ("GET /static/", None, 404, "there is no"),
    ("GET /static/boards", None, 404, "there is no"),
    ("GET /static/boards/", None, 404, "there is no"),
    ("GET /boards/..%2Fpages.py", None, 404, "there is no"),
    (OPEN, {"game": "chess"}, 404, NO_CHESS),
    (OPEN, {"game": "duel", "rulings": {"hp": 10**30}}, 422, "is not allowed; allowed: 1 to 100"),
    (OPEN, {"game": "duel", "rulings": {"x": 1}}, 422, "there is no such ruling"),
    (OPEN, {"game": "duel", "opponent": "robot"}, 422, "there is no opponent called"),
    (OPEN, {"game": "duel", "opponent": "cmd:true"}, 422, "is taken from the command line only"),
    (OPEN, OUT_OF_REACH, 422, "perfect cannot play this, but search can"),
    (OPEN, {"game": "duel", "own": "cmd:true"}, 422, "is taken from the command line only"),
    (OPEN, {"game": "duel", "opponent": "search:9s"}, 422, "not allowed here; allowed: search"),
    (OPEN, {"game": "duel", "first": 2}, 422, "both players pick at once"),
    (OPEN, {"game": "duel", "name": "x" * 21}, 422, "allowed: 1 to 20 characters"),
    (
        OPEN,
        {"game": "duel", "nme": "x"},
        400,
        "the body: there is no field nme; allowed: game, rulings",
    ),
    (OPEN, {"game": "circle", "sealed": True, "clock": 60}, 422, "in circle no pick is secret"),
    (OPEN, {"game": "duel", "sealed": True}, 422, "sealed=true needs a clock"),
    (OPEN, {"game": "duel", "player": 3}, 400, "player: this value is not allowed"),
    *((f"POST {path}", {"nme": "x"}, 400, "there is no field nme") for path in TAKE_BODIES),
    (OPEN, {}, 400, "the body: game is missing"),
    (OPEN, {"game": 1}, 400, "game: a whole number is not allowed; allowed: a text"),
    (OPEN, b'{"game": "duel", "clock": 1e999}', 400, "clock: number out of range"),
    (OPEN, {"game": "duel", "clock": 0}, 400, "clock: this value is not allowed"),
    (OPEN, {"game": "duel", "rulings": {"hp": []}}, 400, "rulings[...]: a list is not allowed"),
    (OPEN, b'{"game": "\xff"}', 400, "the body is not UTF-8"),
    (OPEN, b"[" * 10_000, 400, "the body: a list is not allowed; allowed: an object"),
    (OPEN, b'{"name": "' + b"x" * 20_000 + b'"}', 413, ""),
    ("POST /api/join", b'{"invitation": "\xff"}', 400, "the body is not UTF-8"),
    ("POST /api/join", {"match": "m", "key": "short"}, 400, "key: this value is not allowed"),
    (PICK, b"", 400, "the body is empty; send what is wanted as JSON"),
    (PICK, b"{", 400, "the body is not JSON: it ends too soon"),
    (PICK, rb'{"commitment": "\ud800"}', 400, "half of a surrogate pair stands alone"),
    (PICK, b'{"round": 1, "commitment": "\xed\xa0\x80"}', 400, "the body is not UTF-8"),
    (PICK, {"round": 1, "number": "1"}, 400, "number: a text is not allowed"),
    (PICK, {"round": 1, "number": 1.0}, 400, "a decimal number is not allowed"),
    (PICK, {"round": True, "number": 1}, 400, "not allowed; allowed: a whole number"),
    (PICK, [], 400, "the body: a list is not allowed; allowed: an object"),
    (PICK, {"round": 1, "number": 1, "commitment": "0" * 64}, 422, "a number or a commitment"),
    (PICK, {"round": 1, "number": 9}, 422, "9 is not a number from 1 to 3"),
    ("POST {match}/takeback", b'{"\xff": 1}', 400, "the body is not UTF-8"),
    ("POST {match}/reactions", {"sign": "?"}, 400, "not allowed; allowed: 👍 👏 😮 😅 🤔 🙏"),
]


def is_a_line(said: str) -> bool:
    return said.strip().count("\n") == 0 and "Traceback" not in said


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[said for _, said in CALLS])
def test_a_call_is_refused_in_a_line(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(EvenOddsError) as caught:
        call()
    assert str(caught.value).startswith(said)
    assert is_a_line(str(caught.value))


@pytest.mark.parametrize(("typed", "said"), COMMANDS)
def test_a_command_is_refused_in_a_line(typed: str, said: str, home: Path) -> None:
    done = evenodds_here(*shlex.split(typed), home=home)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert is_a_line(done.stderr)
    assert not done.stdout
    assert not home.exists()


@pytest.mark.parametrize(("typed", "said"), STARTS)
def test_a_server_that_cannot_start_says_why_in_a_line(typed: str, said: str, home: Path) -> None:
    option, name, value = typed.startswith("--"), *typed.partition("=")[::2]
    settings = {} if option else {f"EVENODDS_{name}": value}
    done = refused_start(*(shlex.split(typed) if option else ()), home=home, **settings)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert is_a_line(done.stderr)


@pytest.fixture(scope="module")
def pair(worker_server: Server) -> Pair:
    return Pair(worker_server, "duel")


@pytest.mark.parametrize(
    ("asked", "body", "status", "said"), REQUESTS, ids=[f"{each[0]} {each[3]}" for each in REQUESTS]
)
def test_a_request_is_refused_in_a_line(
    asked: str, body: object, status: int, said: str, pair: Pair
) -> None:
    method, _, path = asked.replace("/..", "/%2e%2e").format(match=pair.path).partition(" ")
    content = body if isinstance(body, bytes) else json.dumps(body) if method == "POST" else None
    headers = {"content-type": "application/json"} if method == "POST" else {}

    def ask() -> httpx.Response:
        return pair.seats[0].request(method, path, content=content, headers=headers)

    while (refused := ask()).status_code == 202:  # it is being solved
        pass
    assert refused.status_code == status, refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert "content-security-policy" in refused.headers
    assert said in refused.json()["detail"]
    assert is_a_line(refused.json()["detail"])
    assert "evenodds/server" not in refused.text  # no path of the machine
    assert pair.view(0)["chosen"] == [False, False]
