"""What may be secret is its owner's alone: files 0600 in folders 0700."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenodds.arena.archive import TALK_FILE, UNFINISHED_TALK_FILE, open_archive
from evenodds.arena.schedule import Plan
from evenodds.client.address import address
from evenodds.client.saved_seats import SavedSeat
from evenodds.coach.training import TrainingProgressFile
from evenodds.core.catalog import get
from evenodds.players.reader.memory import ReaderMemory
from evenodds.system.files import private_folder
from evenodds.table.saved_matches import MatchFile
from tests.support.commands import evenodds
from tests.support.registries import connect, in_a_loop, open_database
from tests.support.servers import Pair, serving

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are not what protects files there")


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """New files can be read by everyone, unless somebody sees to it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> set[str]:
    """What in a folder others may read or enter, solved tables apart."""
    found = [folder, *(each for each in folder.rglob("*") if "cache" not in each.parts)]
    return {str(each) for each in found if stat.S_IMODE(each.stat().st_mode) & 0o077}


@pytest.mark.processes
def test_a_pending_pick_on_a_server_is_its_owners_alone(home: Path) -> None:
    for _ in range(2):
        with serving(home) as server:
            assert Pair(server, "duel").pick(0, 3, 1).status_code == 200
            files = [*home.glob("server.sqlite*")]
            assert {each.name for each in files} > {"server.sqlite", "server.sqlite-wal"}
            assert not open_to_others(home)
            home.chmod(0o755)
            for each in files:
                each.chmod(0o644)
            server.process.kill()


@in_a_loop
async def test_a_database_elsewhere_is_private_too(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    file = tmp_path / "shared" / "new" / "matches.sqlite"

    await (await connect(f"sqlite:///{file}")).close()
    assert file.exists()
    assert not open_to_others(file.parent)
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o755


def test_all_files_of_a_database_are_closed_before_it_is_opened(tmp_path: Path) -> None:
    files = [tmp_path / f"matches.sqlite{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]
    for file in files:
        file.touch(0o644)
    open_database(f"sqlite:///{files[0]}")
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 4


@pytest.mark.processes
def test_what_a_player_keeps_is_theirs_alone(home: Path) -> None:
    played = evenodds("play", "duel", home=home, typed="3\n")
    assert played.returncode == 1
    assert [*(home / "matches").glob("*.secret")]
    slot = MatchFile()
    slot.append_model_log("{}")
    slot.release()
    ReaderMemory().learn("Ann", "duel", [])
    TrainingProgressFile("duel").enter("", "key", 1.0, right=True)
    seat = SavedSeat(address("http://127.0.0.1:9/match/abcdefgh#invitation"))
    seat.commit("first", 1, 3)
    kept = {each.name for each in home.iterdir()}
    assert kept >= {"habits", "matches", "seats", "training"}
    assert not open_to_others(home)


def test_the_data_folder_of_before_is_closed(home: Path) -> None:
    (home / "matches").mkdir(parents=True)
    private_folder("matches")
    assert not open_to_others(home)
    home.chmod(0o755)
    (home / "notes.txt").touch()
    private_folder("seats")
    assert open_to_others(home) == {str(home), str(home / "notes.txt")}


def test_what_models_say_in_an_arena_is_private(tmp_path: Path) -> None:
    duel = get("duel")
    plan = Plan(duel, duel.settle({}), ("random", "high"), 2)
    with open_archive(tmp_path, plan) as book:
        (tmp_path / UNFINISHED_TALK_FILE).touch(0o644)
        book.put_aside(["{}"])
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    assert (modes[TALK_FILE], modes[UNFINISHED_TALK_FILE], modes["matches.txt"]) == (
        0o600,
        0o600,
        0o644,
    )
