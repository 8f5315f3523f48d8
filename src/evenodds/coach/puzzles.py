"""Puzzles: positions with a single clearly best or clearly worst pick, by exact values.

Where both pick at once, some puzzles tell what the opponent picks, and ask for the answer to it.

The difficulty grows with the number of choices and, in games of turns, with the distance to the
end; it falls with the least loss of a wrong number. The daily puzzle, and numbered ones of a game,
are the same for everybody.
"""

import re
from datetime import UTC, datetime
from datetime import date as Date
from math import inf, log
from random import Random
from typing import Final, NamedTuple

from evenodds.claims.fixed_outcome import livelier
from evenodds.coach.pick_values import PickValues, evaluate_picks
from evenodds.coach.reasons import explain_picks, refutation, sentences
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Pair, Seat, State, other
from evenodds.engine.solution import Solution
from evenodds.figures import join_first

MIN_CLEAR_LOSS: Final = 0.1
"""Expected score that a pick must lose to be clearly worse."""
MAX_EXAMINED_POSITIONS: Final = 400
MAX_CANDIDATE_PUZZLES: Final = 12
"""Puzzles among which the one nearest to a player's strength is chosen."""
KNOWN_REPLY_SHARE: Final = 0.3
"""How often a puzzle is tried that tells what the opponent picks."""
MAX_WALK_PICKS: Final = 60
"""Length of a random line at most: in games with loops it might not end."""
DAILY_STRENGTH: Final = 2.0
PRACTICE_KEY: Final = re.compile(r"([a-z]+)-([0-9]{1,9})")
"""A game, and a number that stands for one of its puzzles."""


class Puzzle(NamedTuple):
    """A position, the seat to pick, and the number asked for."""

    state: State
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
    known_reply: int = PASS
    """What the opponent picks, where the puzzle tells it."""
    before: State | None = None
    """The position before the last round of its history, if it has one."""

    def mistake(self, number: int) -> int:
        """What an answer is judged by: the number, or the only bad one where that is asked for."""
        return self.answer if self.is_trap else number

    @property
    def theme(self) -> tuple[bool, int, float, int]:
        """What the puzzle teaches: best pick or mistake, which number, the stake, against what."""
        return self.is_trap, self.answer, round(self.pick_values.score, 1), self.known_reply


def puzzle_question(puzzle: Puzzle) -> str:
    """What a puzzle asks."""
    reply = puzzle.known_reply and puzzle.pick_values.name(puzzle.known_reply, theirs=True)
    told = f"Your opponent picks {reply}. " if reply else ""
    if puzzle.is_trap:
        return f"{told}One number is a mistake, all others are fine. Which one is the mistake?"
    return f"{told}One number is clearly best. Which one?"


def judge_answer(puzzle: Puzzle, number: int) -> str:
    """Whether an answer is right, and how a mistake is refuted."""
    values = puzzle.pick_values
    if not puzzle.is_trap and number == puzzle.answer:
        return f"Right: {values.name(number)}."
    mistake = puzzle.mistake(number)
    refuted, answer = sentences(refutation(values, mistake)), values.name(puzzle.answer)
    why = f"{refuted} (Cost: {values.measure.change(values.loss(mistake))})".lstrip()
    if not puzzle.is_trap:
        return f"No, the best number is {answer}. {why}"
    if number == puzzle.answer:
        return f"Right: {answer} is the mistake. {why}"
    return f"No, {values.name(number)} is fine. {sentences(answer)} is the mistake. {why}"


def explain_puzzle(puzzle: Puzzle) -> list[str]:
    """Why the answer is right; nothing where the refutation of the mistake says it."""
    if puzzle.known_reply:
        values = puzzle.pick_values
        ranked = sorted(values.scores.items(), key=lambda item: -item[1])
        scores = [
            f"{values.name(number)} {values.measure.scores(worth)}" for number, worth in ranked
        ]
        reply = values.name(puzzle.known_reply, theirs=True)
        return [f"Against {reply}, {join_first(scores)}."]
    return [] if puzzle.is_trap else list(map(sentences, explain_picks(puzzle.pick_values)))


def find_puzzles(solution: Solution, chance: Random, seen: frozenset[str]) -> list[Puzzle]:
    """Some puzzles from random play that were not seen lately; may be empty."""
    puzzles: dict[str, Puzzle] = {}
    for _ in range(MAX_EXAMINED_POSITIONS):
        puzzle = _random_puzzle(solution, chance)
        if puzzle is not None and seen.isdisjoint(puzzle.keys):
            puzzles[puzzle.keys[0]] = puzzle
        if len(puzzles) == MAX_CANDIDATE_PUZZLES:
            break
    return list(puzzles.values())


