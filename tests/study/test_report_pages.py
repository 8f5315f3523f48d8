"""The report of a study as a page: what it says, and that everyone can read it anywhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import convert
from playwright.sync_api import Browser

import evenodds
from evenodds import Uniform, odds, solve
from tests.support import studies
from tests.support.browsers import keep, violations
from tests.support.examples import LOOPING_GAME, SIMULTANEOUS_GAME, TURN_GAME
from tests.support.game_data import WITH_DATA
from tests.support.reader import Reader

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("report")]
"""All look at the same studies, which are made once."""

Made = dict[str, studies.Study]
Read = dict[str, Reader]
SHELF = sorted(WITH_DATA, key=lambda game: game.place)
STUDIED = {
    **{game.name: evenodds.game(game) for game in WITH_DATA},
    "factors": evenodds.game("factors", target=12, numbers=3),
    "underdog": evenodds.game("underdog", numbers=4, target=2),
    "single": evenodds.game("duel", hp=3, numbers=1),
}
CLAIMS = [
    studies.ClaimResult(
        "no draws", "There are no draws.", "fails", "11.7% of matches are.", "1-1", "show 1-1"
    ),
    studies.ClaimResult("skill", "Skill pays.", "holds", "It does.", "", ""),
    studies.ClaimResult("ties", "And so on.", "undefined", "A ruling decides.", "", ""),
]
QUESTIONS = [
    studies.ClaimResult(
        "ends", "Does it end?", "yes", "It always ends, after exactly 5 rounds.", "2-2", "show 2-2"
    ),
    studies.ClaimResult("luck", "Is it luck?", "no", "Not at all.", "", ""),
]


@pytest.fixture(scope="module")
def made() -> Made:
    found = {name: studies.study_of(*ruled) for name, ruled in STUDIED.items()}
    found["long"] = as_if_long(found["duel"])
    return found


def as_if_long(study: studies.Study) -> studies.Study:
    """A study as if health were told in steps of three, and lines of play had sixty digits."""
    steps = [1 + 3 * step for step in range(25)]
    scores = [[0.5 + (y - x) / 50 for x in range(25)] for y in range(25)]
    standing = studies.ScoreValues("health", steps, [[*line] for line in scores])
    size = study.size._replace(lines=10**60 + 123)
    return study._replace(size=size, score_values=[standing])


@pytest.fixture(scope="module")
def pages(made: Made) -> dict[str, str]:
    found = {name: studies.render_report(study) for name, study in made.items()}
    margin = made["margin"]
    figures = studies.compute_measures(margin, (*studies.VARIANT_MEASURES, "goes_on"))
    variants = [
        studies.RulingVariant("last_round", "final", figures, "", ""),
        studies.RulingVariant("last_round", "decisive", figures, "", ""),
        studies.RulingVariant("numbers", "12", None, "far too many positions", "study it"),
    ]
    found["margin"] = studies.render_report(margin, CLAIMS, QUESTIONS, variants, home="index.html")
    found["comparison"] = studies.comparison_page([made[game.name] for game in SHELF])
    return found


@pytest.fixture(scope="module")
def read(pages: dict[str, str]) -> Read:
    return {name: Reader(page) for name, page in pages.items()}


@pytest.mark.parametrize("name", [*STUDIED, "long", "comparison"])
def test_a_page_needs_nothing_else(name: str, pages: dict[str, str], read: Read) -> None:
    page = pages[name]
    for outside in ("://", "<script", "@import", "url(", "src=", "<link", "javascript:"):
        assert outside not in page, outside
    ids = read[name].ids
    assert len(ids) == len(set(ids))
    for link in read[name].links:
        inner = link.startswith("#") and link[1:] in ids
        assert inner or re.fullmatch(r"[a-z]+\.html", link), link
    for drawing in read[name].drawings:
        assert drawing["role"] == "img"
        for part in (drawing["aria-labelledby"], drawing["aria-describedby"]):
            assert re.search(rf'id="{part}">[^<]{{5,}}<', page), part


@pytest.mark.processes
def test_the_same_study_gives_the_same_page(made: Made) -> None:
    study = made["duel"]
    again = convert(json.loads(json.dumps(study)), studies.Study, str_keys=True)
    assert studies.render_report(again, CLAIMS) == studies.render_report(study, CLAIMS)
    code = (
        "import sys; from tests.support.studies import compute_study, render_report, solved_game; "
        "sys.stdout.reconfigure(encoding='utf-8'); "
        "print(render_report(compute_study(solved_game('duel', hp=4))), end='')"
    )
    here = studies.render_report(studies.study_of(*evenodds.game("duel", hp=4)))
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.stdout.decode() == here, done.stderr.decode()


def test_what_is_said_of_games_that_loop_and_that_leave_no_choice(made: Made) -> None:
    factors = studies.sentences_of(made["factors"])
    assert factors[1].startswith("Draws are possible, but only when a position occurs 3 times. ")
    assert factors[1].endswith("perfect players draw all of them.")
    assert factors[2].startswith("By the rules alone it need not end, and perfect players go on")
    assert "Here a match is drawn when a position occurs 3 times. A random match" in factors[2]
    single = studies.sentences_of(made["single"])
    assert single[3:] == ["There is never more than one number to pick."] * 3


def test_a_page_says_where_there_is_nothing_to_choose(pages: dict[str, str]) -> None:
    assert pages["single"].count("<p>There is never more than one number to pick.</p>") == 3
    assert not any("never more than one number" in pages[game.name] for game in WITH_DATA)


def with_(study: studies.Study, part: str, **changed: Any) -> studies.Study:
    return study._replace(**{part: getattr(study, part)._replace(**changed)})


@pytest.mark.xdist_group("compiled solving")
@pytest.mark.parametrize(
    ("name", "rules", "said"),
    [
        (
            "circle",
            {"leaps": 1},
            "Livelier rules: picks decide, but with best play the second player wins. Why "
            "livelier? By the book the player who goes second always wins, whatever anyone "
            "picks. Here 53.9% of decisions matter, by the book 0%.",
        ),
        (
            "duel",
            {"numbers": 4, "overreach": 1},
            "Livelier rules: no number is always best, but much is guesswork. Why livelier? By "
            "the book 3 is always a best pick. Here 100% of decisions matter, by the book 56.2%. "
            "By the book 1 and 2 are useless; here none is.",
        ),
    ],
)
def test_livelier_rules_are_compared_with_the_book(
    name: str, rules: dict[str, int], said: str
) -> None:
    book = studies.study_of(*evenodds.game(name))
    assert "Why livelier?" not in studies.render_report(book)
    lively = studies.study_of(*evenodds.game(name, **rules))
    assert said in studies.render_report(lively)
    assert ("but never the only one." in studies.sentences_of(lively)[5]) == (name == "duel")


def test_what_would_be_said_of_other_games(made: Made) -> None:
    margin, factors = made["margin"], made["factors"]
    few, alike = dict.fromkeys(range(1, 5), 0.0) | {5: 0.5}, dict.fromkeys(range(1, 6), 0.5)
    for place, other, said in (
        (0, margin._replace(value=-0.2), "with best play the second player scores 60%."),
        (0, margin._replace(value=1.0, distance=7), "the first player wins, in 7 rounds."),
        (3, with_(margin, "choice", idle=0.0), "Every choice matters"),
        (5, with_(margin, "choice", sound=few), "Against perfect play 1 to 4 are always mistakes."),
        (5, with_(margin, "choice", useless=[2]), "2 is useless: some other number is always"),
        (
            5,
            with_(margin, "choice", sound=alike),
            "No number is useless: each is a best pick in 50%",
        ),
    ):
        assert said in studies.sentences_of(other)[place]
    for share, said in (
        (0.0, "It can go round in circles, but perfect players come"),
        (0.4, "It need not end: 40% of perfect play goes on"),
        (1.0, "It need not end: perfect players go on for ever."),
    ):
        perfect = factors.plays["perfect"]
        changed = perfect.odds._replace(endless=share, first=1 - share, length=9.0)
        plays = factors.plays | {"perfect": perfect._replace(odds=changed, played_on=None)}
        ending = factors._replace(plays=plays, repetition=0)
        assert studies.sentences_of(ending)[2].startswith(said)
    read = studies.describe_skill_range(0.5, 0.0, luck="guessing right", alike=False)
    assert read.endswith("against random picks: perfect play is safe, but wins nothing from them.")
    level = margin.choice.habits | {"random": studies.HabitScores(0.5, 0.5)}
    even = with_(with_(margin, "choice", habits=level), "skill", perfect_score=0.5)
    assert "Nobody does better: random picks are as good as any." in studies.sentences_of(even)[4]
    assert studies.format_number_ranges(margin, [7, 1, 2, 3, 8]) == "1 to 3, 7 and 8"
    assert studies.format_number_ranges(margin, []) == ""


@pytest.mark.parametrize("name", STUDIED)
def test_the_figures_are_those_of_the_study(name: str, made: Made, read: Read) -> None:
    study, page = made[name], read[name]
    for sentence in studies.sentences_of(study):
        assert sentence in page.text
    assert f"all {study.size.positions:,} positions" in page.text
    solution = solve(STUDIED[name])
    uniform = Uniform(solution.game)
    chance = odds(STUDIED[name], uniform, uniform, repetition=study.repetition)
    row = next(row for row in page.tables["Who wins when both play alike"] if "Random" in row[0])
    shown = (chance.first, chance.draw, chance.second, chance.endless)
    assert row[1:5] == list(map(studies.percent, shown))
    size = [row for row in page.tables["Size"] if row[0] == "Open positions"]
    assert size[0][1] == f"{solution.positions:,}"
    matrix = solution.matrix(solution.start)
    if len({value for line in matrix.payoff for value in line}) > 1:
        for first, line in zip(matrix.first, matrix.payoff, strict=True):
            for second, value in zip(matrix.second, line, strict=True):
                tip = f"{first} to {second}: {studies.percent(0.5 + value / 2)}"
                assert tip in page.tips
    if "The ladder" in page.tables:
        for level, step in zip(study.skill.comparisons, page.tables["The ladder"][1:], strict=True):
            needed = f"{level.matches:,}" if level.matches else "never"
            better = f"Level {int(level.name[-1]) - (level.score < 0.5)}"
            better = better if level.matches else "Neither"
            figures = [studies.percent(level.score), studies.percent(level.drawn)]
            assert step == [level.name[-1], *figures, needed, better]
    for play, column in zip(study.plays.values(), (1, 2, 3), strict=True):
        told = [line[column] for line in page.tables["Drama"][1:]]
        if play.drama is None:
            assert told[:3] == ["–"] * 3
        else:
            assert told[:3] == [
                f"{play.drama.changes:.2f}",
                f"{play.drama.open:.1f}",
                studies.percent(play.drama.comebacks),
            ]


def test_maps_hold_every_figure(made: Made, read: Read) -> None:
    study, page, long = made["duel"], read["duel"], read["long"]
    standing = study.score_values[0]
    shown = page.tables["By health"][1:]
    assert [line[1:] for line in shown] == [
        ["" if score is None else studies.percent(score) for score in line]
        for line in standing.scores
    ]
    lengths = study.plays["random"].lengths
    assert lengths is not None
    drawn = page.tables["How many rounds matches take"][1:]
    assert [line[1] for line in drawn] == [studies.percent(share) for share in lengths.shares[3:]]
    use = page.tables["How often perfect play picks each number, round by round"][1:]
    assert [line[1] for line in use] == [studies.percent(study.choice.use[0][n]) for n in (1, 2, 3)]
    for pair, met in study.skill.pairs.items():
        one, two = (level.replace("level:", "Level ") for level in pair.split())
        assert f"{one} against {two}: {studies.percent(met.score)}" in page.tips
    for name in STUDIED:
        for habit in made[name].choice.habits.values():
            assert studies.percent(habit.perfect) in read[name].text
            assert studies.percent(habit.best_opponent) in read[name].text
    assert ["Lines of play", "10^60.0"] in long.tables["Size"]
    assert "Each field is 3 health wide and high." in long.text
    assert "73 to 1: 98%" in long.tips


def test_a_bars_track_is_the_whole(made: Made, pages: dict[str, str]) -> None:
    drawing = pages["margin"].split('aria-labelledby="mix-0-t"')[1].split("</svg>")[0]
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', drawing)]
    track, most = max(widths), max(made["margin"].opening.mixes[0].values())
    assert most < 0.9
    assert sorted(widths)[-6] == pytest.approx(track * most, abs=0.1)


def test_claims_are_listed_with_what_came_of_them(made: Made, read: Read) -> None:
    text = read["margin"].text
    for kept in CLAIMS:
        verdict = kept.verdict.replace("undefined", "left open")
        for part in (kept.name.capitalize(), kept.text, verdict, kept.evidence, kept.command):
            assert part in text
    for kept in QUESTIONS:
        assert kept.verdict in text
        assert text.count(kept.text) == 1  # what the verdict answers is not asked again
    assert "show 1-1" in text
    assert text.index("Does it end?") < text.index("show 2-2") < text.index("And so on.")
    assert text.index("And so on.") < text.index("What no book says") < text.index("Not at all.")
    assert text.count("It always ends") == 1
    assert studies.NO_CLAIMS in read["circle"].text
    rows = read["margin"].tables["Every ruling each way"]
    figures = studies.compute_measures(made["margin"], studies.VARIANT_MEASURES)
    assert rows[1] == [
        "last_round = final",
        *(studies.format_compared(name, figure, "rounds") for name, figure in figures.items()),
    ]
    assert rows[3][:3] == ["numbers = 12", "left out", ""]
    assert "numbers = 12 is left out: far too many positions. study it" in text


def test_what_speaks_for_a_game_looks_unlike_what_speaks_against_it(pages: dict[str, str]) -> None:
    badges = dict(re.findall(r'<dt>(.*?) <span class="badge (.*?)">', pages["circle"]))
    assert badges == {
        "Is it fair?": "no bad",
        "Can it be drawn?": "no",
        "Does it end?": "yes good",
        "Do choices matter?": "no bad",
        "Does skill pay?": "no bad",
        "Are any numbers useless?": "no good",
    }


def test_strange_text_is_only_text(made: Made) -> None:
    odd = "<b>&\"'%</b>"
    claim = studies.ClaimResult(odd, odd, "holds", odd, odd, odd)
    asked = studies.ClaimResult(odd, odd, "yes", odd, odd, odd)
    rows = [studies.RulingVariant("numbers", odd, None, odd, odd)]
    page = studies.render_report(made["circle"], [claim], [asked], rows, notes=[odd], home=odd)
    assert "<b>" not in page
    assert Reader(page).text.count(odd) >= 10
    assert odd in Reader(page).links


def test_games_side_by_side(made: Made, read: Read) -> None:
    rows = read["comparison"].tables["Side by side"]
    assert rows[0] == ["Measure", *(game.name for game in SHELF)]
    assert [row[0] for row in rows[1:]] == list(studies.comparison_figures(made["duel"]))
    for column, name in enumerate(rows[0][1:], 1):
        told = [row[column] for row in rows[1:]]
        assert told == list(studies.comparison_figures(made[name]).values())
        assert f"{name}.html" in read["comparison"].links


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, pages: dict[str, str]) -> Path:
    found = tmp_path_factory.mktemp("report")
    for name in (SIMULTANEOUS_GAME, TURN_GAME, LOOPING_GAME, "long", "comparison"):
        (found / f"{name}.html").write_text(pages[name], encoding="utf-8")
    return found


ALIKE = "svg > :not(title, desc), tbody tr:nth-child(n+4)"
"""What axe need not see: pieces of drawings, which are not spoken, and rows like those before."""


@pytest.mark.parametrize(
    ("scheme", "kept", "seen"),
    [
        ("light", 360, [LOOPING_GAME, SIMULTANEOUS_GAME, TURN_GAME, "comparison", "long"]),
        ("dark", 1280, [SIMULTANEOUS_GAME, "comparison"]),  # which hold everything in any colour
    ],
)
def test_everyone_can_read_it_anywhere(
    scheme: Literal["light", "dark"], kept: int, seen: list[str], folder: Path, browser: Browser
) -> None:
    found: list[str] = []
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.on("request", lambda asked: found.append(asked.url))
    for name in seen:
        page.goto((folder / f"{name}.html").as_uri())
        page.set_viewport_size({"width": kept, "height": 740})
        keep(page, f"report-{name}-{kept}-{scheme}")
        if scheme == "light":
            page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        if page.evaluate("document.documentElement.scrollWidth") > kept:
            found.append(f"{name} scrolls to the side")
        page.evaluate(f"document.querySelectorAll({ALIKE!r}).forEach(each => each.remove())")
        found += [f"{name}: {each}" for each in violations(page)]
    context.close()
    assert found == [(folder / f"{name}.html").as_uri() for name in seen]


def test_it_prints_in_the_light_all_but_figures_of_charts(folder: Path, browser: Browser) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 680, "height": 960})
    page = context.new_page()
    page.goto((folder / "margin.html").as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 680
    colour = page.evaluate("getComputedStyle(document.body).color")
    assert colour == "rgb(42, 36, 32)"
    assert page.locator("#claims").is_visible()
    assert not page.locator("figure details").first.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    context.close()
