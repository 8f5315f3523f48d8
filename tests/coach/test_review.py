"""The coach: the review of matches with known mistakes, told, shown and as a page."""

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import FIRST, PASS, SECOND, Match, Solution, notation
from tests.support import coaching
from tests.support.coaching import Review, as_json, hint, lessons, review, turning_point
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as command
from tests.support.game_data import data_of
from tests.support.opponents import names_in_record
from tests.support.play import by_chance, play
from tests.support.strategies import GAMES

MISTAKE = """[Game "duel"]
[Rulings "hp=3"]
[Player1 "Ann"]
[Player2 "<Bob & Co>"]

1-2 3-3 second
"""
"""In a duel of three health the 3 wins at once against anything lower; 1 throws that away."""


def played(game: Any, data: st.DataObject) -> Match:
    match = Match(game, data_of(game).small)
    rounds = data.draw(st.integers(0, 12))
    return play(match, lambda match, seat: data.draw(st.sampled_from(match.choices(seat))), rounds)


def written(folder: Path, text: str) -> Path:
    (folder / "match.txt").write_text(text)
    return folder / "match.txt"


def reviewed(text: str) -> Review:
    match = notation.parse(text)
    return review(match, evenodds.solve(evenodds.RuledGame(match.game, match.terms.rulings)))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_what_changes_in_a_round_is_given_away_or_luck(game: Any, data: st.DataObject) -> None:
    match = played(game, data)
    found = review(match, evenodds.solve(evenodds.game(game, data_of(game).small)))
    assert len(found.curve) == len(match.history) + 1
    for round in range(1, len(match.history) + 1):
        made = {choice.seat: choice for choice in found.picks if choice.round == round}
        for seat, choice in made.items():
            won = made[1 - seat].loss if 1 - seat in made else 0.0
            assert choice.after - choice.before == pytest.approx(
                won - choice.loss + choice.luck, abs=1e-8
            )
            assert choice.loss >= 0
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
    match = played(game, data)
    solution = evenodds.solve(evenodds.game(game, data_of(game).small))
    for seat in match.waiting() if match.result is None else ():
        judged = coaching.evaluate_picks(solution, match.state, seat)
        assert all(judged.loss(number) == 0 for number in judged.mix)
        replies = solution.punishing_mix(match.state, 1 - seat) or {PASS: 1.0}
        for number in judged.scores:
            after = 0.0
            for reply, share in replies.items():
                pair = (number, reply) if seat == FIRST else (reply, number)
                value = solution.value(game.step(match.state, pair))
                after += share * (1 + (value if seat == FIRST else -value)) / 2
            assert after == pytest.approx(judged.score - judged.loss(number), abs=1e-8)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_judgement_looks_at_its_matrix_once(game: Any) -> None:
    solved = evenodds.solve(evenodds.game(game, data_of(game).small))
    yields = solved.pick_values(solved.start, FIRST)
    steps: list[Any] = []

    def counted(state: Any, picks: Any) -> Any:
        steps.append(picks)
        return game.step(state, picks)

    solution = Solution(game._replace(step=counted), solved.rulings, solved.solved)
    found = coaching.evaluate_picks(solution, solution.start, FIRST)
    if game.simultaneous:
        assert len(steps) == len(set(steps)) == len(yields) ** 2
    assert list(found.scores) == list(yields)
    for number, worth in yields.items():
        assert found.scores[number] == pytest.approx((1 + worth) / 2, abs=1e-12)


def test_a_known_mistake_is_named_with_its_cost() -> None:
    found = reviewed(MISTAKE)
    first, answer, *rest = found.picks
    solution = evenodds.solve(evenodds.game("duel", hp=3))
    value = Fraction(solution.value(solution.start)).limit_denominator(1000)
    assert first.before == pytest.approx(float((1 + value) / 2))
    assert first.loss > 0.25
    assert found.lessons()[0] == first
    assert found.accuracy(FIRST) is None  # too few decisions for a figure
    turning = found.turning_point()
    assert turning is not None
    assert turning.seat == answer.seat == SECOND
    assert rest


