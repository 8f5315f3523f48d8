"""Kernels that advance a batch of matches by one step, for vectorised environments."""

from typing import Any, NamedTuple

from evenodds.core.vocabulary import FIRST, NOTHING, PASS, SECOND, Moves, Seat, rule
from evenodds.engine.game_functions import (
    MIRRORED,
    ONGOING,
    REPETITION,
    kernel,
    legal,
    mirror,
    opponent_pick,
    outcome,
    read,
    start,
    step,
    write,
)
from evenodds.engine.random_streams import LOW_HALF_MASK, PICK_RANDOM_BITS, next_random, stream

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
    """The seat of the agent."""
    over: Any
    """Whether the next step begins a new match."""
    seen: Any
    """All positions of each match so far; empty unless repetitions are counted."""


class ObservationArrays(NamedTuple):
    """Observations: for each match a row of integers, and a mask of the legal picks."""

    sets: Any
    """Which fields of a position are bit sets."""
    flat: Any
    """Scratch space for the fields of one position."""
    rows: Any
    masks: Any


@kernel
def seed_streams(seed: int, rng_states: Any) -> None:
    """Give every match its own random stream."""
    for place in range(rng_states.size):
        rng_states[place] = stream(seed, place)


@rule
def seen_from(state: Any, seat: Seat) -> tuple[Any, Seat]:
    """A position as a seat sees it: in a symmetric game always as the first seat."""
    if MIRRORED:
        return (state if seat == FIRST else mirror(state)), FIRST
    return state, seat


@rule
def write_observation(
    state: Any, seat: Seat, asked: bool, observations: ObservationArrays, row: Any, mask: Any
) -> None:
    """Write a seat's observation: the seat, then every field; a place for each bit of a set."""
    own, row[0] = seen_from(state, seat)
    write(own, observations.flat)
    highest = mask.size - 1
    place = 1
    for field in range(observations.sets.size):
        value = observations.flat[field]
        if observations.sets[field]:
            for number in range(highest):
                row[place + number] = value >> (number + 1) & 1
            place += highest
        else:
            row[place] = value
            place += 1
    moves = legal(state, seat) if asked else NOTHING
    for number in range(highest + 1):
        mask[number] = moves >> number & 1


@rule
def begin_match(rulings: Any, matches: MatchArrays, place: int) -> Any:
    """Start a match anew; its first position."""
    state = start(rulings)
    record_position(matches, place, state, 0)
    return state


@rule
def record_position(matches: MatchArrays, place: int, state: Any, rounds: int) -> None:
    """Store the current position of a match."""
    write(state, matches.fields[place])
    matches.rounds[place] = rounds
    if REPETITION:
        write(state, matches.seen[place, rounds])


@rule
def repetitions_of_position(matches: MatchArrays, place: int) -> int:
    """How often the current position has occurred in its match, this time included."""
    count = 0
    fields = matches.fields[place]
    for earlier in range(matches.rounds[place] + 1):
        same = True
        for field in range(fields.size):
            same = same and matches.seen[place, earlier, field] == fields[field]
        count += same
    return count


@rule
def advance(
    matches: MatchArrays, place: int, state: Any, picks: Any, limit: int
) -> tuple[Any, int]:
    """The position after a round of legal picks, and the status of the match there."""
    state = step(state, picks)
    rounds = matches.rounds[place] + 1
    record_position(matches, place, state, rounds)
    if outcome(state) != ONGOING:
        return state, STATUS_ENDED
    if REPETITION and repetitions_of_position(matches, place) >= REPETITION:
        return state, STATUS_REPEATED
    return state, STATUS_CUT_OFF if rounds >= limit else STATUS_OPEN


