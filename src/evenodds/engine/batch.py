"""Batched matches for reinforcement learning, stepped together by a compiled kernel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import TooLarge
from evenodds.core.terms import MAX_ROUNDS
from evenodds.core.validation import validate
from evenodds.core.vocabulary import FIRST, NOTHING, PASS, SEATS, SECOND, Seat, Settled, rule
from evenodds.engine.compile import kernels_of
from evenodds.engine.game_functions import (
    MIRRORED,
    ONGOING,
    REPETITION,
    chance,
    draw,
    kernel,
    legal,
    mirror,
    opponent_pick,
    outcome,
    read,
    reward,
    start,
    step,
    times_seen,
    write,
)
from evenodds.engine.policies import Policy, Uniform
from evenodds.engine.position_keys import fields_of
from evenodds.engine.random_streams import are_legal, half_of, next_random, stream, uniform
from evenodds.engine.strategies import mix_tables
from evenodds.system.environment import memory_limit, memory_size

STATUS_OPEN = 0
STATUS_ENDED = 1
STATUS_REPEATED = 2
STATUS_ILLEGAL = 3
STATUS_CUT_OFF = 4
"""The status of a match after a step."""


class MatchArrays(NamedTuple):
    """The state of a batch: arrays with a row for each match."""

    fields: Any
    """The position of each match as integers."""
    rounds: Any
    rng_states: Any
    """The state of each match's random stream."""
    seats: Any
    """The seat of a single agent."""
    points: Any
    """The points of the first seat that no reward has told yet: those before its first pick."""
    over: Any
    """Whether the next step begins a new match."""
    seen: Any
    """All positions of each match so far; empty unless repetitions are counted."""


class BatchStep(NamedTuple):
    """The result of a step: a row for each match, and in the first three for each of its agents.

    Where there is one agent to a match, `Batch.step` leaves that axis out.
    """

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

    Of the fields of a position `sets` says which are bit sets; `highest` is their highest bit.
    After `limit` rounds a match is cut off. Where agents have one seat, `policy` (by default
    uniform) plays the other, which may be any of `seats`.
    """

    def __init__(
        self,
        game: AnyGame,
        rulings: Settled,
        size: int,
        sets: tuple[bool, ...],
        highest: int,
        *,
        repetition: int,
        limit: int,
        policy: Policy | None = None,
        seats: tuple[Seat, ...] = SEATS,
        compiled: bool = True,
    ) -> None:
        validate(game, rulings)
        repetition = repetition if game.can_repeat else 0
        self.size = size
        self.matches = _matches(size, len(fields_of(game.start(rulings))), repetition, limit)
        pick_function = uniform if policy is None or isinstance(policy, Uniform) else None
        sides = [None if pick_function or seat not in seats else policy for seat in SEATS]
        tables = mix_tables(game, rulings, sides)
        # Of a seat that the opponent never has, any table.
        self._mixes = tuple(table or tables[seats[0]] for table in tables)
        self._kernels = kernels_of(game, compiled, repetition, opponent_pick=pick_function)
        limit = min(limit, MAX_ROUNDS) if game.loops else limit
        self._rulings, self._limit, self._highest = rulings, limit, highest
        self._sets, self._flat = np.array(sets, bool), np.empty(len(sets), np.int64)

    def begin(self, seed: int) -> None:
        """Restart every match with the next step, each with its own random stream."""
        self.matches.rng_states[:] = stream(seed, np.arange(self.size))
        self.matches.over[:] = True

    def step(
        self, actions: ArrayLike, seats: ArrayLike | None = None, *, only_over: bool = False
    ) -> BatchStep:
        """Step each match by the agent's pick; without `seats` by the picks of both seats.

        `seats` are the agent's in matches that start. With `only_over` the others are left alone,
        and their rows mean nothing. `ValueError` for actions of another shape.
        """
        size, picks = self.size, np.asarray(actions)
        shape, agents = ((size, 2), (size, 2)) if seats is None else ((size,), (size, 1))
        if picks.shape != shape or picks.dtype.kind not in "iu":
            raise ValueError(f"a step takes {' x '.join(map(str, shape))} whole numbers")
        if seats is not None:
            starting = self.matches.over
            self.matches.seats[starting] = np.broadcast_to(seats, size)[starting]
        # The seat, and every field: a place for each bit of a set.
        row = 1 + int(np.where(self._sets, self._highest, 1).sum())
        ended, cut_off, illegal = np.empty((3, size), bool)
        found = BatchStep(
            np.empty((*agents, row), np.int32),
            np.empty((*agents, self._highest + 1), np.int8),
            np.empty(agents),
            ended,
            cut_off,
            illegal,
            np.empty(size, np.int64),
        )
        picks = np.ascontiguousarray(picks, np.int64).reshape(agents)
        how = self._mixes, self._limit, (self._sets, self._flat), only_over
        self._kernels(step_matches)(self._rulings, self.matches, picks, *how, found)
        if seats is None:
            return found._replace(replies=None)
        rows, masks, rewards = found.rows[:, 0], found.masks[:, 0], found.rewards[:, 0]
        return found._replace(rows=rows, masks=masks, rewards=rewards)


def _matches(size: int, fields: int, repetition: int, limit: int) -> MatchArrays:
    """Arrays for so many matches.

    `seen` is allocated for the longest match, but the system maps its pages only when written.
    """
    seen = (size, limit + 1 if repetition else 0, fields)
    needed = 8 * float(np.prod(seen, dtype=float))
    if needed > memory_limit():
        raise TooLarge(
            f"{size:,} matches of {limit:,} rounds in which positions are counted need "
            f"{memory_size(needed)}; the memory limit (EVENODDS_MEMORY_MB) is "
            f"{memory_size(memory_limit())}; take a lower max_cycles, or repetition=0"
        )
    rounds, rng_states, seats, points = np.zeros((4, size), np.int64)
    positions, over = np.zeros((size, fields), np.int64), np.ones(size, bool)
    seen_so_far = np.empty(seen, np.int64)
    return MatchArrays(positions, rounds, rng_states, seats, points, over, seen_so_far)


@rule
def record_position(matches: MatchArrays, place: int, state: Any, rounds: int) -> None:
    """Store the current position of a match."""
    write(state, matches.fields[place])
    matches.rounds[place] = rounds
    if REPETITION:
        write(state, matches.seen[place, rounds])


@rule
def drawn(matches: MatchArrays, place: int, state: Any) -> Any:
    """The position once chance has drawn, where it is to move."""
    while outcome(state) == ONGOING and chance(state) != NOTHING:
        matches.rng_states[place] = next_random(matches.rng_states[place])
        picks = draw(state, matches.rng_states[place]), PASS
        matches.points[place] += reward(state, picks)
        state = step(state, picks)
    return state


@rule
def advance(
    matches: MatchArrays, place: int, state: Any, picks: Any, limit: int
) -> tuple[Any, int]:
    """The position after a round of legal picks, and the status of the match there."""
    matches.points[place] += reward(state, picks)
    state = drawn(matches, place, step(state, picks))
    rounds = matches.rounds[place] + 1
    record_position(matches, place, state, rounds)
    end = status_of(state, rounds, limit)
    if REPETITION and end != STATUS_ENDED and times_seen(matches.seen[place], rounds) >= REPETITION:
        return state, STATUS_REPEATED
    return state, end


@rule
def status_of(state: Any, rounds: int, limit: int) -> int:
    """The status of a match in which no position counts as repeated."""
    if outcome(state) != ONGOING:
        return STATUS_ENDED
    return STATUS_CUT_OFF if rounds >= limit else STATUS_OPEN


@rule
def sample_reply(matches: MatchArrays, place: int, state: Any, seat: Seat, mixes: Any) -> int:
    """The opponent's pick in a seat."""
    moves = legal(state, seat)
    if moves == NOTHING:
        return PASS
    matches.rng_states[place] = next_random(matches.rng_states[place])
    random = half_of(matches.rng_states[place], seat)
    return int(opponent_pick(state, seat, moves, random, mixes[seat]))


