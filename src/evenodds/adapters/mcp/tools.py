"""The MCP tools: arguments and results, and the queue of solves for them."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, Literal

from anyio import to_thread
from mcp.server.mcpserver import Context
from pydantic import BeforeValidator, Field, StrictInt
from typing_extensions import TypedDict

from evenodds.adapters.mcp.tool_matches import (
    MatchShape,
    ReviewShape,
    ToolMatch,
    ToolMatchRegistry,
    ToolRefused,
    check_tool_opponent,
)
from evenodds.coach.review import review
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.rulings import OneOf, Option, ruling_texts
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.engine.on_demand import NotSolved, SolveLimitExceeded, solution_in_time
from evenodds.engine.solution import Solution
from evenodds.players.profiles import names_for
from evenodds.players.registry import BUILT_IN_PLAYERS, DEFAULT_OPPONENT, cannot_play, is_exact
from evenodds.render.rulebook import rulebook_page
from evenodds.system.text import parse_whole
from evenodds.workers.task import progress_text

RULINGS_USAGE: Final = "when a match is opened, as `rulings`"


def _as_whole(given: object) -> object:
    """A number that was sent as text."""
    number = parse_whole(given) if isinstance(given, str) else None
    return given if number is None else number


Whole = Annotated[StrictInt, BeforeValidator(_as_whole)]
GameName = Annotated[str, Field(description="The name of a game, as list_games has it.")]
MatchName = Annotated[str, Field(description="The match, as open_match names it.")]
Rulings = Annotated[
    dict[str, Annotated[StrictInt | str, BeforeValidator(_as_whole)]],
    Field(description='Rulings to change, such as {"numbers": 6}; list_games has their limits.'),
]
Opponent = Annotated[str, Field(description="Who plays: as list_games has it, or search:2000.")]
Seat = Annotated[
    Literal["first", "second"],
    Field(description="Where you sit; in games of turns the first seat begins."),
]
Number = Annotated[Whole, Field(description="The number you pick: one of `legal`.")]
Round = Annotated[
    Whole | None, Field(description="The round it is meant for, so that it counts only once.")
]
Seed = Annotated[
    Whole | None, Field(description="The same seed gives the same computer and the same draws.")
]


class RulingShape(TypedDict):
    """A ruling that may be changed when a match is opened."""

    key: str
    usual: str
    allowed: str
    about: str


class GameShape(TypedDict):
    """A game in the list."""

    game: str
    title: str
    about: str
    both_pick_at_once: bool
    rulings: list[RulingShape]


class GamesShape(TypedDict):
    """The games, and the opponents by name with how they play."""

    games: list[GameShape]
    opponents: dict[str, str]


class RulesShape(TypedDict):
    """The page of a game, in Markdown."""

    game: str
    page: str


@dataclass(eq=False)
class ToolSolveQueue:
    """Runs one solve at a time, since each uses all cores; `_lock` is held for a whole solve.

    The limits are in seconds: one solve may take `solve_s`, as MCP clients hardly wait longer, and
    a caller waits `queue_s` for the solves of others. Progress is told every `progress_s`.
    """

    solve_s: float = 60.0
    queue_s: float = 60.0
    progress_s: float = 0.5
    solve: Callable[..., Any] = solution_in_time
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def solution(self, terms: Terms, caller: Context[Any, Any]) -> Solution:
        """The solution of a game; `ToolRefused` where others are solved for too long.

        It is solved in a thread, and meanwhile the caller is told elapsed time and stage.
        """
        try:
            async with asyncio.timeout(self.queue_s):
                await self._lock.acquire()
        except TimeoutError:
            raise ToolRefused("another ruling is being solved; try again in a minute") from None
        said, is_wanted, began = "preparing", True, time.monotonic()

        def note(stage: str, done: int, total: int) -> None:
            nonlocal said
            if not is_wanted:
                raise SolveLimitExceeded("nobody waits for it any more")
            said = progress_text(stage, done, total)

        solve: Callable[[], Solution] = partial(self.solve, terms, self.solve_s, progress=note)
        solving = asyncio.create_task(to_thread.run_sync(solve, abandon_on_cancel=True))
        try:
            while not (await asyncio.wait([solving], timeout=self.progress_s))[0]:
                await caller.report_progress(time.monotonic() - began, self.solve_s, said)
            return solving.result()
        finally:
            # A cancelled call abandons its thread, which cannot be killed: this stops the solve
            # at its next progress report.
            is_wanted = False
            solving.cancel()
            self._lock.release()


class Tools:
    """The tools of one server: their methods, signatures and docstrings are what clients see.

    An `EvenOddsError` tells a caller what to correct.
    """

    def __init__(
        self, matches: ToolMatchRegistry | None = None, solve_queue: ToolSolveQueue | None = None
    ) -> None:
        self._matches = matches or ToolMatchRegistry()
        self._solve_queue = solve_queue or ToolSolveQueue()

    def offered(self) -> tuple[Callable[..., Any], ...]:
        """The tools in the order in which a client reads them."""
        before = self.list_games, self.read_rules, self.open_match
        return *before, self.see_match, self.pick, self.resign, self.review_match

    async def list_games(self) -> GamesShape:
        """List the games with the rulings that may be changed, and the opponents there are."""
        games = catalog.list_games()
        return {"games": [_game_shape(game) for game in games], "opponents": dict(BUILT_IN_PLAYERS)}

    async def read_rules(self, game: GameName, rulings: Rulings = {}) -> RulesShape:  # noqa: B006
        """Read the rule book of a game, with its rulings and what its book leaves open."""
        found = catalog.get(game)
        settled = found.settle(rulings) if rulings else None
        return {"game": found.name, "page": rulebook_page(found, settled, RULINGS_USAGE)}

    async def open_match(
        self,
        game: GameName,
        ctx: Context[Any, Any],
        opponent: Opponent = DEFAULT_OPPONENT,
        seat: Seat = "first",
        rulings: Rulings = {},  # noqa: B006
        seed: Seed = None,
    ) -> MatchShape:
        """Open a match against the computer. The first answer is what your seat sees."""
        own = FIRST if seat == "first" else SECOND
        computer = check_tool_opponent(opponent)
        computers = ("", computer) if own == FIRST else (computer, "")
        terms = agree(game, rulings, computers=computers)
        self._matches.make_room()
        solution = None
        if is_exact(computer):
            try:
                solution = await self._solve_queue.solution(terms, ctx)
            except NotSolved as error:
                raise cannot_play(computer, error) from None
        match = Match(terms, seed=secrets.token_hex(16) if seed is None else str(seed))
        tool_match = ToolMatch(match, own, solution)
        self._matches.add(tool_match)
        return await tool_match.reply(1)

    async def see_match(self, match: MatchName) -> MatchShape:
        """See a match again: the position, your legal numbers, the history."""
        async with self._matches.locked(match) as tool_match:
            return tool_match.shape()

    async def pick(self, match: MatchName, number: Number, round: Round = None) -> MatchShape:
        """Pick a number. The answer tells what came of it, and what you see next."""
        async with self._matches.locked(match) as tool_match:
            since = tool_match.match.round
            tool_match.pick(number, round)
            return await tool_match.reply(min(since, tool_match.match.round))

    async def resign(self, match: MatchName) -> MatchShape:
        """Give a match up: the computer wins."""
        async with self._matches.locked(match) as tool_match:
            tool_match.match.resign(tool_match.seat)
            return tool_match.shape()

    async def review_match(self, match: MatchName, ctx: Context[Any, Any]) -> ReviewShape:
        """Review a match that is over: what every pick gave away, what was luck, what to learn."""
        async with self._matches.locked(match) as tool_match:
            if tool_match.match.result is None:
                raise ToolRefused("the match is not over yet; pick, or resign, and review it then")
            terms = tool_match.match.terms
            if tool_match.solution is None:
                tool_match.solution = await self._solve_queue.solution(terms, ctx)
            names = names_for(terms, tool_match.seat)
            found = await to_thread.run_sync(review, tool_match.match, tool_match.solution, names)
            return tool_match.review_shape(found)


def _game_shape(game: AnyGame) -> GameShape:
    """The schema data of a game for the list."""

    def allowed(option: Option) -> str:
        return option.allowed({}) if isinstance(option, OneOf) else f"{option.low} to {option.high}"

    usual = ruling_texts(game.rulings())
    return {
        "game": game.name,
        "title": game.title,
        "about": game.summary,
        "both_pick_at_once": game.simultaneous,
        "rulings": [
            {"key": key, "usual": usual[key], "allowed": allowed(option), "about": option.about}
            for key, option in game.options.items()
        ],
    }