@rule
def sample_reply(matches: MatchArrays, place: int, state: Any, seat: Seat, mixes: Any) -> int:
    """The opponent's pick in a seat; the halves of a random number serve both seats."""
    moves = legal(state, seat)
    if moves == NOTHING:
        return PASS
    random = next_random(matches.rng_states[place])
    matches.rng_states[place] = random
    if seat == FIRST:
        return int(opponent_pick(state, seat, moves, random >> PICK_RANDOM_BITS, mixes[0]))
    return int(opponent_pick(state, seat, moves, random & LOW_HALF_MASK, mixes[1]))


@rule
def is_legal(moves: Moves, pick: int) -> bool:
    """Whether a pick is legal; a shift by less than 0 or more than 63 is undefined."""
    return pick >> 6 == 0 and moves >> pick & 1 == 1


@rule
def reward_of(state: Any, end: int, seat: Seat) -> int:
    """The reward of a seat at the end of a match; 0 unless it ended by the rules."""
    if end != STATUS_ENDED:
        return 0
    lead: int = outcome(state) + 0
    return lead if seat == FIRST else -lead


@kernel
def step_seats(
    rulings: Any,
    matches: MatchArrays,
    actions: Any,
    mixes: Any,
    limit: int,
    observations: ObservationArrays,
    rewards: Any,
    ends: Any,
    replies: Any,
) -> None:
    """Step every match by the agent's pick, and on until the agent is to move again.

    A match that is over starts anew instead and its action is ignored. `replies` are the opponent's
    last picks.
    """
    for place in range(actions.size):
        seat, pick = int(matches.seats[place]), int(actions[place])
        end, last = STATUS_OPEN, PASS
        if matches.over[place]:
            state = begin_match(rulings, matches, place)
        else:
            state = read(matches.fields[place], rulings)
            if is_legal(legal(state, seat), pick):
                last = sample_reply(matches, place, state, 1 - seat, mixes)
                picks = (pick, last) if seat == FIRST else (last, pick)
                state, end = advance(matches, place, state, picks, limit)
            else:
                end = STATUS_ILLEGAL
        while end == STATUS_OPEN and legal(state, seat) == NOTHING:
            last = sample_reply(matches, place, state, 1 - seat, mixes)
            picks = (PASS, last) if seat == FIRST else (last, PASS)
            state, end = advance(matches, place, state, picks, limit)
        rewards[place] = -1 if end == STATUS_ILLEGAL else reward_of(state, end, seat)
        ends[place], replies[place] = end, last
        matches.over[place] = end != STATUS_OPEN
        write_observation(
            state,
            seat,
            end == STATUS_OPEN,
            observations,
            observations.rows[place],
            observations.masks[place],
        )


@kernel
def step_both(
    rulings: Any,
    matches: MatchArrays,
    actions: Any,
    limit: int,
    observations: ObservationArrays,
    rewards: Any,
    ends: Any,
) -> None:
    """Play a round of every match with the picks of both seats.

    A match that is over starts anew instead. A seat with an illegal pick loses, both if both do.
    """
    for place in range(len(actions)):
        end = STATUS_OPEN
        wrong_first = wrong_second = False
        if matches.over[place]:
            state = begin_match(rulings, matches, place)
        else:
            state = read(matches.fields[place], rulings)
            first, second = int(actions[place, 0]), int(actions[place, 1])
            wrong_first = not is_legal(legal(state, FIRST), first)
            wrong_second = not is_legal(legal(state, SECOND), second)
            if wrong_first or wrong_second:
                end = STATUS_ILLEGAL
            else:
                state, end = advance(matches, place, state, (first, second), limit)
        ends[place] = end
        matches.over[place] = end != STATUS_OPEN
        for seat in range(2):
            rewards[place, seat] = reward_of(state, end, seat)
            asked = end == STATUS_OPEN
            write_observation(
                state,
                seat,
                asked,
                observations,
                observations.rows[place, seat],
                observations.masks[place, seat],
            )
        if end == STATUS_ILLEGAL:
            rewards[place, 0] = -1 if wrong_first else 1
            rewards[place, 1] = -1 if wrong_second else 1
