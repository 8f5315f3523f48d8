"""Registry of players: names, checks of names, and construction of a player."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.players.levels import LEVELS
from evenodds.players.player import CannotPlay, Player, UnknownPlayer
from evenodds.solver import NotSolved, solution_for
from evenodds.system.text import brief, listed

if TYPE_CHECKING:
    from random import Random

    from evenodds.players.llm.budget import Budget
    from evenodds.players.llm.player import LogLine
    from evenodds.players.reader.memory import ReaderMemory
    from evenodds.solver import Solution


DEFAULT_OPPONENT: Final = "level:4"
"""Who plays when nobody is named."""

PROGRAM_PREFIX: Final = "cmd:"
"""What comes before the command of a program that plays."""
MODEL_PREFIX: Final = "llm:"
"""What comes before a language model and its address."""


class ExternalPlayerKind(NamedTuple):
    """A kind of opponent that is taken from the user's own command line, and from nowhere else."""

    called: str
    lacks: str
    """What is missing where nothing stands behind the colon."""
    example: str
    seconds: float
    """What it has for a pick, where nobody says otherwise."""


EXTERNAL_PLAYER_KINDS: Final = {
    PROGRAM_PREFIX: ExternalPlayerKind("program", "a command", "cmd:python mybot.py", 10.0),
    MODEL_PREFIX: ExternalPlayerKind(
        "model", "a model and its address", "llm:MODEL@https://HOST/v1", 120.0
    ),
}

BUILT_IN_PLAYERS: Final = {
    "random": "any number, each with the same chance",
    "high": "always the highest number",
    "copy": "the number nearest to your last one",
    **{f"level:{number}": "the higher the number, the harder to beat" for number in LEVELS},
    "perfect": "a best mix in every position, always the one that `solve` names",
    "reader": "watches how you pick, and plays against your habits",
    "search": "looks ahead for a second, or search:2000 by count, search:0.5s by time",
}
"""The opponents by name, and how they play."""


def opponent(
    name: str,
    terms: Terms,
    seat: Seat,
    chance: "Random",
    progress: Any = None,
    bot_seconds: float | None = None,
    solution: "Solution | None" = None,
    memory: "ReaderMemory | None" = None,
    keep: "LogLine | None" = None,
    budget: "Budget | None" = None,
) -> Player:
    """The opponent of that name for a seat; `UnknownPlayer` names those there are.

    Those who must know the exact values have the game solved first, which may take a while, unless
    a solution is given. A program (`cmd:`) is started, and a model (`llm:`) asked, only where
    somebody says how many seconds it has for a pick. What a model hears and says goes to `keep`,
    and its cost is booked on `budget`, or else on what this process may spend. A reader remembers
    people where it usually does, unless a memory is given.
    """
    check_opponent(name, strangers=bot_seconds is not None)
    kind, _, detail = name.partition(":")
    if is_exact(name):
        solution = solution or solution_of(name, terms, progress)
        return _exact_player(name, detail, terms, seat, chance, solution, memory)
    if kind == "search":
        from evenodds.players.search.player import SearchPlayer, limit_of

        return SearchPlayer(terms, seat, chance, limit_of(detail))
    if kind == "cmd":
        from evenodds.players.program.player import ProgramPlayer

        assert bot_seconds is not None
        return ProgramPlayer(detail, terms, seat, bot_seconds)
    if kind == "llm":
        from evenodds.players.llm.player import ModelPlayer

        assert bot_seconds is not None
        return ModelPlayer(detail, terms, seat, bot_seconds, keep, budget)
    from evenodds.players.simple import CopyPlayer, HighPlayer, RandomPlayer

    simple: dict[str, Player] = {
        "random": RandomPlayer(chance),
        "high": HighPlayer(),
        "copy": CopyPlayer(),
    }
    return simple[kind]


def is_exact(name: str) -> bool:
    """Whether an opponent must know the exact values."""
    return name.partition(":")[0] in ("level", "perfect", "reader")


def solution_of(name: str, terms: Terms, progress: Any = None) -> "Solution":
    """The exact values for an opponent; `CannotPlay` where the game cannot be solved."""
    try:
        return solution_for(terms, progress)
    except NotSolved as error:
        raise cannot_play(name, error) from None


