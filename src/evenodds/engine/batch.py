"""Batched matches for reinforcement learning, stepped together by compiled kernels."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenodds.core.catalog import AnyGame
from evenodds.core.validation import validate
from evenodds.core.vocabulary import SEATS, Seat, Settled
from evenodds.engine.compile import kernels_of
from evenodds.engine.graph import Graph
from evenodds.engine.limits import TooLarge, memory_limit, memory_size
from evenodds.engine.listing import Listing
from evenodds.engine.playouts import uniform
from evenodds.engine.policies import Policy, Uniform
from evenodds.engine.position_keys import fields_of
from evenodds.engine.sampling import cumulative_mixes
from evenodds.engine.stepping import (
    STATUS_CUT_OFF,
    STATUS_ILLEGAL,
    STATUS_OPEN,
    MatchArrays,
    ObservationArrays,
    seed_streams,
    step_both,
    step_seats,
)
from evenodds.system.progress import silent


class ObservationLayout(NamedTuple):
    """How a position is observed: which of its fields are bit sets, and the highest bit."""

    sets: tuple[bool, ...]
    highest: int

    @property
    def size(self) -> int:
        """The length of a row: the seat, and every field; a place for each bit of a set."""
        return 1 + sum(self.highest if is_set else 1 for is_set in self.sets)


class BatchStep(NamedTuple):
    """The result of a step: a row for each match, or for each match and seat."""

    rows: NDArray[np.int32]
    """The observation of each agent."""
    masks: NDArray[np.int8]
    """1 for each legal pick."""
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    """Whether the match ended by an illegal pick."""
    replies: NDArray[np.int64] | None
    """The opponent's last picks; PASS where there was none. None where there is no opponent."""


class Batch:
    """Matches of one game, each restarted in the step after its end.

    `limit` is the number of rounds after which a match is cut off. Where agents have one seat,
    `policy` (by default uniform) plays the other, which may be any of `seats`.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        size: int,
        layout: ObservationLayout,
        *,
        repetition: int,
        limit: int,
        policy: Policy | None = None,
        seats: tuple[Seat, ...] = SEATS,
        compiled: bool = True,
    ) -> None:
        validate(game, rulings)
        repetition = repetition if game.loops else 0
        pick_function = uniform if policy is None or isinstance(policy, Uniform) else None
        self.size = size
        self.layout = layout
        self.matches = _matches(size, fields_of(game.start(rulings)), repetition, limit)
        self._mixes = (
            (0, 0) if policy is None or pick_function else _tables(game, rulings, policy, seats)
        )
        self._kernels = kernels_of(game, compiled, repetition, opponent_pick=pick_function)
        self._rulings = rulings
        self._limit = limit

    def begin(self, seed: int) -> None:
        """Restart every match with the next step, each with its own random stream."""
        self._kernels(seed_streams)(seed, self.matches.rng_states)
        self.matches.over[:] = True

    def step(self, actions: ArrayLike, seats: ArrayLike) -> BatchStep:
        """Step each match by the agent's pick; `seats` are the agent's in matches that start."""
        matches, observations = self.matches, self._observation_arrays()
        matches.seats[matches.over] = np.broadcast_to(seats, self.size)[matches.over]
        rewards, ends, replies = (np.empty(self.size, kind) for kind in (float, np.int8, np.int64))
        picks = self._checked(actions, (self.size,))
        where = (self._rulings, matches, picks, self._mixes, self._limit, observations)
        self._kernels(step_seats)(*where, rewards, ends, replies)
        return _step(observations, rewards, ends, replies)

    def step_both(self, actions: ArrayLike) -> BatchStep:
        """Play a round of each match: a row for each, with the picks of both seats."""
        observations = self._observation_arrays(2)
        rewards, ends = np.empty((self.size, 2)), np.empty(self.size, np.int8)
        picks = self._checked(actions, (self.size, 2))
        where = (self._rulings, self.matches, picks, self._limit, observations)
        self._kernels(step_both)(*where, rewards, ends)
        return _step(observations, rewards, ends, None)

    def _observation_arrays(self, *seats: int) -> ObservationArrays:
        sets = self.layout.sets
        rows = np.empty((self.size, *seats, self.layout.size), np.int32)
        masks = np.empty((self.size, *seats, self.layout.highest + 1), np.int8)
        return ObservationArrays(np.array(sets), np.empty(len(sets), np.int64), rows, masks)

    def _checked(self, actions: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Actions as a contiguous int64 array; `ValueError` for another shape or type."""
        picks = np.asarray(actions)
        if picks.shape != shape or picks.dtype.kind not in "iu":
            asked = " x ".join(map(str, shape))
            raise ValueError(f"a step takes {asked} whole numbers")
        return np.ascontiguousarray(picks, np.int64)


def _step(
    observations: ObservationArrays,
    rewards: NDArray[np.float64],
    ends: NDArray[np.int8],
    replies: NDArray[np.int64] | None,
) -> BatchStep:
    cut = ends == STATUS_CUT_OFF
    ended = (ends != STATUS_OPEN) & ~cut
    return BatchStep(
        observations.rows, observations.masks, rewards, ended, cut, ends == STATUS_ILLEGAL, replies
    )


def _matches(size: int, start: tuple[int, ...], repetition: int, limit: int) -> MatchArrays:
    """Arrays for so many matches.

    `seen` is allocated for the longest match, but the system maps its pages only when written.
    """
    seen = (size, limit + 1 if repetition else 0, len(start))
    needed = 8 * float(np.prod(seen, dtype=float))
    if needed > memory_limit():
        raise TooLarge(
            f"{size:,} matches of {limit:,} rounds in which positions are counted need "
            f"{memory_size(needed)}; the memory limit (EVENODDS_MEMORY_MB) is "
            f"{memory_size(memory_limit())}; take a lower max_cycles, or repetition=0"
        )
    return MatchArrays(
        np.zeros((size, len(start)), np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.ones(size, bool),
        np.empty(seen, np.int64),
    )


def _tables(game: AnyGame, rulings: Settled, policy: Policy, seats: tuple[Seat, ...]) -> Any:
    """The cumulative mixes of a policy in each seat; for a seat it never has, any."""
    graph = Graph(Listing(game, rulings, silent))
    tables = {seat: cumulative_mixes(graph, policy, seat) for seat in seats}
    return tuple(tables.get(seat, tables[seats[0]]) for seat in SEATS)
