"""The command study: at a prompt, as JSON, as pages, and what it refuses."""

import json
import shlex
from pathlib import Path

import pytest

from evenodds.core import catalog
from evenodds.core.catalog import GameListing
from evenodds.study.figure_serialization import to_data
from evenodds.study.pages.report_page import render_report
from evenodds.study.report import study_report_of
from evenodds.study.wording.verdict import verdict_answers
from tests.support.commands import evenodds_here as command
from tests.support.game_data import files


@pytest.mark.long
def test_a_study_is_read_in_a_minute(tmp_path: Path) -> None:
    """The verdict, every promise, every ruling each way, within 80 columns."""
    done = command("study", "duel", home=tmp_path, COLUMNS="80")
    assert done.returncode == 0
    game = catalog.get("duel")
    folio = study_report_of(game, game.rulings())
    flat = " ".join(done.stdout.split())
    for _, sentence in verdict_answers(folio.study):
        assert sentence in flat
    words = {"holds": "holds", "fails": "fails", "left": "undefined"}
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if line[:1].islower()]
    assert [kept.verdict for kept in folio.promises] == [
        words[word] for word in verdicts if word in words
    ]
    for reading in folio.readings:
        assert f"{reading.key}={reading.value}" in done.stdout
    for width in (80, 40):
        done = command("study", "duel", home=tmp_path, COLUMNS=str(width))
        said = [line for line in done.stdout.splitlines() if "evenodds show" not in line]
        assert max(map(len, said)) < width


@pytest.mark.long
def test_what_shows_a_failed_promise_can_be_typed(tmp_path: Path) -> None:
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
    done = command("study", *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
