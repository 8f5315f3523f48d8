"""Which pick is made in lost and in won positions."""

from collections.abc import Iterator
from statistics import fmean
from threading import Thread
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, PASS, Solution
from evenodds.engine.graph import graph_of
from evenodds.engine.strategies import policy_shares
from tests.support import play
from tests.support.engine import DecidedPlay
from tests.support.game_data import cases
from tests.support.play import SEATS

SMALL = [
    (name, given) for name, given in cases("policies") if evenodds.game(name).game.simultaneous
]


def worth(solution: Solution, state: Any, seat: int) -> float:
    return solution.value(state) * (1 if seat == FIRST else -1)


def naive_chances(solution: Solution, seat: int) -> dict[Any, dict[int, float]]:
    """What each pick scores if the other picks any number alike, by plain value iteration."""
    game, side = solution.game, 1 if seat == FIRST else -1
    states = play.positions(game, solution.rulings)
    after = {}
    for state in states:
        replies = game.picks(state, 1 - seat)
        after[state] = {
            pick: [game.step(state, (pick, r) if seat == FIRST else (r, pick)) for r in replies]
            for pick in game.picks(state, seat)
        }
    ends = {child for rows in after.values() for row in rows.values() for child in row} - {*states}
    mixes = {state: solution.mix(state, seat) or {PASS: 1.0} for state in states}
    lost = {state for state in states if worth(solution, state, seat) == -1}
    scores = dict.fromkeys(states, 0.0) | {end: side * float(game.outcome(end)) for end in ends}
    while True:
        chances = {
            state: {pick: fmean(scores[child] for child in row) for pick, row in rows.items()}
            for state, rows in after.items()
        }
        found = {
            state: max(picks.values())
            if state in lost
            else sum(share * picks[pick] for pick, share in mixes[state].items())
            for state, picks in chances.items()
        }
        if max(abs(found[state] - scores[state]) for state in states) < 1e-13:
            return chances
        scores |= found


def naive_rounds(solution: Solution, seat: int) -> dict[Any, dict[int, float]]:
    """The expected rounds of each pick that wins whatever the other picks, by plain recursion."""
    game, found = solution.game, dict[Any, dict[int, float]]()

    def rounds(state: Any) -> float:
        if not game.picks(state, seat) or state not in found:
            found[state] = {}
            for pick in game.picks(state, seat):
                replies = game.picks(state, 1 - seat)
                after = [
                    game.step(state, (pick, r) if seat == FIRST else (r, pick)) for r in replies
                ]
                if all(worth(solution, child, seat) > 1 - 1e-9 for child in after):
                    ends = [
                        0.0 if not play.is_open(game, child) else rounds(child) for child in after
                    ]
                    found[state][pick] = 1 + fmean(ends)
        return min(found[state].values())

    for state in play.positions(game, solution.rulings):
        if worth(solution, state, seat) > 1 - 1e-9:
            rounds(state)
    return found


def positions(solution: Solution) -> Iterator[tuple[Any, int, bool]]:
    """Every position for each seat, and whether it is lost for it."""
    for state in play.positions(solution.game, solution.rulings):
        for seat in SEATS:
            yield state, seat, worth(solution, state, seat) == -1


def by_arrays(name: str, given: dict[str, Any], solution: Solution, seat: int) -> dict[Any, Any]:
    """The mix at every position, computed for all of them at once."""
    graph = graph_of(evenodds.game(name, given), None)
    found = {}
    for block, rows in zip(graph.blocks, policy_shares(graph, solution, seat), strict=True):
        for place, numbers, shares in zip(block.places, block.numbers(seat), rows, strict=True):
            mix = {int(n): float(share) for n, share in zip(numbers, shares, strict=True) if share}
            found[graph.state(place)] = mix
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("circle", {"numbers": 7, "leaps": 1}),
        ("duel", {}),
        ("duel", {"hp": 7, "numbers": 4, "knockout": "draw"}),
        ("factors", {"target": 9, "numbers": 5, "echo": "barred"}),
        ("factors", {"target": 9, "numbers": 6}),
        ("factors", {"target": 9, "numbers": 6, "same": "twice"}),
        ("margin", {"numbers": 4}),
        ("underdog", {"numbers": 4}),
        ("underdog", {"numbers": 5, "target": 2}),
    ],
)
def test_a_lost_position_is_played_for_the_best_chance_and_a_won_one_for_the_soonest_win(
    name: str, given: dict[str, Any]
) -> None:
    """One by one, and at once for all positions; elsewhere by the mix that punishes mistakes."""
    solution = evenodds.solve(evenodds.game(name, given), fresh=True)
    game = solution.game
    at_once = [by_arrays(name, given, solution, seat) for seat in SEATS]
    chances = [naive_chances(solution, seat) for seat in SEATS]
    rounds = [naive_rounds(solution, seat) if game.simultaneous else {} for seat in SEATS]
    decided = 0
    for state, seat, lost in positions(solution):
        mix = solution.mix(state, seat)
        if lost and mix:
            (pick,) = mix
            decided += 1
            best = max(chances[seat][state].values())
            assert chances[seat][state][pick] == pytest.approx(best, abs=1e-9)
            as_good = [n for n, chance in chances[seat][state].items() if chance > best - 1e-10]
            assert pick == as_good[0] or not game.simultaneous
        elif game.simultaneous and mix and state in rounds[seat]:
            fewest = min(rounds[seat][state].values())
            as_soon = [n for n, mean in rounds[seat][state].items() if mean < fewest + 1e-10]
            assert mix == {as_soon[0]: 1.0}
        elif game.simultaneous:
            assert mix == solution.punishing_mix(state, seat)
        assert at_once[seat][state] == pytest.approx(mix or {PASS: 1.0})
    assert decided


