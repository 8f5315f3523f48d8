"""Kernels that advance a batch of matches by one step, for vectorised environments.

The loops are written against names that `compile.py` fills in: `start`, `legal`, `step` and
`outcome` of the game, `write` and `read` between positions and rows of their numbers, `own_side`,
`their_pick` for the opponent, and after how many repetitions a match is drawn.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821

from typing import Any, NamedTuple

from evenodds.core.vocabulary import FIRST, NOTHING, PASS, SECOND, Moves, Seat, rule
from evenodds.kernels.rng import LOW_HALF_MASK, PICK_RANDOM_BITS, drawn, stream
from evenodds.kernels.solve import ONGOING

STATUS_OPEN = 0
STATUS_ENDED = 1
STATUS_REPEATED = 2
STATUS_ILLEGAL = 3
STATUS_CUT_OFF = 4
"""How a match stands after a step."""


class MatchArrays(NamedTuple):
    """Matches by their places in arrays."""

    fields: Any
    """For each match the numbers of its position."""
    rounds: Any
    chances: Any
    """Where the random numbers of each match go on."""
    seats: Any
    """Where the agent sits."""
    over: Any
    """Whether the next step begins a new match."""
    seen: Any
    """Where positions can come up twice: all of them so far."""


class ObservationArrays(NamedTuple):
    """What agents see: for each match the row of numbers, and a mask of the picks open to them."""

    sets: Any
    """Which numbers of a position are sets of numbers."""
    flat: Any
    """Room for the numbers of one position."""
    rows: Any
    masks: Any


@rule
def sow(seed: int, chances: Any) -> None:
    """Give every match chance of its own."""
    for place in range(chances.size):
        chances[place] = stream(seed, place)


@rule
def mirror_image(state: Any, seat: Seat) -> tuple[Any, Seat]:
    """A position as a seat sees it where the rules favour neither: as if it were the first."""
    return (state if seat == FIRST else mirror(state)), FIRST


@rule
def as_it_is(state: Any, seat: Seat) -> tuple[Any, Seat]:
    """A position as it stands, whoever sees it."""
    return state, seat


@rule
def show(
    state: Any, seat: Seat, asked: bool, sights: ObservationArrays, row: Any, mask: Any
) -> None:
    """Write what a seat sees: itself, then every number of the position; sets number by number."""
    own, row[0] = own_side(state, seat)
    write(own, sights.flat)
    highest = mask.size - 1
    place = 1
    for field in range(sights.sets.size):
        value = sights.flat[field]
        if sights.sets[field]:
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
def begun(rulings: Any, matches: MatchArrays, place: int) -> Any:
    """The first position of a new match."""
    state = start(rulings)
    keep(matches, place, state, 0)
    return state


@rule
def keep(matches: MatchArrays, place: int, state: Any, rounds: int) -> None:
    """Write down where a match has come to."""
    write(state, matches.fields[place])
    matches.rounds[place] = rounds
    if REPETITION:
        write(state, matches.seen[place, rounds])


@rule
def times_come(matches: MatchArrays, place: int) -> int:
    """How often the position of a match has come up in it, this time included."""
    count = 0
    fields = matches.fields[place]
    for earlier in range(matches.rounds[place] + 1):
        same = True
        for field in range(fields.size):
            same = same and matches.seen[place, earlier, field] == fields[field]
        count += same
    return count


@rule
def further(
    matches: MatchArrays, place: int, state: Any, picks: Any, limit: int
) -> tuple[Any, int]:
    """The position after a round of picks that are open, and how the match stands there."""
    state = step(state, picks)
    rounds = matches.rounds[place] + 1
    keep(matches, place, state, rounds)
    if outcome(state) != ONGOING:
        return state, STATUS_ENDED
    if REPETITION and times_come(matches, place) >= REPETITION:
        return state, STATUS_REPEATED
    return state, STATUS_CUT_OFF if rounds >= limit else STATUS_OPEN


@rule
def reply(matches: MatchArrays, place: int, state: Any, seat: Seat, mixes: Any) -> int:
    """The opponent's pick in a seat."""
    moves = legal(state, seat)
    if moves == NOTHING:
        return PASS
    chance = drawn(matches.chances[place])
    matches.chances[place] = chance
    if seat == FIRST:
        return int(their_pick(state, seat, moves, chance >> PICK_RANDOM_BITS, mixes[0]))
    return int(their_pick(state, seat, moves, chance & LOW_HALF_MASK, mixes[1]))


