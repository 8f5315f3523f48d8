"""Every ruling each way: what is tried, and what is left out."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from evenodds.graph import TooLarge
from evenodds.kernels import KERNEL_KIND
from evenodds.kernels.compiler import compile
from evenodds.study import report
from evenodds.study.claims import ruling_variants
from evenodds.study.claims.ruling_variants import ruling_variants_of, variant_values
from evenodds.study.metrics.all_metrics import summarize_solved_game
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.solved.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.study.summary import summary_of
from evenodds.study.wording.figure_formatting import summary_notes
from evenodds.system import cache_folder
from evenodds.system.locks import Lock, take_lock
from evenodds.terminal.reports.study import show
from evenodds.terminal.screen import Screen
from tests.support.examples import LOOPING_GAME
from tests.support.game_data import WITH_DATA, data_of
from tests.support.waiting import wait_until


def test_every_ruling_is_read_each_way() -> None:
    """Words each way, whole numbers one step either way within their limits; the rest as it is.

    The brief figures are those of whole studies.
    """
    game = evenodds.get("margin")
    study = study_of(game, game.settle({"numbers": 2}))
    read = {(one.key, one.value): one for one in ruling_variants_of(game, study)}
    assert list(read) == [
        ("numbers", "2"),
        ("numbers", "3"),
        ("last_round", "final"),
        ("last_round", "decisive"),
    ]
    for (key, value), found in read.items():
        assert not found.reason
        whole = study_of(game, game.settle(study.rules | {key: type(study.rules[key])(value)}))
        assert found.brief == pytest.approx(summary_of(whole), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("rules", [{"same": "once"}, {"same": "twice"}, {"echo": "barred"}])
def test_brief_figures_are_those_of_a_study_where_play_comes_back(rules: dict[str, str]) -> None:
    game, rulings = evenodds.game("factors", rules | {"target": 8, "numbers": 3})
    found = summarize_solved_game(SolvedGame(game, rulings))
    whole = summary_of(study_of(game, rulings))
    assert found == pytest.approx(whole, abs=1e-12)
    assert (found.steps is None) == found.goes_on == (len(summary_notes(found)) == 2)


@pytest.mark.parametrize(
    "game", [one for one in WITH_DATA if data_of(one).variants], ids=lambda game: game.name
)
def test_rulings_that_are_tried_each_way(game: Any) -> None:
    """All of a few whole numbers, else those next to the one that is ruled."""
    assert variant_values(game, as_data(game.rulings())) == data_of(game).variants


def test_what_switches_a_ruling_off_is_tried() -> None:
    game = evenodds.get("underdog")
    far = game.settle({"numbers": 5, "target": 2, "gap": 3})
    assert variant_values(game, as_data(far))["gap"] == [0, 2, 3, 4]


@pytest.mark.long
@pytest.mark.own_tables
def test_what_a_second_process_has_summarized_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rulings = evenodds.game("duel", {"hp": 3})
    built: list[Settled] = []

    def build(game: Any, rulings: Settled, *rest: Any, **limits: Any) -> SolvedGame:
        built.append(rulings)
        return SolvedGame(game, rulings, *rest, **limits)

    def start_second_process(purpose: str, module: str, call: str) -> None:
        assert module == ruling_variants.__name__
        eval(call, vars(ruling_variants))

    monkeypatch.setattr(ruling_variants, "start_second_process", start_second_process)
    alone = study_report_of(game, rulings, build=build)
    assert len(built) == len({*built}) > 1
    for path in cache_folder.folder().glob("*.study"):
        path.unlink()
    monkeypatch.setattr(report, "MIN_SIZE_TO_SHARE", 1)
    built.clear()
    assert study_report_of(game, rulings, build=build) == alone
    assert built == [rulings]


@pytest.mark.own_tables
@pytest.mark.parametrize("waits", [True, False], ids=["waited for", "given up"])
def test_what_another_process_is_at_is_not_computed_twice(
    waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless that takes too long. Two threads: each opens the lock anew, as two processes do."""
    if not waits:
        monkeypatch.setattr(ruling_variants, "MAX_SUMMARY_WAIT_S", 0.0)
    game = evenodds.get("duel")
    study = study_of(game, game.settle({"hp": 2}))
    at_it, goes_on, built, asked = Event(), Event(), list[Settled](), list[Path]()

    def take(path: Path, max_wait_s: float) -> Lock | None:
        asked.append(path)
        return take_lock(path, max_wait_s)

    def build(game: Any, rulings: Settled, *rest: Any, **limits: Any) -> SolvedGame:
        built.append(rulings)
        at_it.set()
        assert goes_on.wait(timeout=300)
        return SolvedGame(game, rulings, *rest, **limits)

    monkeypatch.setattr(ruling_variants, "take_lock", take)
    with ThreadPoolExecutor() as threads:
        one = threads.submit(ruling_variants_of, game, study, build=build)
        assert at_it.wait(timeout=300)
        two = threads.submit(ruling_variants_of, game, study, build=build)
        wait_until(lambda: len(built) == 2 or (waits and len(asked) == 2))
        goes_on.set()
        assert one.result() == two.result()
    assert (len(built) == len({*built})) == waits
    assert not list(cache_folder.folder().glob("*.lock"))


@pytest.mark.own_tables
def test_what_does_not_fit_now_is_tried_again() -> None:
    """A ruling that the memory of one who asked did not hold is not left out for all."""
    game = evenodds.get("duel")
    study = study_of(game, game.settle({"hp": 2}))

    def full(*_: Any, max_positions: int | None = None) -> SolvedGame:
        raise TooLarge("the memory limit is 1 MB")

    refused = [one for one in ruling_variants_of(game, study, build=full) if one.reason]
    assert {one.reason for one in refused} == {"the memory limit is 1 MB"}
    assert not [one for one in ruling_variants_of(game, study) if one.reason]


def test_a_ruling_that_is_left_out_says_why_and_how_it_is_studied(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ruling_variants, "MAX_VARIANT_POSITIONS", 50)
    game = evenodds.get("circle")
    folio = study_report_of(game, game.settle({"numbers": 5}))
    (left,) = [one for one in folio.readings if one.brief is None and one.value == "3"]
    assert left.reason == "more than 50 positions"
    assert left.command == "evenodds study circle --rule numbers=5 --rule reach=3"
    assert f"<code>{left.command}</code>" in render_report(*folio)
    show(folio, Screen())
    said = " ".join(capsys.readouterr().out.split())
    assert f"reach=3 is left out: more than 50 positions. {left.command}" in said


@pytest.mark.long
@pytest.mark.xdist_group("compiled")
def test_a_small_study_takes_kernels_that_are_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_folder, "folder", lambda: tmp_path)
    game, rulings = evenodds.game(LOOPING_GAME, {"target": 10})
    KERNEL_KIND.path("fill_winning_picks", "0" * 32).touch()
    KERNEL_KIND.path("fill_targets-other", "0" * 32).touch()
    interpreted = SolvedGame(game, rulings, index_first=True, keep=False)
    KERNEL_KIND.path(f"fill_targets-{game.name}", "0" * 32).touch()
    compile._kernels_of.cache_clear()  # another test may have compiled them into its own folder
    compiled = SolvedGame(game, rulings, index_first=True, keep=False)
    assert not interpreted.position_index.is_compiled
    assert compiled.position_index.is_compiled
    assert list(tmp_path.glob(f"expand_layer-{game.name}-*"))
    assert summarize_solved_game(compiled) == pytest.approx(
        summarize_solved_game(interpreted), abs=1e-12
    )
