"""Puzzles: positions with a single clearly best or clearly worst pick, by exact values.

A puzzle is harder the more numbers there are to choose from, the less the right one stands out, and
in games of turns the farther the end is away.
"""

from math import inf, log
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.coach.pick_values import PickValues, evaluate_picks
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Pair, Seat, other

if TYPE_CHECKING:
    from evenodds.solver import Solution

MIN_CLEAR_LOSS: Final = 0.1
"""Expected score that a pick must give away to be clearly worse."""
MAX_EXAMINED_POSITIONS: Final = 400
"""Positions that are looked at before the search is given up."""
MAX_CANDIDATE_PUZZLES: Final = 12
"""Puzzles from which the one nearest to a player's strength is chosen."""
MAX_WALK_PICKS: Final = 60
"""Picks after which a walk through a game with loops has gone far enough."""


class Puzzle(NamedTuple):
    """A position, who is to pick, and the one number that is asked for."""

    state: Any
    seat: Seat
    history: tuple[Pair, ...]
    is_trap: bool
    """Whether the one number to avoid is asked for, and not the one to pick."""
    answer: int
    judgement: PickValues
    difficulty: float
    keys: tuple[str, ...]
    """What tells this puzzle from others under the same rulings: with the seats exchanged it is the
    same, where the rules favour neither, and has two keys. The first one is written down."""


def find_puzzles(solution: "Solution", chance: Random, seen: frozenset[str]) -> list[Puzzle]:
    """Some puzzles from play, those not seen lately; an empty list if none came up."""
    found: dict[str, Puzzle] = {}
    for _ in range(MAX_EXAMINED_POSITIONS):
        puzzle = _random_puzzle(solution, chance)
        if puzzle is not None and seen.isdisjoint(puzzle.keys):
            found[puzzle.keys[0]] = puzzle
        if len(found) == MAX_CANDIDATE_PUZZLES:
            break
    return list(found.values())


def all_puzzles(solution: "Solution") -> list[Puzzle]:
    """Every puzzle of a small game, by looking at every position."""
    from evenodds.solver import StateGraph

    states = StateGraph(solution.game, solution.rulings, inf).states
    found = (puzzle_at(solution, state, seat) for state in states for seat in SEATS)
    return list({puzzle.keys[0]: puzzle for puzzle in found if puzzle is not None}.values())


def nearest_puzzle(puzzles: list[Puzzle], strength: float) -> Puzzle:
    """The puzzle whose difficulty is nearest to a player's strength."""
    return min(puzzles, key=lambda puzzle: abs(puzzle.difficulty - strength))


def _random_puzzle(solution: "Solution", chance: Random) -> Puzzle | None:
    """Walk to some position, and see whether it is a puzzle."""
    history = _random_line(solution, chance)
    place = chance.randrange(len(history))
    game, state = solution.game, solution.start
    for picks in history[:place]:
        state = game.step(state, picks)
    asked = [seat for seat in SEATS if game.picks(state, seat) != (PASS,)]
    return puzzle_at(solution, state, chance.choice(asked), tuple(history[:place]))


def puzzle_at(
    solution: "Solution", state: Any, seat: Seat, history: tuple[Pair, ...] = ()
) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    found = evaluate_picks(solution, state, seat)
    if len(found.worths) < 2:
        return None
    clear = all(found.gave(number) > MIN_CLEAR_LOSS for number in found.poor)
    is_best = len(found.good) == 1
    is_trap = len(found.poor) == 1 and len(found.good) > 1
    if not clear or not (is_best or is_trap):
        return None
    answer = found.good[0] if is_best else found.poor[0]
    hard = puzzle_difficulty(found, solution.distance(state))
    keys = _keys(solution.game, state, seat)
    return Puzzle(state, seat, history, is_trap, answer, found, hard, keys)


def _keys(game: AnyGame, state: Any, seat: Seat) -> tuple[str, ...]:
    """The keys of a position for a seat, that of the first seat before that of the second."""
    seen = {seat: state}
    if game.mirror is not None:
        seen[other(seat)] = game.mirror(state)
    return tuple(f"{seat}{tuple(seen[seat][1:])}" for seat in sorted(seen))


def puzzle_difficulty(found: PickValues, far: int | None) -> float:
    """How hard a puzzle is: 0 for two numbers that are a win and a loss at once."""
    gap = min(found.gave(number) for number in found.poor)
    return log(len(found.worths) - 1) - log(gap) + log(far or 1)


def _random_line(solution: "Solution", chance: Random) -> list[Pair]:
    """A line of play in which everything is picked by chance."""
    game, state = solution.game, solution.start
    history: list[Pair] = []
    while game.outcome(state) == Outcome.ONGOING and len(history) < MAX_WALK_PICKS:
        first, second = (chance.choice(game.picks(state, seat)) for seat in SEATS)
        history.append((first, second))
        state = game.step(state, (first, second))
    return history