@rule
def write_observation(
    state: Any, seat: Seat, asked: bool, observing: Any, row: Any, mask: Any
) -> None:
    """Write what a seat observes: in a symmetric game always as the first seat."""
    sets, flat = observing
    row[0] = FIRST if MIRRORED else seat
    write(mirror(state) if seat == SECOND else state, flat)
    highest = mask.size - 1
    place = 1
    for field in range(sets.size):
        if sets[field]:
            for number in range(highest):
                row[place + number] = flat[field] >> (number + 1) & 1
            place += highest
        else:
            row[place] = flat[field]
            place += 1
    moves = legal(state, seat) if asked else NOTHING
    for number in range(highest + 1):
        mask[number] = moves >> number & 1


@kernel
def step_matches(
    rulings: Any,
    matches: MatchArrays,
    actions: Any,
    mixes: Any,
    limit: int,
    observing: Any,
    only_over: bool,
    found: Any,
) -> None:
    """Step every match by the picks of its agents: of one, or of one in each seat.

    A single agent's match goes on, by the opponent's picks, until it is to move again. A match that
    is over starts anew instead and its actions are ignored; one that is over before the agent is
    asked tells so in the step after. Whoever makes an illegal pick loses.
    """
    agents = actions.shape[1]
    for place in range(len(actions)):
        if only_over and not matches.over[place]:
            continue
        seat = int(matches.seats[place]) if agents == 1 else FIRST
        end, last, wrong, acts = STATUS_OPEN, PASS, 0, not matches.over[place]
        begins = not acts
        if acts:
            state = read(matches.fields[place], rulings)
            end = status_of(state, matches.rounds[place], limit)
            for agent in range(agents if end == STATUS_OPEN else 0):
                moves, pick = legal(state, seat + agent), int(actions[place, agent])
                if not are_legal(moves, NOTHING, pick, PASS):
                    wrong += 1 << agent
                    end = STATUS_ILLEGAL
        else:
            matches.points[place] = 0
            state = drawn(matches, place, start(rulings))
            record_position(matches, place, state, 0)
            end = STATUS_OPEN if outcome(state) == ONGOING else STATUS_ENDED
        while end == STATUS_OPEN and (acts or (agents == 1 and legal(state, seat) == NOTHING)):
            pick = int(actions[place, 0]) if acts else PASS
            if agents == 1:
                last = sample_reply(matches, place, state, 1 - seat, mixes)
            else:
                last = int(actions[place, 1])
            picks = (pick, last) if seat == FIRST else (last, pick)
            state, end = advance(matches, place, state, picks, limit)
            acts = False
        is_open = end == STATUS_OPEN
        ended = not (is_open or begins)
        matches.over[place] = ended
        found.terminated[place] = ended and end != STATUS_CUT_OFF
        found.truncated[place] = ended and end == STATUS_CUT_OFF
        found.illegal[place] = end == STATUS_ILLEGAL
        found.replies[place] = last
        lead = 0 if begins else matches.points[place]
        matches.points[place] -= lead
        lead += outcome(state) + 0 if ended and end == STATUS_ENDED else 0
        for agent in range(agents):
            reward = lead if seat + agent == FIRST else -lead
            if end == STATUS_ILLEGAL:
                reward += -1 if wrong >> agent & 1 else 1
            found.rewards[place, agent] = reward
            row, mask = found.rows[place, agent], found.masks[place, agent]
            write_observation(state, seat + agent, is_open, observing, row, mask)