def all_puzzles(solution: Solution) -> list[Puzzle]:
    """Every puzzle of a small game: examines every position."""
    from evenodds.engine.small_games import StateGraph

    game = solution.game
    states = StateGraph(game, solution.rulings, inf).states
    puzzles = (
        puzzle_at(solution, state, seat, known_reply=reply)
        for state in states
        for seat in SEATS
        for reply in {PASS, *game.picks(state, other(seat))}
    )
    return list({puzzle.keys[0]: puzzle for puzzle in puzzles if puzzle is not None}.values())


def nearest_puzzle(puzzles: list[Puzzle], strength: float, last: Puzzle | None = None) -> Puzzle:
    """The puzzle nearest to a player's strength that teaches something else than the last one.

    Best another number or another question, else another stake, else any.
    """
    theme = last.theme if last else ()
    others = [puzzle for puzzle in puzzles if puzzle.theme[:2] != theme[:2]]
    others = others or [puzzle for puzzle in puzzles if puzzle.theme != theme] or puzzles
    return min(others, key=lambda puzzle: abs(puzzle.difficulty - strength))


def _random_puzzle(solution: Solution, chance: Random) -> Puzzle | None:
    """The puzzle at a random position of a line of uniformly random picks, if it is one."""
    game, states = solution.game, [solution.start]
    history: list[Pair] = []
    while game.outcome(states[-1]) == Outcome.ONGOING and len(history) < MAX_WALK_PICKS:
        first, second = (chance.choice(game.picks(states[-1], seat)) for seat in SEATS)
        history.append((first, second))
        states.append(game.step(states[-1], (first, second)))
    rounds = [place for place in range(len(history)) if not game.draws(states[place])]
    place = chance.choice(rounds)
    state, earlier = states[place], rounds[: rounds.index(place)]
    seat = chance.choice([seat for seat in SEATS if game.picks(state, seat) != (PASS,)])
    reply = PASS
    if game.simultaneous and chance.random() < KNOWN_REPLY_SHARE:
        reply = chance.choice(game.picks(state, other(seat)))
    puzzle = puzzle_at(solution, state, seat, tuple(history[each] for each in earlier), reply)
    return puzzle and puzzle._replace(before=states[earlier[-1]] if earlier else None)


def puzzle_at(
    solution: Solution,
    state: State,
    seat: Seat,
    history: tuple[Pair, ...] = (),
    known_reply: int = PASS,
) -> Puzzle | None:
    """The puzzle at a position, if it is one; `known_reply` is what the opponent picks."""
    values = evaluate_picks(solution, state, seat)
    if len(values.scores) < 2:
        return None
    if known_reply:
        values = values.against(known_reply)
    clear = all(values.loss(number) > MIN_CLEAR_LOSS for number in values.suboptimal)
    is_best = len(values.optimal) == 1
    is_trap = len(values.suboptimal) == 1 and len(values.optimal) > 1
    if not clear or not (is_best or is_trap):
        return None
    answer = values.optimal[0] if is_best else values.suboptimal[0]
    # 0 for two numbers, of which one wins and one loses at once.
    gap, far = min(map(values.loss, values.suboptimal)), solution.distance(state)
    hard = log(len(values.scores) - 1) - log(gap) + log(far or 1)
    against = f" against {known_reply}" if known_reply else ""
    keys = tuple(key + against for key in _keys(solution.game, state, seat))
    return Puzzle(state, seat, history, is_trap, answer, values, hard, keys, known_reply)


def _keys(game: AnyGame, state: State, seat: Seat) -> tuple[str, ...]:
    """The keys of a position for a seat, that of the first seat first."""
    seen = {seat: state}
    if game.mirror is not None:
        seen[other(seat)] = game.mirror(state)
    return tuple(f"{seat}{tuple(seen[seat][1:])}" for seat in sorted(seen))


class PuzzleKey(NamedTuple):
    """What determines a puzzle, with the strength that it is chosen for."""

    terms: Terms
    seed: str

    def puzzle(self, solution: Solution, strength: float = DAILY_STRENGTH) -> Puzzle:
        """The puzzle, given the solution under its terms."""
        return nearest_puzzle(find_puzzles(solution, Random(self.seed), frozenset()), strength)


def puzzle_day() -> Date:
    """The day of the daily puzzle, the same everywhere."""
    return datetime.now(UTC).date()


def parse_puzzle_key(key: str) -> PuzzleKey:
    """The key of a day (`2026-11-17`) or of a game (`margin-5`); `ValueError` for another."""
    practice = PRACTICE_KEY.fullmatch(key)
    games = catalog.built_in()
    if practice and practice[1] in games:
        name = practice[1]
    else:
        try:
            day = Date.fromisoformat(key)
        except ValueError:
            raise ValueError("there is no such puzzle") from None
        name = sorted(games)[day.toordinal() % len(games)]
    return PuzzleKey(livelier(agree(name, repetition=0)), f"puzzle {key}")
