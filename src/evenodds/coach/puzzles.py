"""Puzzles: positions with a single clearly best or clearly worst pick, by exact values.

The difficulty grows with the number of choices and, in games of turns, with the distance to the
end; it falls with the least loss of a wrong number.
"""

from math import inf, log
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.coach.pick_values import PickValues, evaluate_picks
from evenodds.coach.reasons import refutation
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Pair, Seat, other
from evenodds.figures.formatting import percent

if TYPE_CHECKING:
    from evenodds.solver import Solution

MIN_CLEAR_LOSS: Final = 0.1
"""Expected score that a pick must lose to be clearly worse."""
MAX_EXAMINED_POSITIONS: Final = 400
"""Positions that a search examines at most."""
MAX_CANDIDATE_PUZZLES: Final = 12
"""Puzzles among which the one nearest to a player's strength is chosen."""
MAX_WALK_PICKS: Final = 60
"""Length of a random line at most: in games with loops it might not end."""


class Puzzle(NamedTuple):
    """A position, the seat to pick, and the number asked for."""

    state: Any
    seat: Seat
    history: tuple[Pair, ...]
    is_trap: bool
    """Whether the only bad number is asked for, and not the only good one."""
    answer: int
    pick_values: PickValues
    difficulty: float
    keys: tuple[str, ...]
    """Identifies the puzzle under its rulings. In a symmetric game the mirrored position is the
    same puzzle, so there are two keys; the first one is stored."""

    @property
    def theme(self) -> tuple[bool, int, float]:
        """What the puzzle teaches: best pick or mistake, which number, and what is at stake."""
        return self.is_trap, self.answer, round(self.pick_values.score, 1)


def puzzle_question(puzzle: Puzzle) -> str:
    """What a puzzle asks."""
    if puzzle.is_trap:
        return "One number is a mistake, all others are fine. Which one is the mistake?"
    return "One number is clearly best. Which one?"


def judge_answer(solution: "Solution", puzzle: Puzzle, number: int) -> str:
    """Whether an answer is right, and how a mistake is refuted."""
    values = puzzle.pick_values
    if not puzzle.is_trap and number == puzzle.answer:
        return f"Right: {number}."
    mistake = puzzle.answer if puzzle.is_trap else number
    refuted = refutation(solution, puzzle.state, puzzle.seat, values, mistake)
    why = f"{refuted} (Cost: {percent(values.loss(mistake))})".lstrip()
    if not puzzle.is_trap:
        return f"No, the best number is {puzzle.answer}. {why}"
    if number == puzzle.answer:
        return f"Right: {number} is the mistake. {why}"
    return f"No, {number} is fine. {puzzle.answer} is the mistake. {why}"


def find_puzzles(solution: "Solution", chance: Random, seen: frozenset[str]) -> list[Puzzle]:
    """Some puzzles from random play that were not seen lately; may be empty."""
    puzzles: dict[str, Puzzle] = {}
    for _ in range(MAX_EXAMINED_POSITIONS):
        puzzle = _random_puzzle(solution, chance)
        if puzzle is not None and seen.isdisjoint(puzzle.keys):
            puzzles[puzzle.keys[0]] = puzzle
        if len(puzzles) == MAX_CANDIDATE_PUZZLES:
            break
    return list(puzzles.values())


def all_puzzles(solution: "Solution") -> list[Puzzle]:
    """Every puzzle of a small game: examines every position."""
    from evenodds.solver import StateGraph

    states = StateGraph(solution.game, solution.rulings, inf).states
    puzzles = (puzzle_at(solution, state, seat) for state in states for seat in SEATS)
    return list({puzzle.keys[0]: puzzle for puzzle in puzzles if puzzle is not None}.values())


def nearest_puzzle(puzzles: list[Puzzle], strength: float, last: Puzzle | None = None) -> Puzzle:
    """The puzzle nearest to a player's strength, of another theme than the last one.

    Where all have the same theme, the nearest of them.
    """
    others = [puzzle for puzzle in puzzles if last is None or puzzle.theme != last.theme]
    return min(others or puzzles, key=lambda puzzle: abs(puzzle.difficulty - strength))


def _random_puzzle(solution: "Solution", chance: Random) -> Puzzle | None:
    """The puzzle at a random position of a random line, if it is one."""
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
    """The puzzle at a position, if it is one."""
    values = evaluate_picks(solution, state, seat)
    if len(values.scores) < 2:
        return None
    clear = all(values.loss(number) > MIN_CLEAR_LOSS for number in values.suboptimal)
    is_best = len(values.optimal) == 1
    is_trap = len(values.suboptimal) == 1 and len(values.optimal) > 1
    if not clear or not (is_best or is_trap):
        return None
    answer = values.optimal[0] if is_best else values.suboptimal[0]
    hard = puzzle_difficulty(values, solution.distance(state))
    keys = _keys(solution.game, state, seat)
    return Puzzle(state, seat, history, is_trap, answer, values, hard, keys)


def _keys(game: AnyGame, state: Any, seat: Seat) -> tuple[str, ...]:
    """The keys of a position for a seat, that of the first seat first."""
    seen = {seat: state}
    if game.mirror is not None:
        seen[other(seat)] = game.mirror(state)
    return tuple(f"{seat}{tuple(seen[seat][1:])}" for seat in sorted(seen))


def puzzle_difficulty(values: PickValues, far: int | None) -> float:
    """The difficulty of a puzzle: 0 for two numbers, of which one wins and one loses at once."""
    gap = min(values.loss(number) for number in values.suboptimal)
    return log(len(values.scores) - 1) - log(gap) + log(far or 1)


def _random_line(solution: "Solution", chance: Random) -> list[Pair]:
    """A line of play with uniformly random picks."""
    game, state = solution.game, solution.start
    history: list[Pair] = []
    while game.outcome(state) == Outcome.ONGOING and len(history) < MAX_WALK_PICKS:
        first, second = (chance.choice(game.picks(state, seat)) for seat in SEATS)
        history.append((first, second))
        state = game.step(state, (first, second))
    return history
