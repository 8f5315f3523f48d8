"""Routes of puzzles: one a day, the same for everybody, and practice without end."""

from typing import TYPE_CHECKING, Any, Final, cast

from litestar import Request, get
from litestar.exceptions import ClientException

from evenodds.coach.puzzle_keys import DAILY_STRENGTH, PuzzleKey, parse_puzzle_key
from evenodds.coach.puzzles import Puzzle, explain_puzzle, judge_answer, puzzle_question
from evenodds.core.match import Match
from evenodds.core.serialization import SEAT_NAMES
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.security import address_of
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import board_position
from evenodds.server.schemas import PuzzleAnswer, PuzzleView

if TYPE_CHECKING:
    from evenodds.solver import Solution


@get("/api/puzzles/{key:str}", responses=PROBLEMS)
async def puzzle(
    key: str,
    request: Request[Any, Any, Any],
    registry: MatchRegistry,
    strength: float = DAILY_STRENGTH,
) -> PuzzleView:
    """A puzzle: of a day (`2026-11-17`), or of a game (`margin-5`) near a strength."""
    asked, address = _parse_key(key), address_of(request.scope)
    return await registry.solve_queue.ask(
        asked.terms, lambda found: _view(asked.puzzle(found, strength), asked.terms), address
    )


@get("/api/puzzles/{key:str}/answers/{number:int}", responses=PROBLEMS)
async def answer(
    key: str,
    number: int,
    request: Request[Any, Any, Any],
    registry: MatchRegistry,
    strength: float = DAILY_STRENGTH,
) -> PuzzleAnswer:
    """Whether a number solves a puzzle, and why."""
    asked, address = _parse_key(key), address_of(request.scope)
    return await registry.solve_queue.ask(
        asked.terms, lambda found: _answer(asked.puzzle(found, strength), found, number), address
    )


def _parse_key(key: str) -> PuzzleKey:
    try:
        return parse_puzzle_key(key)
    except ValueError as error:
        raise ClientException(str(error), status_code=404) from None


def _view(puzzle: Puzzle, terms: Terms) -> PuzzleView:
    you = puzzle.seat == FIRST
    match = Match(terms._replace(players=("You", "Opponent") if you else ("Opponent", "You")))
    for picks in puzzle.history:
        match.play(picks)
    view: Any = {
        **board_position(match),
        "seat": SEAT_NAMES[puzzle.seat],
        "legal": list(puzzle.pick_values.scores),
        "question": puzzle_question(puzzle),
        "difficulty": puzzle.difficulty,
    }
    return cast(PuzzleView, view)


def _answer(puzzle: Puzzle, solution: "Solution", number: int) -> PuzzleAnswer:
    if number not in puzzle.pick_values.scores:
        raise ClientException(f"{number} is not one of the choices of this puzzle")
    return {
        "right": number == puzzle.answer,
        "answer": puzzle.answer,
        "told": [judge_answer(solution, puzzle, number), *explain_puzzle(solution, puzzle)],
    }


ROUTES: Final = [puzzle, answer]
