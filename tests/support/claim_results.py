"""What became of the claims of a game, and second ways to find it."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import evenodds
from evenodds import Outcome
from tests.support import naive
from tests.support.exact import rational_values
from tests.support.lines_of_play import Line, chance, lines
from tests.support.play import SEATS
from tests.support.studies import (
    ClaimResult,
    Facts,
    SolvedGame,
    claim_results_of,
    solved_facts,
    study_of,
)

Given = tuple[tuple[str, object], ...]


def given(**rules: object) -> Given:
    return tuple(rules.items())


@cache
def _found(name: str, rules: Given) -> tuple[dict[str, ClaimResult], dict[str, ClaimResult]]:
    game = evenodds.get(name)
    rulings = game.settle(dict(rules))
    claimed, asked = claim_results_of(game, rulings)
    return {one.name: one for one in claimed}, {one.name: one for one in asked}


def claimed(name: str, **rules: object) -> dict[str, ClaimResult]:
    return _found(name, given(**rules))[0]


def answered(name: str, **rules: object) -> dict[str, ClaimResult]:
    return _found(name, given(**rules))[1]


def facts_of(name: str, **rules: object) -> Facts:
    game = evenodds.get(name)
    rulings = game.settle(rules)
    return solved_facts(game, rulings, study_of(game, rulings), lambda: SolvedGame(game, rulings))


def every_line(name: str, **rules: object) -> list[Line]:
    """Every line of play of a small game, with its share between random players."""
    game = evenodds.get(name)
    return list(lines(game, game.settle(rules), chance(game), chance(game)))


def result(name: str, line: Line, **rules: object) -> str:
    """Who has won a line by the naive statement of the rules."""
    said = {key: str(value) for key, value in rules.items()}
    settled = evenodds.get(name).settle_typed(said)
    spoken: dict[str, Any] = {
        key: option.show(getattr(settled, key))
        for key, option in evenodds.get(name).options.items()
    }
    typed = {key: int(value) if value.isdigit() else value for key, value in spoken.items()}
    return naive.judge(name, typed, line.picks).result


def matrices(name: str, **rules: object) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Each reachable open position with its exact value and matrix."""
    game = evenodds.get(name)
    values = rational_values(game, game.settle(rules))

    def worth(state: Any) -> Any:
        outcome = game.outcome(state)
        return values[state] if outcome == Outcome.ONGOING else int(outcome)

    for state, value in values.items():
        first, second = (game.picks(state, seat) for seat in SEATS)
        yield (
            state,
            value,
            (first, second),
            [[worth(game.step(state, (a, b))) for b in second] for a in first],
        )
