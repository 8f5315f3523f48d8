"""Kept solutions: found again, never trusted blindly, never in the way."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds.core import catalog
from evenodds.graph import TABLE_KIND, result_cache
from evenodds.graph import solution_files as cache
from evenodds.kernels import KERNEL_KIND
from evenodds.players.level_strength import STRENGTHS_KIND
from evenodds.study.claims.results import CLAIMS_KIND
from evenodds.study.study import STUDY_KIND
from evenodds.study.sweeps.sweep import SWEEP_KIND
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind
from tests.support.commands import Terminal, surroundings
from tests.support.commands import evenodds_here as command
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.own_tables

GIVEN = {"numbers": 4}


def kept() -> Path:
    """The one table there is."""
    (path,) = tables()
    return path


def tables() -> list[Path]:
    """All tables, the one used last first."""
    return [file.path for file in cache_folder.cached_files() if file.path.suffix == ".table"]


def value_with_notes() -> tuple[float, list[str]]:
    """Solve, or open what is kept."""
    notes: list[str] = []
    solution = evenodds.solve("margin", notes=notes, rulings=GIVEN)
    matrix = solution.matrix(solution.start)
    return sum(map(sum, matrix.payoff)), notes


@pytest.mark.parametrize(("game", "given"), [("margin", {"numbers": 3}), ("circle", {})])
def test_a_solution_can_be_pickled(game: str, given: dict[str, int]) -> None:
    """As it was solved and as it was opened, for whoever sends it to another process."""
    for solution in (
        evenodds.solve(game, fresh=True, rulings=given),
        evenodds.solve(game, rulings=given),
    ):
        copy = pickle.loads(pickle.dumps(solution))
        assert copy.matrix(copy.start) == solution.matrix(solution.start)
        assert copy.mix(copy.start, 0) == solution.mix(solution.start, 0)


def test_a_solution_is_opened_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is solved, and all values are the same."""
    first = evenodds.solve("margin", rulings=GIVEN)

    def never(*args: Any, **named: Any) -> None:
        raise AssertionError("it was solved again")

    monkeypatch.setattr("evenodds.solver.interpreted.solve_interpreted", never)
    second = evenodds.solve("margin", rulings=GIVEN)
    assert list(second.solved.values) == list(first.solved.values)
    assert list(second.solved.keys) == list(first.solved.keys)
    assert (second.positions, second.gap) == (first.positions, first.gap)
    with pytest.raises(AssertionError, match="solved again"):
        evenodds.solve("margin", fresh=True, rulings=GIVEN)


def lying(data: bytes) -> bytes:
    """A table whose checksum is right and whose count is not."""
    import re
    import zlib

    start = len(cache.MAGIC) + 9
    body = re.sub(rb'"count": [0-9]+', b'"count": 99999999999', data[start:])
    return cache.MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body


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
    """Truncated, altered or something else altogether."""
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
    """The text of the rules is part of the key, and so are game and rulings."""
    margin, duel = catalog.get("margin"), catalog.get("duel")
    paths = {
        cache.table_path(margin, margin.settle(GIVEN)),
        cache.table_path(margin, margin.settle({"numbers": 3})),
        cache.table_path(duel, duel.rulings()),
    }
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
def test_opening_a_table_does_not_load_the_compiler(home: Path) -> None:
    """Nor does solving a small game."""
    code = (
        "import sys, evenodds; s = evenodds.solve('margin'); s.mix(s.start, 0);"
        "s = evenodds.solve('margin'); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=surroundings(home))


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
def test_a_large_table_is_opened_without_the_compiler(home: Path) -> None:
    """Made once by compiled loops, then only read."""
    evenodds.solve("underdog", numbers=8)
    assert len(tables()) == 1
    use = (
        "import sys, evenodds; s = evenodds.solve('underdog', numbers=8);"
        "assert s.mix(s.start, 1) and 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", use], check=True, env=surroundings(home))


@pytest.mark.processes
def test_two_processes_solve_the_same_at_once(home: Path) -> None:
    """Both succeed, and one whole table is left."""
    code = "import evenodds; print(evenodds.solve('duel', hp=12, numbers=5).positions > 100)"
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, env=surroundings(home)
        )
        for _ in range(4)
    ]
    assert [process.communicate(timeout=TIMEOUT_S)[0] for process in crowd] == [b"True\n"] * 4
    assert [path.suffix for path in (home / "cache").iterdir()] == [".table"]


