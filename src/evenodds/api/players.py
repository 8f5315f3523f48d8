"""Computer players for a match that a program plays."""

from collections.abc import Iterable, Mapping
from random import Random

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.core.match import Match
from evenodds.core.rulings import as_int
from evenodds.core.terms import BadTerms, check_seat
from evenodds.core.vocabulary import Seat
from evenodds.players.levels import PlayerLike, policy_of
from evenodds.players.player import Player, UnknownPlayer, pick_seconds_fault
from evenodds.players.reader.memory import NoMemory
from evenodds.players.registry import check_opponent, opponent, pick_timeout_s
from evenodds.policy import Policy, check_policy
from evenodds.solver import solve_settled
from evenodds.system.text import shorten


def make_player(
    player: PlayerLike,
    match: Match,
    seat: Seat,
    *,
    seed: int | None = None,
    seconds: float | None = None,
) -> Player:
    """A player for a seat of a match, which picks by `player.pick(match.view(seat))`.

    It is the name of a player, `"level:4"` or `"cmd:./mybot"`, or a policy: a function of position
    and seat that returns a mix or a number, a mapping, or a solution. `seconds` is what a program
    or a language model has for a pick. Such players run until `player.leave(match.view(seat))`.
    Raises `UnknownPlayer`, `BadPolicy` or `BadTerms` in one line. A player that cannot go on raises
    `Forfeit`.
    """
    check_seat(seat)
    if seconds is not None and (fault := pick_seconds_fault(seconds)):
        raise BadTerms(f"seconds={shorten(repr(seconds))} {fault}")
    if not isinstance(match, Match):
        raise BadTerms(f"match={shorten(match)} is not allowed; allowed: a Match")
    if seed is not None and as_int(seed) is None:
        raise BadTerms(f"seed={shorten(seed)} is not allowed; allowed: whole numbers")
    terms, rng = match.terms, Random(as_int(seed))
    if not isinstance(player, str):
        return opponent(check_policy(terms.game, terms.rulings, player), terms, seat, rng)
    limit = pick_timeout_s(player, seconds)
    return opponent(player, terms, seat, rng, bot_seconds=limit, memory=NoMemory())


def make_policy(game: GameLike, name: str) -> Policy:
    """How a player of ours picks, for `odds`, `exploitability` and the like: `"level:4"`.

    Raises `UnknownPlayer` for a name that there is not, and for players that look at more than the
    position.
    """
    ruled = catalog.settle(game, {})
    policy = policy_of(ruled.game, check_opponent(name), lambda: solve_settled(*ruled))
    if policy is None:
        raise UnknownPlayer(f"{name} depends on more than the position, so it is not a policy")
    return policy


def named_players(
    players: Mapping[str, PlayerLike] | Iterable[PlayerLike],
) -> list[tuple[str, PlayerLike]]:
    """Players with their names: their own, that of a function, or of the class of a policy."""
    players = [players] if isinstance(players, str) else players
    if isinstance(players, Mapping):
        for name in players:
            if not isinstance(name, str):
                raise UnknownPlayer(
                    f"{shorten(repr(name))} is not a name of a player, which is text"
                )
        return list(players.items())
    if not isinstance(players, Iterable):
        allowed = "a list or a mapping of players"
        raise UnknownPlayer(f"players={shorten(players)} is not allowed; allowed: {allowed}")
    return [(player if isinstance(player, str) else _name_of(player), player) for player in players]


def _name_of(policy: Policy) -> str:
    return str(getattr(policy, "__name__", type(policy).__name__))
