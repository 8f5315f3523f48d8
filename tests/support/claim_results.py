"""What became of the claims of a game, and second ways to find it."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import evenodds
from evenodds import Outcome, RuledGame
from tests.support import naive, studies
from tests.support.exact import rational_values
from tests.support.lines_of_play import Line, chance, lines
from tests.support.play import SEATS

Found = dict[str, studies.ClaimResult]


@cache
def _found(ruled: RuledGame) -> tuple[Found, Found]:
    claimed, asked = studies.claim_results_of(*ruled)
    return {one.name: one for one in claimed}, {one.name: one for one in asked}


def claimed(name: str, **rules: object) -> Found:
    return _found(evenodds.game(name, rules))[0]


def answered(name: str, **rules: object) -> Found:
    return _found(evenodds.game(name, rules))[1]


def facts_of(name: str, **rules: object) -> studies.Facts:
    game, rulings = evenodds.game(name, rules)
    return studies.solved_facts(
        game, rulings, studies.study_of(game, rulings), lambda: studies.SolvedGame(game, rulings)
    )


def every_line(name: str, **rules: object) -> list[Line]:
    """Every line of play of a small game, with its share between random players."""
    game, rulings = evenodds.game(name, rules)
    return list(lines(game, rulings, chance(game), chance(game)))


def result(name: str, line: Line, **rules: object) -> str:
    return naive.judge(name, naive.stated(*evenodds.game(name, rules)), line.picks).result


def matrices(name: str, **rules: object) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Each reachable open position with its exact value and matrix."""
    game, rulings = evenodds.game(name, rules)
    values = rational_values(game, rulings)

    def worth(state: Any) -> Any:
        outcome = game.outcome(state)
        return values[state] if outcome == Outcome.ONGOING else int(outcome)

    for state, value in values.items():
        first, second = (game.picks(state, seat) for seat in SEATS)
        matrix = [[worth(game.step(state, (a, b))) for b in second] for a in first]
        yield state, value, (first, second), matrix
