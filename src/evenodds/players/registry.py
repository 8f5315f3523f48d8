"""Registry of players: names, checks of names, and construction of a player."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.game import LEVELS
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.figures import join_words
from evenodds.players.player import CannotPlay, Player, UnknownPlayer
from evenodds.players.profiles import BUILT_IN_PROFILES
from evenodds.solver import NotSolved, solution_for
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from random import Random

    from evenodds.players.llm.budget import Budget
    from evenodds.players.llm.player import LogLine
    from evenodds.players.reader.memory import ReaderMemory
    from evenodds.solver import Solution


DEFAULT_OPPONENT: Final = "level:4"
"""The opponent where none is named."""

PROGRAM_PREFIX: Final = "cmd:"
"""The prefix of an external program; its command follows."""
MODEL_PREFIX: Final = "llm:"
"""The prefix of a language model; its endpoint follows."""


class ExternalPlayerKind(NamedTuple):
    """A kind of opponent that only a command line may name: programs and language models."""

    label: str
    missing: str
    """What the name lacks where nothing follows the prefix."""
    example: str
    timeout_s: float
    """The default time for a pick."""


EXTERNAL_PLAYER_KINDS: Final = {
    PROGRAM_PREFIX: ExternalPlayerKind("program", "a command", "cmd:python mybot.py", 10.0),
    MODEL_PREFIX: ExternalPlayerKind(
        "model", "a model and its address", "llm:MODEL@https://HOST/v1", 120.0
    ),
}

BUILT_IN_PLAYERS: Final = {
    **{name: profile.line for name, profile in BUILT_IN_PROFILES.items()},
    "search": "Looks ahead for a second, or search:2000 by count, search:0.5s by time.",
}
"""The opponents by name, and how they play."""


def opponent(
    name: str,
    terms: Terms,
    seat: Seat,
    rng: "Random",
    progress: Any = None,
    bot_seconds: float | None = None,
    solution: "Solution | None" = None,
    memory: "ReaderMemory | None" = None,
    log_line: "LogLine | None" = None,
    budget: "Budget | None" = None,
) -> Player:
    """The opponent of that name for a seat; `UnknownPlayer` names those there are.

    For exact players the game is solved first, which may take a while, unless a solution is given.
    Programs (`cmd:`) and models (`llm:`) are allowed only with `bot_seconds`, their time for a
    pick. Prompts and answers of a model go to `log_line`, and its cost to `budget` or else to the
    budget of the process. A reader uses the shared memory unless another one is given.
    """
    check_opponent(name, allow_external=bot_seconds is not None)
    kind, _, detail = name.partition(":")
    if is_exact(name):
        solution = solution or solution_of(name, terms, progress)
        if kind == "reader":
            from evenodds.players.reader.memory import SHARED_MEMORY
            from evenodds.players.reader.player import ReaderPlayer

            return ReaderPlayer(solution, terms, seat, rng, memory or SHARED_MEMORY)
        from evenodds.players.exact import MixPlayer, level_policy

        policy = level_policy(terms.game, solution, int(detail)) if detail else solution.mix
        return MixPlayer(policy, rng)
    if kind == "search":
        from evenodds.players.search.player import SearchPlayer, limit_of

        return SearchPlayer(terms, seat, rng, limit_of(detail))
    if kind == "cmd":
        from evenodds.players.program.player import ProgramPlayer

        assert bot_seconds is not None
        return ProgramPlayer(detail, terms, seat, bot_seconds)
    if kind == "llm":
        from evenodds.players.llm.player import ModelPlayer

        assert bot_seconds is not None
        return ModelPlayer(detail, terms, seat, bot_seconds, log_line, budget)
    from evenodds.players.simple import CopyPlayer, HighPlayer, RandomPlayer

    players = {"random": RandomPlayer(rng), "high": HighPlayer(), "copy": CopyPlayer()}
    return players[kind]


def is_exact(name: str) -> bool:
    """Whether an opponent needs the exact solution of the game."""
    return name.partition(":")[0] in ("level", "perfect", "reader")


def solution_of(name: str, terms: Terms, progress: Any = None) -> "Solution":
    """The solution for an exact opponent; `CannotPlay` where the game cannot be solved."""
    try:
        return solution_for(terms, progress)
    except NotSolved as error:
        raise cannot_play(name, error) from None


def cannot_play(name: str, error: NotSolved) -> CannotPlay:
    """The error for an exact opponent of a game that cannot be solved."""
    return CannotPlay(f"{name} cannot play this, but search can: {error}")


def registered_name(typed: str) -> str:
    """The name of a built-in player, also as it is shown: `Level 4` for `level:4`."""
    name = typed.strip().lower().replace(" ", ":")
    return name if name in BUILT_IN_PLAYERS else typed


def is_built_in_player(name: str) -> bool:
    """Whether it is the name of a built-in opponent; external players never are."""
    if name.startswith("search:"):
        from evenodds.players.search.player import is_limit

        return is_limit(name.removeprefix("search:"))
    return name in BUILT_IN_PLAYERS


def is_external(name: str) -> bool:
    """Whether it names an external program or a language model."""
    return _external_kind(name) is not None


def external_kind_name(name: str) -> str:
    """`program` or `model`."""
    external = _external_kind(name)
    assert external is not None
    return external.label


def _external_kind(name: str) -> ExternalPlayerKind | None:
    kind, colon, _ = name.partition(":")
    return EXTERNAL_PLAYER_KINDS.get(kind + colon)


def pick_timeout_s(name: str, wanted: float | None) -> float:
    """The time of an external player for a pick: the one asked for, or else the default."""
    external = _external_kind(name)
    assert external is not None
    return wanted or external.timeout_s


def _check_external(name: str, allowed: bool) -> None:
    """`UnknownPlayer` for a missing command, a bad endpoint, or where none is allowed."""
    kind, _, detail = name.partition(":")
    external = EXTERNAL_PLAYER_KINDS[f"{kind}:"]
    if not allowed or not detail.strip():
        problem = f"needs {external.missing}" if allowed else "is taken from the command line only"
        raise UnknownPlayer(f'{kind}: {problem}: --vs "{external.example}"')
    if kind == "llm":
        from evenodds.players.llm.endpoint import BadEndpoint, parse_endpoint

        try:
            parse_endpoint(detail)
        except BadEndpoint as error:
            raise UnknownPlayer(str(error)) from None


def check_opponent(name: object, allow_external: bool = False) -> str:
    """The name, if there is such an opponent; `cmd:` and `llm:` only with `allow_external`."""
    if not isinstance(name, str):
        raise _unknown_player(name)
    if is_external(name):
        _check_external(name, allow_external)
        return name
    if name.startswith("search:") and not is_built_in_player(name):
        from evenodds.players.search.player import ALLOWED_SEARCH_LIMITS

        raise UnknownPlayer(f"{shorten(name)} is not allowed; allowed: {ALLOWED_SEARCH_LIMITS}")
    if not is_built_in_player(name):
        raise _unknown_player(name)
    return name


def check_external_available(name: str, terms: Terms, seconds: float) -> None:
    """`CannotPlay` where a program cannot be started, or a model's service not be reached.

    A program is started and stopped; to a model's service only a connection is made.
    """
    if name.startswith(PROGRAM_PREFIX):
        from evenodds.players.program.player import check_start

        check_start(name.removeprefix(PROGRAM_PREFIX), terms, seconds)
    else:
        from evenodds.players.llm.player import check_service

        check_service(name.removeprefix(MODEL_PREFIX), seconds)


def _unknown_player(name: object) -> UnknownPlayer:
    names = join_words(opponent_names(), "and")
    return UnknownPlayer(f'there is no opponent called "{shorten(name)}"; there are {names}')


def opponent_names() -> list[str]:
    """The names of all opponents, the levels as one range."""
    names = [name for name in BUILT_IN_PLAYERS if not name.startswith("level:")]
    return [*names, f"level:{LEVELS[0]}-{LEVELS[-1]}"]
