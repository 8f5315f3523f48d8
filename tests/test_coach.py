"""The coach: hints, and the review of matches with known mistakes."""

import json
import re
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import notation
from evenodds.coach.hints import hint
from evenodds.coach.judgement import judge
from evenodds.coach.page import web_page
from evenodds.coach.reasons import why
from evenodds.coach.report import as_json, lessons
from evenodds.coach.review import review
from evenodds.match import Match
from evenodds.solver import Solution
from evenodds.solver.plain import Tree
from evenodds.terminal.coaching import SPARKS
from evenodds.terms import agree
from evenodds.text import columns, wrapped
from evenodds.vocabulary import FIRST, PASS, SEATS, SECOND
from tests.commands import Terminal, lines
from tests.commands import evenodds as command
from tests.strategies import GAMES
from tests.test_players import SMALL

MISTAKE = """[Game "duel"]
[Rulings "hp=3"]
[Player1 "Ann"]
[Player2 "<Bob & Co>"]

1-2 3-3 second
"""
"""In a duel of three health the 3 wins at once against anything lower; 1 throws that away."""


def played(game: Any, data: st.DataObject) -> Match:
    """A match of any picks, open or over."""
    match = Match(agree(game, SMALL[game.name]))
    for _ in range(data.draw(st.integers(0, 12))):
        if match.result:
            break
        for seat in match.waiting():
            match.pick(seat, data.draw(st.sampled_from(match.choices(seat))))
    return match


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_what_changes_in_a_round_is_given_away_or_luck(game: Any, data: st.DataObject) -> None:
    """Both sides' accounts add up, luck is the same for both, and turns have none."""
    match = played(game, data)
    found = review(match, evenodds.solve(game, **SMALL[game.name]))
    assert len(found.curve) == len(match.history) + 1
    for round in range(1, len(match.history) + 1):
        made = {choice.seat: choice for choice in found.choices if choice.round == round}
        for seat, choice in made.items():
            won = made[1 - seat].gave if 1 - seat in made else 0.0
            assert choice.after - choice.before == pytest.approx(
                won - choice.gave + choice.luck, abs=1e-8
            )
            assert choice.gave >= 0
            if not game.simultaneous:
                assert choice.luck == 0
        if len(made) == 2:
            assert made[FIRST].luck == pytest.approx(-made[SECOND].luck, abs=1e-8)
        step = found.curve[round] - found.curve[round - 1]
        assert step == pytest.approx(made[min(made)].after - made[min(made)].before) or min(made)


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_exact_play_gives_nothing_away_and_luck_evens_out(game: Any, data: st.DataObject) -> None:
    """Every number of the best mix is free; over the other's best mix luck comes to nothing."""
    match = played(game, data)
    solution = evenodds.solve(game, **SMALL[game.name])
    for seat in match.waiting() if match.result is None else ():
        judged = judge(solution, match.state, seat)
        assert all(judged.gave(number) == 0 for number in judged.mix)
        replies = solution.mix(match.state, 1 - seat) or {PASS: 1.0}
        for number in judged.worths:
            after = 0.0
            for reply, share in replies.items():
                pair = (number, reply) if seat == FIRST else (reply, number)
                value = solution.value(game.step(match.state, pair))
                after += share * (1 + (value if seat == FIRST else -value)) / 2
            assert after == pytest.approx(judged.score - judged.gave(number), abs=1e-8)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_judgement_looks_at_its_matrix_once(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The named mixes have theirs where both pick; and the worths are what the solver yields."""
    solution = evenodds.solve(game, **SMALL[game.name])
    yields = solution.yields(solution.start, FIRST)
    asked: list[Any] = []
    look = Solution.matrix

    def counted(self: Solution, state: Any) -> Any:
        asked.append(state)
        return look(self, state)

    monkeypatch.setattr(Solution, "matrix", counted)
    found = judge(solution, solution.start, FIRST)
    assert len(asked) == (3 if game.simultaneous else 1)
    assert list(found.worths) == list(yields)
    for number, worth in yields.items():
        assert found.worths[number] == pytest.approx((1 + worth) / 2, abs=1e-12)


def test_a_known_mistake_is_named_with_its_cost(home: Path) -> None:
    """By fractions: with 3 against 3 health both 3s draw, and 2 against 3 loses at once."""
    found = review(notation.parse(MISTAKE), evenodds.solve("duel", hp=3))
    first, answer, *rest = found.choices
    solution = evenodds.solve("duel", hp=3)
    value = Fraction(solution.value(solution.start)).limit_denominator(1000)
    assert first.before == pytest.approx(float((1 + value) / 2))
    assert first.gave > 0.25
    assert found.lessons()[0] == first
    accuracy = found.accuracy(FIRST)
    assert accuracy is not None
    assert accuracy < 0.6
    turning = found.turning()
    assert turning is not None
    assert turning.seat == SECOND
    assert answer.seat == SECOND
    assert rest


def test_a_review_is_told_shown_and_given_as_data(home: Path, tmp_path: Path) -> None:
    """The same figures on the terminal, as JSON and on a page that needs nothing else."""
    file = tmp_path / "match.txt"
    file.write_text(MISTAKE)
    told = command("review", str(file), home=home)
    assert told.returncode == 0
    assert "Number Duel (hp=3): Ann against <Bob & Co>. <Bob & Co> won." in told.stdout
    assert "To learn from:\n- Round 1, Ann: 1 gave away 50.0 %. Better: 3." in told.stdout
    data = json.loads(command("review", str(file), "--json", home=home).stdout)
    assert data["lessons"][0]["gave"] == pytest.approx(0.5)
    assert data["lessons"][0]["best"] == {"3": 1.0}
    assert data["result"] == "second"
    page = tmp_path / "page.html"
    said = command("review", str(file), "-o", str(page), home=home)
    assert said.stdout == f"The review is in {page}.\n"
    html = page.read_text()
    assert "&lt;Bob &amp; Co&gt;" in html
    assert "<Bob" not in html
    assert "<svg" in html
    assert not re.search(r"(src|href)=|url\(|@import|https?://", html)
    assert web_page([review(notation.parse(MISTAKE), evenodds.solve("duel", hp=3))]) == html


def test_the_page_has_room_on_a_telephone() -> None:
    """Nothing is scrolled: names break and are no part of the picture, and rows are stacked."""
    name = "W" * 20
    text = MISTAKE.replace("Ann", name)
    html = web_page([review(notation.parse(text), evenodds.solve("duel", hp=3))])
    style, body = html.split("</style>")
    assert "overflow-x" not in html
    assert "overflow-wrap: anywhere" in style
    narrow = style.split("@media (max-width: 34rem)")[1]
    assert "tr { display: grid;" in narrow
    assert "td:nth-child(2) { grid-row: 1; grid-column: 1 / -1; }" in narrow
    assert all(name not in told for told in re.findall(r"<text.*?</text>", body))
    assert not re.search(
        r"\d %", body.replace("<title>", "").split("<table>")[0].split("</svg>")[1]
    )


def test_reviews_of_many_matches_and_of_a_kept_one(home: Path, tmp_path: Path) -> None:
    """One after the other, one by its place, one by its name."""
    file = tmp_path / "matches.txt"
    file.write_text(MISTAKE + "\n" + MISTAKE.replace("1-2", "2-1").replace(" second", " first"))
    both = command("review", str(file), "--json", home=home).stdout.splitlines()
    assert [json.loads(line)["result"] for line in both] == ["second", "first"]
    one = command("review", str(file), "--match", "2", "--json", home=home).stdout
    assert one.splitlines() == both[1:]
    played = command("play", "duel", "--rule", "hp=3", typed=lines(3, 3), home=home)
    assert played.returncode == 0
    (kept,) = (home / "matches").glob("*.txt")
    assert "A draw." in command("review", kept.stem, home=home).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nothing.txt"], "nothing.txt cannot be read: No such file or directory"),
        (["FILE", "--match", "2"], "holds one match; there is no match 2"),
        (["FILE", "--json", "-o", "x.html"], "--json and -o exclude each other"),
        (["FILE", "-o", "no/such/folder.html"], "no/such/folder.html cannot be written: No such"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_one_line(
    arguments: list[str], problem: str, home: Path, tmp_path: Path
) -> None:
    """What was wrong, and nothing written."""
    file = tmp_path / "match.txt"
    file.write_text(MISTAKE)
    done = command("review", *[str(file) if a == "FILE" else a for a in arguments], home=home)
    assert done.returncode != 0
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_ruling_too_large_has_no_review(home: Path, tmp_path: Path) -> None:
    """One line says why."""
    file = tmp_path / "match.txt"
    file.write_text('[Game "underdog"]\n[Rulings "numbers=20"]\n\n7-8 *\n')
    done = command("review", str(file), home=home)
    assert done.returncode == 1
    assert "positions" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("game", "given", "line", "said"),
    [
        ("duel", {}, "", "3 is best by itself: no answer to it leaves you less than 50.0 %."),
        ("underdog", {"numbers": 5}, "", "No number is best by itself"),
        ("underdog", {"numbers": 5, "target": 1, "gap": 0}, "", "5 is best by itself"),
        ("circle", {}, "", "Every number is as good: all lose against best play, equally soon."),
        ("circle", {"numbers": 8, "reach": 2}, "1 2 3", "as good: all win by force, within"),
        (
            "underdog",
            {"numbers": 3, "exhausted": "draw"},
            "1-1",
            "Every number is as good: all hold the balance.",
        ),
        (
            "underdog",
            {"numbers": 6},
            "1-5 4-4 6-6",
            "5 alone is enough: no answer to it leaves you less than 50.0 %. The mix is as good.",
        ),
        (
            "factors",
            {"target": 20},
            "9 1 9 8 1 1 1 1",
            "2 wins at once. 1 would make it a draw by repetition.",
        ),
        ("factors", {"target": 20}, "9 3 9 9 9 6", "wins at once."),
        ("factors", {"target": 20}, "7 1", "Every number holds the balance. After"),
        ("margin", {"numbers": 3}, "1-2 2-3", "There is only one number to pick."),
    ],
)
def test_a_hint_says_why(game: str, given: dict[str, Any], line: str, said: str) -> None:
    """A sentence that the table bears out."""
    match = Match(agree(game, given))
    notation.play_line(match, line)
    found = hint(match, evenodds.solve(game, **given), match.waiting()[0])
    assert found is not None
    assert said in " ".join(found.why)


@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_position_has_a_hint(game: Any, data: st.DataObject) -> None:
    """Shares that add up to one, for whoever is asked."""
    match = played(game, data)
    if match.result and match.result.reason == "repetition":
        return  # it ended in the middle of play, where there is still something to say
    solution = evenodds.solve(game, **SMALL[game.name])
    for seat in SEATS:
        found = hint(match, solution, seat)
        if match.result or seat not in match.waiting():
            assert found is None
        else:
            assert found is not None
            assert sum(advice.share for advice in found.advice) == pytest.approx(1)
            assert [advice.number for advice in found.advice] == list(match.choices(seat))
            assert found.why[0].endswith(".")


def test_hint_undo_and_review_on_a_terminal(home: Path) -> None:
    """As a person alone would use them."""
    game = Terminal("play", "duel", "--rule", "hp=3", "--vs", "high", home=home)
    game.see("(1-3):")
    game.type("hint")
    game.see("from here.")
    game.see("3 is best by itself")
    game.see("(1-3):")
    game.type(1)
    game.see("(a/s/o/r/q)")
    game.type("r")
    game.see("gave")
    game.see("Player 1's prospects: ")
    game.see("1 gave away 50.0 %. Better: 3.")
    game.see("(a/s/o/r/q)")
    game.type("q")
    assert game.end() == 0


def test_a_hint_at_the_pause_and_without_a_solver(home: Path) -> None:
    """One line each."""
    typed = lines("hint", "quit")
    done = command("play", "underdog", "--rule", "numbers=20", typed=typed, home=home)
    assert "There is no hint for this match: " in done.stdout
    assert done.returncode == 0


NARROW = """[Game "underdog"]
[Rulings "numbers=6"]
[Player1 "日本語日本語日本語日"]
[Player2 "Wilhelmina Blankfort"]

1-5 4-4 6-6 2-3 5-1 *
"""


def test_a_review_on_a_narrow_screen(home: Path, tmp_path: Path) -> None:
    """A table for each player; sentences break between words, and no figure loses its sign."""
    file = tmp_path / "match.txt"
    file.write_text(NARROW)
    screen = Terminal("review", str(file), home=home, columns=40)
    assert screen.end() == 0
    shown = screen.scrollback()
    heads = "round pick  before  after   gave   luck"
    assert shown.count(heads) == 2
    assert max(map(columns, shown)) < 40
    assert not any(line.strip().startswith("%") for line in shown)
    told = command("review", str(file), home=home).stdout
    figures = re.findall(r"\d+\.\d %", told)
    assert figures
    assert re.findall(r"\d+\.\d %", " ".join(shown)) == figures


def test_a_long_curve_takes_several_lines(home: Path, tmp_path: Path) -> None:
    """As many marks as there were rounds, and one more."""
    file = tmp_path / "match.txt"
    file.write_text('[Game "factors"]\n[Repetition "0"]\n\n' + "1 " * 100 + "*\n")
    screen = Terminal("review", str(file), home=home)
    assert screen.end() == 0
    marks = [line for line in screen.scrollback() if set(line) and set(line) <= set(SPARKS)]
    assert [len(line) for line in marks] == [79, 22]


def test_a_hint_on_a_narrow_screen(home: Path) -> None:
    """The bars give way to what is said."""
    game = Terminal("play", "margin", "--vs", "random", home=home, columns=40)
    game.see("4, 5]:")
    game.type("hint")
    game.see("4, 5]:")
    rows = [line for line in game.scrollback() if "scores" in line and "░" in line]
    assert len(rows) == 5
    assert all(line.endswith(" %") and len(line) < 40 for line in rows)
    game.type("quit")
    assert game.end() == 0


@given(
    words=st.lists(st.sampled_from(["Ann", "日本", "50.0 %", "(<0.1 %),", "longer-word"])),
    indent=st.sampled_from(["", "  ", "- "]),
    width=st.integers(12, 60),
)
def test_lines_break_between_words(words: list[str], indent: str, width: int) -> None:
    """None is too wide, all words are there, and a figure stays with its sign."""
    broken = wrapped(indent + " ".join(words), width)
    assert all(columns(line) <= width for line in broken)
    assert " ".join(" ".join(broken).split()) == " ".join((indent + " ".join(words)).split())
    assert not any(line.strip().startswith("%") for line in broken)
    assert all(line.startswith(" " * len(indent)) for line in broken[1:])


def test_underdogs_own_sentence_holds() -> None:
    """It names the numbers after which no reply wins a point, at every position."""
    game = evenodds.get("underdog")
    for state in Tree(game, game.rulings(numbers=4), inf).states:
        for seat in SEATS:
            named = {int(word) for word in re.findall(r"\d+", game.words.hint(state, seat))}
            other = 1 - seat
            safe = {
                number
                for number in game.picks(state, seat)
                if all(
                    game.step(state, (number, reply) if seat == FIRST else (reply, number)).scores[
                        other
                    ]
                    == state.scores[other]
                    for reply in game.picks(state, other)
                )
            }
            assert named == safe


@pytest.mark.parametrize("given", [{"target": 12}, {"target": 14, "numbers": 12, "same": "twice"}])
def test_factors_own_sentence_holds(given: dict[str, Any]) -> None:
    """It names what takes most, and how much: never more than the other has."""
    game = evenodds.get("factors")
    for state in Tree(game, game.settle(given), inf).states:
        seat = state.turn
        said = game.words.hint(state, seat)
        taken = {}
        for number in game.picks(state, seat):
            pair = (number, PASS) if seat == FIRST else (PASS, number)
            taken[number] = state.scores[1 - seat] - game.step(state, pair).scores[1 - seat]
        most = max(taken.values())
        named = [int(word) for word in re.findall(r"\d+(?! other)", said)]
        if most == 0:
            assert said == ""
        elif set(taken.values()) == {most}:
            assert said == f"Every number takes {most} from the other player."
        else:
            takers = [number for number, cost in taken.items() if cost == most]
            assert named == [*takers[:4], most]
            assert ("other" in said.split(" take")[0]) == (len(takers) > 4)
        assert len(said) < 70


@pytest.mark.parametrize("game", ["underdog", "margin", "duel"])
def test_what_is_said_of_numbers_alone_holds(game: str) -> None:
    """At every position: a number said to be enough has no answer, and otherwise each has one."""
    solution = evenodds.solve(game, **SMALL[game])
    rules = solution.game
    seen = set()
    for state in Tree(rules, solution.rulings, inf).states:
        why_not = why(solution, state, FIRST, judge(solution, state, FIRST))[0]
        least = {
            number: min(
                solution.value(rules.step(state, (number, reply)))
                for reply in rules.picks(state, SECOND)
            )
            for number in rules.picks(state, FIRST)
        }
        enough = [n for n, worst in least.items() if worst > solution.value(state) - 1e-8]
        if "No number is best by itself" in why_not:
            assert not enough
            seen.add("none")
        elif found := re.match(r"([\d, or]+) alone is enough", why_not):
            assert [int(word) for word in re.findall(r"\d+", found[1])] == enough
            seen.add("alone")
        elif found := re.match(r"(\d+) is best by itself", why_not):
            assert int(found[1]) in enough
            seen.add("best")
    assert "best" in seen


def test_a_hint_where_nothing_depends_on_it_favours_no_number(home: Path) -> None:
    """No bar for one of them, and the same share for each."""
    match = Match("circle")
    found = hint(match, evenodds.solve("circle"), FIRST)
    assert found is not None
    assert found.alike
    assert {advice.share for advice in found.advice} == {1 / 10}
    said = command("play", "circle", typed=lines("hint", "quit"), home=home).stdout
    assert "Every number is as good: all lose" in said
    assert "100.0 %" not in said


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("3 1 1 1 1", "makes a draw by repetition; the rest lose."),
        ("3 2 1 1 1 1", "would make it a draw by repetition."),
        ("1 3 3 3 3", "hold the balance"),
        ("3 3 2 2 2 2", "would make it a draw by repetition."),
    ],
)
def test_a_hint_knows_the_draw_by_repetition(picks: str, said: str) -> None:
    """Every number is tried on the match itself, and the table speaks for what goes on."""
    match = Match("factors", {"target": 12})
    notation.play_line(match, picks)
    seat = match.waiting()[0]
    solution = evenodds.solve("factors", target=12)
    found = hint(match, solution, seat)
    assert found is not None
    assert said in found.why[0]
    worths = {}
    for number in match.choices(seat):
        after = Match.rebuild(match.record)
        after.pick(seat, number)
        drawn = after.result is not None and after.result.reason == "repetition"
        value = 0.0 if drawn else solution.value(after.state)
        worths[number] = (1 + (value if seat == FIRST else -value)) / 2
        told = next(advice.said for advice in found.advice if advice.number == number)
        assert drawn == (told == "draws by repetition")
    assert {advice.number: advice.worth for advice in found.advice} == worths
    assert found.score == max(worths.values())
    assert all(worths[advice.number] == found.score for advice in found.advice if advice.share)
    assert found.why[-1] == "A draw by repetition is foreseen one pick ahead, no farther."


def test_a_draw_by_repetition_gives_the_win_away() -> None:
    """Whoever could win and lets the position come up too often has given half of it away."""
    text = (
        '[Game "factors"]\n[Rulings "target=20"]\n[Reason "repetition"]\n\n9 1 9 8 1 1 1 1 1 draw\n'
    )
    found = review(notation.parse(text), evenodds.solve("factors", target=20))
    last = found.choices[-1]
    assert (last.before, last.after, last.gave, last.luck) == (1.0, 0.5, 0.5, 0.0)
    assert found.curve[-1] == 0.5
    assert last in found.lessons()


def test_a_match_given_up_while_ahead_has_its_turning_point_too() -> None:
    """The largest step there was, though it was not towards the winner."""
    text = '[Game "margin"]\n[Reason "resigned"]\n\n1-5 2-1 second\n'
    turning = review(notation.parse(text), evenodds.solve("margin")).turning()
    assert turning is not None
    assert turning.seat == FIRST


def test_one_match_too_large_does_not_stop_the_others(home: Path, tmp_path: Path) -> None:
    """They are reviewed; one line says which were not, and why; the exit code is a no."""
    large = '[Game "underdog"]\n[Rulings "numbers=20"]\n\n7-8 *\n'
    file, page = tmp_path / "matches.txt", tmp_path / "page.html"
    file.write_text(f"{large}\n{MISTAKE}\n{large}")
    for arguments in (["--json"], [], ["-o", str(page)]):
        done = command("review", str(file), *arguments, home=home)
        assert done.returncode == 1
        assert done.stderr.startswith(f"not all of {file} can be reviewed; matches 1 and 3: ")
        assert "positions" in done.stderr
        assert done.stderr.count("\n") == 1
        if not arguments:
            assert "1 gave away 50.0 %" in done.stdout
        if arguments == ["--json"]:
            (line,) = done.stdout.splitlines()
            assert json.loads(line)["match"] == 2
    assert page.read_text().count("<h1>") == 1
    alone = command("review", str(file), "--match", "2", home=home)
    assert alone.returncode == 0


RESIGNED = '[Game "margin"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Reason "resigned"]\n\n{} second\n'


def test_resigning_a_better_position_is_a_lesson(home: Path, tmp_path: Path) -> None:
    """With what it was worth, by the table; resigning an even or a worse one is not."""
    solution = evenodds.solve("margin")
    match = notation.parse(RESIGNED.format("1-5 2-1"))
    worth = (1 + solution.value(match.state)) / 2
    assert worth > 0.6
    found = review(match, solution)
    said = (
        f"Ann resigned a position that was worth {100 * worth:.1f} %, more than a draw. "
        "Better: play on."
    )
    assert lessons(found)[0] == said
    assert as_json(found)["gave_up"] == {"seat": "first", "worth": pytest.approx(worth)}
    assert said.replace(" %", "&nbsp;%") in web_page([found])
    file = tmp_path / "match.txt"
    file.write_text(RESIGNED.format("1-5 2-1"))
    assert f"To learn from:\n- {said}\n" in command("review", str(file), home=home).stdout
    for picks in ("", "5-1"):
        worse = review(notation.parse(RESIGNED.format(picks)), solution)
        assert worse.given_up() is None
        assert as_json(worse)["gave_up"] is None


def test_a_match_resigned_before_its_first_pick_has_its_result(home: Path, tmp_path: Path) -> None:
    """On the screen and on the page; and what there was to learn: who begins a circle loses."""
    file, page = tmp_path / "match.txt", tmp_path / "page.html"
    file.write_text('[Game "circle"]\n[Reason "resigned"]\n\nfirst\n')
    told = command("review", str(file), home=home).stdout
    command("review", str(file), "-o", str(page), home=home)
    learned = "Player 2 resigned a position that was worth 100.0 %, more than a draw."
    for text in (told, page.read_text().replace("&nbsp;", " ")):
        assert "Player 1 won by resignation." in text
        assert "Nothing was played." in text
        assert learned in text


def test_a_review_counts_a_draw_by_repetition_as_no_mistake_where_it_was_best() -> None:
    """Lost by the table, and saved by the third time: nothing was given away."""
    match = Match("factors", {"target": 12})
    notation.play_line(match, "3 1 1 1 1 1")
    assert match.result is not None
    assert match.result.reason == "repetition"
    last = review(match, evenodds.solve("factors", target=12)).choices[-1]
    assert (last.before, last.after, last.gave, last.luck) == (0.0, 0.5, 0.0, 0.5)


def test_the_page_does_not_take_the_place_of_the_record(home: Path, tmp_path: Path) -> None:
    """It is refused, and the record stays."""
    file = tmp_path / "match.txt"
    file.write_text(MISTAKE)
    done = command("review", str(file), "-o", str(file), home=home)
    assert done.returncode == 2
    assert "name another file for the page" in done.stderr
    assert file.read_text() == MISTAKE