def test_a_review_is_told_shown_and_given_as_data(home: Path, tmp_path: Path) -> None:
    file = written(tmp_path, MISTAKE)
    told = command("review", str(file), home=home)
    assert told.returncode == 0
    assert "Number Duel (hp=3): Ann against <Bob & Co>. <Bob & Co> won." in told.stdout
    assert "To learn from:\n- Round 1: Ann's 1 was a mistake. Better: 3." in told.stdout
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
    assert coaching.render_review_page([reviewed(MISTAKE)]) == html


def test_the_page_has_room_on_a_telephone() -> None:
    name = "W" * 20
    text = MISTAKE.replace("Ann", name)
    html = coaching.render_review_page([reviewed(text)])
    style, body = html.split("</style>")
    assert "overflow-wrap: anywhere" in style
    assert "tr { display: grid;" in style.split("@media (max-width: 34rem)")[1]
    assert all(name not in told for told in re.findall(r"<text.*?</text>", body))
    said = body.replace("<title>", "").split("<table>")[0].split("</svg>")[1]
    assert not re.search(r"\d %", said)


def test_reviews_of_many_matches_and_of_a_kept_one(home: Path, tmp_path: Path) -> None:
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
        (["zzzz"], 'there is no match "zzzz"; evenodds matches lists yours'),
        (["1"], 'there is no match "1"; evenodds matches lists yours'),
        (["nothing.txt"], "nothing.txt cannot be read: No such file or directory"),
        (["FILE", "--match", "2"], "holds one match; there is no match 2"),
        (["FILE", "--json", "-o", "x.html"], "--json and -o exclude each other"),
        (["FILE", "-o", "FILE"], "name another file for the page"),
        (["FILE", "-o", "no/such/folder.html"], "no/such/folder.html cannot be written: No such"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_one_line(
    arguments: list[str], problem: str, home: Path, tmp_path: Path
) -> None:
    file = written(tmp_path, MISTAKE)
    done = command("review", *[str(file) if a == "FILE" else a for a in arguments], home=home)
    assert done.returncode != 0
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    assert file.read_text() == MISTAKE


NARROW = """[Game "underdog"]
[Rulings "numbers=5"]
[Player1 "日本語日本語日本語日"]
[Player2 "Wilhelmina Blankfort"]

1-5 4-4 5-1 2-3 *
"""


@pytest.mark.processes
def test_a_review_on_a_narrow_screen(home: Path, tmp_path: Path) -> None:
    file = written(tmp_path, NARROW)
    screen = Terminal("review", str(file), home=home, columns=40)
    assert screen.end() == 0
    shown = screen.scrollback()
    assert shown.count("round pick  before  after   cost  guess") == 2
    assert max(map(coaching.display_width, shown)) < 40
    assert not any(line.strip().startswith("%") for line in shown)
    told = command("review", str(file), home=home).stdout
    figures = re.findall(r"\d+(?:\.\d)?%", told)
    assert figures
    assert re.findall(r"\d+(?:\.\d)?%", " ".join(shown)) == figures


@pytest.mark.processes
def test_a_long_curve_takes_several_drawings(home: Path, tmp_path: Path) -> None:
    head = '[Game "factors"]\n[Rulings "target=3 numbers=2"]\n[Repetition "0"]\n\n'
    file = written(tmp_path, f"{head}{'1 ' * 100}*\n")
    screen = Terminal("review", str(file), home=home)
    assert screen.end() == 0
    marks = [line for line in screen.scrollback() if re.fullmatch("  0% [▁▂▃▄▅▆▇█]+", line)]
    assert [len(line) for line in marks] == [79, 32]


@given(
    words=st.lists(st.sampled_from(["Ann", "日本", "50%", "(<0.1%),", "longer-word"])),
    indent=st.sampled_from(["", "  ", "- "]),
    width=st.integers(13, 60),
)
def test_lines_break_between_words(words: list[str], indent: str, width: int) -> None:
    broken = coaching.wrapped(indent + " ".join(words), width)
    assert all(coaching.display_width(line) <= width for line in broken)
    assert " ".join(" ".join(broken).split()) == " ".join((indent + " ".join(words)).split())
    assert not any(line.strip().startswith("%") or line.strip() == "-" for line in broken if words)
    assert all(line.startswith(" " * len(indent)) for line in broken[1:])


@pytest.mark.long
def test_one_match_too_large_does_not_stop_the_others(home: Path, tmp_path: Path) -> None:
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
            assert "1 was a mistake" in done.stdout
        if arguments == ["--json"]:
            (line,) = done.stdout.splitlines()
            assert json.loads(line)["match"] == 2
    assert page.read_text().count("<h1>") == 1
    assert command("review", str(file), "--match", "2", home=home).returncode == 0
    alone = command("review", str(file), "--match", "1", home=home)
    assert (alone.returncode, alone.stdout, alone.stderr.count("\n")) == (1, "", 1)


RESIGNED = '[Game "margin"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Reason "resigned"]\n\n{} second\n'


def test_resigning_a_better_position_is_a_lesson(home: Path, tmp_path: Path) -> None:
    solution = evenodds.solve("margin")
    match = notation.parse(RESIGNED.format("1-5 2-1"))
    worth = (1 + solution.value(match.state)) / 2
    assert worth > 0.6
    found = review(match, solution)
    turning = found.turning_point()
    assert turning is not None
    assert turning.seat == FIRST  # the largest step, though it was not towards the winner
    shown = coaching.percent(worth)
    said = f"Ann resigned in a good position (expected score {shown}). Better: play on."
    assert lessons(found)[0] == said
    assert turning_point(found).endswith(f"the resignation: Ann's expected score was {shown}.")
    assert as_json(found)["gave_up"] == {"seat": "first", "worth": pytest.approx(worth)}
    assert said.replace(" %", "\N{NO-BREAK SPACE}%") in coaching.render_review_page([found])
    file = written(tmp_path, RESIGNED.format("1-5 2-1"))
    assert f"To learn from:\n- {said}\n" in command("review", str(file), home=home).stdout
    for picks in ("", "5-1"):
        worse = review(notation.parse(RESIGNED.format(picks)), solution)
        assert worse.premature_resignation() is None
        assert "resignation" not in turning_point(worse)
        assert as_json(worse)["gave_up"] is None


def test_a_match_resigned_before_its_first_pick_has_its_result(home: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    file = written(tmp_path, '[Game "circle"]\n[Reason "resigned"]\n\nfirst\n')
    told = command("review", str(file), home=home).stdout
    command("review", str(file), "-o", str(page), home=home)
    learned = "Player 2 resigned in a good position (expected score 100%)."
    for text in (told, page.read_text().replace("\N{NO-BREAK SPACE}", " ")):
        assert "Player 1 won: Player 2 resigned." in text
        assert "Nothing was played." in text
        assert learned in text


@pytest.mark.parametrize(
    ("reason", "result", "said"),
    [
        ("time", "first", "Player 1 won: Player 2 took too long."),
        ("void", "draw", "The match was void."),
        ("forfeit", "first", "Player 1 won by forfeit."),
    ],
)
def test_how_a_match_ended_that_no_rule_has_ended(reason: str, result: str, said: str) -> None:
    match = notation.parse(f'[Game "circle"]\n[Reason "{reason}"]\n\n{result}\n')
    assert coaching.result_line(match) == said


@pytest.mark.parametrize("reason", ["time", "forfeit"])
def test_a_match_that_no_pick_decided_has_no_turning_point(reason: str) -> None:
    found = reviewed(f'[Game "margin"]\n[Reason "{reason}"]\n\n1-5 2-1 second\n')
    assert found.turning_point() is None
    assert turning_point(found) == "There was no turning point: no pick decided the match."


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "allowed", "last"),
    [
        ("9 1 1 3 1 1 1 1 1", None, (1.0, 0.5, 0.5, 0.0)),
        ("3 1 1 1 1 1", (1.0, 0.5, 0.5, 0.0), (0.5, 0.5, 0.0, 0.0)),
    ],
)
def test_a_draw_by_repetition_gives_a_win_away_or_saves_what_was_lost(
    line: str, allowed: tuple[float, ...] | None, last: tuple[float, ...]
) -> None:
    match = Match("factors", {"target": 12})
    notation.play_line(match, line)
    assert match.result is not None
    assert match.result.reason == "repetition"
    found = review(match, evenodds.solve(evenodds.game("factors", target=12)))
    *_, before, final = ((one.before, one.after, one.loss, one.luck) for one in found.picks)
    assert final == last
    assert allowed in (None, before)
    assert found.curve[-1] == 0.5
    assert (found.picks[-1] in found.lessons()) == (allowed is None)


