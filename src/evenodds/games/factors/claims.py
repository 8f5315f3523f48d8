"""The claims of the rule book of Clash of Numbers, with their checks."""

from itertools import product
from operator import attrgetter

from evenodds.claims import checks
from evenodds.claims.claim import Check, Facts, Finding, claims, fails, holds, judged, left_open
from evenodds.core.vocabulary import FIRST, SECOND, Outcome
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.games.factors import subtraction
from evenodds.games.factors.rules import Ending, Finish

EXAMPLE = checks.Example(
    "7 6 3 9 8 4 9",
    ((7, 0), (7, 6), (10, 3), (7, 12), (15, 12), (11, 16), (20, 16)),
    Outcome.FIRST_WINS,
    {"target": 20, "numbers": 9},
)
scores = attrgetter("scores")
ONE_HAS_MORE = "both have the target in the same round, and one has more"
SCORES_ARE_EQUAL = "scores are equal when both have the target"


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
        and choice.habits["high"].answered < 0.5 - VALUE_TOLERANCE
    )
    return judged(weighed, said)


both_in_one_round = comes_up(Ending.HIGHER_SCORE, ONE_HAS_MORE)
equal_at_the_target = comes_up(Ending.OVERTIME, SCORES_ARE_EQUAL)
worked_example = sample_of_the_dialog = checks.check_example(EXAMPLE, scores)
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
"""
CLAIMS = claims(SENTENCES, vars(checks) | vars(subtraction) | vars())
