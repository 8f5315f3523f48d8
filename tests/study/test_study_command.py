"""Studies as people get them: at a prompt, as JSON, as pages, from a server."""

import asyncio
import json
import shlex
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from evenodds.claims.study_data import RANDOM_POLICY
from evenodds.core import catalog
from evenodds.core.catalog import GameListing
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.figures.estimates import Estimate, mean, share
from evenodds.graph import TooLarge
from evenodds.server.jobs import report_queue
from evenodds.server.jobs.fair_queue import FairQueue
from evenodds.server.jobs.report_queue import ReportQueue, WorkerOutput
from evenodds.server.jobs.solve_queue import ServerBusy
from evenodds.solver.on_demand import NotSolved
from evenodds.study.claims import ruling_variants
from evenodds.study.claims.ruling_variants import ruling_variants_of, variant_values
from evenodds.study.metrics.all_metrics import summarize_solved_game
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.page_request import EXIT_NOT_CACHED, PageRequest
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.sampled import sampled_study_of
from evenodds.study.serialization import to_data
from evenodds.study.solved.solved_game import SolvedGame
from evenodds.study.study import study_of
from evenodds.study.summary import summary_of
from evenodds.study.wording.figure_formatting import summary_notes
from evenodds.study.wording.verdict import verdict_sentences
from evenodds.terminal.reports.study import show
from evenodds.terminal.screen import Screen
from tests.support.commands import evenodds_here as command
from tests.support.game_data import data_of, files
from tests.support.servers import Server


@pytest.mark.long
def test_a_study_is_read_in_a_minute(tmp_path: Path) -> None:
    """The verdict, every promise, every ruling each way, within 80 columns."""
    done = command("study", "duel", home=tmp_path, COLUMNS="80")
    assert done.returncode == 0
    game = catalog.get("duel")
    folio = study_report_of(game, game.rulings())
    flat = " ".join(done.stdout.split())
    for sentence in verdict_sentences(folio.study):
        assert sentence in flat
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if line[:1].islower()]
    assert [kept.verdict for kept in folio.promises] == [
        word for word in verdicts if word in ("holds", "fails", "undefined")
    ]
    for reading in folio.readings:
        assert f"{reading.key}={reading.value}" in done.stdout
    for width in (80, 40):
        done = command("study", "duel", home=tmp_path, COLUMNS=str(width))
        said = [line for line in done.stdout.splitlines() if "evenodds show" not in line]
        assert max(map(len, said)) < width


@pytest.mark.long
def test_what_shows_a_failed_promise_can_be_typed(tmp_path: Path) -> None:
    """Each command that a study names replays, and ends as it says."""
    done = command("study", "duel", home=tmp_path)
    shown = [line.strip() for line in done.stdout.splitlines() if "evenodds show" in line]
    assert shown
    for line in shown:
        replayed = command(*shlex.split(line)[1:], home=tmp_path)
        assert replayed.returncode == 0, line


@pytest.mark.long
def test_a_study_as_json_is_all_of_it(tmp_path: Path) -> None:
    """Study, promises, questions and readings, as they are in Python."""
    done = command("study", "circle", "--rule", "numbers=7", "--json", home=tmp_path)
    game = catalog.get("circle")
    assert json.loads(done.stdout) == to_data(study_report_of(game, game.settle({"numbers": 7})))


@pytest.mark.long
@pytest.mark.parametrize("golden", files("study.txt"), ids=lambda path: path.parent.name)
def test_a_report_says_what_was_read_and_found_right(golden: Path, tmp_path: Path) -> None:
    """Word for word on 80 columns.

    What changes is read again, and kept with
    `COLUMNS=80 evenodds study NAME > tests/games/NAME/study.txt`.
    """
    done = command("study", golden.parent.name, home=tmp_path, COLUMNS="80")
    assert done.stdout == golden.read_text()


def test_a_study_as_a_page(tmp_path: Path) -> None:
    """The report, the same bytes each time; what cannot be written is refused first."""
    page = tmp_path / "duel.html"
    for _ in range(2):
        done = command("study", "duel", "-o", str(page), home=tmp_path)
        assert done.stdout == f"The study is in {page}.\n"
        game = catalog.get("duel")
        assert page.read_text() == render_report(*study_report_of(game, game.rulings()))
    for target, reason in (
        (tmp_path, "it is a folder"),
        (tmp_path / "no" / "page.html", "No such file or directory"),
    ):
        done = command("study", "duel", "-o", str(target), home=tmp_path)
        assert done.returncode == 1
        assert reason in done.stderr


