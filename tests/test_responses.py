"""Best responses and exploitability: what can be taken from a way of playing."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import evenodds
from evenodds import catalog
from evenodds.catalog import AnyGame
from evenodds.solver import BadGame, BadPolicy
from evenodds.vocabulary import FIRST, PASS, SECOND, Outcome, Seat, numbers

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("underdog", {"numbers": 4}),
    ("underdog", {"numbers": 3, "target": 2, "gap": 2}),
    ("margin", {"numbers": 4}),
    ("duel", {"hp": 5}),
    ("circle", {"numbers": 8, "reach": 2}),
]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test keeps its tables to itself."""
    monkeypatch.setenv("EVENODDS_HOME", str(tmp_path))


def uniform(name: str) -> Any:
    """Every number open to a seat with the same share."""
    game = catalog.get(name)

    def mix(state: Any, seat: Seat) -> Mapping[int, float]:
        choices = numbers(game.legal(state, seat))
        return {number: 1 / len(choices) for number in choices}

    return mix


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_nothing_can_be_taken_from_exact_play(name: str, given: dict[str, Any]) -> None:
    """In either seat the best response gets the value and no more."""
    solution = evenodds.solve(name, **given)
    value = solution.value(solution.start)
    first = evenodds.best_response(name, solution.mix, FIRST, **given)
    second = evenodds.best_response(name, solution.mix, SECOND, **given)
    assert first.value == pytest.approx(value, abs=1e-8)
    assert second.value == pytest.approx(-value, abs=1e-8)
    assert evenodds.exploitability(name, solution.mix, **given) == pytest.approx(0, abs=1e-8)


def naive_response(game: AnyGame, state: Any, seat: Seat) -> Fraction:
    """The best response to uniform play, by plain recursion in fractions."""
    outcome = game.outcome(state)
    if outcome != Outcome.ONGOING:
        return Fraction(int(outcome) * (1 if seat == FIRST else -1))
    own = numbers(game.legal(state, seat)) or (PASS,)
    theirs = numbers(game.legal(state, 1 - seat)) or (PASS,)

    def after(pick: int, answer: int) -> Fraction:
        picks = (pick, answer) if seat == FIRST else (answer, pick)
        return naive_response(game, game.step(state, picks), seat)

    return max(
        sum(after(pick, answer) for answer in theirs) / Fraction(len(theirs)) for pick in own
    )


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_the_best_response_to_uniform_play_is_exact(name: str, given: dict[str, Any]) -> None:
    """Against recursion in fractions, from either seat."""
    game = catalog.get(name)
    start = game.start(game.settle(given))
    for seat in (FIRST, SECOND):
        found = evenodds.best_response(name, uniform(name), seat, **given)
        assert found.value == pytest.approx(float(naive_response(game, start, seat)), abs=1e-12)
        assert start in found.picks or not numbers(game.legal(start, seat))


def test_a_response_that_is_played_earns_its_value() -> None:
    """Its picks as a policy leave nothing better against what they answer."""
    found = evenodds.best_response("margin", uniform("margin"), FIRST, numbers=3)

    def answer(state: Any, seat: Seat) -> Mapping[int, float]:
        return {found.picks[state]: 1.0}

    other = evenodds.best_response("margin", answer, SECOND, numbers=3)
    assert found.value > 0
    assert other.value >= -found.value


@pytest.mark.parametrize("mix", [{1: 0.5}, {9: 1.0}, {1: 1.5, 2: -0.5}, {1: float("nan")}])
def test_what_is_no_mix_is_refused(mix: dict[int, float]) -> None:
    """With the position where it was given."""
    with pytest.raises(BadPolicy, match="is no mix of"):
        evenodds.exploitability("duel", lambda state, seat: mix, hp=2)


def test_games_with_loops_are_refused() -> None:
    """In one line."""
    with pytest.raises(BadGame, match="factors has loops"):
        evenodds.best_response("factors", uniform("factors"), FIRST)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        evenodds.nonsense  # noqa: B018
