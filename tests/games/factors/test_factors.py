"""Clash of Numbers alone: its solution, claims found a second way, hints, words, and `echo`."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import PASS, Outcome
from tests.support import naive
from tests.support.claim_results import claimed
from tests.support.commands import evenodds_here
from tests.support.play import pairs, positions


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("target", "value"), [(1, 1.0), (2, 1.0), (9, 1.0), (13, 1.0), (18, 1.0), (19, 0.0)]
)
def test_factors_up_to_18_are_won_by_first(target: int, value: float) -> None:
    solution = evenodds.solve(evenodds.game("factors", target=target))
    assert solution.value(solution.start) == value


@pytest.mark.long
@pytest.mark.parametrize("opening", ["exempt", "live"])
@pytest.mark.parametrize("finish", ["at_once", "round"])
@pytest.mark.parametrize(("target", "numbers"), [(1, 1), (3, 2), (5, 3)])
def test_who_is_first_may_be_beaten(target: int, numbers: int, finish: str, opening: str) -> None:
    rules = {"target": target, "numbers": numbers, "finish": finish, "opening": opening}
    game, rulings = evenodds.game("factors", rules)
    waiting, seen, beaten, rounds = [(game.start(rulings), False)], set(), None, 0
    while waiting and beaten is None:
        onward = []
        rounds += 1
        for state, had in waiting:
            for after in (game.step(state, picks) for picks in pairs(game, state)):
                if game.outcome(after) == Outcome.SECOND_WINS and had:
                    beaten = rounds
                now = had or after.scores[0] >= target
                if game.outcome(after) == Outcome.ONGOING and (after, now) not in seen:
                    seen.add((after, now))
                    onward.append((after, now))
        waiting = onward
    found = claimed("factors", **rules)["first to the target"]
    assert found.verdict == ("holds" if beaten is None else "undefined")
    assert len(found.line.split()) == (beaten or 0)


@pytest.mark.long
def test_answers_subtract_as_often_as_the_naive_rules_say() -> None:
    rules = naive.stated(*evenodds.game("factors", target=30, numbers=4))
    taking = sum(
        naive.judge("factors", rules, [(4, 0), (0, last), (number, 0)]).figures["scores"][1] < last
        for last, number in product(range(1, 5), range(1, 5))
    )
    said = claimed("factors", target=9, numbers=4)["hindering"].evidence
    assert said.startswith(f"{taking} of 16 answers")


@pytest.mark.long
@pytest.mark.parametrize("opening", ["exempt", "live"])
def test_the_opening_decides_on_first_turns_where_echoes_are_barred(opening: str) -> None:
    rules = {"target": 9, "numbers": 4, "echo": "barred", "opening": opening}
    found = claimed("factors", **rules)["first turns"]
    assert found.verdict == "undefined"
    assert found.evidence.endswith(f": opening={opening} decides.")
    assert found.line == "2 1"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"target": 9, "numbers": 4, "echo": "barred"}, "8 of 12 answers to a number subtract"),
        ({"target": 4}, "18 of 27 answers to a number subtract something."),
        ({"target": 1}, "No match is long enough for it to come up."),
    ],
)
def test_only_answers_that_can_be_given_are_counted(rules: dict[str, Any], said: str) -> None:
    assert claimed("factors", **rules)["hindering"].evidence.startswith(said)


def test_a_pool_without_the_number_just_picked_is_not_whole() -> None:
    found = claimed("factors", target=2, numbers=2, echo="barred", opening="live")["number pool"]
    assert (found.verdict, found.line) == ("fails", "1 1")


@pytest.mark.parametrize("given", [{"target": 10}, {"target": 8, "numbers": 12, "same": "twice"}])
def test_factors_own_sentence_holds(given: dict[str, Any]) -> None:
    game, rulings = evenodds.game("factors", given)
    for state in positions(game, rulings):
        seat = state.turn
        said = game.words.hint(state, seat)
        theirs = state.scores[1 - seat]
        taken = {
            picks[seat]: theirs - game.step(state, picks).scores[1 - seat]
            for picks in pairs(game, state)
        }
        most = max(taken.values())
        if most == 0:
            assert said == ""
        elif set(taken.values()) == {most}:
            assert said == f"Every number takes {most} from your opponent."
        else:
            takers = [number for number, cost in taken.items() if cost == most]
            named = [int(word) for word in re.findall(r"\d+(?! other)", said)]
            assert named == [*takers[:4], most]
            assert ("other" in said.split(" take")[0]) == (len(takers) > 4)
        assert len(said) < 70


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "Player 1 adds 1, a factor of 4, and pulls Player 2 back by 1."),
        (4, "Player 1 adds 4, the same number, and pulls Player 2 back by 4."),
        (5, "Player 1 adds 5."),
        (8, "Player 1 adds 8, a multiple of 4, and pulls Player 2 back by 4."),
    ],
)
def test_a_turn_says_why_it_pulls_the_other_back(number: int, said: str) -> None:
    match = evenodds.Match("factors")
    for picks in ((9, PASS), (PASS, 4), (number, PASS)):
        match.play(picks)
    before, after = match.states[-2:]
    assert match.game.words.round_summary(before, (number, PASS), after, match.names) == said


def test_an_echo_is_refused_where_it_is_barred(tmp_path: Path) -> None:
    rules = ("--rule", "echo=barred", "--rule", "target=20")
    done = evenodds_here("play", "factors", *rules, typed="7\n7\n7\n?\n6\n", home=tmp_path)
    flat = " ".join(done.stdout.split())
    assert "Select a number (1-9, not 7):" in flat
    assert "7 is not allowed: your opponent has just picked it" in flat
    assert "7 may not be repeated." in flat
    assert "Player 1 selects 6." in flat


@pytest.mark.long
def test_without_echoes_the_race_comes_to_an_end() -> None:
    for echo, endless in (("free", 1), ("barred", 0)):
        ruled = evenodds.game("factors", target=10, numbers=4, echo=echo)
        solution = evenodds.solve(ruled)
        odds = evenodds.odds(ruled, solution, solution, repetition=0)
        assert odds.endless == endless
        assert (odds.length is None) == bool(endless)
        assert evenodds.odds(ruled, solution, solution, repetition=3).draw == endless


def test_a_pool_of_one_number_may_be_echoed() -> None:
    game, rulings = evenodds.game("factors", numbers=1, target=5, echo="barred")
    assert all(set(pairs(game, state)) <= {(1, 0), (0, 1)} for state in positions(game, rulings))
    assert len(positions(game, rulings)) > 3
