"""Files that people name: what is there stays what it is, and nothing beside them is touched."""

import os
import stat
import threading
from pathlib import Path

import pytest

from tests.support.commands import evenodds
from tests.support.commands import evenodds_here as command

CIRCLE = ("study", "circle", "--rule", "numbers=3", "-o")


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    full = tmp_path / "full.html"
    try:
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except PermissionError:  # whoever may make none cannot harm the one there is
        full.symlink_to("/dev/full")
    done = command(*CIRCLE, str(full), home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [f"{full} cannot be written: No space left on device"]
    assert stat.S_ISCHR(full.stat().st_mode)


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    done = command(*CIRCLE, str(pipe), home=tmp_path)
    reader.join(20)
    assert (done.returncode, done.stdout) == (0, "")
    assert read[0].endswith("</html>\n")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.processes
def test_what_is_said_may_be_the_page(tmp_path: Path) -> None:
    done = evenodds(*CIRCLE, "/dev/stdout", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.endswith("</html>\n")


def test_a_link_leads_to_what_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    assert command(*CIRCLE, str(link), home=tmp_path).returncode == 0
    assert link.is_symlink()
    assert target.read_text().endswith("</html>\n")
    hanging = tmp_path / "hanging.html"
    hanging.symlink_to(tmp_path / "later.html")
    assert command(*CIRCLE, str(hanging), home=tmp_path).returncode == 0
    assert hanging.is_symlink()
    assert (tmp_path / "later.html").read_text() == target.read_text()


def test_neighbours_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    page, neighbour = folder / "r.html", folder / "r.html.new"
    neighbour.write_text("mine")
    page.write_text("old")
    page.chmod(0o600)
    assert command(*CIRCLE, str(page), home=tmp_path).returncode == 0
    assert page.read_text().endswith("</html>\n")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    page.write_text("older")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(5, "torn")))
    done = command(*CIRCLE, str(page), home=tmp_path)
    assert (done.returncode, done.stderr) == (1, f"{page} cannot be written: torn\n")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "r.html": "older",
        "r.html.new": "mine",
    }
