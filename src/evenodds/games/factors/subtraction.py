"""What the rule book of Clash of Numbers claims of subtraction: the checks."""

from evenodds.claims import checks
from evenodds.claims.claim import Facts, Finding, OptimalityCounts, holds, judged, left_open
from evenodds.core.vocabulary import SECOND, alone, other
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.games.factors.rules import Finish, State

TOO_SHORT = "No match is long enough for it to come up."


def first_turns(facts: Facts) -> Finding:
    """Whether the rule on first turns and its stated reason agree on Player 2's first turn."""
    # Equal numbers may be barred, under either opening; and a 2 may end the match.
    line = next((line for line in ("1 1", "2 1", "1 2") if _is_legal(facts, line)), "")
    if not line:
        return left_open(TOO_SHORT)
    taken = _taken(facts, line)
    if taken == _taken(facts, line, opening="exempt") == _taken(facts, line, opening="live"):
        said = f"Player 2's first number subtracts {taken}, whatever is held against it."
        return holds(said, line)
    first, second = line.split()
    said = (
        "Player 2's first number subtracts nothing, though there is a number from the opponent "
        "by then, so that the reason does not hold"
    )
    if taken:
        said = f"A {second} after the opponent's first {first} already subtracts {taken}"
    return left_open(f"{said}: opening={facts.study.rules['opening']} decides.", line)


def _is_legal(facts: Facts, line: str) -> bool:
    """Whether a line may be played, whichever first turns are free of subtraction."""
    openings = ("exempt", "live")
    return not any(facts.replay(line, {"opening": opening}).refused for opening in openings)


def equal_numbers(facts: Facts) -> Finding:
    """Whether it makes no difference that an equal number is a multiple and a factor at once."""
    line = "1 1 1"
    if facts.replay(line).refused:
        return left_open("No number is ever held against an equal one.")
    taken = _taken(facts, line)
    if taken == _taken(facts, line, same="once") == _taken(facts, line, same="twice"):
        return holds(f"A 1 after a 1 subtracts {taken}, whether it counts once or twice.", line)
    said = (
        "An equal number is a multiple and a factor at once; the book does not say whether it "
        f"counts twice, and same={facts.study.rules['same']} decides: a 1 after a 1 takes {taken}."
    )
    return left_open(said, line)


def _taken(facts: Facts, line: str, **rules: str) -> int:
    """The points that the last number of a line takes from the other player."""
    return _cost(facts, facts.replay(line, rules).states[-2], int(line.split()[-1]))


def _takes(facts: Facts, last: int, number: int) -> bool:
    """Whether a number takes points from a player whose last number was `last`."""
    return _cost(facts, _after(facts, last), number) > 0


def _after(facts: Facts, last: int) -> State:
    """A position in which a number is held against `last`."""
    after: State = facts.start._replace(turn=SECOND, against=last)
    return after


def _cost(facts: Facts, state: State, number: int) -> int:
    """The points that a number takes from a player who has enough of them."""
    many: int = 2 * facts.rulings.numbers
    rich = state._replace(scores=(many, many))
    after: State = facts.game.step(rich, alone(state.turn, number))
    return many - after.scores[other(state.turn)]


def watching(facts: Facts) -> Finding:
    """Whether how often a number is optimal depends on the other player's last number."""
    right: dict[int, list[float]] = {}
    for last, uses in facts.optimality_by("against").items():
        for number, use in uses.items():
            if last:
                right.setdefault(number, []).append(use.sound / use.open)
    if not right:
        said = "Nothing depends on a pick where it is held against a number of the other."
        return left_open(said if facts.study.size.decisions else checks.NO_CHOICE)
    right = {number: shares for number, shares in right.items() if len(shares) > 1}
    if not right:
        said = "Where something depends on it, no number is open after two numbers of the other."
        return left_open(said)
    most = max(right, key=lambda number: max(right[number]) - min(right[number]))
    low, high = min(right[most]), max(right[most])
    said = (
        f"Where something depends on it, {most} is right in {percent(low)} of decisions after one "
        f"number of the other, and in {percent(high)} after another."
    )
    return judged(high > low + VALUE_TOLERANCE, said)


def subtracting(facts: Facts) -> Finding:
    """Whether numbers that subtract are optimal more often than those that do not."""
    counted: dict[bool, list[OptimalityCounts]] = {True: [], False: []}
    for last, uses in facts.optimality_by("against").items():
        for number, use in uses.items() if last else ():
            counted[_takes(facts, last, number)].append(use)
    with_it, without = map(checks.optimal_share, (counted[True], counted[False]))
    if with_it is None or without is None:
        said = "Nowhere does something depend on whether a number subtracts or not."
        return left_open(said if facts.study.size.decisions else checks.NO_CHOICE)
    said = (
        f"Where something depends on it, a number that subtracts is right in {percent(with_it)} "
        f"of decisions, any other in {percent(without)}."
    )
    return judged(with_it > without + VALUE_TOLERANCE, said)


def hindering(facts: Facts) -> Finding:
    """Whether some picks take points from the other player."""
    most = facts.rulings.numbers
    if facts.rulings.finish == Finish.AT_ONCE:  # a number that wins is not answered
        most = min(most, facts.rulings.target - 1)
    answers = [
        (last, number)
        for last in range(1, most + 1)
        for number in facts.game.picks(_after(facts, last), SECOND)
    ]
    if not answers:
        return left_open(TOO_SHORT)
    taking = [pair for pair in answers if _takes(facts, *pair)]
    said = f"{len(taking)} of {len(answers)} answers to a number subtract something."
    trip = facts.round_trip()
    if trip:
        count = len(trip.split())
        said += (
            f" It goes so far that play need not end: {count} {checks.rounds(facts, count)} lead "
        )
        said += "to the same position for the third time."
    return judged(bool(taking), said, trip)