ALLOWED = "5 8 5 2 5 6 6 7 4 5 1 1 2 1 4 3 1 2 6 8 7 4 4 4 4"
"""Player 1 has won, and lets Player 2 bring a position about for the third time."""


@pytest.mark.xdist_group("compiled")
@pytest.mark.parametrize(("reply", "row"), [("4", "50 50 - "), ("9 5", "50 0 50 ")])
def test_whoever_lets_the_other_repeat_gave_the_win_away(reply: str, row: str) -> None:
    solution, match = evenodds.solve("factors"), Match("factors", {})
    notation.play_line(match, ALLOWED.removesuffix(" 4"))
    warned = hint(match, solution, FIRST)
    notation.play_line(match, "4")
    saved = hint(match, solution, SECOND)
    notation.play_line(match, reply)
    assert warned is not None
    assert saved is not None
    assert warned.advice[3].text == "lets your opponent draw by repetition"
    assert "4 would let your opponent make it a draw by repetition." in warned.why[0]
    assert "4 makes a draw by repetition; the rest lose." in saved.why[0]
    found = review(match, solution)
    allowed, answer = found.picks[24:26]
    assert coaching.pick_cells(allowed) == ("100", "50", "50", "")
    assert " ".join(coaching.pick_cells(answer)) == row
    assert (allowed.before, answer.before) == (warned.score, saved.score)
    assert "Turn 25: Player 1's 4 was a mistake." in " ".join(lessons(found))
    assert "Of draws by repetition only" in coaching.explain_figures(found)
    assert "Of draws by repetition only" in coaching.render_review_page([found])


