"""Compiled loops: kept for other processes, never taken for others, never trusted blindly."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import evenodds
from evenodds.kernels import KERNEL_KIND, uniform
from evenodds.kernels.compiler import compile
from evenodds.kernels.compiler.cache import KernelCache
from evenodds.kernels.compiler.fingerprints import NoFingerprint, describe, fingerprint
from tests.support.commands import surroundings
from tests.support.packages import NIM
from tests.support.strategies import GAMES
from tests.support.tables import cached
from tests.support.waiting import TIMEOUT_S

SOLVING = """
import json, sys
from numba.core.event import install_recorder
import evenodds
from evenodds.kernels import compile_small_games

game = evenodds.game("margin", numbers=4)
compile_small_games()
with install_recorder("numba:compile") as events:
    found = evenodds.solve(game, fresh=True).solved
    wins = evenodds.simulate(game, matches=100).first
values = float(sum(found.values))
can_compile = "numba.np.linalg" in sys.modules
print(json.dumps([len(events.buffer), can_compile, found.positions, values, wins]))
"""

COMPILING = """
import json, os, sys
from numba import njit
from evenodds.kernels.compiler import compile

njit(lambda x: x + 1)(1)
for line in sys.stdin:
    script, home, crowd = json.loads(line)
    readers = []
    for arguments in crowd:
        reader, writer = os.pipe()
        if not os.fork():
            os.environ["EVENODDS_HOME"], sys.argv[1:] = home, arguments
            os.dup2(writer, 1)
            exec(script, {"__name__": "__main__"})
            sys.stdout.flush()
            os._exit(0)
        os.close(writer)
        readers.append(open(reader))
    said = [json.load(reader) for reader in readers]
    for _ in crowd:
        os.wait()
    print(json.dumps(said), flush=True)
"""
"""It has loaded what compiles, and forks a process for each script."""

CHEATING = """
import json, sys
from types import FunctionType
from evenodds.kernels.compiler.compile import CALLEE_OPTIONS, KERNEL_OPTIONS, _jit

source = ["def inner(x):", "    total = 0", "    for i in range(x):"]
for line in range(20):
    source.append(f"        total = (total * {31 + line} + (i ^ {line}) * FACTOR) % {9973 + line}")
source += ["    return total", "def outer(x):", "    return inner(x) + inner(x + 3) + inner(x + 9)"]
found = []
for factor in map(int, sys.argv[1:]):
    plain = {"FACTOR": factor, "__name__": "json"}
    exec("\\n".join(source), plain)
    space = dict(plain)
    for name, options in (("inner", CALLEE_OPTIONS), ("outer", KERNEL_OPTIONS)):
        space[name] = _jit(FunctionType(plain[name].__code__, space, name), options, True)
    found.append([space["outer"](50), plain["outer"](50), len(space["outer"].stats.cache_hits)])
print(json.dumps(found))
"""

EDITIONS = (
    NIM.replace("0b110", "MOVES")
    + """
MOVES = 0b110

def outcome_of(last, other):
    @rule
    def outcome(state):
        if state.heap:
            return Outcome.ONGOING
        return other if state.turn == FIRST else last
    return outcome

GAMES = {
    "nim": GAME._replace(outcome=outcome_of(Outcome.FIRST_WINS, Outcome.SECOND_WINS)),
    "won": GAME._replace(outcome=outcome_of(Outcome.FIRST_WINS, Outcome.FIRST_WINS)),
}
"""
)

PLAYING = """
import json, sys, evenodds, editions
from evenodds.kernels import compile_small_games
from evenodds.solver.interpreted import solve_interpreted

compile_small_games()
found = []
for word in sys.argv[1:]:
    if word.isdigit():
        editions.MOVES = int(word)
        continue
    game = editions.GAMES[word]
    ruled = evenodds.game(game, heap=7)
    fast, slow = (
        evenodds.simulate(ruled, matches=50, seed=1, compiled=quick) for quick in (True, False)
    )
    found.append([word, fast == slow])
    if word == "nim":
        values = evenodds.solve(ruled, fresh=True).solved.values
        found.append([word, sorted(values) == sorted(solve_interpreted(*ruled).values)])