@pytest.mark.parametrize(("name", "given"), SMALL)
def test_mistakes_in_a_won_position_still_cost(name: str, given: dict[str, Any]) -> None:
    solution = evenodds.solve(evenodds.game(name, given))
    for state, seat, lost in positions(solution):
        if lost:
            lines = solution.matrix(state).payoff
            results = list(zip(*lines, strict=True)) if seat == FIRST else lines
            gains = solution.pick_values(state, 1 - seat).values()
            for against_each, gain in zip(results, gains, strict=True):
                wins_always = {*against_each} == {solution.value(state)}
                assert (gain > 1 - 1e-9) == wins_always


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "given", "spared"), [("duel", {}, 1.1), ("underdog", {"numbers": 5}, 0.05)]
)
def test_a_won_match_ends_sooner(name: str, given: dict[str, Any], spared: float) -> None:
    ruled = evenodds.game(name, given)
    solution, uniform = evenodds.solve(ruled), evenodds.Uniform(name)

    def patient(state: Any, seat: int) -> dict[int, float]:
        is_won = worth(solution, state, seat) == 1
        return solution.punishing_mix(state, seat) if is_won else solution.mix(state, seat)

    soon, late = (evenodds.odds(ruled, way, uniform) for way in (solution, patient))
    assert soon[:4] == pytest.approx(late[:4], abs=1e-12)
    assert soon.length is not None
    assert late.length is not None
    assert soon.length < late.length - spared
    level: Any = evenodds.make_policy(ruled, "level:6")
    exact, asked = (evenodds.odds(ruled, way, uniform) for way in (level, lambda *at: level(*at)))
    assert exact[:5] == pytest.approx(asked[:5], abs=1e-12)
    played = evenodds.simulate(ruled, solution, uniform, matches=100_000)
    mean = sum(rounds * count for rounds, count in played.lengths.items()) / 100_000
    assert mean == pytest.approx(soon.length, abs=0.05)


def test_very_large_games_keep_the_mix_in_decided_positions() -> None:
    """The pick of one position there may take minutes to compute."""
    solution = evenodds.solve("duel")
    large = Solution(solution.game, solution.rulings, solution.solved._replace(positions=1_000_001))
    lost = [(state, seat) for state, seat, is_lost in positions(solution) if is_lost]
    assert all(large.mix(*at) == solution.punishing_mix(*at) for at in lost)
    assert any(large.mix(*at) != solution.mix(*at) for at in lost)
    graph = graph_of("duel", None)
    mixing, best = (policy_shares(graph, each, FIRST) for each in (large, solution))
    assert any((one != two).any() for one, two in zip(mixing, best, strict=True))


def test_threads_that_share_a_solution_get_the_same_chances() -> None:
    """One waits where another is at it, for half of the scores would mislead it."""
    solution = evenodds.solve("duel")
    state, seat, _ = next(each for each in positions(solution) if each[2])
    asked: list[Thread] = []
    errors: list[KeyError] = []

    def ask() -> None:
        try:
            shared.pick(state)
        except KeyError as error:
            errors.append(error)

    class Asked(Solution):
        def punishing_mix(self, state: Any, seat: int) -> dict[int, float]:
            if not asked:
                asked.append(Thread(target=ask))
                asked[0].start()
                asked[0].join(0.2)
            return super().punishing_mix(state, seat)

    slow = Asked(solution.game, solution.rulings, solution.solved)
    shared = DecidedPlay(slow, seat)
    assert {shared.pick(state): 1.0} == solution.mix(state, seat)
    asked[0].join()
    assert errors == []
