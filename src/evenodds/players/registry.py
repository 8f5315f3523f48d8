"""Opponents by name: which there are, who can play a game, and one ready to play."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.game import LEVELS
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.players.player import CannotPlay, Player, UnknownPlayer
from evenodds.solver import NotSolved, solution_for
from evenodds.system.text import brief, listed

if TYPE_CHECKING:
    from random import Random

    from evenodds.players.llm.budget import Budget
    from evenodds.players.llm.player import Keep
    from evenodds.players.reader.memory import Memory
    from evenodds.solver import Solution


USUAL: Final = "level:4"
"""Who plays when nobody is named."""

PROGRAM: Final = "cmd:"
"""What comes before the command of a program that plays."""
MODEL: Final = "llm:"
"""What comes before a language model and its address."""


class Stranger(NamedTuple):
    """A kind of opponent that is taken from the user's own command line, and from nowhere else."""

    called: str
    lacks: str
    """What is missing where nothing stands behind the colon."""
    example: str
    seconds: float
    """What it has for a pick, where nobody says otherwise."""


STRANGERS: Final = {
    PROGRAM: Stranger("program", "a command", "cmd:python mybot.py", 10.0),
    MODEL: Stranger("model", "a model and its address", "llm:MODEL@https://HOST/v1", 120.0),
}

PLAYERS: Final = {
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
    memory: "Memory | None" = None,
    keep: "Keep | None" = None,
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
        return _exact(name, detail, terms, seat, chance, solution, memory)
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


def _exact(
    name: str,
    number: str,
    terms: Terms,
    seat: Seat,
    chance: "Random",
    solution: "Solution",
    memory: "Memory | None",
) -> Player:
    """Those who know the exact values."""
    from evenodds.players.exact import MixPlayer, level

    if name == "reader":
        from evenodds.players.reader.memory import MEMORY
        from evenodds.players.reader.player import ReaderPlayer

        return ReaderPlayer(solution, terms, seat, chance, memory or MEMORY)
    policy = level(terms.game, solution, int(number)) if number else solution.mix
    return MixPlayer(policy, chance)


def is_known(name: str) -> bool:
    """Whether there is such an opponent; strangers are not known, whoever vouches for them."""
    if name.startswith("search:"):
        from evenodds.players.search.player import is_limit

        return is_limit(name.removeprefix("search:"))
    return name in PLAYERS


def is_stranger(name: str) -> bool:
    """Whether it is a program or a model of somebody's own."""
    return _stranger(name) is not None


def called(stranger: str) -> str:
    """What a stranger is: a program, or a model."""
    found = _stranger(stranger)
    assert found is not None
    return found.called


def _stranger(name: str) -> Stranger | None:
    kind, colon, _ = name.partition(":")
    return STRANGERS.get(kind + colon)


def seconds_for(name: str, wanted: float | None) -> float:
    """What a stranger has for a pick: what somebody wants, or else what is usual."""
    found = _stranger(name)
    assert found is not None
    return wanted or found.seconds


def _check_stranger(name: str, allowed: bool) -> None:
    """Refuse a program without a command, a model that cannot be asked, and both if not allowed."""
    kind, _, detail = name.partition(":")
    found = STRANGERS[f"{kind}:"]
    if not allowed or not detail.strip():
        problem = f"needs {found.lacks}" if allowed else "is taken from the command line only"
        raise UnknownPlayer(f'{kind}: {problem}: --vs "{found.example}"')
    if kind == "llm":
        from evenodds.players.llm.endpoint import BadEndpoint, endpoint

        try:
            endpoint(detail)
        except BadEndpoint as error:
            raise UnknownPlayer(str(error)) from None


def check_opponent(name: object, strangers: bool = False) -> str:
    """The name, if there is such an opponent; `cmd:` and `llm:` where strangers may play."""
    if not isinstance(name, str):
        raise _nobody(name)
    if is_stranger(name):
        _check_stranger(name, strangers)
        return name
    if name.startswith("search:") and not is_known(name):
        from evenodds.players.search.player import ALLOWED

        raise UnknownPlayer(f"{brief(name)} is not allowed; allowed: {ALLOWED}")
    if not is_known(name):
        raise _nobody(name)
    return name


def check_presence(name: str, terms: Terms, seconds: float) -> None:
    """`CannotPlay` where a program cannot be started, or a model's service not be reached.

    A program hears a greeting and a goodbye; of a model nothing is asked.
    """
    if name.startswith(PROGRAM):
        from evenodds.players.program.player import check_start

        check_start(name.removeprefix(PROGRAM), terms, seconds)
    else:
        from evenodds.players.llm.player import check_service

        check_service(name.removeprefix(MODEL), seconds)


def _nobody(name: object) -> UnknownPlayer:
    there = listed(spoken_names(), "and")
    return UnknownPlayer(f'there is no opponent called "{brief(name)}"; there are {there}')


def spoken_names() -> list[str]:
    """The names of all opponents, the levels in one."""
    names = [name for name in PLAYERS if not name.startswith("level:")]
    return [*names, f"level:{LEVELS[0]}-{LEVELS[-1]}"]
