"""What is wrong is refused in one line, wherever it is given to the solver."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, BadPolicy, TooLarge, Uniform, UnreachablePosition
from tests.support.commands import evenodds_here as command
from tests.support.engine import SeatEnv, pettingzoo, projected_size
from tests.support.game_data import WITH_DATA, data_of
from tests.support.packages import install

RULED = [game for game in WITH_DATA if data_of(game).small]
"""Games that are solved under other rulings than the usual ones, too."""


@pytest.mark.long
@pytest.mark.parametrize("game", RULED, ids=lambda game: game.name)
def test_a_solution_of_other_rulings_is_no_policy_here(game: Any) -> None:
    ruled = evenodds.game(game, data_of(game).measured[-1])
    solution = evenodds.solve(evenodds.game(game, data_of(game).small))
    assert solution.rulings != ruled.rulings
    other = next(one for one in RULED if one is not game)
    elsewhere = evenodds.solve(evenodds.game(other, data_of(other).small))
    uniform = Uniform(game)
    asks: list[Callable[[Any], Any]] = [
        lambda wrong: evenodds.odds(ruled, wrong, uniform),
        lambda wrong: evenodds.exploitability(ruled, wrong),
        lambda wrong: evenodds.simulate(ruled, wrong, matches=10),
    ]
    for wrong in (solution, solution.mix, elsewhere):
        for ask in asks:
            with pytest.raises(BadPolicy, match="of another game or of other rulings"):
                ask(wrong)
    with pytest.raises(BadPolicy, match=f"for {other.name}, not for"):
        evenodds.odds(ruled, Uniform(other), uniform)


@pytest.mark.parametrize(
    "mix",
    [
        *(None, True, [1], "1", {}, {True: 1.0}, {1.0: 1.0}, {1: "1"}, {1: None}, {9: 1.0}),
        *({1: 10**400}, {1: 2, 2: -1}, {1: 0.5}, {1: 1.5, 2: -0.5}, {1: float("nan")}),
    ],
)
def test_what_is_no_mix_is_refused_with_the_position(mix: Any) -> None:
    margin = evenodds.game("margin", numbers=3)
    with pytest.raises(BadPolicy, match="is not a mix of 1, 2, 3 at"):
        evenodds.odds(margin, lambda state, seat: mix, Uniform("margin"))
    with pytest.raises(BadPolicy, match="is not a mix of "):
        evenodds.exploitability(margin, lambda state, seat: mix)


@pytest.mark.parametrize(
    ("game", "given", "changes"),
    [
        ("circle", {"numbers": 3}, [{"last": 2}, {"turn": 0.5}, {"free": "a"}]),
        (
            "margin",
            {"numbers": 3},
            [{"hands": (2, 2), "points": (50, 0)}, {"points": (0.5, 0)}, {"points": None}],
        ),
    ],
)
def test_every_question_refuses_what_is_no_position(
    game: str, given: dict[str, Any], changes: list[dict[str, Any]]
) -> None:
    solution = evenodds.solve(evenodds.game(game, given))
    others = [evenodds.solve("duel").start, evenodds.solve(game).start]
    changed = [solution.start._replace(**change) for change in changes]
    for wrong in ("x", None, float("nan"), *others, *changed):
        for ask in (solution.value, solution.distance, solution.matrix):
            with pytest.raises(UnreachablePosition):
                ask(wrong)
        for ask_seat in (solution.mix, solution.pick_values):
            with pytest.raises(UnreachablePosition):
                ask_seat(wrong, FIRST)


def test_a_position_from_elsewhere_is_told_what_it_is() -> None:
    solution = evenodds.solve(evenodds.game("underdog", numbers=4))
    for wrong, said in (
        (solution.start._replace(hands=(2, 30)), "no line of play leads to"),
        (solution.start._replace(scores=(2, 2)), "no line of play leads to"),
        (evenodds.game("underdog", numbers=5).start(), "other rulings"),
        (3, "3 is not a position of underdog"),
    ):
        with pytest.raises(UnreachablePosition, match=said):
            solution.value(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [2, -1, "first", None, 0.0, 1.0])
def test_what_is_no_seat_is_refused(seat: Any) -> None:
    ruled = evenodds.game("duel", hp=3)
    solution = evenodds.solve(ruled)
    for ask in (
        lambda: solution.mix(solution.start, seat),
        lambda: solution.pick_values(solution.start, seat),
        lambda: evenodds.best_response(ruled, solution, seat),
    ):
        with pytest.raises(ValueError, match="is not a seat; it is FIRST"):
            ask()


def test_growth_that_slows_down_tells_the_size() -> None:
    layers = [1, 64, 2436, 29596, 141023, 245306, 136356, 21016]
    for known in range(4, len(layers) + 1):
        assert projected_size(layers[:known]) == pytest.approx(sum(layers), rel=0.6)
    assert projected_size([1, 10, 100, 1000]) == 0
    assert projected_size([1, 10]) == 0


@pytest.mark.long
def test_a_projection_far_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENODDS_MEMORY_MB", "50")
    with pytest.raises(TooLarge, match=r"so far and more to come, about [\d,]+ in all") as refused:
        evenodds.solve(evenodds.game("margin", numbers=9))
    so_far = int(str(refused.value).split()[0].replace(",", ""))
    allowed = int(str(refused.value).split()[-1].replace(",", ""))
    assert so_far < allowed


OURS = ("notes", "fresh", "progress", "repetition", "seed", "opponent", "rulings")
"""Keywords of ours, which a game may have as rulings."""
AWKWARD = f"""
from typing import Annotated, NamedTuple
from evenodds.games.duel import GAME
from evenodds.core.rulings import Whole

class Rulings(NamedTuple):
    hp: Annotated[int, Whole(1, 9, "health")] = 3
    numbers: Annotated[int, Whole(1, 3, "numbers")] = 2
    knockout: Annotated[int, Whole(0, 1, "who falls")] = 0
    overreach: Annotated[int, Whole(0, 2, "how far")] = 0
    {"; ".join(f'{name}: Annotated[int, Whole(0, 9, "ours too")] = 0' for name in OURS)}

GAME = GAME._replace(name="awkward", rulings=Rulings)
"""


def test_rulings_have_a_space_of_their_own(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "awkward", AWKWARD)
    monkeypatch.syspath_prepend(tmp_path)
    game = evenodds.game("awkward").game
    given = dict.fromkeys(OURS, 5)
    settled = game.rulings(hp=2, **given)
    uniform, ruled = Uniform(game), evenodds.game(game, given, hp=2)
    assert evenodds.solve(ruled).rulings == settled
    assert evenodds.solve(evenodds.game(game, given | {"hp": 2})).rulings == settled
    assert evenodds.odds(ruled, uniform, uniform).first > 0
    assert evenodds.best_response(ruled, uniform, FIRST).value > 0
    assert evenodds.exploitability(ruled, uniform) > 0
    counts = evenodds.simulate(ruled, matches=9, compiled=False)
    assert sum(counts.lengths.values()) == 9
    assert SeatEnv(game, rulings=given | {"hp": 2}).terms[FIRST].rulings == settled
    assert pettingzoo.parallel_env(ruled).unwrapped.terms.rulings == settled
    rules = ("--rule", "fresh=1", "--rule", "notes=2", "--json")
    for words in (("solve", "awkward"), ("odds", "awkward", "uniform", "perfect")):
        done = command(*words, *rules, home=home)
        assert (done.returncode, done.stderr) == (0, "")
