"""Routes of puzzles: one a day, the same for everybody, and practice without end."""

from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from litestar import get
from litestar.exceptions import ClientException

from evenodds.coach import puzzles
from evenodds.coach.puzzles import DAILY_STRENGTH, Puzzle, PuzzleKey
from evenodds.coach.reasons import costliest_reply
from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import SEAT_NAMES
from evenodds.core.words import names_to
from evenodds.engine.on_demand import NotSolved
from evenodds.render.narration import goal_of
from evenodds.server.http.problems import PROBLEMS
from evenodds.server.http.request import HttpRequest
from evenodds.server.http.security import address_of
from evenodds.server.jobs.job_queue import INTERNAL_ADDRESS, JobPending
from evenodds.server.matches.match_registry import MatchRegistry
from evenodds.server.matches.views import board_position
from evenodds.server.schemas import PuzzleAnswer, PuzzleView

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution

_FOUND: dict[tuple[str, float], Puzzle] = {}
"""The puzzles that were asked for last, by seed and strength."""


@get("/api/puzzles/{key:str}", responses=PROBLEMS)
async def puzzle(
    key: str, request: HttpRequest, registry: MatchRegistry, strength: float = DAILY_STRENGTH
) -> PuzzleView:
    """A puzzle: of a day (`2026-11-17`), or of a game (`margin-5`) near a strength."""
    asked = puzzle_key(key)
    found = await _puzzle(asked, strength, address_of(request.scope), registry)
    match = Match(asked.terms._replace(players=names_to(found.seat).by_seat))
    for picks in found.history:
        match.play(picks)
    view: Any = {
        **board_position(match),
        "seat": SEAT_NAMES[found.seat],
        "legal": list(found.pick_values.scores),
        "about": about(asked.terms),
        "question": puzzles.puzzle_question(found),
        "reply": found.known_reply or None,
        "difficulty": found.difficulty,
    }
    return cast(PuzzleView, view)


@get("/api/puzzles/{key:str}/answers/{number:int}", responses=PROBLEMS)
async def answer(
    key: str,
    number: int,
    request: HttpRequest,
    registry: MatchRegistry,
    strength: float = DAILY_STRENGTH,
) -> PuzzleAnswer:
    """Whether a number solves a puzzle, and why."""
    found = await _puzzle(puzzle_key(key), strength, address_of(request.scope), registry)
    if number not in found.pick_values.scores:
        raise ClientException(f"{number} is not one of the choices of this puzzle")
    values, judged = found.pick_values, found.mistake(number)
    verdict, _, cost = puzzles.judge_answer(found, number).partition(" (")
    return {
        "right": number == found.answer,
        "answer": found.answer,
        "trap": found.is_trap,
        "reply": costliest_reply(values, judged)[1] if values.game.simultaneous else None,
        "told": [verdict, *puzzles.explain_puzzle(found), *([f"({cost}"] if cost else [])],
    }


def puzzle_key(key: str) -> PuzzleKey:
    """What a key stands for; 404 where there is no such puzzle."""
    try:
        return puzzles.parse_puzzle_key(key)
    except ValueError as error:
        raise ClientException(str(error), status_code=404) from None


def about(terms: Terms) -> str:
    """What a game is about, with the rules that its book lacks, for somebody who is new to it."""
    book, rules = (
        " ".join(terms.game.words.rules(rulings)).removesuffix(".").split(". ")
        for rulings in (terms.game.rulings(), terms.rulings)
    )
    added = " ".join(f"{said}." for said in rules if said not in book)
    rule = f" This puzzle adds a rule: {added[:1].lower()}{added[1:]}" if added else ""
    return goal_of(terms.game) + rule


async def run_daily(registry: MatchRegistry) -> None:
    """Find the puzzle of the day before anybody asks; its supervisor repeats it each second."""
    if not registry.solve_queue.ready:  # matches come first
        return
    with suppress(JobPending, NotSolved):
        key = puzzle_key(puzzles.puzzle_day().isoformat())
        await _puzzle(key, DAILY_STRENGTH, INTERNAL_ADDRESS, registry)


async def _puzzle(key: PuzzleKey, strength: float, address: str, registry: MatchRegistry) -> Puzzle:
    """The puzzle of a key, found once, and then told without a turn in the queue."""
    if not isfinite(strength):  # NaN is no key of a cache: it equals nothing
        raise ClientException(f"a strength is a number, not {strength}")
    name = key.seed, strength

    def find(solution: "Solution") -> Puzzle:
        return _FOUND.get(name) or key.puzzle(solution, strength)  # somebody may have been first

    if name not in _FOUND:
        found = await registry.solve_queue.ask(key.terms, find, address)
        keep_puzzle(name, found, _FOUND)
    return _FOUND[name]


def keep_puzzle(
    name: tuple[str, float], found: Puzzle, kept: dict[tuple[str, float], Puzzle], limit: int = 256
) -> None:
    """Keep a puzzle, in the place of the oldest but for that of the day: everybody asks for it."""
    daily = puzzle_key(puzzles.puzzle_day().isoformat()).seed, DAILY_STRENGTH
    while len(kept) >= limit:
        del kept[next(each for each in kept if each != daily)]
    kept[name] = found
