"""Sweeps: what is measured, by whom, and what is left when somebody is killed."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import psutil
import pytest

import evenodds
from tests.support import studies
from tests.support.commands import Terminal, evenodds_here, surroundings
from tests.support.game_data import ruled
from tests.support.paths import COMMAND
from tests.support.reader import Reader
from tests.support.tables import cached, forget
from tests.support.task_runners import (
    Cluster,
    ClusterUnavailable,
    Here,
    ProcessPool,
    TaskRunner,
    Watched,
    dask,
    workers_of,
)
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = [pytest.mark.long, pytest.mark.own_tables, pytest.mark.usefixtures("kernels")]

FEW = {"hp": "5..12", "numbers": "4"}
"""Small ones, of which several are left when the first is found."""
MANY = {"hp": "1..12", "numbers": "2..4"}
"""So many that most are left then."""
RINGS = ("--rule=numbers=5..7,21,22,8..10", "--rule=reach=3", "--measure=value")
"""The last are begun first: three small ones, then two that keep both processes for minutes."""


def swept(
    texts: dict[str, str], team: TaskRunner, name: str = "duel", *measures: str
) -> studies.SweepResult:
    return studies.sweep(
        studies.read_grid(evenodds.game(name).game, texts), studies.select_measures(measures), team
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "typed",
    [
        *("circle numbers=5 reach=2", "duel hp=4"),
        *("margin numbers=3 last_round=decisive", "underdog numbers=3 target=2"),
    ],
)
def test_measures_are_those_of_a_study(typed: str) -> None:
    name, given = ruled(typed)
    study = studies.study_of(*evenodds.game(name, given))
    perfect, random = study.plays["perfect"].odds, study.plays["random"].odds
    scores = [level.score for level in study.skill.comparisons]
    expected = {
        "positions": study.size.positions,
        "value": study.value,
        "fair": abs(study.value) < 1e-9,
        "draws": perfect.draw,
        "endless": 0.0,
        "decided": perfect.first + perfect.second,
        "edge": random.first - random.second,
        "length": perfect.length,
        "chance_length": random.length,
        "idle": study.choice.idle,
        "single": study.choice.single,
        "step": max(scores),
        "steps": sum(score >= 0.6 for score in scores),
        "perfect_score": study.skill.perfect_score,
        "score": perfect.first + perfect.draw / 2,
        "chance_score": random.first + random.draw / 2,
        "chance_draws": random.draw,
        "goes_on": False,
        "lines": study.size.lines,
    }
    assert studies.MEASURES.keys() - expected == {"lead_changes", "comebacks"}  # tests of drama
    found = studies.compute_measures(studies.solved_game(name, **given), tuple(expected))
    assert found == pytest.approx(expected, abs=1e-9)
    json.dumps(found)


@pytest.mark.long
def test_play_that_comes_back_is_a_draw_or_endless() -> None:
    measures: tuple[str, ...] = ("fair", "draws", "endless", "decided", "length")
    found = studies.compute_measures(studies.solved_game("factors", target=8, numbers=2), measures)
    assert found == {"fair": True, "draws": 1, "endless": 0, "decided": 0, "length": 23}
    tangled = studies.solved_game("factors", target=10, numbers=4, same="twice")
    measures = ("steps", "draws", "endless", "length")
    expected = {"steps": None, "draws": 0, "endless": 1, "length": None}
    assert studies.compute_measures(tangled, measures) == expected


def test_the_value_alone_needs_the_solution_alone() -> None:
    circle = studies.solved_game("circle")
    found = studies.compute_measures(circle, ("positions", "value", "fair"))
    assert found == {"positions": 171, "value": -1, "fair": False}
    assert not {"listing", "graph"} & vars(circle).keys()


def test_where_there_is_no_decision_there_are_no_shares_of_them_and_no_steps() -> None:
    measures = ("idle", "single", "step", "steps")
    found = swept({"numbers": "1"}, Here(), "duel", *measures)
    assert found.rows[0].figures == dict.fromkeys(measures)
    study = studies.study_of(*evenodds.game("duel", numbers=1))
    assert studies.compute_measures(study, measures) == dict.fromkeys(measures)
    assert (study.choice.mixed, study.skill.comparisons, study.skill.pairs) == (None, [], {})


def test_a_grid_is_what_was_typed() -> None:
    given = {"exhausted": "*", "numbers": "2..4,6, 4", "target": "1"}
    grid = studies.read_grid(evenodds.game("underdog").game, given)
    assert grid.axes == {
        "numbers": ["2", "3", "4", "6"],
        "target": ["1"],
        "exhausted": ["score", "draw"],
    }
    assert len(list(grid.combinations())) == 8
    assert grid.fixed == {"gap": "1"}


@pytest.mark.long
def test_what_does_not_fit_is_listed_and_the_rest_goes_on() -> None:
    found = swept({"numbers": "3..4", "target": "1..5"}, Here(), "underdog", "value", "draws")
    rows = list(csv.DictReader(io.StringIO(studies.as_csv(found))))
    assert [(row["numbers"], row["target"]) for row in rows] == [
        (numbers, target) for numbers in "34" for target in "12345"
    ]
    for row in rows:
        given = {key: int(row[key]) for key in ("numbers", "target")}
        if given["target"] > given["numbers"]:
            allowed = f"allowed: 1 to {row['numbers']} (numbers)"
            assert row["reason"] == f"target={row['target']} is not allowed; {allowed}"
            assert row["draws"] == row["value"] == ""
        else:
            expected = studies.compute_measures(
                studies.solved_game("underdog", **given), ("value", "draws")
            )
            assert {key: float(row[key]) for key in expected} == expected
            assert row["reason"] == ""
    data = studies.as_json(found)
    assert [len(data["rows"]), len(data["left_out"])] == [7, 3]


def test_what_is_known_is_not_found_again(home: Path) -> None:
    swept({"hp": "1..3"}, Here(), "duel", "value")
    team = Watched(Here())
    swept({"hp": "1..4"}, team, "duel", "value", "draws")
    assert [task.arguments[2] for task in team.asked] == [("value", "draws")] + [("draws",)] * 3
    for path in (home / "cache").glob("*.sweep"):
        path.write_text('{"figures": {"value": "damaged"}}')
    team = Watched(Here())
    swept({"hp": "1..4"}, team, "duel", "value")
    assert len(team.asked) == 4


def test_a_ruling_that_is_too_large_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"numbers": "3,18"}
    for memory_mb, processes, tries in ((2, 1, 2), (2, 1, 0), (4, 2, 0), (4, 1, 1)):
        monkeypatch.setenv("EVENODDS_MEMORY_MB", str(memory_mb))
        team = Watched(Here(ProcessPool(processes).limits))
        found = swept(texts, team, "underdog", "value")
        assert "the memory limit (EVENODDS_MEMORY_MB) of " in found.rows[1].reason
        assert len(team.asked) == tries


@pytest.mark.processes
def test_a_sweep_that_is_killed_goes_on_where_it_was(home: Path) -> None:
    two = surroundings(home, EVENODDS_CORES="2")
    running = subprocess.Popen([COMMAND, "sweep", "circle", *RINGS], env=two)
    wait_until(lambda: len(cached("sweep")) == 3)
    at_work = workers_of(running.pid)
    assert at_work
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not psutil.wait_procs(at_work, timeout=TIMEOUT_S)[1]
    team = Watched(Here())
    small = {"numbers": "5..10", "reach": "3"}
    found = swept(small, team, "circle", "value")
    assert [task.arguments[1]["numbers"] for task in team.asked] == ["7", "6", "5"]
    forget()
    assert swept(small, Here(), "circle", "value") == found


@pytest.mark.processes
def test_ctrl_c_ends_a_sweep_at_once(home: Path) -> None:
    many = ("--rule=hp=16..24", "--rule=numbers=4..9", "--measure=value")  # none is compiled
    one = {"EVENODDS_CORES": "1"}
    running = Terminal("sweep", "duel", *many, home=home, environment=one)
    running.see("solving ")
    running.see(" rulings, about ")
    running.see("to go")
    at_work = workers_of(running.process.pid)
    assert at_work
    running.press("c")
    assert running.end() == 130
    assert b"Traceback" not in running.stream
    assert re.search(rb"Stopped: \d+ of \d+ rulings are solved and kept", running.stream)
    assert b"The same command goes on" in running.stream
    assert not psutil.wait_procs(at_work, timeout=TIMEOUT_S)[1]
    assert cached("sweep")


@pytest.mark.processes
def test_two_processes_one_of_them_killed_write_the_same_bytes() -> None:
    def kill_one() -> None:
        workers_of(os.getpid())[0].kill()

    watched = Watched(ProcessPool(2), kill_one)
    found = swept(FEW, watched)
    assert (len(watched.asked), found.left_out) == (8, [])
    assert workers_of(os.getpid()) == []
    forget()
    here = swept(FEW, Here())
    assert studies.as_csv(found) == studies.as_csv(here)
    assert studies.render_sweep_page(found) == studies.render_sweep_page(here)


@pytest.mark.processes
def test_a_ruling_that_kills_whoever_solves_it_is_listed() -> None:
    deadly = (
        "import os, signal; from evenodds.study import sweep; work = sweep.work;"
        "sweep.work = lambda name, rules, *rest: os.kill(os.getpid(), signal.SIGKILL)"
        " if rules['hp'] == '2' else work(name, rules, *rest);"
        "from evenodds.workers.task import main; main()"
    )
    found = swept({"hp": "1..4"}, ProcessPool(2, program=deadly))
    assert [row.rules["hp"] for row in found.found] == ["1", "3", "4"]
    assert [row.reason for row in found.left_out] == [
        "the process that did it died 3 times: signal 9"
    ]
    team = Watched(ProcessPool(2))
    assert swept({"hp": "1..4"}, team).left_out == []
    assert len(team.asked) == 1


@pytest.mark.processes
def test_a_cluster_loses_a_worker_and_finds_the_same(home: Path) -> None:
    """One is killed with results that the client knows to be done, and has not fetched yet."""
    expected = swept(FEW, Here())
    forget()
    with dask(home) as (address, (scheduler, *workers)):
        team = Cluster(address)
        team.client.wait_for_workers(2, timeout=TIMEOUT_S)

        def lose_results() -> None:
            states = team.client.futures.values()
            wait_until(lambda: [state.status for state in states].count("finished") > 4)
            workers[0].kill()
            wait_until(lambda: len(team.client.nthreads()) == 1)

        watched = Watched(team, lose_results)
        assert swept(FEW, watched) == expected
        assert len(watched.asked) == 8
        assert workers[0].wait() == -signal.SIGKILL
        forget()
        asked = ("sweep", "duel", "--rule=hp=1..2", "--cluster", address, "--json")
        told = json.loads(evenodds_here(*asked, home=home).stdout)
        forget()
        assert told == studies.as_json(swept({"hp": "1..2"}, Here()))
        forget()
        with pytest.raises(ClusterUnavailable, match="is lost; the same command goes on"):
            swept(MANY, Watched(Cluster(address), scheduler.kill))
        assert cached("sweep")


@pytest.mark.long
def test_no_cluster_is_said_in_one_line(home: Path) -> None:
    threads = set(threading.enumerate())
    with pytest.raises(
        ClusterUnavailable, match=r"^there is no cluster at tcp://127\.0\.0\.1:1: Timed out"
    ):
        Cluster("tcp://127.0.0.1:1", timeout_s=1)
    assert [one.name for one in set(threading.enumerate()) - threads if one.name == "IO loop"] == []
    done = evenodds_here("sweep", "duel", "--cluster", "nowhere", home=home)
    assert done.returncode == 1
    assert done.stderr.startswith("there is no cluster at nowhere: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("-o", "sweep.txt"), 2, "-o sweep.txt is not allowed; allowed: a name in .csv or .html"),
        (("-o", "no/such/out.csv"), 1, "no/such/out.csv cannot be written: No such file"),
        (("--rule", "hp=101"), 1, "none of these rulings could be solved"),
    ],
)
def test_what_cannot_be_written_or_solved_is_said_before_the_work(
    arguments: tuple[str, ...], status: int, said: str, home: Path
) -> None:
    done = evenodds_here("sweep", "duel", *arguments, home=home)
    assert (done.returncode, done.stderr.count("\n")) == (status, 1)
    assert done.stderr.startswith(said)
    assert not cached("sweep")


@pytest.mark.processes
def test_a_table_for_people(home: Path) -> None:
    rules = ("--rule", "numbers=5..6", "--rule", "reach=1..4")
    names = [word for name in studies.MEASURES for word in ("--measure", name)]
    shown = evenodds_here("sweep", "circle", *rules, *names, home=home, COLUMNS="80")
    assert (shown.returncode, shown.stderr) == (0, "")
    said = shown.stdout.splitlines()
    assert said[0] == "Number Circle Duel: 6 rulings solved, exactly."
    tables = [line for line in said if line.startswith("  numbers  reach  ")]
    assert len(tables) == 4
    assert [name for line in tables for name in line.split()[2:]] == list(studies.MEASURES)
    assert "- numbers=5 reach=4: reach=4 is not allowed; allowed: 1 to 3" in said
    piped = evenodds_here("sweep", "circle", *rules, "--measure", "value", home=home)
    assert "        5      1      1\n" in piped.stdout
    data = json.loads(evenodds_here("sweep", "circle", *rules, "--json", home=home).stdout)
    assert data["exact"]
    assert data["rows"][0] == {
        "rules": {"numbers": "5", "reach": "1", "leaps": "0"},
        "positions": 36,
        "value": 1,
        "draws": 0,
        "length": 5,
        "idle": 1,
        "steps": 0,
    }


def test_maps_for_two_rulings_and_small_multiples_for_more() -> None:
    two = swept({"hp": "1..3", "numbers": "2..4"}, Here(), "duel", "draws", "length")
    page = Reader(studies.render_sweep_page(two))
    assert [len(page.drawings), len(page.tips), len(*page.tables.values())] == [2, 1 + 2 + 18, 10]
    assert page.tips[1:3] == ["draws by numbers and hp", "numbers=2 hp=1: 100%"]
    three = swept({"hp": "1..3", "numbers": "2..4", "knockout": "*"}, Here(), "duel", "draws")
    page = Reader(studies.render_sweep_page(three))
    assert len(page.drawings) == 3
    assert "draws by knockout and numbers, hp=2" in page.tips
    one = swept({"hp": "1..3,101"}, Here(), "duel", "value")
    told = studies.render_sweep_page(one)
    assert Reader(told).tips[-1] == "hp=101: hp=101 is not allowed; allowed: 1 to 100"
    assert "<li>hp=101: hp=101 is not allowed; allowed: 1 to 100</li>" in told
    assert "An empty field was left out; the reason stands below the table." in told
    assert "An empty field" not in studies.render_sweep_page(two)
    assert "<h1>Number Duel: 1 ruling</h1>" in studies.render_sweep_page(
        swept({"hp": "1"}, Here(), "duel", "value")
    )
    for found in (one, two, three):
        assert "http" not in studies.render_sweep_page(found)
