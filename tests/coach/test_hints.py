"""Hints: true sentences about every position, each checked against the rules or the table."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenodds
from evenodds import FIRST, PASS, SECOND, Match, Solution, notation
from tests.coach.test_review import played
from tests.support import coaching
from tests.support.coaching import hint
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as command
from tests.support.examples import example
from tests.support.game_data import data_of, ruled
from tests.support.play import SEATS, is_open, positions
from tests.support.strategies import GAMES


def small(game: Any) -> Solution:
    return evenodds.solve(evenodds.game(game, data_of(game).small))


SAID = [
    ("circle", "", "The player who goes second always wins, whatever anyone picks."),
    ("circle numbers=8 reach=2", "1 2 3", "equally good: they win in at most"),
    ("duel", "", "3 is the best pick, whatever your opponent does."),
    ("duel", "3-1", "3 wins whatever your opponent picks."),
    ("factors target=12", "1 7 1 1 4 1 1 1 1", "6 wins at once. 1 would make it a draw by rep"),
    ("factors target=12", "3 1", "9 wins at once."),
    ("factors target=12", "1", "Every number keeps the game even. "),
    ("margin numbers=3", "1-2 2-3", "There is only one number to pick."),
    ("margin numbers=4", "1-2", "Vary your picks. 3 is always at least as good as 4."),
    ("underdog numbers=5", "", "No single number is safe"),
    ("underdog numbers=5 target=1 gap=0", "", "5 is the best pick"),
    (
        "underdog numbers=3 exhausted=draw",
        "1-1",
        "numbers are equally good: they keep the game even.",
    ),
    ("underdog", "6-4 9-5 1-8", "5 is safe by itself: it keeps your expected score of "),
    ("underdog numbers=6", "1-5 4-4 6-6", "5 is safe by itself, whatever your opponent does. Vary"),
]


@pytest.mark.long
@pytest.mark.parametrize(("typed", "line", "said"), SAID)
def test_a_hint_says_why(typed: str, line: str, said: str) -> None:
    match = Match(*ruled(typed))
    notation.play_line(match, line)
    found = hint(match, evenodds.solve(evenodds.game(*ruled(typed))), match.waiting()[0])
    assert found is not None
    assert said in " ".join(found.why)


def test_a_pick_that_has_a_name_is_called_by_it_where_it_is_the_only_one() -> None:
    pig = evenodds.game(example("pig"), goal=2, sides=2)
    found = hint(Match(pig), evenodds.solve(pig), FIRST)
    assert found is not None
    assert found.why == ["Roll is your only pick."]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_position_has_a_hint(game: Any, data: st.DataObject) -> None:
    match = played(game, data)
    if match.result and match.result.reason == "repetition":
        return  # it ended in the middle of play, where there is still something to say
    solution = small(game)
    for seat in SEATS:
        found = hint(match, solution, seat)
        if match.result or seat not in match.waiting():
            assert found is None
        else:
            assert found is not None
            assert sum(advice.share for advice in found.advice) == pytest.approx(1)
            assert [advice.number for advice in found.advice] == list(match.choices(seat))
            assert found.why[0].endswith(".")


def test_a_hint_is_asked_for_in_a_match_and_without_a_solver(home: Path) -> None:
    typed = lines("hint", "quit")
    done = command("play", "underdog", "--rule", "numbers=20", typed=typed, home=home)
    assert "There is no hint for this match: " in done.stdout
    assert done.returncode == 0
    done = command("play", "duel", "hp=3", "--vs", "high", typed=typed, home=home)
    assert "3 is the best pick" in done.stdout
    assert "your expected score is" in done.stdout


@pytest.mark.processes
def test_a_hint_on_a_narrow_screen(home: Path) -> None:
    game = Terminal("play", "margin", "--vs", "random", home=home, columns=40)
    game.see("4, 5]:")
    game.type("hint")
    game.see("4, 5]:")
    rows = [line for line in game.scrollback() if re.match(r" +[1-5] +\d.*scores", line)]
    assert len(rows) == 5
    assert all(line.endswith("%") and len(line) < 40 for line in rows)
    assert re.fullmatch(r"[\x20-\x7e]*", "".join(game.scrollback()))  # fit for a screen reader
    game.type("quit")
    assert game.end() == 0


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in GAMES if game.simultaneous], ids=str)
def test_what_is_said_of_numbers_alone_holds(game: Any) -> None:
    solution = small(game)
    rules = solution.game
    seen = set()
    for state in positions(rules, solution.rulings):
        why_not = coaching.explain_picks(coaching.evaluate_picks(solution, state, FIRST))[0]
        replies = rules.picks(state, SECOND)
        values = {
            number: [solution.value(rules.step(state, (number, reply))) for reply in replies]
            for number in rules.picks(state, FIRST)
        }
        enough = [n for n, row in values.items() if min(row) > solution.value(state) - 1e-8]
        never_worse = []
        if "No single number is safe" in why_not:
            assert not enough
        elif found := re.match(r"([\d, or]+) is safe by itself", why_not):
            assert [int(word) for word in re.findall(r"\d+", found[1])] == enough
            seen.add("alone")
        elif found := re.match(r"(\d+) is the best pick", why_not):
            assert int(found[1]) in enough
            never_worse += [(int(found[1]), other) for other in values]
            seen.add("best")
        if found := re.search(r"(\d+) is always at least as good as ([\d, or]+)\.", why_not):
            better, *worse = (int(word) for word in re.findall(r"\d+", found[0]))
            never_worse += [(better, other) for other in worse]
        for better, other in never_worse:
            pairs = zip(values[better], values[other], strict=True)
            assert all(one > two - 1e-8 for one, two in pairs)
    assert seen & {"best", "alone"}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_refuted_number_loses_only_where_the_match_ends(game: Any) -> None:
    solution = small(game)
    rules = solution.game
    for state in positions(rules, solution.rulings):
        for seat in SEATS:
            values = coaching.evaluate_picks(solution, state, seat)
            for number in values.suboptimal:
                said = coaching.refutation(values, number)
                if not (found := re.match(rf"{number} loses (\D*)(\d+)", said)):
                    badly = (
                        rf"({number} does badly against \d+|Against \d+(, which is likely here)?, "
                    )
                    assert not said or re.match(rf"{badly}{number} )", said)
                    continue
                reply = int(found[2])
                rounds = [(number, reply)]
                if found[1] != "the match against ":
                    rounds = [(number, PASS), (PASS, reply)]
                after = state
                for picks in rounds:
                    after = rules.step(after, picks if seat == FIRST else picks[::-1])
                assert coaching.expected_score_of(solution, after, seat) == pytest.approx(0)
                assert is_open(rules, after) == (found[1] == "after the reply ")


def test_a_hint_where_nothing_depends_on_it_favours_no_number(home: Path) -> None:
    match = Match("circle")
    found = hint(match, evenodds.solve("circle"), FIRST)
    assert found is not None
    assert found.alike
    assert {advice.share for advice in found.advice} == {1 / 10}
    said = command("play", "circle", typed=lines("hint", "quit"), home=home).stdout
    assert "The player who goes second always wins, whatever anyone picks." in said
    assert "100%" not in said


def tried(match: Match) -> dict[int, tuple[Match, bool]]:
    (seat,) = match.waiting()
    found = {}
    for number in match.choices(seat):
        after = Match.rebuild(match.record)
        after.pick(seat, number)
        found[number] = after, after.result is not None and after.result.reason == "repetition"
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("3 1 1 1 1", "makes a draw by repetition; the rest lose."),
        ("3 2 1 1 1 1", "would make it a draw by repetition."),
        ("1 3 3 3 3", "keep the game even"),
        ("3 3 2 2 2 2", "would make it a draw by repetition."),
    ],
)
def test_a_hint_knows_the_draw_by_repetition(picks: str, said: str) -> None:
    match = Match("factors", {"target": 12})
    notation.play_line(match, picks)
    seat = match.waiting()[0]
    solution = evenodds.solve(evenodds.game("factors", target=12))
    found = hint(match, solution, seat)
    assert found is not None
    assert said in found.why[0]
    worths = {}
    for number, (after, drawn) in tried(match).items():
        value = 0.0 if drawn else solution.value(after.state)
        worths[number] = (1 + (value if seat == FIRST else -value)) / 2
        told = next(advice.text for advice in found.advice if advice.number == number)
        assert drawn == (told == "draws by repetition")
        spoilt = (
            worths[number] > 0.5
            and after.result is None
            and any(repeats for _, repeats in tried(after).values())
        )
        assert spoilt == (told == "lets your opponent draw by repetition")
        worths[number] = 0.5 if spoilt else worths[number]
    assert {advice.number: advice.worth for advice in found.advice} == worths
    assert found.score == max(worths.values())
    assert all(worths[advice.number] == found.score for advice in found.advice if advice.share)
    assert found.why[-1] == (
        "Of draws by repetition only those with this pick or the reply to it are counted."
    )


def test_of_numbers_that_still_win_the_quickest_is_advised() -> None:
    match = Match("factors", {"target": 12})
    notation.play_line(match, "4 5")
    solution = evenodds.solve(evenodds.game("factors", target=12))
    drawn = coaching.RepetitionPicks(made=frozenset({8}))
    found = coaching.evaluate_picks(solution, match.state, FIRST, drawn)
    assert (found.scores[5], found.scores[8], found.mix) == (1.0, 0.5, {9: 1.0})