@pytest.mark.processes
def test_killed_while_writing_leaves_no_half_table(home: Path) -> None:
    """What was being written is not a table, and the next run makes one."""
    code = (
        "import os, evenodds; real = os.replace;"
        "os.replace = lambda *a: os.kill(os.getpid(), 9); evenodds.solve('margin', numbers=4)"
    )
    killed = subprocess.run([sys.executable, "-c", code], env=surroundings(home))
    assert killed.returncode == -9
    assert tables() == []
    assert value_with_notes()[1] == []


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), OSError(30, "Read-only")]
)
def test_a_solution_that_cannot_be_kept_is_still_one(
    error: OSError, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """A full disk or a read-only folder costs a note, and leaves nothing behind."""

    def fails(*args: Any) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fails)
    _, notes = value_with_notes()
    assert notes == [f"the solution could not be kept: {error.strerror}"]
    assert list((home / "cache").iterdir()) == []


def test_the_folder_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table used longest ago goes first; the newest stays even if it is too large alone."""
    for place, numbers in enumerate((3, 4)):
        evenodds.solve("margin", numbers=numbers)
        newest = tables()[0]
        os.utime(newest, (1e9 + place, 1e9 + place))
    monkeypatch.setenv("EVENODDS_CACHE_MB", "0")
    solution = evenodds.solve("margin", numbers=5, last_round="decisive")
    assert len(tables()) == 1
    again = evenodds.solve("margin", numbers=5, last_round="decisive")
    assert again.positions == solution.positions > 1000


KINDS = (
    TABLE_KIND,
    STRENGTHS_KIND,
    STUDY_KIND,
    CLAIMS_KIND,
    SWEEP_KIND,
    KERNEL_KIND,
    CacheKind("unknown", "files of a package that is not imported"),
)
DIGEST = "0123456789abcdef01234567"

FIGURES = "x" * 100_000
"""Figures of which ten take a megabyte."""


def keep_figures(kind: CacheKind, numbers: int, used: float | None = None) -> Path:
    """Keep something of a kind, used long ago or now; the file."""
    game = catalog.get("margin")
    before = set(cache_folder.folder().glob("*"))
    result_cache.save_result(
        FIGURES, game, game.settle({"numbers": 2 + numbers % 9}), kind, str(numbers)
    )
    (path,) = set(cache_folder.folder().glob("*")) - before
    if used is not None:
        os.utime(path, (used, used))
    return path


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.suffix)
def test_everything_that_is_kept_has_one_limit(
    kind: CacheKind, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """However many there are of whatever kind; what was used longest ago goes first."""
    monkeypatch.setenv("EVENODDS_CACHE_MB", "1")
    evenodds.solve("margin", numbers=3)
    os.utime(kept(), (1e9, 1e9))
    files = [keep_figures(kind, number, 1e9 + number) for number in range(1, 30)]
    newest = keep_figures(kind, 30)
    assert sum(path.stat().st_size for path in (home / "cache").iterdir()) <= 1 << 20
    left = [path for path in files if path.exists()]
    assert left == files[-len(left) :]
    assert len(left) >= 8
    assert newest.exists()
    assert not list((home / "cache").glob("*.table")) or kind == TABLE_KIND


def test_what_is_used_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that are looked up count as used, and a table that is opened does."""
    monkeypatch.setenv("EVENODDS_CACHE_MB", "1")
    game = catalog.get("margin")
    evenodds.solve("margin", numbers=3)
    table = kept()
    os.utime(table, (1e9, 1e9))
    looked_up = keep_figures(STUDY_KIND, 1, 1e9)
    for number in range(2, 30):
        keep_figures(CLAIMS_KIND, number, 1e9 + number)
        assert (
            result_cache.load_result(game, game.settle({"numbers": 3}), STUDY_KIND, "1") == FIGURES
        )
        evenodds.solve("margin", numbers=3)
    assert looked_up.exists()
    assert table.exists()


