"""The cache folder: one limit for everything, shown and cleared."""

import os
from pathlib import Path

import pytest

import evenodds
from evenodds.core.kept_results import load_result, save_result
from evenodds.engine.solution_files import TABLE_KIND
from evenodds.system.locks import Lock
from tests.support.commands import evenodds_here as command
from tests.support.tables import kept, tables

pytestmark = pytest.mark.own_tables

DIGEST = "0123456789abcdef0123"
FIGURES = "x" * 100_000
"""Figures of which ten take a megabyte."""
MARGIN = evenodds.game("margin").game


@pytest.fixture
def cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENODDS_CACHE_MB", "1")
    evenodds.solve(evenodds.game("margin", numbers=3))
    return home / "cache"


def keep_file(folder: Path, suffix: str, number: int, used: float | None = None) -> Path:
    """A file of a kind in the folder, used long ago or now."""
    path = folder / f"margin-{DIGEST}{number:04}.{suffix}"
    path.write_text(FIGURES)
    if used is not None:
        os.utime(path, (used, used))
    return path


def save_figures() -> None:
    save_result(FIGURES, MARGIN, MARGIN.settle({"numbers": 9}), TABLE_KIND, "x")


@pytest.mark.long
def test_the_folder_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, numbers in enumerate((3, 4)):
        evenodds.solve(evenodds.game("margin", numbers=numbers))
        newest = tables()[0]
        os.utime(newest, (1e9 + place, 1e9 + place))
    monkeypatch.setenv("EVENODDS_CACHE_MB", "0")
    solution = evenodds.solve(evenodds.game("margin", numbers=5, last_round="decisive"))
    assert len(tables()) == 1
    again = evenodds.solve(evenodds.game("margin", numbers=5, last_round="decisive"))
    assert again.positions == solution.positions > 1000


@pytest.mark.parametrize("suffix", ["table", "study", "loops", "unknown"])
def test_everything_that_is_kept_has_one_limit(suffix: str, cache: Path) -> None:
    os.utime(kept(), (1e9, 1e9))
    files = [keep_file(cache, suffix, number, 1e9 + number) for number in range(1, 30)]
    save_figures()
    assert sum(path.stat().st_size for path in cache.iterdir()) <= 1 << 20
    left = [path for path in files if path.exists()]
    assert left == files[-len(left) :]
    assert len(left) >= 8
    assert load_result(MARGIN, MARGIN.settle({"numbers": 9}), TABLE_KIND, "x") == FIGURES
    assert len(list(cache.glob("*.table"))) == 1 + len(left) * (suffix == "table")


def test_what_is_used_stays(cache: Path) -> None:
    table = kept()
    save_figures()
    (figures,) = set(cache.glob("*.table")) - {table}
    for path in (table, figures):
        os.utime(path, (1e9, 1e9))
    for number in range(2, 30):
        keep_file(cache, "claims", number, 1e9 + number)
    assert load_result(MARGIN, MARGIN.settle({"numbers": 9}), TABLE_KIND, "x") == FIGURES
    evenodds.solve(evenodds.game("margin", numbers=3))
    save_result(FIGURES, MARGIN, MARGIN.settle({"numbers": 8}), TABLE_KIND, "y")
    assert figures.exists()
    assert table.exists()
    assert len(list(cache.glob("*.claims"))) < 10


def test_a_file_that_is_being_written_stays(cache: Path) -> None:
    written = cache / f"margin-{DIGEST}4567.table.abc_12.new"
    abandoned = cache / f"margin-{DIGEST}4567.studyabc.new"  # as 0.1 names them
    lock = cache / f"margin-{DIGEST}4567.study.lock"
    written.write_bytes(bytes(1_000_000))
    for path in (abandoned, lock):
        path.write_bytes(b"half")
        os.utime(path, (1e9, 1e9))
    first = keep_file(cache, "study", 1, 1e9)
    save_figures()
    assert written.exists()
    assert not first.exists()
    assert not abandoned.exists()
    assert not lock.exists()


def test_the_command_shows_and_clears_all_of_it(cache: Path, home: Path) -> None:
    for number, suffix in enumerate(("odds", "study", "study", "sweep")):
        keep_file(cache, suffix, number)
    for suffix in ("nbi", "1.nbc", "2.nbc"):
        (cache / f"loop_{DIGEST}4567-0.py311.{suffix}").write_text("code")
    (cache / f"margin-{DIGEST}4567.table.abc_12.new").write_text("half")
    (cache / f"loop_{DIGEST}4567.nbi.lock").touch()
    held = Lock(cache / f"margin-{DIGEST}4567.study.lock")
    link, inner = cache / f"x-{DIGEST}4567.table", cache / f"y-{DIGEST}4567.table"
    link.symlink_to(cache / "nowhere")  # neither is a file of ours, nor any trouble
    inner.mkdir()
    with held:
        shown = command("cache", home=home, EVENODDS_CACHE_MB="4096")
    assert shown.returncode == 0
    assert shown.stdout.splitlines() == [
        "      0.0 MB  margin numbers=3 last_round=final",
        "      0.1 MB  odds between players (1 file)",
        "      0.2 MB  studies (2 files)",
        "      0.1 MB  rows of sweeps (1 file)",
        "      0.0 MB  compiled loops (3 files)",
        "      0.0 MB  being written (2 files)",
        f"      0.4 MB  of 4,096 MB in 10 files in {cache}",
    ]
    assert command("cache", "--clear", home=home).stdout == "8 files removed.\n"
    assert sorted(cache.iterdir()) == [link, inner]
