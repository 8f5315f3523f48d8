"""The cache folder: one limit for everything, shown and cleared."""

import os
from pathlib import Path

import pytest

import evenodds
from evenodds.core import catalog
from evenodds.graph import TABLE_KIND, load_result, save_result
from evenodds.kernels import KERNEL_KIND
from evenodds.players.level_strength import STRENGTHS_KIND
from evenodds.study.claims.claim_results import CLAIMS_KIND
from evenodds.study.study import STUDY_KIND
from evenodds.study.sweeps import SWEEP_KIND
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CacheKind
from tests.support.commands import evenodds_here as command
from tests.support.tables import kept, tables

pytestmark = pytest.mark.own_tables

GIVEN = {"numbers": 4}


def test_the_folder_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table used longest ago goes first; the newest stays even if it is too large alone."""
    for place, numbers in enumerate((3, 4)):
        evenodds.solve(evenodds.game("margin", numbers=numbers))
        newest = tables()[0]
        os.utime(newest, (1e9 + place, 1e9 + place))
    monkeypatch.setenv("EVENODDS_CACHE_MB", "0")
    solution = evenodds.solve(evenodds.game("margin", numbers=5, last_round="decisive"))
    assert len(tables()) == 1
    again = evenodds.solve(evenodds.game("margin", numbers=5, last_round="decisive"))
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
    save_result(FIGURES, game, game.settle({"numbers": 2 + numbers % 9}), kind, str(numbers))
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
    evenodds.solve(evenodds.game("margin", numbers=3))
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
    evenodds.solve(evenodds.game("margin", numbers=3))
    table = kept()
    os.utime(table, (1e9, 1e9))
    looked_up = keep_figures(STUDY_KIND, 1, 1e9)
    for number in range(2, 30):
        keep_figures(CLAIMS_KIND, number, 1e9 + number)
        assert load_result(game, game.settle({"numbers": 3}), STUDY_KIND, "1") == FIGURES
        evenodds.solve(evenodds.game("margin", numbers=3))
    assert looked_up.exists()
    assert table.exists()


def test_a_file_that_is_being_written_stays(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """It counts, and nobody takes it away; what a killed process left goes after an hour."""
    monkeypatch.setenv("EVENODDS_CACHE_MB", "1")
    (home / "cache").mkdir(parents=True)
    written = home / "cache" / f"margin-{DIGEST}.table.abc_12.new"
    abandoned = home / "cache" / f"margin-{DIGEST}.studyabc.new"  # as 0.1 names them
    lock = home / "cache" / f"margin-{DIGEST}.study.lock"
    written.write_bytes(bytes(1_000_000))
    for path in (abandoned, lock):
        path.write_bytes(b"half")
        os.utime(path, (1e9, 1e9))
    first = keep_figures(STUDY_KIND, 1, 1e9)
    keep_figures(STUDY_KIND, 2)
    assert written.exists()
    assert not first.exists()
    assert not abandoned.exists()
    assert not lock.exists()


def test_the_command_shows_and_clears_all_of_it(home: Path) -> None:
    evenodds.solve(evenodds.game("margin", GIVEN))
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


def test_what_stands_in_the_folder_is_no_trouble(home: Path) -> None:
    evenodds.solve(evenodds.game("margin", GIVEN))
    folder = home / "cache"
    link, inner = folder / f"x-{DIGEST}.table", folder / f"y-{DIGEST}.table"
    link.symlink_to(folder / "nowhere")
    inner.mkdir()
    (folder / f"margin-{DIGEST}.tableabc.new").write_text("half")
    assert command("cache", home=home).returncode == 0
    assert command("cache", "--clear", home=home).returncode == 0
    assert sorted(folder.iterdir()) == [link, inner]
