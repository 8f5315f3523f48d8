"""The plan of an arena: players, pairings, number of bouts, and random seeds.

A bout is two matches of a pair of players with the seats exchanged and the same random numbers in
each seat. Bouts are numbered round robin: after any number of them the pairs differ by one at most.
"""

from collections.abc import Collection
from itertools import combinations
from typing import Any, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import ruling_texts
from evenodds.core.terms import MAX_NAME_COLUMNS
from evenodds.core.vocabulary import Settled
from evenodds.players.profiles import profile
from evenodds.players.registry import (
    MODEL_PREFIX,
    check_opponent,
    external_kind,
    is_built_in_player,
)
from evenodds.system import InvalidInput
from evenodds.system.text import shorten

MAX_ARENA_PLAYERS: Final = 32
MAX_ARENA_MATCHES: Final = 10_000_000


class BadPlan(InvalidInput, ValueError):
    """An invalid plan, and what is allowed."""


class Plan(NamedTuple):
    """Everything that determines the matches of an arena."""

    game: AnyGame
    rulings: Settled
    players: tuple[str, ...]
    matches: int
    """Of each pair, half of them in either seat."""
    seed: int | None = 0
    """None: what chance draws follows from nothing that a player could know."""
    gauntlet: bool = False
    """Whether only the first player meets the others."""
    seconds: float | None = None
    """The time limit of an external player for a pick; None for the default."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of players that meet, by their indices."""
        pairs = combinations(range(len(self.players)), 2)
        return tuple(pair for pair in pairs if pair[0] == 0 or not self.gauntlet)

    @property
    def external_players(self) -> tuple[str, ...]:
        """The programs and language models among the players."""
        return tuple(filter(external_kind, self.players))

    @property
    def asks_models(self) -> bool:
        """Whether a language model plays, so that costs are counted."""
        return any(name.startswith(MODEL_PREFIX) for name in self.players)

    @property
    def slow(self) -> bool:
        """Whether a bout may take seconds."""
        searches = any(name.startswith("search") for name in self.players)
        return searches or bool(self.external_players)

    @property
    def bouts(self) -> int:
        """The number of bouts."""
        return self.matches // 2 * len(self.pairs)

    def bout(self, number: int) -> tuple[tuple[int, int], str]:
        """The pair of a bout, and the seed of its random numbers."""
        turn, place = divmod(number, len(self.pairs))
        return self.pairs[place], f"{self.seed}/{turn}/{place}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the players in records and tables: distinct and short.

        Programs, models and players of a caller's own have the names they are shown by in a match.
        """
        short = [name if is_built_in_player(name) else profile(name).name for name in self.players]
        return tuple(
            name if short.count(name) == 1 else f"{name[: MAX_NAME_COLUMNS - 4]} #{place}"
            for place, name in enumerate(short, 1)
        )

    def as_data(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "game": self.game.name,
            "rulings": ruling_texts(self.rulings),
            "players": list(self.players),
            "matches": self.matches,
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "strangers": True,
            "seconds": self.seconds,
        }


def usual_seed(game: AnyGame, players: Collection[str]) -> int | None:
    """A seed that is the same for all, unless players that are not ours could foresee its dice."""
    return None if game.chance and not all(map(is_built_in_player, players)) else 0


def plan_of(data: dict[str, Any]) -> Plan:
    """The plan from plain data."""
    game = catalog.get(data["game"])
    rulings = game.settle_typed(data["rulings"])
    rest = (data[key] for key in ("matches", "seed", "gauntlet", "seconds"))
    return Plan(game, rulings, tuple(data["players"]), *rest)


def check_plan(plan: Plan, own: Collection[str] = ()) -> Plan:
    """The plan, if it is valid; else `BadPlan` or `UnknownPlayer`.

    `own` are names that the caller gives to players of its own.
    """
    for name in plan.players:
        if name not in own:
            check_opponent(name, allow_external=True)
    if not 2 <= len(plan.players) <= MAX_ARENA_PLAYERS:
        raise BadPlan(f"an arena takes 2 to {MAX_ARENA_PLAYERS} players, not {len(plan.players)}")
    for place, name in enumerate(plan.players):
        if name in plan.players[:place]:
            raise BadPlan(f"{shorten(name)} is named twice; each player is named once")
    check_matches(plan.matches, f"--matches {plan.matches}")
    return plan


def check_matches(matches: int, said: str) -> None:
    """`BadPlan` for a number of matches that is not allowed, as it was `said`."""
    if matches % 2 or not 0 <= matches <= MAX_ARENA_MATCHES:
        raise BadPlan(
            f"{said} is not allowed; allowed: an even number up to {MAX_ARENA_MATCHES:,}, half of "
            "them in either seat"
        )
