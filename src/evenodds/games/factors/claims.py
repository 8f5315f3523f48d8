"""The claims of the rule book of Clash of Numbers, with their checks."""

from itertools import product
from operator import attrgetter

from evenodds.claims import checks
from evenodds.claims.claim import Check, Facts, Finding, fails, holds, judged, left_open
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, alone, other
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.games.factors.rules import Ending, Finish, State

ONE_HAS_MORE = "both have the target in the same round, and one has more"
SCORES_ARE_EQUAL = "scores are equal when both have the target"
TOO_SHORT = "No match is long enough for it to come up."


first_to_the_target = checks.check_line(
    outcome=Outcome.SECOND_WINS,
    through=lambda rulings, fields: fields["scores first"] >= rulings.target,
    some=left_open(
        "Player 2 may still win after Player 1 has {target}, at the earliest in {picks} picks: the "
        "book also lets the round be played out, and finish={finish} decides."
    ),
    none=holds("Nobody who has {target} first is beaten after all."),
)
keeping_the_other_away = checks.check_line(
    Ending.HIGHER_SCORE.name,
    Ending.OVERTIME.name,
    some=left_open(
        "Both may have {target} or more, {shares}: the book also lets the higher score win then, "
        "and finish={finish} decides."
    ),
    none=holds("Nobody who loses has {target} points or more."),
)


def comes_up(ending: Ending, what: str) -> Check:
    """The check that a match can end in this way; where the first to the target wins, none can."""

    def never(facts: Facts) -> str:
        if facts.rulings.finish == Finish.AT_ONCE:
            return "The first to reach the target wins at once, so this never happens."
        return f"It never happens that {what}."

    some = holds(f"It comes up: {what} {{shares}}.")
    return checks.check_line(ending.name, some=some, none=left_open("{never}"), never=never)


def number_pool(facts: Facts) -> Finding:
    """Whether every number may be picked in the next turns, whatever was picked before."""
    game, pool = facts.game, range(1, facts.rulings.numbers + 1)
    for picked in (*product(pool, pool), *zip(pool, strict=True)):
        line = " ".join(map(str, picked))
        replay = facts.replay(line)
        if not replay.refused and replay.outcome == Outcome.ONGOING:
            seat = FIRST if len(picked) == 2 else SECOND
            missing = sorted(set(pool) - set(game.picks(replay.states[-1], seat)))
            if missing:
                said = f"After {join_words(list(map(str, picked)))} it is without {missing[0]}."
                return fails(said, f"{line} {missing[0]}")
    all_of = f"all numbers from 1 to {pool[-1]}" if len(pool) > 1 else "1"
    said = f"Whatever was picked, {all_of} may be picked again."
    return holds(said)


not_below_zero = checks.check_line(
    through=lambda _, fields: (fields["scores first"] < 0) | (fields["scores second"] < 0),
    some=fails("A score can fall below zero."),
    none=holds("No match leads to a score below zero."),
)


def balance(facts: Facts) -> Finding:
    """Whether the highest number is optimal in some decisions only, and always picking it loses."""
    choice = facts.study.choice
    if not choice.sound:
        return left_open(checks.NO_CHOICE)
    highest = max(choice.sound)
    right = choice.sound[highest]
    said = (
        f"To pick {highest} is right in {percent(right)} of decisions, and to pick nothing else "
        f"scores {checks.habit_scores(facts, 'high')}."
    )
    weighed = (
        VALUE_TOLERANCE < right < 1 - VALUE_TOLERANCE
        and choice.habits["high"].best_opponent < 0.5 - VALUE_TOLERANCE
    )
    return judged(weighed, said)


def first_turns(facts: Facts) -> Finding:
    """Whether the rule on first turns and its stated reason agree on Player 2's first turn."""
    # Equal numbers may be barred, under either opening; and a 2 may end the match.
    lines, ruled = ("1 1", "2 1", "1 2"), ({"opening": "exempt"}, {"opening": "live"})
    legal = (one for one in lines if not any(facts.replay(one, rules).refused for rules in ruled))
    line = next(legal, "")
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
    with_it, without = checks.optimal_shares(
        (_takes(facts, last, number), use)
        for last, uses in facts.optimality_by("against").items()
        for number, use in uses.items()
        if last
    )
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
    taking = sum(_takes(facts, *pair) for pair in answers)
    said = f"{taking} of {len(answers)} answers to a number subtract something."
    trip = facts.round_trip()
    if trip:
        count = len(trip.split())
        said += f" It goes so far that play need not end: {count} {checks.rounds(facts, count)} "
        said += "lead to the same position for the third time."
    return judged(taking > 0, said, trip)


both_in_one_round = comes_up(Ending.HIGHER_SCORE, ONE_HAS_MORE)
equal_at_the_target = comes_up(Ending.OVERTIME, SCORES_ARE_EQUAL)
worked_example = sample_of_the_dialog = checks.check_example(
    "7 6 3 9 8 4 9",
    attrgetter("scores"),
    ((7, 0), (7, 6), (10, 3), (7, 12), (15, 12), (11, 16), (20, 16)),
    Outcome.FIRST_WINS,
    {"target": 20, "numbers": 9},
)
forward_thinking, skill = checks.thinking_pays, checks.skill_pays

SENTENCES = """
keeping the other away: A player wins when they reach or exceed the target score while preventing
    their opponent from doing the same.
number pool: The number pool always contains numbers 1 through 9; numbers are not removed after
    selection.
not below zero: A player's score cannot go below zero.
first turns: This rule does not apply on the very first turn for each player, as there is no
    previous number from the opponent.
equal numbers: If your selected number is a factor of your opponent's last selected number: Subtract
    your selected number from their score.
first to the target: The first player to reach or exceed the target score at the end of their turn
    wins the game.
both in one round: If both players reach or exceed the target score in the same round, the player
    with the higher score wins.
equal at the target: If scores are equal after both players reach the target score, the next player
    to have a higher score at the end of their turn wins.
worked example: Win Condition Met: Player 1 has reached the target score of 20.
sample of the dialog: Player 1 has reached the target score and wins the game!
watching: Pay attention to the numbers your opponent selects to plan your moves.
subtracting: Choose numbers that can trigger the subtraction rule against your opponent.
balance: Weigh the benefits of adding high numbers to your score against the possibility of
    subtracting from your opponent.
skill: Clash of Numbers is a simple yet strategic numerical game where careful selection and timing
    can lead to victory.
hindering: By understanding the interplay of multiples and factors, players can not only advance
    their own score but also hinder their opponent's progress.
forward-thinking / quick: The game encourages forward-thinking and planning, making it a quick and
    engaging challenge on the command-line interface.
not always ends: Copying the other player's number cancels it, so two careful players can go on for
    ever.
"""