@pytest.mark.long
def test_all_games_and_a_comparison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a page for each and one for all, which lead to each other."""
    few = GameListing([catalog.get("circle"), catalog.get("duel")], [])
    monkeypatch.setattr(catalog, "list_games", lambda: few)
    folder = tmp_path / "site"
    done = command("study", "--all", "-o", str(folder), home=tmp_path)
    assert done.returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "circle.html",
        "duel.html",
        "index.html",
    ]
    assert 'href="duel.html"' in (folder / "index.html").read_text()
    assert 'href="index.html"' in (folder / "duel.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "Name a GAME, or say --all."),
        (("duel", "--all", "-o", "x"), "Name a GAME, or say --all."),
        (("--all",), "--all goes with -o FOLDER"),
        (("duel", "--json", "-o", "x"), "--json and -o exclude each other."),
        (("duel", "--rule", "hp=0"), "hp=0 is not allowed; allowed: 1 to 100"),
        (("chess",), "there is no game called"),
    ],
)
def test_what_makes_no_sense_is_refused(
    arguments: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    """One line, and the code for wrong usage."""
    done = command("study", *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr


@pytest.mark.xdist_group("compiled")
def test_a_ruling_too_large_is_sampled_and_says_so(tmp_path: Path) -> None:
    """Figures with intervals, the reason, and no page that looks exact."""
    rules = ("--rule", "numbers=20")
    done = command("study", "underdog", *rules, home=tmp_path)
    assert done.returncode == 0
    assert "Sampled, not exact: 1,000,000 matches" in done.stdout
    assert "positions at least; the memory limit" in done.stdout
    data = json.loads(command("study", "underdog", *rules, "--json", home=tmp_path).stdout)
    assert data["first"]["low"] < data["first"]["value"] < data["first"]["high"]
    page = tmp_path / "page.html"
    done = command("study", "underdog", *rules, "-o", str(page), home=tmp_path)
    assert (done.returncode, page.exists()) == (1, False)


@pytest.mark.xdist_group("compiled")
def test_sampled_intervals_hold_the_exact_figures() -> None:
    """Each share of chance, and the mean length, where both can be had."""
    game = catalog.get("duel")
    solved = SolvedGame(game, game.rulings())
    fate = outcome_odds_of(
        solved, solved.shares(RANDOM_POLICY, FIRST), solved.shares(RANDOM_POLICY, SECOND)
    )
    sample = sampled_study_of(game, game.rulings(), "", matches=200_000)
    for found, exact in (
        (sample.first, fate.first),
        (sample.draw, fate.draw),
        (sample.second, fate.second),
        (sample.length, fate.length or 0.0),
    ):
        assert found.low <= exact <= found.high
    for ending, exact in fate.endings.items():
        assert sample.endings[ending].low <= exact <= sample.endings[ending].high
    assert sample.cut_off == Estimate(0.0, 0.0, sample.cut_off.high)


def test_intervals_of_rare_and_certain_things() -> None:
    """Nothing seen is not nothing; the rule of three is near."""
    assert share(0, 1000).high == pytest.approx(0.003, abs=0.001)
    assert share(1000, 1000).low == pytest.approx(0.997, abs=0.001)
    assert mean({4: 10}) == Estimate(4.0, 4.0, 4.0)


def test_every_ruling_is_read_each_way() -> None:
    """Words each way, whole numbers one step either way within their limits; the rest as it is.

    The brief figures are those of whole studies.
    """
    game = catalog.get("margin")
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
    """And what is missing is explained."""
    game = catalog.get("factors")
    rulings = game.settle(rules | {"target": 8, "numbers": 3})
    found = summarize_solved_game(SolvedGame(game, rulings))
    whole = summary_of(study_of(game, rulings))
    assert found == pytest.approx(whole, abs=1e-12)
    assert (found.steps is None) == found.goes_on == (len(summary_notes(found)) == 2)


@pytest.mark.long
def test_rulings_that_are_tried_each_way() -> None:
    """All of a few whole numbers, else those next to the one that is ruled; what switches off."""
    tried = {}
    for name in ("underdog", "circle", "factors"):
        game = catalog.get(name)
        study = study_of(game, game.settle(data_of(name).small))
        usual = study._replace(rules=as_data(game.rulings()))
        tried[name] = variant_values(game, usual)
    assert tried["underdog"] == {
        "numbers": [9, 10, 11],
        "target": [2, 3, 4],
        "gap": [0, 1, 2],
        "exhausted": ["score", "draw"],
    }
    assert tried["circle"]["numbers"] == [9, 10, 11]
    assert tried["circle"]["reach"] == [1, 2, 3]
    assert tried["circle"]["leaps"][:3] == [0, 1, 2]
    assert tried["factors"]["target"] == [49, 50, 51]
    assert tried["factors"]["numbers"] == [8, 9, 10]
    game = catalog.get("underdog")
    far = study_of(game, game.settle({"numbers": 5, "target": 2, "gap": 3}))
    assert variant_values(game, far)["gap"] == [0, 2, 3, 4]


def test_what_does_not_fit_now_is_tried_again() -> None:
    """A ruling that the memory of one who asked did not hold is not left out for all."""
    game = catalog.get("duel")
    study = study_of(game, game.settle({"hp": 2}))

    def full(*_: Any, most: int | None = None) -> SolvedGame:
        raise TooLarge("the memory limit is 1 MB")

    refused = [one for one in ruling_variants_of(game, study, build=full) if one.reason]
    assert {one.reason for one in refused} == {"the memory limit is 1 MB"}
    assert not [one for one in ruling_variants_of(game, study) if one.reason]


def test_a_ruling_that_is_left_out_says_why_and_how_it_is_studied(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the page and at a prompt, with a command that can be typed."""
    monkeypatch.setattr(ruling_variants, "MAX_VARIANT_POSITIONS", 50)
    game = catalog.get("circle")
    folio = study_report_of(game, game.settle({"numbers": 5}))
    (left,) = [one for one in folio.readings if one.brief is None and one.value == "3"]
    assert left.reason == "more than 50 positions"
    assert left.command == "evenodds study circle --rule numbers=5 --rule reach=3"
    assert f"<code>{left.command}</code>" in render_report(*folio)
    show(folio, Screen())
    said = " ".join(capsys.readouterr().out.split())
    assert f"reach=3 is left out: more than 50 positions. {left.command}" in said


