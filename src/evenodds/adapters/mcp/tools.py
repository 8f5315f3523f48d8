"""The MCP tools and their server: arguments, results, one-line errors."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, StrictInt, ValidationError

from evenodds import __version__
from evenodds.adapters.mcp.schemas import (
    GamesShape,
    MatchShape,
    ReviewShape,
    RulesShape,
    game_shape,
    match_shape,
    review_shape,
)
from evenodds.adapters.mcp.solve_queue import ToolSolveQueue
from evenodds.adapters.mcp.tool_matches import (
    ToolMatch,
    ToolMatchRegistry,
    ToolRefused,
    check_tool_opponent,
    needs_solution,
)
from evenodds.coach.review import review
from evenodds.core import catalog
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.figures import join_words
from evenodds.players.profiles import names_for
from evenodds.players.registry import BUILT_IN_PLAYERS, DEFAULT_OPPONENT, cannot_play
from evenodds.render.rulebook import rulebook_page
from evenodds.solver import NotSolved
from evenodds.system.errors import EvenOddsError
from evenodds.system.text import shorten

INSTRUCTIONS: Final = (
    "Even Odds: two-player number games, played against a computer. list_games first, read_rules "
    "for the game you choose, then open_match and pick one of `legal` until there is a result. "
    "Where both pick at once, your opponent's pick is shown only when yours is in. review_match "
    "tells afterwards what every pick gave away, exactly."
)
UNION_BRANCH_NAMES: Final = ("int", "str")
"""Names of union branches in pydantic's error locations, which are not shown."""
RULINGS_USAGE: Final = "when a match is opened, as `rulings`"

GameName = Annotated[str, Field(description="The name of a game, as list_games has it.")]
MatchName = Annotated[str, Field(description="The match, as open_match names it.")]
Rulings = Annotated[
    dict[str, StrictInt | str],
    Field(description='Rulings to change, such as {"numbers": 6}; list_games has their limits.'),
]
Opponent = Annotated[str, Field(description="Who plays against you; list_games has them.")]
Seat = Annotated[
    Literal["first", "second"],
    Field(description="Where you sit; in games of turns the first seat begins."),
]
Number = Annotated[StrictInt, Field(description="The number you pick: one of `legal`.")]
Round = Annotated[
    StrictInt | None, Field(description="The round it is meant for, so that it counts only once.")
]


class Tools:
    """The tools of one server: their methods, signatures and docstrings are what clients see."""

    def __init__(
        self, matches: ToolMatchRegistry | None = None, solve_queue: ToolSolveQueue | None = None
    ) -> None:
        self._matches = matches or ToolMatchRegistry()
        self._solve_queue = solve_queue or ToolSolveQueue()

    async def list_games(self) -> GamesShape:
        """List the games with the rulings that may be changed, and the opponents there are."""
        games = catalog.list_games()
        return {"games": [game_shape(game) for game in games], "opponents": dict(BUILT_IN_PLAYERS)}

    async def read_rules(self, game: GameName, rulings: Rulings = {}) -> RulesShape:  # noqa: B006
        """Read the rule book of a game, with its rulings and what its book leaves open."""
        with tool_errors():
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
    ) -> MatchShape:
        """Open a match against the computer. The first answer is what your seat sees."""
        with tool_errors():
            own = FIRST if seat == "first" else SECOND
            computer = check_tool_opponent(opponent)
            computers = ("", computer) if own == FIRST else (computer, "")
            terms = agree(game, rulings, computers=computers)
            self._matches.make_room()
            solution = None
            if needs_solution(terms, own):
                try:
                    solution = await self._solve_queue.solution(terms, ctx)
                except NotSolved as error:
                    raise cannot_play(computer, error) from None
            tool_match = ToolMatch(terms, own, solution)
            self._matches.add(tool_match)
            return await _computer_reply(tool_match, 1)

    async def see_match(self, match: MatchName) -> MatchShape:
        """See a match again: the position, your legal numbers, the history."""
        with tool_errors():
            tool_match = self._matches.find(match)
            async with tool_match.lock:
                return match_shape(tool_match)

    async def pick(self, match: MatchName, number: Number, round: Round = None) -> MatchShape:
        """Pick a number. The answer tells what came of it, and what you see next."""
        with tool_errors():
            tool_match = self._matches.find(match)
            async with tool_match.lock:
                since = tool_match.match.round
                tool_match.pick(number, round)
                return await _computer_reply(tool_match, min(since, tool_match.match.round))

    async def resign(self, match: MatchName) -> MatchShape:
        """Give a match up: the computer wins."""
        with tool_errors():
            tool_match = self._matches.find(match)
            async with tool_match.lock:
                tool_match.resign()
                return match_shape(tool_match)

    async def review_match(self, match: MatchName, ctx: Context[Any, Any]) -> ReviewShape:
        """Review a match that is over: what every pick gave away, what was luck, what to learn."""
        with tool_errors():
            tool_match = self._matches.find(match)
            async with tool_match.lock:
                if tool_match.match.result is None:
                    raise ToolRefused(
                        "the match is not over yet; pick, or resign, and review it then"
                    )
                if tool_match.solution is None:
                    tool_match.solution = await self._solve_queue.solution(
                        tool_match.match.terms, ctx
                    )
                names = names_for(tool_match.match.terms, tool_match.seat)
                found = await to_thread.run_sync(
                    review, tool_match.match, tool_match.solution, names
                )
                return review_shape(tool_match, found)


