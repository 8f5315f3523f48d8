"""Batched matches for reinforcement learning, stepped together by compiled kernels."""

from typing import Any, NamedTuple

import numpy as np

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import validate
from evenodds.core.vocabulary import SEATS, Seat
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import TooLarge, memory_limit
from evenodds.kernels.compile import stepping_kernels
from evenodds.kernels.keys import fields_of
from evenodds.kernels.playouts import uniform
from evenodds.kernels.stepping import (
    STATUS_CUT_OFF,
    STATUS_ILLEGAL,
    STATUS_OPEN,
    MatchArrays,
    ObservationArrays,
)
from evenodds.kernels.threads import silent
from evenodds.policy.policies import Policy, Uniform
from evenodds.policy.sampling import cumulative_mixes


class ObservationLayout(NamedTuple):
    """How a position is shown: which of its numbers are sets, and the highest number in one."""

    sets: tuple[bool, ...]
    highest: int

    @property
    def size(self) -> int:
        """The places of a row: the seat, and every number of the position; sets spelled out."""
        return 1 + sum(self.highest if is_set else 1 for is_set in self.sets)


class BatchStep(NamedTuple):
    """What came of a step, a place for each match; with both seats, one for each seat in it."""

    rows: Any
    """What each agent sees, as numbers."""
    masks: Any
    """1 for each pick that is open to it."""
    rewards: Any
    terminated: Any
    truncated: Any
    illegal: Any
    """Whether the match ended by a pick that was not open."""
    replies: Any
    """The opponent's last picks; PASS where there was none."""


class Batch:
    """Matches of one game, each begun anew in the step after its end.

    `limit` is the number of rounds after which a match is cut off. Where agents have one seat,
    `policy` is the opponent's, who may come to sit in some `seats`: every open number with the
    same chance unless it is given.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Any,
        size: int,
        outlook: ObservationLayout,
        *,
        repetition: int,
        limit: int,
        policy: Policy | None = None,
        seats: tuple[Seat, ...] = SEATS,
        compiled: bool = True,
    ) -> None:
        validate(game, rulings)
        repetition = repetition if game.loops else 0
        way = uniform if policy is None or isinstance(policy, Uniform) else None
        self.size = size
        self.outlook = outlook
        self.matches = _matches(size, fields_of(game.start(rulings)), repetition, limit)
        self._mixes = (0, 0) if policy is None or way else _tables(game, rulings, policy, seats)
        self._loops = stepping_kernels(game, way, repetition, compiled)
        self._rulings = rulings
        self._limit = limit

    def begin(self, seed: int) -> None:
        """Let every match begin with the next step, with chance of its own."""
        self._loops.sow(seed, self.matches.chances)
        self.matches.over[:] = True

    def step(self, actions: Any, seats: Any) -> BatchStep:
        """A pick of the agent in each match; where one begins, the agent sits in these seats."""
        matches, sights = self.matches, self._sights()
        matches.seats[matches.over] = np.broadcast_to(seats, self.size)[matches.over]
        rewards, ends, replies = (np.empty(self.size, kind) for kind in (float, np.int8, np.int64))
        picks = self._checked(actions, (self.size,))
        where = (self._rulings, matches, picks, self._mixes, self._limit, sights)
        self._loops.step_seats(*where, rewards, ends, replies)
        return _step(sights, rewards, ends, replies)

    def step_both(self, actions: Any) -> BatchStep:
        """A round of each match: a line for each, with the picks of the first and second seat."""
        sights = self._sights(2)
        rewards, ends = np.empty((self.size, 2)), np.empty(self.size, np.int8)
        picks = self._checked(actions, (self.size, 2))
        where = (self._rulings, self.matches, picks, self._limit, sights)
        self._loops.step_both(*where, rewards, ends)
        return _step(sights, rewards, ends, None)

    def _sights(self, *seats: int) -> ObservationArrays:
        """Room for what agents are shown."""
        sets = self.outlook.sets
        rows = np.empty((self.size, *seats, self.outlook.size), np.int32)
        masks = np.empty((self.size, *seats, self.outlook.highest + 1), np.int8)
        return ObservationArrays(np.array(sets), np.empty(len(sets), np.int64), rows, masks)

    def _checked(self, actions: Any, shape: tuple[int, ...]) -> Any:
        """Whole numbers, one for each that is asked."""
        picks = np.asarray(actions)
        if picks.shape != shape or picks.dtype.kind not in "iu":
            asked = " x ".join(map(str, shape))
            raise ValueError(f"a step takes {asked} whole numbers")
        return np.ascontiguousarray(picks, np.int64)


def _step(sights: ObservationArrays, rewards: Any, ends: Any, replies: Any) -> BatchStep:
    cut = ends == STATUS_CUT_OFF
    ended = (ends != STATUS_OPEN) & ~cut
    return BatchStep(
        sights.rows, sights.masks, rewards, ended, cut, ends == STATUS_ILLEGAL, replies
    )


def _matches(size: int, start: tuple[int, ...], repetition: int, limit: int) -> MatchArrays:
    """Room for so many matches; pages of what is never reached are never touched."""
    seen = (size, limit + 1 if repetition else 0, len(start))
    if 8 * np.prod(seen, dtype=float) > memory_limit():
        raise TooLarge(
            f"{size:,} matches of {limit:,} rounds in which positions are counted do not fit into "
            "the memory; take a lower max_cycles, or repetition=0"
        )
    return MatchArrays(
        np.zeros((size, len(start)), np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.ones(size, bool),
        np.empty(seen, np.int64),
    )


def _tables(game: AnyGame, rulings: Any, policy: Policy, seats: tuple[Seat, ...]) -> Any:
    """The mixes of a policy in each seat, to be drawn from; where it never sits, any."""
    ground = PositionIndex(game, rulings, memory_limit(), silent)
    tables = {seat: cumulative_mixes(ground, policy, seat) for seat in seats}
    return tuple(tables.get(seat, tables[seats[0]]) for seat in SEATS)