def fetched(client: httpx.Client, path: str) -> httpx.Response:
    """A page once it is made."""
    while (answer := client.get(path)).status_code == 202:
        assert answer.headers["refresh"]
        assert "Being studied" in answer.text
    return answer


def test_the_server_offers_the_same_page(server: Server) -> None:
    """The report as the command writes it, under a policy that lets it bring its own style."""
    game = catalog.get("duel")
    answer = fetched(server.client(), "/study/duel?hp=4")
    assert answer.status_code == 200
    folio = study_report_of(game, game.settle({"hp": 4}))
    assert answer.text == render_report(*folio, home="/study")
    policy = answer.headers.get_list("content-security-policy")
    assert len(policy) == 1
    assert "script-src" not in policy[0]
    assert "unsafe-inline" not in policy[0]


def test_what_the_server_cannot_study_is_refused(server: Server) -> None:
    """A game that is none, a ruling that is not allowed, one that is too large."""
    client = server.client()
    assert client.get("/study/chess").status_code == 404
    assert client.get("/study/duel?hp=0").status_code == 422
    answer = fetched(client, "/study/underdog?numbers=20")
    assert answer.status_code == 422
    assert "positions at least" in answer.json()["detail"]


def test_a_browser_shows_the_page_in_its_style(server: Server, browser: Browser) -> None:
    """The style that the page brings along is let in; nothing is complained of."""
    complaints: list[str] = []
    fetched(server.client(), "/study/circle?numbers=5")
    with browser.new_context() as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{server.url}/study/circle?numbers=5")
        assert page.locator("h1").inner_text() == "Number Circle Duel"
        assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
        assert complaints == []