async def _computer_reply(tool_match: ToolMatch, since: int) -> MatchShape:
    """Let the computer pick in a thread; the view with the narration from a round on."""
    await to_thread.run_sync(tool_match.play_computer)
    return match_shape(tool_match, since)


@contextmanager
def tool_errors() -> Iterator[None]:
    """Turn errors that a caller can correct into a `ToolError` with the same message."""
    try:
        yield
    except (EvenOddsError, ToolRefused) as error:
        raise ToolError(str(error)) from None


class ToolServer(MCPServer[Any]):
    """The MCP server with our tools; an invalid call is answered with one line."""

    def __init__(self, tools: Tools | None = None) -> None:
        super().__init__(
            "evenodds",
            title="Even Odds",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="ERROR",
        )
        self._tool_parameters: dict[str, list[str]] = {}
        tools = tools or Tools()
        for tool in (
            tools.list_games,
            tools.read_rules,
            tools.open_match,
            tools.see_match,
            tools.pick,
            tools.resign,
            tools.review_match,
        ):
            self._offer(tool)

    def _offer(self, tool: Callable[..., Any]) -> None:
        self.add_tool(tool)
        given = inspect.signature(tool).parameters
        self._tool_parameters[tool.__name__] = [name for name in given if name != "ctx"]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; an invalid call raises `ToolError` with one line."""
        parameters = self._tool_parameters.get(name)
        if parameters is None:
            known = join_words([*self._tool_parameters])
            raise ToolError(f'there is no tool "{shorten(name)}"; there are {known}')
        unknown = [key for key in arguments if key not in parameters]
        if unknown:
            allowed = ", ".join(parameters) or "none"
            raise ToolError(f"{shorten(unknown[0])}: there is no such argument; allowed: {allowed}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ToolError | ValidationError | None):
                raise ToolError(_call_error_message(error)) from None
            error.args = (f"Error executing tool {name}",)  # mcp before 2.3 would tell the cause
            raise


def _call_error_message(error: ToolError) -> str:
    """What is wrong with a call, without the text that the library adds."""
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return str(cause or error)
    first = cause.errors()[0]
    place = ".".join(str(part) for part in first["loc"][:2] if part not in UNION_BRANCH_NAMES)
    given = "" if first["type"] == "missing" else f"={shorten(repr(first['input']))}"
    return f"{place}{given}: {first['msg'][:1].lower()}{first['msg'][1:]}"
