"""The sentences of a verdict against figures found a second way, and against each other."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, SECOND, Uniform, best_response
from evenodds.core.catalog import add
from evenodds.engine.solve import solve_settled
from tests.support import studies
from tests.support.examples import example
from tests.support.game_data import cases
from tests.support.play import SEATS, is_open, pairs, positions

NEAR = 1e-7


def decisions(game: Any, rulings: Any) -> Iterator[dict[int, list[float]]]:
    """Every decision: what each number is worth to who decides, reply by reply."""
    solution = solve_settled(game, rulings)

    def worth(state: Any) -> float:
        return solution.value(state) if is_open(game, state) else float(game.outcome(state))

    for state in positions(game, rulings):
        value = {pair: worth(game.step(state, pair)) for pair in pairs(game, state)}
        first, second = (game.picks(state, seat) for seat in SEATS)
        if len(first) > 1:
            yield {one: [value[one, two] for two in second] for one in first}
        if len(second) > 1:
            yield {two: [-value[one, two] for one in first] for two in second}


def never_worse(one: list[float], two: list[float]) -> bool:
    return all(a >= b - NEAR for a, b in zip(one, two, strict=True))


def can_go(lines: dict[int, list[float]], number: int, gone: set[int]) -> bool:
    return any(never_worse(lines[n], lines[number]) for n in lines if n not in gone | {number})


@pytest.mark.long
@pytest.mark.parametrize(("name", "rules"), cases("verdicts"), ids=str)
def test_sentences_follow_from_figures_and_agree(name: str, rules: dict[str, Any]) -> None:
    game, rulings = evenodds.game(name, rules)
    study = studies.study_of(game, rulings)
    fair, _, _, choices, skill, numbers = studies.sentences_of(study)
    asked = {kept.name: kept.verdict for kept in studies.claim_results_of(game, rulings).questions}
    met = list(decisions(game, rulings))
    idle = [
        all(max(reply) - min(reply) <= NEAR for reply in zip(*lines.values(), strict=True))
        for lines in met
    ]
    share = Fraction(sum(idle), len(idle)) if idle else Fraction(1)

    assert choices.startswith("Every choice matters") == (share == 0)
    assert choices.startswith("No choice matters") == (bool(idle) and share == 1)
    assert skill.startswith("There is no room for skill") == (bool(idle) and share == 1)
    assert ("No number is ever better than another" in numbers) == (bool(idle) and share == 1)
    answer = "no" if share == 1 else "partly" if share > 0.5 else "yes"
    assert asked["choices"] == (answer if idle else "undefined")
    if 0 < share < 1:
        assert (
            studies.percent(float(share)) in choices or studies.percent(float(1 - share)) in choices
        )

    gone = set(study.choice.useless)
    for lines in met:
        assert all(can_go(lines, number, gone) for number in gone & set(lines))
    spare: set[int] = set()
    for number in {number for lines in met for number in lines}:
        offered = [lines for lines in met if number in lines]
        better = any(
            never_worse(lines[n], lines[number]) and not never_worse(lines[number], lines[n])
            for lines in offered
            for n in lines
        )
        alone = better and all(can_go(lines, number, set()) for lines in offered)
        assert number not in gone or alone
        spare |= {number} if alone else set()
    for number in spare - gone:  # only others that could go as well stand in for it
        assert not all(can_go(lines, number, spare) for lines in met if number in lines)
    if gone:
        assert numbers.startswith(f"{studies.format_number_ranges(study, gone)} ")
        assert asked["useless"] == "yes"
    assert ("useless:" in numbers and not numbers.startswith("No number")) == bool(gone)
    assert numbers.startswith("No number is useless") <= (asked["useless"] == "no")

    if share < 1:
        times, ruled = study.repetition, evenodds.game(game, rules)
        answers = [best_response(ruled, Uniform(game), seat, repetition=times) for seat in SEATS]
        best = 0.5 + sum(answer.value for answer in answers) / 4
        assert ("as good as any" in skill) == (best <= 0.5 + NEAR)
        told = re.search(r"best response to random picks scores (>?[\d.]+%)", skill)
        if best > max(0.5, study.skill.perfect_score) + NEAR:
            assert told
            assert told[1] == studies.percent(best)
        else:
            assert not told
        felt = max(best, study.skill.perfect_score) >= 0.6 - NEAR
        assert (asked["skill"] != "no") == felt
    else:
        assert asked["skill"] == ("no" if idle else "undefined")

    value = solve_settled(game, rulings).value(game.start(rulings))
    assert fair.startswith("It is fair") == (abs(value) <= NEAR) == (asked["fair"] == "yes")
    for seat, word in ((FIRST, "first"), (SECOND, "second")):
        if f"the {word} player wins" in fair + skill:
            assert value == (1 if seat == FIRST else -1)


@pytest.mark.long
def test_a_draw_that_random_players_hardly_ever_reach_is_possible() -> None:
    study = studies.study_of(*evenodds.game("underdog", numbers=4, target=1))
    random = study.plays["random"]
    random = random._replace(odds=random.odds._replace(draw=1e-10))
    study = study._replace(plays=study.plays | {"random": random})
    (said,) = (a.evidence for a in studies.verdict_answers(study) if a.name == "draws")
    assert said == (
        "Draws are possible. Random players draw <0.1% of their matches; "
        "perfect players draw 25.9%."
    )
    assert study.outcomes == ["first", "second", "draw"]


def test_numbers_that_a_long_game_may_use_later_are_not_called_unused() -> None:
    study = studies.study_of(*evenodds.game("margin", numbers=3))
    for rounds, is_all in ((29, True), (30, False)):  # no more rounds than these are looked at
        choice = study.choice._replace(use=[{1: 0.0, 3: 1.0}] * rounds)
        said = studies.sentences_of(study._replace(choice=choice))[-1]
        assert said.endswith("never pick 1.") == is_all


def test_picks_have_their_names() -> None:
    for name, given, start in (
        ("oshi_zumo", {"coins": 5}, "Bid 2 to bid 5 are useless: "),
        ("pig", {"goal": 4}, "No number is useless: roll is a best pick in 22.2%"),
    ):
        add(example(name))
        study = studies.study_of(*evenodds.game(name, given))
        assert studies.sentences_of(study)[-1].startswith(start)