def test_the_lobby_leads_to_the_studies(server: Server, browser: Browser) -> None:
    """To that of the game at hand, and to all."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(server.url)
        page.get_by_text("Number Circle Duel").first.click()
        link = page.get_by_role("link", name="Is it any good? A study")
        assert link.get_attribute("href") == "/study/circle"
        everything = page.get_by_role("link", name="All games compared")
        assert everything.get_attribute("href") == "/study"


def test_a_refusal_is_a_page_to_a_browser(server: Server) -> None:
    """What is wrong in a sentence, and the way back; a ruling given twice is one of them."""
    client = server.client()
    for path, status, said in (
        ("/study/chess", 404, "there is no game called"),
        ("/study/duel?hp=0", 422, "hp=0 is not allowed"),
        ("/study/duel?hp=3&hp=4", 422, "hp is ruled more than once"),
    ):
        answer = client.get(path, headers={"Accept": "text/html,*/*"})
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert said in answer.text
        assert 'href="/study"' in answer.text


def apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Do some work on a loop of its own: a browser's test may have left one in this thread."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()


LONG = {"numbers": "14", "reach": "2", "leaps": "1"}
"""Rulings of the circle that take long to be studied."""


async def patiently(asked: ReportQueue, game: str, rules: dict[str, str]) -> str:
    """A page once it is made."""
    while (page := await asked.page("/study", game, rules)) is None:
        pass
    return page


@pytest.mark.processes
@pytest.mark.usefixtures("home_with_tables")
def test_what_is_known_waits_for_nobody() -> None:
    """A page whose study is kept is there while a stranger's rulings are being solved."""
    game = catalog.get("duel")
    ruled: list[dict[str, str]] = [{}, {"hp": "4"}]
    folios = [study_report_of(game, game.settle_typed(rules)) for rules in ruled]

    async def crowd() -> None:
        asked = ReportQueue()
        assert await asked.page("/study", "circle", LONG) is None
        for rules, folio in zip(ruled, folios, strict=True):
            page = await patiently(asked, "duel", rules)
            assert page == render_report(*folio, home="/study")
        assert await asked.page("/study", "circle", LONG) is None
        await asked.stop()

    apart(crowd())


class Children:
    """Children that solve nothing; with a stranger's rulings they wait until the gate opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Semaphore(0)
        self.solved: list[str] = []
        monkeypatch.setattr(report_queue, "_run_worker", self.child)
        monkeypatch.setattr(report_queue, "PAGE_WAIT_TIMEOUT_S", 0.1)

    async def child(self, order: PageRequest, _: report_queue.WorkerMemory) -> WorkerOutput:
        """What one answers."""
        if order.kept:
            return WorkerOutput(EXIT_NOT_CACHED, "", "")
        if order.rules:
            await self.gate.acquire()
        self.solved.append(order.rules.get("numbers", order.game))
        return WorkerOutput(0, order.game, "")


async def asks(asked: ReportQueue, address: str, *numbers: int) -> None:
    """Somebody asks for pages that take long."""
    for number in numbers:
        assert await asked.page("/study", "circle", {"numbers": str(number)}, address) is None


@pytest.mark.long
def test_strangers_wait_in_a_lane_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many of them; the next is asked to come again, and the house's games are solved anyway."""
    children = Children(monkeypatch)
    monkeypatch.setattr(report_queue, "MAX_PENDING_REPORTS", 4)

    async def crowd() -> None:
        asked = ReportQueue()
        for number in range(report_queue.MAX_PENDING_REPORTS):
            await asks(asked, f"address {number}", number)
        with pytest.raises(ServerBusy, match="too many studies are being made"):
            await asks(asked, "another", 20)
        await asks(asked, "another", 0)  # what is being made anyway may be waited for
        assert await asked.page("/study", "duel", {}, "another") == "duel"
        assert children.solved == ["duel"]
        children.gate.release()
        assert await patiently(asked, "circle", {"numbers": "0"}) == "circle"
        await asks(asked, "another", 20)
        await asked.stop()

    apart(crowd())