def test_a_file_that_is_being_written_stays(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """It counts, and nobody takes it away; what a killed process left goes after an hour."""
    monkeypatch.setenv("EVENODDS_CACHE_MB", "1")
    (home / "cache").mkdir(parents=True)
    written = home / "cache" / f"margin-{DIGEST}.table.abc_12.new"
    abandoned = home / "cache" / f"margin-{DIGEST}.studyabc.new"  # as 0.1 names them
    written.write_bytes(bytes(1_000_000))
    abandoned.write_bytes(b"half")
    os.utime(abandoned, (1e9, 1e9))
    first = keep_figures(STUDY_KIND, 1, 1e9)
    keep_figures(STUDY_KIND, 2)
    assert written.exists()
    assert not first.exists()
    assert not abandoned.exists()


def test_the_command_shows_and_clears_all_of_it(home: Path) -> None:
    """How much is kept of each kind, and nothing afterwards."""
    evenodds.solve("margin", rulings=GIVEN)
    for number, kind in enumerate((STRENGTHS_KIND, STUDY_KIND, STUDY_KIND, SWEEP_KIND)):
        keep_figures(kind, number)
    (home / "cache" / f"margin-{DIGEST}.table.abc_12.new").write_text("half")
    shown = command("cache", home=home)
    assert shown.returncode == 0
    assert shown.stdout.splitlines() == [
        "      0.0 MB  margin numbers=4 last_round=final",
        "      0.1 MB  strengths of levels (1 file)",
        "      0.2 MB  studies (2 files)",
        "      0.1 MB  rows of sweeps (1 file)",
        "      0.0 MB  being written (1 file)",
        f"      0.4 MB  of 4,096 MB in 6 files in {home / 'cache'}",
    ]
    assert command("cache", "--clear", home=home).stdout == "5 files removed.\n"
    assert list((home / "cache").iterdir()) == []


KEYS = {
    "game",
    "rules",
    "after",
    "positions",
    "value",
    "first",
    "second",
    "only",
    "distance",
    "gap",
    "seconds",
}


def finding(home: Path, *arguments: str) -> dict[str, Any]:
    """What `evenodds solve --json` says."""
    done = command("solve", *arguments, "--json", home=home)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found) == KEYS
    return found


@pytest.mark.long
def test_solve_speaks_json(home: Path) -> None:
    """Every key, at the start, on the way and at the end."""
    start = finding(home, "circle", "--rule", "numbers=3")
    assert start["game"] == "circle"
    assert start["rules"] == {"numbers": 3, "reach": 1, "leaps": 0}
    assert (start["after"], start["value"], start["distance"]) == ("", 1.0, 3)
    assert (start["first"], start["second"]) == ({"1": 1.0}, {})
    assert start["only"] == {"first": False, "second": True}
    later = finding(home, "circle", "--rule", "numbers=3", "--after", "  2   1 ")
    assert (later["after"], later["first"], later["distance"]) == ("2 1", {"3": 1.0}, 1)
    over = finding(home, "circle", "--rule", "numbers=3", "--after", "2 1 3")
    assert (over["value"], over["first"], over["second"]) == (1.0, {}, {})
    margin = finding(home, "margin")
    assert margin["positions"] == 2261
    assert margin["distance"] is None
    assert margin["gap"] <= 1e-9
    assert sum(margin["first"].values()) == pytest.approx(1)
    drawn = finding(home, "factors", "--rule", "target=19")
    assert (drawn["value"], drawn["distance"]) == (0.0, None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["circle"], "second wins whatever happens in 10 picks"),
        (["circle", "--rule", "numbers=8", "--rule", "reach=2"], "second wins with best play in 8"),
        (["margin"], "fair; with best play neither seat is ahead"),
        (["margin", "--after", "5-1"], "is ahead; with best play"),
        (["duel"], "A saddle point: 3 against 3, nobody needs chance here."),
        (["duel", "--after", "1-3 1-3 1-3"], "second wins with best play"),
        (["duel", "--after", "1-3 1-3 1-3 1-3"], "second has won"),
        (["factors", "--rule", "target=25"], "nobody can force a win: play goes on for ever"),
        (["factors", "--rule", "target=18"], "first wins with best play in 3 picks"),
    ],
)
def test_solve_speaks_to_people(arguments: list[str], sentence: str, home: Path) -> None:
    """The value in words, and how it was found."""
    done = command("solve", *arguments, home=home)
    assert done.returncode == 0
    assert sentence in done.stdout
    assert " positions, " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["circle", "--after", "4 9"], 2, "--after, line 1, column 3: 9 is not next to 4"),
        (["circle", "--rule", "numbers=99"], 2, "numbers=99 is not allowed"),
        (["chess"], 2, "there is no game"),
    ],
)
def test_solve_refuses_in_one_line(
    arguments: list[str], code: int, problem: str, home: Path
) -> None:
    """With the pick or the ruling that is wrong."""
    done = command("solve", *arguments, home=home)
    assert done.returncode == code
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.xdist_group("compiled")
def test_too_large_a_ruling_is_refused_at_once(home: Path) -> None:
    """Within the limit that the user sets, with a count and what is to come."""
    done = command("solve", "margin", "--rule", "numbers=9", home=home, EVENODDS_MEMORY_MB="1")
    assert done.returncode == 1
    assert "and more to come, about" in done.stderr
    assert "limit (EVENODDS_MEMORY_MB) allows 20,164" in done.stderr
    done = command("solve", "underdog", "--fresh", home=home, EVENODDS_MEMORY_MB="1")
    assert done.stderr.startswith("290,161 positions at least; the memory limit")