def cannot_play(name: str, error: NotSolved) -> CannotPlay:
    """What is said where an opponent must know values that cannot be had."""
    return CannotPlay(f"{name} cannot play this: {error}; search can")


def _exact_player(
    name: str,
    number: str,
    terms: Terms,
    seat: Seat,
    chance: "Random",
    solution: "Solution",
    memory: "ReaderMemory | None",
) -> Player:
    """Those who know the exact values."""
    from evenodds.players.exact import MixPlayer, level_policy

    if name == "reader":
        from evenodds.players.reader.memory import SHARED_MEMORY
        from evenodds.players.reader.player import ReaderPlayer

        return ReaderPlayer(solution, terms, seat, chance, memory or SHARED_MEMORY)
    policy = level_policy(terms.game, solution, int(number)) if number else solution.mix
    return MixPlayer(policy, chance)


def is_built_in_player(name: str) -> bool:
    """Whether there is such an opponent; strangers are not known, whoever vouches for them."""
    if name.startswith("search:"):
        from evenodds.players.search.player import is_limit

        return is_limit(name.removeprefix("search:"))
    return name in BUILT_IN_PLAYERS


def is_external(name: str) -> bool:
    """Whether it is a program or a model of somebody's own."""
    return _external_kind(name) is not None


def external_kind_name(stranger: str) -> str:
    """What a stranger is: a program, or a model."""
    found = _external_kind(stranger)
    assert found is not None
    return found.called


def _external_kind(name: str) -> ExternalPlayerKind | None:
    kind, colon, _ = name.partition(":")
    return EXTERNAL_PLAYER_KINDS.get(kind + colon)


def pick_timeout_s(name: str, wanted: float | None) -> float:
    """What a stranger has for a pick: what somebody wants, or else what is usual."""
    found = _external_kind(name)
    assert found is not None
    return wanted or found.seconds


def _check_external(name: str, allowed: bool) -> None:
    """Refuse a program without a command, a model that cannot be asked, and both if not allowed."""
    kind, _, detail = name.partition(":")
    found = EXTERNAL_PLAYER_KINDS[f"{kind}:"]
    if not allowed or not detail.strip():
        problem = f"needs {found.lacks}" if allowed else "is taken from the command line only"
        raise UnknownPlayer(f'{kind}: {problem}: --vs "{found.example}"')
    if kind == "llm":
        from evenodds.players.llm.endpoint import BadEndpoint, parse_endpoint

        try:
            parse_endpoint(detail)
        except BadEndpoint as error:
            raise UnknownPlayer(str(error)) from None


def check_opponent(name: object, strangers: bool = False) -> str:
    """The name, if there is such an opponent; `cmd:` and `llm:` where strangers may play."""
    if not isinstance(name, str):
        raise _unknown_player(name)
    if is_external(name):
        _check_external(name, strangers)
        return name
    if name.startswith("search:") and not is_built_in_player(name):
        from evenodds.players.search.player import ALLOWED_SEARCH_LIMITS

        raise UnknownPlayer(f"{brief(name)} is not allowed; allowed: {ALLOWED_SEARCH_LIMITS}")
    if not is_built_in_player(name):
        raise _unknown_player(name)
    return name


def check_external_available(name: str, terms: Terms, seconds: float) -> None:
    """`CannotPlay` where a program cannot be started, or a model's service not be reached.

    A program hears a greeting and a goodbye; of a model nothing is asked.
    """
    if name.startswith(PROGRAM_PREFIX):
        from evenodds.players.program.player import check_start

        check_start(name.removeprefix(PROGRAM_PREFIX), terms, seconds)
    else:
        from evenodds.players.llm.player import check_service

        check_service(name.removeprefix(MODEL_PREFIX), seconds)


def _unknown_player(name: object) -> UnknownPlayer:
    there = listed(opponent_names(), "and")
    return UnknownPlayer(f'there is no opponent called "{brief(name)}"; there are {there}')


def opponent_names() -> list[str]:
    """The names of all opponents, the levels in one."""
    names = [name for name in BUILT_IN_PLAYERS if not name.startswith("level:")]
    return [*names, f"level:{LEVELS[0]}-{LEVELS[-1]}"]
