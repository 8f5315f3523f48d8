"""Registry of players: names, checks of names, and construction of a player."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evenodds.core.game import LEVELS
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat
from evenodds.engine.on_demand import NotSolved, solution_for
from evenodds.figures import join_words
from evenodds.players.player import CannotPlay, CopyPlayer, Player, UnknownPlayer
from evenodds.players.profiles import BUILT_IN_PROFILES, profile
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from random import Random

    from evenodds.engine.solution import Solution
    from evenodds.players.levels import PlayerLike
    from evenodds.players.llm.budget import Budget
    from evenodds.players.llm.model_player import LogLine


DEFAULT_OPPONENT: Final = "level:4"
PROGRAM_PREFIX: Final = "cmd:"
MODEL_PREFIX: Final = "llm:"


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

FULL_SEARCH_LEVEL: Final = 6
"""The first level in whose place search takes all its time."""
BUILT_IN_PLAYERS: Final = {name: profile.line for name, profile in BUILT_IN_PROFILES.items()}
"""The opponents by name, and how they play."""


def opponent(
    player: "PlayerLike",
    terms: Terms,
    seat: Seat,
    rng: "Random",
    progress: Any = None,
    bot_seconds: float | None = None,
    solution: "Solution | None" = None,
    remembers: bool = False,
    log_line: "LogLine | None" = None,
    budget: "Budget | None" = None,
    tell: Callable[[str], object] | None = None,
) -> Player:
    """The player of that name or policy for a seat; `UnknownPlayer` names those there are.

    For exact players the game is solved first, which may take a while, unless a solution is given.
    Programs (`cmd:`) and models (`llm:`) are allowed only with `bot_seconds`, their time for a
    pick. Prompts and answers of a model go to `log_line`, and its cost to `budget` or else to the
    budget of the process. A reader that `remembers` knows people from earlier matches. Where the
    rules cannot be solved, search takes the place of an exact player if somebody is told so.
    """
    from evenodds.engine.policies import mix_of
    from evenodds.players.levels import MixPlayer, policy_of

    if isinstance(player, str):
        check_opponent(player, allow_external=bot_seconds is not None)
        solve = partial(solution_to_play, player, terms, progress, solution)
        try:
            policy = policy_of(terms.game, player, solve)
            known = solve() if player == "reader" else None
        except CannotPlay as error:
            if tell is None:
                raise
            tell(f"{profile(player).name} plays by search here: {error.__cause__}.")
            player, policy, known = search_like(player), None, None
    else:
        policy, known = player, None
    if policy is not None:
        return MixPlayer(partial(mix_of, terms.game, policy), rng)
    kind, _, detail = str(player).partition(":")
    if kind == "copy":
        return CopyPlayer()
    if kind == "reader":
        assert known is not None
        from evenodds.players.reader.memory import SHARED_MEMORY
        from evenodds.players.reader.reader_player import ReaderPlayer

        return ReaderPlayer(known, terms, seat, rng, SHARED_MEMORY if remembers else None)
    if kind == "search":
        from evenodds.players.search_player import SearchPlayer, limit_of

        return SearchPlayer(terms, seat, rng, limit_of(detail or "1s"))
    assert bot_seconds is not None
    if kind == "cmd":
        from evenodds.players.program_player import ProgramPlayer

        return ProgramPlayer(detail, terms, seat, bot_seconds)
    from evenodds.players.llm.model_player import ModelPlayer

    return ModelPlayer(detail, terms, seat, bot_seconds, log_line, budget)


def search_like(name: str) -> str:
    """The search that plays in the place of an exact player: for low levels a short one."""
    level = int(name.partition(":")[2] or LEVELS[-1])
    return f"search:{4**level}" if level < FULL_SEARCH_LEVEL else "search"


def is_exact(name: str) -> bool:
    """Whether an opponent needs the exact solution of the game."""
    return name.partition(":")[0] in ("level", "perfect", "reader")


def solution_to_play(
    name: str, terms: Terms, progress: Any = None, solution: "Solution | None" = None
) -> "Solution":
    """The given solution, or the one of the terms; `CannotPlay` where they cannot be solved."""
    try:
        return solution or solution_for(terms, progress)
    except NotSolved as error:
        raise cannot_play(name, error) from error


def cannot_play(name: str, error: NotSolved) -> CannotPlay:
    """The error for an exact opponent of a game that cannot be solved."""
    return CannotPlay(f"{name} cannot play this, but search can: {error}")


def registered_name(typed: str) -> str:
    """The name of a built-in player, also as it is shown: `Level 4` for `level:4`."""
    name = typed.strip().lower().replace(" ", ":")
    return name if name in BUILT_IN_PLAYERS else typed


def is_built_in_player(name: str) -> bool:
    """Whether it is the name of a built-in opponent; external players never are."""
    try:
        check_opponent(name)
    except UnknownPlayer:
        return False
    return True


def external_kind(name: str) -> ExternalPlayerKind | None:
    """The kind of an external program or a language model; None for other players."""
    kind, colon, _ = name.partition(":")
    return EXTERNAL_PLAYER_KINDS.get(kind + colon)


def pick_timeout_s(name: str, wanted: float | None) -> float | None:
    """The time of an external player for a pick, as asked for or usual; None for other players."""
    external = external_kind(name)
    return external and (wanted or external.timeout_s)


def check_player(player: "PlayerLike", terms: Terms) -> str:
    """The name of a player, programs and models included; empty for a policy that may play."""
    from evenodds.engine.policies import check_policy, is_policy

    if isinstance(player, str) or not is_policy(player):
        return check_opponent(player, allow_external=True)
    check_policy(terms.game, terms.rulings, player)
    return ""


def check_opponent(name: object, allow_external: bool = False) -> str:
    """The name, if there is such an opponent; `cmd:` and `llm:` only with `allow_external`."""
    if not isinstance(name, str):
        raise _unknown_player(name)
    kind, _, detail = name.partition(":")
    if external := external_kind(name):
        if not allow_external or not detail.strip():
            lacks = f"needs {external.missing}"
            problem = lacks if allow_external else "is taken from the command line only"
            raise UnknownPlayer(f'{kind}: {problem}: --vs "{external.example}"')
        if kind == "llm":
            from evenodds.players.llm.chat import parse_endpoint

            parse_endpoint(detail)
    elif name.startswith("search:"):
        from evenodds.players.search_player import limit_of

        limit_of(detail)
    elif name not in BUILT_IN_PLAYERS:
        raise _unknown_player(name)
    return name


def _unknown_player(name: object) -> UnknownPlayer:
    names = join_words(opponent_names(), "and")
    return UnknownPlayer(f'there is no opponent called "{shorten(name)}"; there are {names}')


def opponent_names() -> list[str]:
    """The names of all opponents, the levels as one range."""
    names = [name for name in BUILT_IN_PLAYERS if not name.startswith("level:")]
    return [*names, f"level:{LEVELS[0]}-{LEVELS[-1]}"]
