"""Files that people name: what is there stays what it is, and nothing beside them is touched."""

import os
import stat
import threading
from pathlib import Path

import pytest

from evenodds.system.files import check_writable_target, write_output
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
    """The link stays, and its target is new; one that leads nowhere yet leads somewhere then."""
    target, link = tmp_path / "target.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    assert command(*CIRCLE, str(link), home=tmp_path).returncode == 0
    assert link.is_symlink()
    assert target.read_text().endswith("</html>\n")
    hanging = tmp_path / "hanging.html"
    hanging.symlink_to(tmp_path / "later.html")
    write_output(hanging, "new")
    assert (hanging.is_symlink(), (tmp_path / "later.html").read_text()) == (True, "new")


def test_neighbours_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they are called; and where writing fails nothing new is there."""
    page, neighbour = tmp_path / "r.html", tmp_path / "r.html.new"
    neighbour.write_text("mine")
    page.write_text("old")
    page.chmod(0o600)
    check_writable_target(page)
    assert page.read_text() == "old"
    write_output(page, "new")
    assert page.read_text() == "new"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(5, "torn")))
    with pytest.raises(OSError, match="torn"):
        write_output(page, "newer")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "r.html": "new",
        "r.html.new": "mine",
    }


def test_a_name_that_promises_something_else_is_refused(tmp_path: Path) -> None:
    for arguments, problem in (
        ((*CIRCLE, "x.pdf"), "-o x.pdf is not allowed; allowed: a name in .html"),
        (("study", "--all", "-o", "x.html"), "-o x.html is not allowed with --all"),
    ):
        done = command(*arguments, home=tmp_path)
        assert done.returncode == 2
        assert problem in done.stderr
