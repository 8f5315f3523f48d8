"""Kept solutions: found again, never trusted blindly, never in the way."""

import importlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import evenodds
from evenodds.core import kept_results
from evenodds.engine import solution_files as cache
from evenodds.study import ODDS_KIND, STUDY_KIND, SWEEP_KIND
from evenodds.study.claim_results import CLAIMS_KIND
from evenodds.study.named_odds import OddsTable
from evenodds.system.cache_folder import CacheKind
from tests.support.commands import surroundings
from tests.support.engine import silent
from tests.support.game_data import WITH_DATA, data_of
from tests.support.tables import kept, tables
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.own_tables

SMALL = evenodds.game("margin", numbers=4)
FIGURES = [STUDY_KIND, ODDS_KIND, CLAIMS_KIND, SWEEP_KIND]
KINDS = [cache.TABLE_KIND, *FIGURES]


def value_with_notes() -> tuple[float, list[str]]:
    notes: list[str] = []
    solution = evenodds.solve(SMALL, notes=notes)
    matrix = solution.matrix(solution.start)
    return sum(map(sum, matrix.payoff)), notes


@pytest.mark.parametrize("game", WITH_DATA, ids=lambda game: game.name)
def test_a_solution_can_be_pickled(game: Any) -> None:
    ruled = evenodds.game(game, data_of(game).small)
    for solution in (evenodds.solve(ruled, fresh=True), evenodds.solve(ruled)):
        copy = pickle.loads(pickle.dumps(solution))
        assert copy.matrix(copy.start) == solution.matrix(solution.start)
        assert copy.mix(copy.start, 0) == solution.mix(solution.start, 0)


def test_a_solution_is_opened_not_made_again() -> None:
    first = evenodds.solve(SMALL)
    written = kept().stat().st_ino
    second = evenodds.solve(SMALL)
    assert kept().stat().st_ino == written
    assert list(second.solved.values) == list(first.solved.values)
    assert list(second.solved.keys) == list(first.solved.keys)
    assert (second.positions, second.gap) == (first.positions, first.gap)
    evenodds.solve(SMALL, fresh=True)
    assert kept().stat().st_ino != written


def lying(data: bytes) -> bytes:
    """A table whose checksum is right and whose count is not."""
    start = len(cache.MAGIC) + 9
    body = re.sub(rb'"count": [0-9]+', b'"count": 99999999999', data[start:])
    return cache.MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body


@pytest.mark.long
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data[:10],
        lambda data: b"",
        lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:],
        lambda data: data[:60] + b"9" + data[61:],
        lambda data: b"garbage" * 1000,
        lambda data: data + b"x",
        lambda data: b"evenodds table\n00000000\n",
        lambda data: lying(data),
    ],
)
def test_a_damaged_table_is_made_anew_with_a_note(damage: Any) -> None:
    right, notes = value_with_notes()
    assert notes == []
    path = kept()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    again, notes = value_with_notes()
    assert again == right
    assert len(notes) == 1
    assert str(path) in notes[0]
    assert path.read_bytes() == whole
    assert value_with_notes() == (right, [])


def test_a_changed_rule_never_meets_an_old_table(tmp_path: Path) -> None:
    duel = evenodds.game("duel").game
    some = (SMALL, evenodds.game("margin", numbers=3), evenodds.game(duel))
    paths = {cache.table_path(*ruled) for ruled in some}
    assert len(paths) == 3
    source = Path(sys.modules[duel.start.__module__].__file__ or "").read_text()
    (tmp_path / "other_duel.py").write_text(source.replace('"the highest number"', '"the most"'))
    sys.path.insert(0, str(tmp_path))
    try:
        import other_duel  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(tmp_path))
    changed = duel._replace(start=other_duel.start, rulings=other_duel.Rulings)
    assert cache.table_path(changed, changed.rulings()) not in paths


@pytest.mark.processes
@pytest.mark.xdist_group("compiled solving")
@pytest.mark.usefixtures("kernels")
def test_opening_a_table_does_not_load_the_compiler(home: Path) -> None:
    evenodds.solve(evenodds.game("underdog", numbers=7))
    assert len(tables()) == 1
    code = (
        "import sys, evenodds; game = evenodds.game;"
        "rulings = [game('margin', numbers=4)] * 2 + [game('underdog', numbers=7)];"
        "assert all(s.mix(s.start, 1) for s in map(evenodds.solve, rulings));"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=surroundings(home))


