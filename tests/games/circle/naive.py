"""Number Circle Duel, stated a second time in plain words: see `tests.support.naive`."""

from itertools import pairwise

from tests.support import naive
from tests.support.naive import History, Judgement, Rulings


def judge(rulings: Rulings, history: History) -> Judgement:
    size = naive.number(rulings, "numbers")
    reach = naive.number(rulings, "reach")
    turns = naive.turns_taken(history)
    mover = naive.whose_turn(turns)

    claimed = [pick for _, pick in turns]
    unclaimed = {one for one in range(1, size + 1) if one not in claimed}
    if not claimed:
        # On the first turn any number may be selected.
        valid = unclaimed
    else:
        valid = {one for one in unclaimed if one in neighbours(claimed[-1], size, reach)}

    # Whoever has a leap left may claim any number instead.
    left = leaps_left(naive.number(rulings, "leaps"), turns, size, reach)
    if left[mover] > 0:
        valid = unclaimed

    result = naive.other(mover) if not valid else "open"
    figures = {"leaps": (left["first"], left["second"])}
    return naive.judgement(naive.choices_of_mover(mover, valid), result, figures)


def leaps_left(leaps: int, turns: list[tuple[str, int]], size: int, reach: int) -> dict[str, int]:
    """The leaps that each has left: every number that was no neighbour of the last took one."""
    left = {"first": leaps, "second": leaps}
    for (_, last), (seat, pick) in pairwise(turns):
        if pick not in neighbours(last, size, reach):
            left[seat] -= 1
    return left


def neighbours(last: int, size: int, reach: int) -> set[int]:
    """Walk from the last number both ways around the full ring, claimed numbers counted."""
    neighbours: set[int] = set()
    clockwise = last
    backwards = last
    for _ in range(reach):
        clockwise = 1 if clockwise == size else clockwise + 1
        backwards = size if backwards == 1 else backwards - 1
        neighbours.add(clockwise)
        neighbours.add(backwards)
    return neighbours