@rule
def is_open(moves: Moves, pick: int) -> bool:
    """Whether a pick is among the moves; what is below 0 or above 63 is not."""
    return pick >> 6 == 0 and moves >> pick & 1 == 1


@rule
def worth(state: Any, end: int, seat: Seat) -> int:
    """What the end of a match pays to a seat."""
    if end != STATUS_ENDED:
        return 0
    lead: int = outcome(state) + 0
    return lead if seat == FIRST else -lead


@rule
def step_seats(
    rulings: Any,
    matches: MatchArrays,
    actions: Any,
    mixes: Any,
    limit: int,
    sights: ObservationArrays,
    rewards: Any,
    ends: Any,
    replies: Any,
) -> None:
    """A pick of the agent in every match, and the opponent's until the agent is asked again.

    A match that is over begins anew instead, and the action is not looked at. `replies` are the
    opponent's last picks.
    """
    for place in range(actions.size):
        seat, pick = int(matches.seats[place]), int(actions[place])
        end, last = STATUS_OPEN, PASS
        if matches.over[place]:
            state = begun(rulings, matches, place)
        else:
            state = read(matches.fields[place], rulings)
            if is_open(legal(state, seat), pick):
                last = reply(matches, place, state, 1 - seat, mixes)
                picks = (pick, last) if seat == FIRST else (last, pick)
                state, end = further(matches, place, state, picks, limit)
            else:
                end = STATUS_ILLEGAL
        while end == STATUS_OPEN and legal(state, seat) == NOTHING:
            last = reply(matches, place, state, 1 - seat, mixes)
            picks = (PASS, last) if seat == FIRST else (last, PASS)
            state, end = further(matches, place, state, picks, limit)
        rewards[place] = -1 if end == STATUS_ILLEGAL else worth(state, end, seat)
        ends[place], replies[place] = end, last
        matches.over[place] = end != STATUS_OPEN
        show(state, seat, end == STATUS_OPEN, sights, sights.rows[place], sights.masks[place])


@rule
def step_both(
    rulings: Any,
    matches: MatchArrays,
    actions: Any,
    limit: int,
    sights: ObservationArrays,
    rewards: Any,
    ends: Any,
) -> None:
    """A round of every match, with the picks of both seats.

    A match that is over begins anew instead. Whoever picks what is not open has lost, both if both
    do.
    """
    for place in range(len(actions)):
        end = STATUS_OPEN
        wrong_first = wrong_second = False
        if matches.over[place]:
            state = begun(rulings, matches, place)
        else:
            state = read(matches.fields[place], rulings)
            first, second = int(actions[place, 0]), int(actions[place, 1])
            wrong_first = not is_open(legal(state, FIRST), first)
            wrong_second = not is_open(legal(state, SECOND), second)
            if wrong_first or wrong_second:
                end = STATUS_ILLEGAL
            else:
                state, end = further(matches, place, state, (first, second), limit)
        ends[place] = end
        matches.over[place] = end != STATUS_OPEN
        for seat in range(2):
            rewards[place, seat] = worth(state, end, seat)
            asked = end == STATUS_OPEN
            show(state, seat, asked, sights, sights.rows[place, seat], sights.masks[place, seat])
        if end == STATUS_ILLEGAL:
            rewards[place, 0] = -1 if wrong_first else 1
            rewards[place, 1] = -1 if wrong_second else 1