@pytest.mark.long
def test_each_address_has_a_share_of_the_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many at once from one, and they take turns: whoever asks for one waits for few."""
    children = Children(monkeypatch)

    async def crowd() -> None:
        asked = ReportQueue()
        await asks(asked, "greedy", *range(report_queue.MAX_REPORTS_PER_ADDRESS))
        with pytest.raises(ServerBusy, match="too many studies of yours are being made"):
            await asks(asked, "greedy", 10)
        await asks(asked, "modest", 20, 21)
        await asks(asked, "late", 30)
        for _ in range(6):
            children.gate.release()
        for number in (0, 1, 2, 20, 21, 30):
            await patiently(asked, "circle", {"numbers": str(number)})
        assert children.solved == ["0", "1", "20", "30", "2", "21"]
        await asks(asked, "greedy", 10)
        await asked.stop()

    apart(crowd())


def test_whoever_gives_up_waiting_leaves_the_turn_to_others() -> None:
    """Before it has come, and when it has."""

    async def crowd() -> None:
        queue, had = FairQueue(), []

        async def wait(address: str) -> None:
            async with queue.turn(address):
                had.append(address)

        async with queue.turn("first"):
            tasks = [asyncio.create_task(wait(address)) for address in "abcd"]
            await asyncio.sleep(0)
            tasks[0].cancel()
            await asyncio.sleep(0)
        tasks[1].cancel()  # b's turn has come, and b has not noticed
        await asyncio.gather(*tasks, return_exceptions=True)
        async with queue.turn("last"):
            had.append("last")
        assert had == ["c", "d", "last"]

    apart(crowd())


@pytest.mark.parametrize("code", [-9, 1])
def test_a_study_that_was_interrupted_may_be_asked_for_again(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, or ended by a mistake of ours: that is no answer, and is not remembered."""
    printouts = [WorkerOutput(code, "", "MemoryError"), WorkerOutput(0, "the page", "")]

    async def child(*_: object) -> WorkerOutput:
        return printouts.pop(0)

    monkeypatch.setattr(report_queue, "_run_worker", child)

    async def crowd() -> None:
        asked = ReportQueue()
        with pytest.raises(ServerBusy, match="the study was interrupted; ask again"):
            await asked.page("/study", "duel", {})
        assert await asked.page("/study", "duel", {}) == "the page"

    apart(crowd())


def test_a_study_that_could_not_begin_may_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without memory for another process may have some the next time."""
    starts: list[Exception | WorkerOutput] = [OSError("no memory"), WorkerOutput(0, "the page", "")]

    async def child(*_: object) -> WorkerOutput:
        started = starts.pop(0)
        if isinstance(started, Exception):
            raise started
        return started

    monkeypatch.setattr(report_queue, "_run_worker", child)

    async def crowd() -> None:
        asked = ReportQueue()
        with pytest.raises(OSError, match="no memory"):
            await asked.page("/study", "duel", {})
        assert await asked.page("/study", "duel", {}) == "the page"

    apart(crowd())


@pytest.mark.processes
def test_a_study_that_takes_too_long_may_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The machine may have been busy."""
    monkeypatch.setattr(report_queue, "REPORT_TIMEOUT_S", 0.01)
    asked = ReportQueue()

    async def crowd() -> str | None:
        with pytest.raises(ServerBusy, match="takes longer than a server may"):
            await patiently(asked, "duel", {"hp": "3"})
        monkeypatch.setattr(report_queue, "REPORT_TIMEOUT_S", 600.0)
        return await patiently(asked, "duel", {"hp": "3"})

    assert "Number Duel" in apart(crowd())


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds")
@pytest.mark.own_tables
def test_a_study_is_held_to_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes more ends, and says so in one line; the most it had is near the limit."""
    monkeypatch.setattr(
        report_queue, "CUSTOM_RULINGS_MEMORY_MB", report_queue.WorkerMemory(solving=64, total=100)
    )
    most = 0

    def watched(process: int) -> int:
        nonlocal most
        most = max(most, real(process))
        return real(process)

    real = report_queue.resident_bytes
    monkeypatch.setattr(report_queue, "resident_bytes", watched)

    async def crowd() -> None:
        asked = ReportQueue()
        said = r"this study takes more than the 100 MB that a server has for it; `evenodds study`"
        with pytest.raises(NotSolved, match=said):
            await patiently(asked, "circle", LONG)

    apart(crowd())
    assert 100 << 20 < most < 200 << 20


@pytest.mark.processes
def test_a_press_cannot_take_twice_its_memory() -> None:
    """However fast it asks for it."""
    code = (
        "from evenodds.study.page_worker import limit_memory; "
        "limit_memory(256); bytearray(300 << 20)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stderr.endswith("MemoryError\n")
