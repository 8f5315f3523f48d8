"""What a server survives: being killed at any moment, and a disk that is full."""

import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.support.clusters import break_often
from tests.support.commands import evenodds
from tests.support.servers import Pair, serving
from tests.support.waiting import wait_until

KILLS = 4


@pytest.mark.processes
def test_no_acknowledged_pick_is_lost_when_the_server_is_killed(home: Path) -> None:
    *_, last = islice(break_often(home, None, Random(1), matches=1), KILLS)
    assert last["kills"] == KILLS


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True
    )
    if made.returncode:
        pytest.skip("only root can make a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.processes
def test_a_full_disk_refuses_and_recovers(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with serving(small_disk / "home") as server:
        server.wait_until_ready()
        pair = Pair(server, "duel", rulings={"hp": 100})
        assert pair.pick(0, 3, 1).status_code == 200
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        refused, round = pair.pick(1, 2, 1), 1
        while refused.status_code == 200 and round < 2000:  # the log has room for some
            round += 1
            assert pair.pick(0, 3, round).status_code in (200, 503)
            refused = pair.pick(1, 2, round)
        assert refused.status_code == 503
        assert refused.json()["detail"]
        wait_until(lambda: server.client().get("/readyz").status_code == 503)
        before = pair.view(0)
        ballast.unlink()
        for seat in (0, 1):
            assert pair.pick(seat, 3 - seat, before["round"]).status_code == 200
        assert pair.view(0)["round"] == before["round"] + 1
        server.wait_until_ready()


@pytest.mark.processes
def test_a_start_on_a_full_disk_is_refused_in_one_line(small_disk: Path) -> None:
    with (small_disk / "ballast").open("wb") as file:
        file.write(bytes((1 << 20) - (160 << 10)))
    done = evenodds("serve", "--port", "0", home=small_disk / "home")
    said = "the database cannot be used: the disk is full; 256 KiB must be free\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
