"""What is wrong is refused in one line, wherever it is given to the solver."""

from typing import Any

import pytest

import evenodds
from evenodds.solver import BadPolicy, TooLarge, Unreachable, listing
from evenodds.vocabulary import FIRST


@pytest.mark.parametrize("name", ["margin", "circle", "duel"])
def test_a_solution_of_other_rulings_is_no_policy_here(name: str) -> None:
    """It would be looked for in a table that does not hold it."""
    key = {"margin": "numbers", "circle": "numbers", "duel": "hp"}[name]
    solution = evenodds.solve(name, **{key: 3})
    elsewhere = evenodds.solve("underdog", numbers=3)
    uniform = evenodds.Uniform(name)
    for wrong in (solution, solution.mix, elsewhere):
        with pytest.raises(BadPolicy, match="of another game or of other rulings"):
            evenodds.odds(name, wrong, uniform, **{key: 4})
        with pytest.raises(BadPolicy, match="of another game or of other rulings"):
            evenodds.exploitability(name, wrong, **{key: 4})
        with pytest.raises(BadPolicy, match="of another game or of other rulings"):
            evenodds.simulate(name, wrong, matches=10, **{key: 4})
    with pytest.raises(BadPolicy, match="for underdog, not for"):
        evenodds.odds(name, evenodds.Uniform("underdog"), uniform)


@pytest.mark.parametrize("policy", ["uniform", None, 5, b"x"])
def test_what_is_no_policy_is_told_what_is(policy: Any) -> None:
    """A word, nothing, a number."""
    with pytest.raises(BadPolicy, match="is no policy; a policy is a function"):
        evenodds.exploitability("duel", policy, hp=3)


@pytest.mark.parametrize(
    "mix", [None, 3, [1], "1", {}, {True: 1.0}, {1.0: 1.0}, {1: "1"}, {1: None}, {9: 1.0}]
)
def test_what_is_no_mix_is_refused_with_the_position(mix: Any) -> None:
    """Whatever a policy answers."""
    with pytest.raises(BadPolicy, match="is no mix of 1, 2, 3 at"):
        evenodds.odds("margin", lambda state, seat: mix, evenodds.Uniform("margin"), numbers=3)


@pytest.mark.parametrize("ask", ["value", "distance", "matrix", "saddle"])
@pytest.mark.parametrize("game", ["margin", "circle"])
def test_every_question_refuses_what_is_no_position(ask: str, game: str) -> None:
    """Of no game, of another, of other rulings, of no line of play."""
    solution = evenodds.solve(game, numbers=3)
    other = evenodds.solve("duel").start
    rulings = evenodds.solve(game, numbers=4).start
    changes: dict[str, list[dict[str, Any]]] = {
        "margin": [{"hands": (2, 2), "points": (50, 0)}, {"points": (0.5, 0)}, {"points": None}],
        "circle": [{"last": 2}, {"turn": 0.5}, {"free": "a"}],
    }
    changed = [solution.start._replace(**change) for change in changes[game]]
    for wrong in ("x", None, float("nan"), other, rulings, *changed):
        with pytest.raises(Unreachable):
            getattr(solution, ask)(wrong)
        with pytest.raises(Unreachable):
            solution.mix(wrong, FIRST)
        with pytest.raises(Unreachable):
            solution.yields(wrong, FIRST)


@pytest.mark.parametrize("seat", [2, -1, "first", None, 0.0, 1.0])
def test_what_is_no_seat_is_refused(seat: Any) -> None:
    """In one line, everywhere."""
    solution = evenodds.solve("duel", hp=3)
    for ask in (solution.mix, solution.yields):
        with pytest.raises(ValueError, match="is no seat; it is FIRST"):
            ask(solution.start, seat)
    with pytest.raises(ValueError, match="is no seat; it is FIRST"):
        evenodds.best_response("duel", solution, seat, hp=3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("matches", -5),
        ("matches", 1.5),
        ("matches", "10"),
        ("seed", None),
        ("seed", 1.5),
        ("seed", 2**62),
        ("seed", -1),
        ("longest", 0),
        ("longest", 10**12),
        ("longest", None),
    ],
)
def test_counts_that_make_no_sense_are_refused(key: str, value: Any) -> None:
    """With what is allowed."""
    with pytest.raises(ValueError, match=f"{key}=.* is not allowed; allowed: "):
        evenodds.simulate("duel", **{key: value})


def test_games_can_be_listed_more_than_once() -> None:
    """The folder of the games does not stand in the way."""
    assert evenodds.list_games() == evenodds.list_games()


def test_growth_that_slows_down_tells_the_size() -> None:
    """As the layers of margin with 8 numbers do; growth that does not slow down tells nothing."""
    layers = [1, 64, 2436, 29596, 141023, 245306, 136356, 21016]
    for known in range(4, len(layers) + 1):
        assert listing._projected(layers[:known]) == pytest.approx(sum(layers), rel=0.6)
    assert listing._projected([1, 10, 100, 1000]) == 0
    assert listing._projected([1, 10]) == 0


@pytest.mark.xdist_group("compiled")
def test_a_projection_far_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before the limit is reached."""
    monkeypatch.setenv("EVENODDS_MEMORY_MB", "100")
    with pytest.raises(TooLarge, match=r"so far and more to come, about [\d,]+ in all") as refused:
        evenodds.solve("margin", numbers=10)
    so_far = int(str(refused.value).split()[0].replace(",", ""))
    allowed = int(str(refused.value).split()[-1].replace(",", ""))
    assert so_far < allowed
