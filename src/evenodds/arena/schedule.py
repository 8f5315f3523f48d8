"""The plan of an arena: players, pairings, number of bouts, and random seeds.

A bout is two matches of a pair of players with the seats exchanged and the same luck in each
seat. Bouts are numbered so that every pair has played equally often, but for one, at any time.
"""

from itertools import combinations
from typing import Any, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import spoken
from evenodds.core.terms import MAX_NAME_COLUMNS
from evenodds.players.registry import MODEL_PREFIX, PROGRAM_PREFIX, check_opponent, is_external
from evenodds.system.text import brief, columns

MAX_ARENA_PLAYERS: Final = 32
MAX_ARENA_MATCHES: Final = 10_000_000


class BadPlan(ValueError):
    """An arena that cannot be, and what is allowed."""


class Plan(NamedTuple):
    """All that decides the matches of an arena."""

    game: AnyGame
    rulings: Any
    players: tuple[str, ...]
    matches: int
    """Of each pair, half of them in either seat."""
    seed: int = 0
    gauntlet: bool = False
    """Whether only the first player meets the others."""
    strangers: bool = False
    """Whether programs and models of somebody's own may play."""
    seconds: float | None = None
    """What these have for a pick; None for what is usual."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The players who meet, by their places in the list."""
        places = range(len(self.players))
        every = tuple(combinations(places, 2))
        return tuple(pair for pair in every if pair[0] == 0) if self.gauntlet else every

    @property
    def guests(self) -> tuple[str, ...]:
        """The programs and models of somebody's own."""
        return tuple(filter(is_external, self.players))

    @property
    def asks_models(self) -> bool:
        """Whether a language model plays, which may cost something."""
        return any(name.startswith(MODEL_PREFIX) for name in self.players)

    @property
    def bouts(self) -> int:
        """How many bouts there are in all."""
        return self.matches // 2 * len(self.pairs)

    def bout(self, number: int) -> tuple[tuple[int, int], str]:
        """The pair of a bout, and what its luck is drawn from."""
        turn, place = divmod(number, len(self.pairs))
        return self.pairs[place], f"{self.seed}/{turn}/{place}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The players as they are called in records and tables: different, and not too long."""
        short = [_shortened(name) for name in self.players]
        return tuple(
            name if short.count(name) == 1 else f"{name[: MAX_NAME_COLUMNS - 4]} #{place}"
            for place, name in enumerate(short, 1)
        )

    def as_data(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "game": self.game.name,
            "rulings": spoken(self.rulings),
            "players": list(self.players),
            "matches": self.matches,
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "strangers": self.strangers,
            "seconds": self.seconds,
        }


def plan_of(data: dict[str, Any]) -> Plan:
    """The plan that plain data tell."""
    game = catalog.get(data["game"])
    rulings = game.settle_typed(data["rulings"])
    rest = (data[key] for key in ("matches", "seed", "gauntlet", "strangers", "seconds"))
    return Plan(game, rulings, tuple(data["players"]), *rest)


def check_plan(plan: Plan, twice: bool = False) -> Plan:
    """The plan, if it can be played: raises `BadPlan` or `UnknownPlayer` in one line otherwise.

    Somebody may be there `twice` where a player is held against known ones.
    """
    for name in plan.players:
        check_opponent(name, strangers=plan.strangers)
    if not 2 <= len(plan.players) <= MAX_ARENA_PLAYERS:
        raise BadPlan(f"an arena takes 2 to {MAX_ARENA_PLAYERS} players, not {len(plan.players)}")
    for place, name in enumerate(plan.players):
        if name in plan.players[:place] and not twice:
            raise BadPlan(f"{brief(name)} is named twice; each player is named once")
    if plan.matches % 2 or not 0 <= plan.matches <= MAX_ARENA_MATCHES:
        raise BadPlan(
            f"--matches {plan.matches} is not allowed; allowed: an even number up to "
            f"{MAX_ARENA_MATCHES:,}, half of them in either seat"
        )
    return plan


def _shortened(name: str) -> str:
    """As much of a name as fits into a record: the end of a command, the model of an address."""
    name = " ".join(name.split())
    if name.startswith(MODEL_PREFIX):
        name = name.rpartition("@")[0]
    if columns(name) <= MAX_NAME_COLUMNS:
        return name
    start = len(name)
    while columns(name[start - 1 :]) <= MAX_NAME_COLUMNS - len(PROGRAM_PREFIX) - 1:
        start -= 1
    return f"{name[: len(PROGRAM_PREFIX)]}…{name[start:]}"
