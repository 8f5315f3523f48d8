"""The MCP tools and their server: arguments, results, one-line errors."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from pydantic import Field, StrictInt, ValidationError

from evenodds import __version__
from evenodds.adapters.mcp.matches import (
    ToolMatch,
    ToolMatchRegistry,
    ToolRefused,
    check_tool_opponent,
    needs_solution,
)
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
from evenodds.coach.review import review
from evenodds.core import catalog
from evenodds.core.rulings import BadRuling
from evenodds.core.terms import BadTerms, agree
from evenodds.core.vocabulary import FIRST, SECOND
from evenodds.players.player import UnknownPlayer
from evenodds.players.registry import BUILT_IN_PLAYERS, DEFAULT_OPPONENT, cannot_play
from evenodds.render.rulebook import page
from evenodds.solver import NotSolved
from evenodds.system.environment import BadSetting
from evenodds.system.text import brief, listed

INSTRUCTIONS: Final = (
    "Even Odds: two-player number games, played against a computer. list_games first, read_rules "
    "for the game you choose, then open_match and pick one of `legal` until there is a result. "
    "Where both pick at once, your opponent's pick is shown only when yours is in. review_match "
    "tells afterwards what every pick gave away, exactly."
)
UNION_BRANCH_NAMES: Final = ("int", "str")
"""What the library names where an argument may be of several kinds."""
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
    """What can be done at the tables of one server."""

    def __init__(self) -> None:
        self._tables = ToolMatchRegistry()
        self._desk = ToolSolveQueue()

    async def list_games(self) -> GamesShape:
        """List the games with the rulings that may be changed, and the opponents there are."""
        games = catalog.list_games().games
        return {"games": [game_shape(game) for game in games], "opponents": dict(BUILT_IN_PLAYERS)}

    async def read_rules(self, game: GameName, rulings: Rulings = {}) -> RulesShape:  # noqa: B006
        """Read the rule book of a game, with its rulings and what its book leaves open."""
        with tool_errors():
            found = catalog.get(game)
            settled = found.settle(rulings) if rulings else None
            return {"game": found.name, "page": page(found, settled, RULINGS_USAGE)}

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
            self._tables.check_room()
            solution = None
            if needs_solution(terms, own):
                try:
                    solution = await self._desk.solution(terms, ctx)
                except NotSolved as error:
                    raise cannot_play(computer, error) from None
            table = ToolMatch(terms, own, solution)
            self._tables.add(table)
            return await _computer_reply(table, 1)

    async def see_match(self, match: MatchName) -> MatchShape:
        """See a match again: the position, your legal numbers, the history."""
        with tool_errors():
            table = self._tables.find(match)
            async with table.lock:
                return match_shape(table)

    async def pick(self, match: MatchName, number: Number, round: Round = None) -> MatchShape:
        """Pick a number. The answer tells what came of it, and what you see next."""
        with tool_errors():
            table = self._tables.find(match)
            async with table.lock:
                since = table.match.round
                table.pick(number, round)
                return await _computer_reply(table, min(since, table.match.round))

    async def resign(self, match: MatchName) -> MatchShape:
        """Give a match up: the computer wins."""
        with tool_errors():
            table = self._tables.find(match)
            async with table.lock:
                table.resign()
                return match_shape(table)

    async def review_match(self, match: MatchName, ctx: Context[Any, Any]) -> ReviewShape:
        """Review a match that is over: what every pick gave away, what was luck, what to learn."""
        with tool_errors():
            table = self._tables.find(match)
            async with table.lock:
                if table.match.result is None:
                    raise ToolRefused(
                        "the match is not over yet; pick, or resign, and review it then"
                    )
                if table.solution is None:
                    table.solution = await self._desk.solution(table.match.terms, ctx)
                found = await to_thread.run_sync(review, table.match, table.solution)
                return review_shape(table, found)


async def _computer_reply(table: ToolMatch, since: int) -> MatchShape:
    """Let the computer pick, and tell what happened from a round on."""
    await to_thread.run_sync(table.let)
    return match_shape(table, since)


@contextmanager
def tool_errors() -> Iterator[None]:
    """What a caller can mend is told as it stands; its text says what is allowed."""
    try:
        yield
    except (
        BadRuling,
        BadSetting,
        BadTerms,
        NotSolved,
        ToolRefused,
        UnknownPlayer,
        catalog.UnknownGame,
    ) as error:
        raise ToolError(str(error)) from None


class ToolServer(MCPServer[Any]):
    """The protocol's server with our tools, which says in one line what is wrong with a call."""

    def __init__(self) -> None:
        super().__init__(
            "evenodds",
            title="Even Odds",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="ERROR",
        )
        self._takes: dict[str, list[str]] = {}
        tools = Tools()
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
        self._takes[tool.__name__] = [name for name in given if name != "ctx"]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; a mistake of the caller comes back as one line that can be acted on."""
        takes = self._takes.get(name)
        if takes is None:
            raise ToolError(f'there is no tool "{brief(name)}"; there are {listed([*self._takes])}')
        strange = [key for key in arguments if key not in takes]
        if strange:
            allowed = ", ".join(takes) or "none"
            raise ToolError(f"{brief(strange[0])}: there is no such argument; allowed: {allowed}")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            raise ToolError(_call_error_message(error)) from None


def _call_error_message(error: ToolError) -> str:
    """What is wrong with a call, without what the library adds to it."""
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return str(cause or error)
    first = cause.errors()[0]
    place = ".".join(str(part) for part in first["loc"][:2] if part not in UNION_BRANCH_NAMES)
    given = "" if first["type"] == "missing" else f"={brief(repr(first['input']))}"
    return f"{place}{given}: {first['msg'][:1].lower()}{first['msg'][1:]}"