def foreseen(match: Match, solution: Solution, left: int) -> float:
    """What the seat to pick scores by trying every number on the match itself, so far ahead."""
    (seat,) = match.waiting()
    scores = []
    for number in match.choices(seat):
        match.pick(seat, number)
        repeated = match.result is not None and match.result.reason == "repetition"
        if repeated or match.result or not left:
            value = 0.0 if repeated else solution.value(match.state)
            scores.append((1 + (value if seat == FIRST else -value)) / 2)
        else:
            # the other has the table's word too: it repeats only where that helps
            table = (1 + solution.value(match.state) * (1 if seat == FIRST else -1)) / 2
            scores.append(min(table, 1 - foreseen(match, solution, left - 1)))
        match.undo()
    return max(scores)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("repetition", [2, 3])
@pytest.mark.parametrize("given", [{"target": 12}, {"target": 10, "numbers": 3}], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_reviews_say_what_hints_said(given: dict[str, int], repetition: int, seed: int) -> None:
    chance, solution = Random(seed), evenodds.solve(evenodds.game("factors", given))
    match = Match("factors", given, repetition=repetition)
    scores, deeper = [], []
    while match.result is None and len(match.history) < 24:
        (seat,) = match.waiting()
        told = hint(match, solution, seat)
        assert told is not None
        scores.append(told.score)
        tried = Match.rebuild(match.record)
        assert told.score == foreseen(tried, solution, 1)
        deeper.append(told.score != foreseen(tried, solution, 2))
        kept = [advice.number for advice in told.advice if advice.worth == told.score]
        lowest = match.choices(seat)[0]  # it moves least, and so the same position comes again
        any_number = chance.choice(match.choices(seat))
        match.pick(seat, chance.choice([chance.choice(kept), any_number, lowest, lowest]))
    found = review(match, solution)
    assert [choice.before for choice in found.picks] == scores
    for choice, far in zip(found.picks, deeper, strict=True):
        assert choice.luck == 0 or far
        assert choice.loss == pytest.approx(choice.before - choice.after + choice.luck)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_parts_of_a_turning_point_add_up(game: Any) -> None:
    chance, solution = Random(11), evenodds.solve(evenodds.game(game, data_of(game).small))
    for _ in range(40):
        match = Match(game, data_of(game).small, players=("Ann", "Bob"))
        found = review(play(match, by_chance(chance), chance.randint(1, 12)), solution)
        turning, said = found.turning_point(), turning_point(found)
        if turning is None:
            assert said == "There was no turning point: no pick changed the expected result."
            continue
        parts = turning.by_mistake + turning.by_luck - turning.gave
        assert turning.gained == pytest.approx(parts, abs=1e-8)
        assert as_json(found)["turning"]["gave"] == turning.gave
        names = found.match.names
        loser = names[1 - turning.seat]
        assert f"{game.round_word} {turning.round}: " in said
        assert coaching.percent(turning.gained).removesuffix("%") in said
        assert (f"{loser}'s mistake" in said) == (turning.by_mistake > 0)
        assert ("by a mistake" in said) == (turning.gave > 0)
        assert ("outguess" in said) == (turning.by_luck != 0)
        assert ("by being outguessed" in said) == (turning.by_luck < 0)


@pytest.mark.parametrize(
    ("mistake", "luck", "gave", "said"),
    [
        (0.5, 0.0, 0.0, "Bob's mistake raised Ann's expected score by 50 percentage points."),
        (0.0, 0.5, 0.0, "Ann outguessed Bob and gained 50%."),
        (0.2, 0.3, 0.0, "Ann won 20% by Bob's mistake and 30% by outguessing Bob"),
        (0.0, 0.6, 0.1, "Ann won 60% by outguessing Bob, but lost 10% by a mistake"),
        (0.8, -0.3, 0.0, "Ann won 80% by Bob's mistake, but lost 30% by being outguessed"),
        (0.8, 0.0, 0.3, "Ann won 80% by Bob's mistake, but lost 30% by a mistake"),
        (
            0.5,
            0.5,
            0.5,
            "50% by Bob's mistake and 50% by outguessing Bob, but lost 50% by a mistake",
        ),
        (0.9, -0.3, 0.1, "but lost 10% by a mistake and 30% by being outguessed"),
    ],
)
def test_a_turning_point_has_its_parts(mistake: float, luck: float, gave: float, said: str) -> None:
    class Told(Review):
        def turning_point(self) -> coaching.TurningPoint:
            return coaching.TurningPoint(1, FIRST, mistake + luck - gave, mistake, luck, gave)

    told = turning_point(Told(*reviewed(GAINED)))
    assert told.endswith(said if said.endswith(".") else f"{said}: a gain of 50%.")


def test_accuracy_is_a_figure_where_much_was_to_decide_and_words_elsewhere() -> None:
    found = reviewed('[Game "underdog"]\n\n3-5 1-9 2-6 second\n')
    assert re.match(r"Accuracy: Player 1 \d+(\.\d)?% \(100%: .*\)\.", coaching.accuracies(found))

    class Worst(Review):
        def accuracy(self, seat: int) -> float:
            return 0.0

    assert "ccuracy" not in coaching.accuracies(Worst(*found))


GAINED = '[Game "duel"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n\n2-1 2-1 3-2 3-1 first\n'


def test_a_review_speaks_to_the_person_who_played_a_computer() -> None:
    match = notation.parse(GAINED)
    terms = match.terms._replace(players=("Player 1", "Player 2"), computers=("level:4", ""))
    found = review(match, evenodds.solve("duel"), names_in_record(terms))
    assert coaching.result_line(match, found.names) == "Level 4 won."
    assert "Level 4 won 50% by your mistake and 50% by outguessing you" in turning_point(found)
    mistakes = "2 of Level 4's picks were mistakes. 1 of your picks was a mistake."
    assert coaching.accuracies(found) == mistakes
    assert "Round 1: your 1 was a mistake." in " ".join(lessons(found))
    label, scores = coaching.expected_scores(found)
    assert (label, scores[-1]) == ("Your expected score", 0.0)