@pytest.mark.parametrize("setting", ["EVENODDS_MEMORY_MB", "EVENODDS_CACHE_MB"])
@pytest.mark.parametrize("value", ["abc", "-5", "1.5"])
def test_a_setting_that_is_no_number_is_refused(home: Path, setting: str, value: str) -> None:
    """In one line, before anything is solved or written."""
    done = command("solve", "duel", "--rule", "hp=9", home=home, **{setting: value})
    assert done.returncode == 2
    assert done.stderr == f"{setting}={value} is not allowed; allowed: whole megabytes\n"
    assert not list((home / "cache").glob("*"))


@pytest.mark.processes
def test_a_missing_extra_is_named_with_the_command_that_adds_it(home: Path) -> None:
    """Without NumPy playing goes on, and solving says what it needs."""
    code = (
        "import sys; sys.modules['numpy'] = None; "
        "sys.argv = 'evenodds solve underdog --rule numbers=9'.split();"
        "from evenodds.cli import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings(home)
    )
    assert done.returncode == 1
    assert done.stderr == "this needs numpy, which is not installed; add it with: make setup\n"
    assert command("play", "circle", typed="quit\n", home=home).returncode == 0


@pytest.mark.processes
@pytest.mark.xdist_group("compiled")
def test_long_work_shows_a_bar_and_can_be_interrupted(home: Path) -> None:
    """On a terminal, with an estimate; Ctrl-C ends it cleanly and keeps nothing half-made."""
    work = Terminal("solve", "underdog", "--rule", "numbers=12", home=home)
    work.see("positions")
    work.press("c", at_work=True)
    assert work.end() == 130
    assert b"Traceback" not in work.stream
    assert tables() == []


def test_what_stands_in_the_folder_is_no_trouble(home: Path) -> None:
    """A link to nowhere, a folder, what a killed process left."""
    evenodds.solve("margin", rulings=GIVEN)
    folder = home / "cache"
    link, inner = folder / f"x-{DIGEST}.table", folder / f"y-{DIGEST}.table"
    link.symlink_to(folder / "nowhere")
    inner.mkdir()
    (folder / f"margin-{DIGEST}.tableabc.new").write_text("half")
    assert command("cache", home=home).returncode == 0
    assert command("cache", "--clear", home=home).returncode == 0
    assert sorted(folder.iterdir()) == [link, inner]


@pytest.mark.processes
def test_rules_without_a_text_are_solved_without_being_kept(home: Path) -> None:
    """A game typed at a prompt has no source to be known by."""
    code = (
        "import evenodds; from evenodds.core import catalog; duel = catalog.get('duel');"
        "exec('def start(rulings): return duel.start(rulings)');"
        "game = duel._replace(start=start); print(evenodds.solve(game, hp=3).positions)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings(home)
    )
    assert done.stdout == "5\n", done.stderr