print(json.dumps(found))
"""


def said_by(script: str, *, home: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env=surroundings(home),
        timeout=TIMEOUT_S,
        check=True,
    )
    return json.loads(done.stdout)


Crowd = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def crowd() -> Iterator[Crowd]:
    """What processes say that run a script with some words each, all at once."""
    with subprocess.Popen(
        [sys.executable, "-c", COMPILING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:

        def ask(script: str, home: Path, *words: str) -> Any:
            assert process.stdin
            assert process.stdout
            request = [script, str(home), [each.split() for each in words]]
            process.stdin.write(json.dumps(request) + "\n")
            return json.loads(process.stdout.readline())

        yield ask


@pytest.mark.processes
def test_a_second_process_compiles_nothing(home_with_tables: Path) -> None:
    """Solving and playing by lot find the same with what another process has compiled.

    What Numba loads before it compiles takes half a second, and is not loaded.
    """
    said = StringIO()
    with redirect_stdout(said):
        exec(SOLVING, {})
    _, _, *first = json.loads(said.getvalue())
    compiled, can_compile, *second = said_by(SOLVING, home=home_with_tables)
    assert compiled == 0
    assert not can_compile
    assert second == first


@pytest.mark.processes
def test_loops_of_two_processes_do_not_meet_in_a_third(home: Path, crowd: Crowd) -> None:
    """Each calls its own functions, though they have the same names, types and order.

    Of two processes that want the same at once one compiles.
    """
    said = crowd(CHEATING, home, "1", "1")
    assert all(found == right for ((found, right, _),) in said)
    assert sorted(hits for ((_, _, hits),) in said) == [0, 1]
    assert not list(home.rglob("*.lock"))
    (((found, right, hits),),) = crowd(CHEATING, home, "2")
    assert (found, hits) == (right, 0)
    for found, right, hits in crowd(CHEATING, home, "1 2")[0]:
        assert (found, hits) == (right, 1)


@pytest.mark.processes
def test_games_of_one_module_are_told_apart_by_their_rules(
    home: Path, tmp_path: Path, crowd: Crowd
) -> None:
    """In one process and in several that share the cache, closures and changed constants too."""
    (tmp_path / "editions.py").write_text(EDITIONS)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r})" + PLAYING
    for words in ("nim won", "2 nim 6 nim won"):
        for word, is_right in crowd(script, home, words)[0]:
            assert is_right, (words, word)


class Recorded(KernelCache):
    """A cache that is remembered."""

    made: ClassVar[list[Any]] = []

    def __init__(self, function: Any, options: dict[str, Any], is_cached: bool) -> None:
        super().__init__(function, options, is_cached)
        if is_cached:
            self.made.append((function.__name__, self))


def prints_of(game: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    compile._bound_rules.cache_clear()
    compile._COMPILED_RULES.clear()
    Recorded.made.clear()
    monkeypatch.setattr(compile, "KernelCache", Recorded)
    loops = compile.GameKernels(game)
    assert loops.transitions
    assert loops.find_unmirrored or not game.mirror
    compile._playout_kernel.cache_clear()
    compile._stepping_kernels.cache_clear()
    for way in (uniform, None):
        compile.playout_kernel(game, way, None, 3, True)
        compile.stepping_kernels(game, way, 3, True)
    assert all(map(compile.shared_kernel, compile.SHARED_KERNELS))
    return {name: cache.fingerprint for name, cache in Recorded.made if cache.fingerprint}


@pytest.mark.long
def test_every_loop_of_every_game_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be told what it is made of, and no two games share one over their rules."""
    expanding = []
    mirrored = next(game for game in GAMES if game.mirror)
    for game in (*GAMES, mirrored._replace(mirror=None)):
        prints = prints_of(game, monkeypatch)
        mirroring = set() if game.mirror else {"find_unmirrored", "fill_images"}
        assert prints.keys() == compile.ENTRY_POINTS - mirroring
        expanding.append(prints["expand_layer"])
    assert len(set(expanding)) == len(expanding)


@pytest.mark.long
def test_a_changed_rule_has_other_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    game = evenodds.get("margin")
    before = prints_of(game, monkeypatch)
    assert prints_of(game, monkeypatch) == before
    code = game.outcome.__code__
    monkeypatch.setattr(game.outcome, "__code__", code.replace(co_consts=(*code.co_consts, 1)))
    after = prints_of(game, monkeypatch)
    compile._bound_rules.cache_clear()
    assert before.keys() == after.keys()
    assert before["expand_layer"] != after["expand_layer"]
    assert before["write_values"] == after["write_values"]