@pytest.mark.processes
def test_two_processes_solve_the_same_at_once(home: Path) -> None:
    code = "import evenodds as e; print(e.solve(e.game('duel', hp=12, numbers=5)).positions > 100)"
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, env=surroundings(home)
        )
        for _ in range(2)
    ]
    assert [process.communicate(timeout=TIMEOUT_S)[0] for process in crowd] == [b"True\n"] * 2
    assert [path.suffix for path in (home / "cache").iterdir()] == [".table"]


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), OSError(30, "Read-only")]
)
def test_a_solution_that_cannot_be_kept_is_still_one(
    error: OSError, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:

    def fails(*args: Any) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fails)
    _, notes = value_with_notes()
    assert notes == [f"the solution could not be kept: {error.strerror}"]
    assert list((home / "cache").iterdir()) == []


@pytest.mark.parametrize(
    "rules",
    [
        "import odd_moves\ndef step(state, picks): return odd_moves.MOVES",
        "from odd_moves import MOVES\ndef step(state, picks): return MOVES",
        "from odd_moves import MOVES\ndef step(state, picks, moves=(0, MOVES)): return moves",
        "import odd_helper\ndef step(state, picks): return [odd_helper.count() for _ in picks]",
        "from odd_helper import count\ndef step(state, picks): return count()",
    ],
)
def test_a_constant_of_another_module_is_part_of_the_key(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "odd_helper.py").write_text("import odd_moves\ndef count(): return odd_moves.MOVES")
    (tmp_path / "odd_rules.py").write_text(rules)
    duel = evenodds.game("duel").game
    paths = []
    for moves in ("0b110", "0b10", "0b110"):
        for name in ("odd_moves", "odd_helper", "odd_rules"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        # Constants of one length within a second: a compiled file would hide the change.
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        (tmp_path / "odd_moves.py").write_text(f"MOVES = {moves}")
        game = duel._replace(step=importlib.import_module("odd_rules").step)
        paths.append(cache.table_path(game, game.rulings()))
    assert None not in paths
    assert paths[0] == paths[2] != paths[1]


def test_rules_of_one_module_and_name_have_keys_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "odd_twins.py").write_text(
        "def make(low, high):\n    def step(state, picks): return low < high\n    return step\n"
        "class One:\n    def step(state, picks): return state\n"
        "class Two:\n    def step(state, picks): return picks\n"
        "Two.step.__qualname__ = One.step.__qualname__\n"
    )
    monkeypatch.delitem(sys.modules, "odd_twins", raising=False)
    twins, duel = importlib.import_module("odd_twins"), evenodds.game("duel").game
    steps = (twins.make(1, 2), twins.make(2, 1), twins.One.step, twins.Two.step, duel.step)
    games = [duel._replace(step=step) for step in steps]
    games += [duel._replace(mirror=None), duel._replace(loops=True)]
    paths = {cache.table_path(game, game.rulings()) for game in games}
    assert len(paths - {None}) == len(games)


def test_odds_are_kept_for_one_ladder() -> None:
    ladders = evenodds.game("margin").game.ladder, (9.0, *[0.5] * 8)
    games = [evenodds.game("margin").game._replace(ladder=ladder) for ladder in ladders]
    tables = [OddsTable(game, SMALL.rulings, None, silent) for game in games]
    found = [table.between("level:1", "random") for table in tables]
    assert found[0] != found[1]


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.suffix)
def test_a_key_holds_the_code_that_computes_a_result(
    kind: CacheKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evenodds.game("margin").game
    before = kept_results.result_path(game, game.rulings(), kind)
    monkeypatch.setattr(kept_results, "code_digest", lambda *parts: "changed")
    assert kept_results.result_path(game, game.rulings(), kind) != before


def test_rules_without_a_text_are_solved_without_being_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel, module = evenodds.game("duel").game, ModuleType("textless")
    monkeypatch.setitem(sys.modules, "textless", module)
    vars(module)["duel"] = duel
    exec("def start(rulings): return duel.start(rulings)", vars(module))
    game = duel._replace(start=module.start)
    assert evenodds.solve(evenodds.game(game, hp=3)).positions == 5
    assert tables() == []