TABLE = np.array([1, 2, 3])


def spelled(source: str, **names: Any) -> str:
    """The fingerprint of the last function in a source, those before it made ready."""
    space: dict[str, Any] = {"__name__": __name__, **names}
    exec(source, space)
    *inner, last = (value for value in space.values() if isinstance(value, FunctionType))
    for function in inner:
        space[function.__name__] = compile._jit(function, compile.CALLEE_OPTIONS, True)
    return fingerprint(last, compile.KERNEL_OPTIONS)


def test_a_fingerprint_is_of_what_is_done() -> None:
    source = "def f(x, by=3):\n    return x + by + C + T[0]"
    same = spelled(source, C=1, T=TABLE)
    assert spelled("# moved\n\n" + source, C=1, T=TABLE.copy()) == same
    code = abs_of.__code__
    assert describe(code.replace(co_flags=code.co_flags & ~1)) == describe(code)  # by a profiler
    others = {
        same,
        spelled(source, C=2, T=TABLE),
        spelled(source, C=1.0, T=TABLE),
        spelled(source, C=True, T=TABLE),
        spelled(source, C=1, T=TABLE + 1),
        spelled(source, C=1, T=TABLE.astype(np.int32)),
        spelled(source.replace("by=3", "by=4"), C=1, T=TABLE),
        spelled(source.replace("x + by", "x - by"), C=1, T=TABLE),
        spelled("def f(x):\n    return g(x)", g=compile._jit(abs_of, compile.CALLEE_OPTIONS, True)),
        spelled("def g(x):\n    return -x\ndef f(x):\n    return g(x)"),
    }
    assert len(others) == 10
    assert fingerprint(abs_of, compile.KERNEL_OPTIONS) != fingerprint(
        abs_of, compile.CALLEE_OPTIONS
    )


def abs_of(x: int) -> int:
    return abs(x)


class Named(NamedTuple):
    """A named tuple that is found again by its name."""

    one: int = 1


def test_what_cannot_be_told_is_not_kept() -> None:
    """Functions that somebody else compiles, classes that nobody finds again, and any object."""
    from numba import njit

    class Hidden(NamedTuple):
        one: int = 1

    assert describe(Named(2)) != describe((2,))
    for value in (njit(abs_of), abs_of, Hidden, Hidden(2), object(), json, [1]):
        with pytest.raises(NoFingerprint):
            describe(value)


def new_loop(constant: int = 1) -> Any:
    """A loop that no call has readied yet, as another process has it."""
    space = {"__name__": __name__, "CONSTANT": constant}
    exec("def loop(x):\n    return x + CONSTANT", space)
    return compile._jit(space["loop"], compile.KERNEL_OPTIONS, True)


def hits(loop: Any) -> int:
    return sum(loop.stats.cache_hits.values())


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def swap(path: Path) -> None:
    assert new_loop(5)(1) == 6
    (other,) = set(cached(KERNEL_KIND.suffix)) - {path}
    other.replace(path)


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.xdist_group("compiling")
def test_a_damaged_or_foreign_file_is_replaced() -> None:
    assert new_loop()(1) == 2
    (path,) = cached(KERNEL_KIND.suffix)
    mode = path.stat().st_mode
    assert mode & 0o777 == 0o600 or os.name == "nt"
    damages: tuple[Callable[[Path], object], ...] = (
        flip,
        swap,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.chmod(0o666),
    )
    for damage in damages:
        damage(path)
        again, third = new_loop(), new_loop()
        assert (again(1), hits(again)) == (2, 0), damage
        assert (third(1), hits(third)) == (2, 1)
        assert path.stat().st_mode == mode


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.xdist_group("compiling")
def test_types_of_arguments_have_loops_of_their_own() -> None:
    loop = new_loop()
    assert (loop(1), loop(1.5)) == (2, 2.5)
    assert len(cached(KERNEL_KIND.suffix)) == 2
    again = new_loop()
    assert (again(1.5), again(1), hits(again)) == (2.5, 2, 2)


@pytest.mark.long
@pytest.mark.own_tables
@pytest.mark.xdist_group("compiling")
def test_a_folder_that_takes_nothing_is_no_fault(
    home: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    home.mkdir()
    (home / "cache").write_text("not a folder")
    assert new_loop()(1) == 2
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list
