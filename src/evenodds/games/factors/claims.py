"""The claims of the rule book of Clash of Numbers, with their checks."""

from itertools import product

from evenodds.claims.checks import (
    NO_CHOICE,
    Example,
    check_example,
    ending_shares,
    habit_scores,
    quick,
    skill_pays,
    thinking_pays,
    verdict,
)
from evenodds.claims.claim import Facts, Finding, Verdict, claims
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair
from evenodds.figures import VALUE_TOLERANCE, join_words, percent
from evenodds.games.factors.rules import Ending, Finish, State
from evenodds.games.factors.subtraction import (
    equal_numbers,
    first_turns_are_exempt,
    last_numbers_matter,
    progress_is_hindered,
    subtracting_pays,
)

EXAMPLE = Example(
    "7 6 3 9 8 4 9",
    ((7, 0), (7, 6), (10, 3), (7, 12), (15, 12), (11, 16), (20, 16)),
    Outcome.FIRST_WINS,
    {"target": 20, "numbers": 9},
)


def scores(state: State) -> Pair:
    """The scores of both seats."""
    return state.scores


def first_there_wins(facts: Facts) -> Finding:
    """Whether the first player to reach the target always wins."""
    target = facts.rulings.target
    line = facts.line_to(
        Outcome.SECOND_WINS, through=lambda fields: fields["scores first"] >= target
    )
    if not line:
        return Finding(Verdict.HOLDS, f"Nobody who has {target} first is beaten after all.")
    picks = len(line.split())
    said = (
        f"Player 2 may still win after Player 1 has {target}, at the earliest in {picks} picks: "
        f"the book also lets the round be played out, and {_finish(facts)} decides."
    )
    return Finding(Verdict.UNDEFINED, said, line)


def _finish(facts: Facts) -> str:
    """The ruling `finish` as text: the book contradicts itself on who wins at the target."""
    return f"finish={facts.study.rules['finish']}"


def the_other_is_kept_away(facts: Facts) -> Finding:
    """Whether the loser never has the target, too."""
    ends = (Ending.HIGHER_SCORE.name, Ending.OVERTIME.name)
    line = next(filter(None, (facts.line_to(ending=end) for end in ends)), "")
    target = facts.rulings.target
    if not line:
        return Finding(Verdict.HOLDS, f"Nobody who loses has {target} points or more.")
    said = (
        f"Both may have {target} or more, {ending_shares(facts, *ends)}: the book also lets the "
        f"higher score win then, and {_finish(facts)} decides."
    )
    return Finding(Verdict.UNDEFINED, said, line)


def higher_score_wins(facts: Facts) -> Finding:
    """Whether a match can end with both players at the target and one ahead."""
    what = "both have the target in the same round, and one has more"
    return _comes_up(facts, Ending.HIGHER_SCORE, what)


def level_scores_go_on(facts: Facts) -> Finding:
    """Whether a match can go into overtime: equal scores when both have the target."""
    return _comes_up(facts, Ending.OVERTIME, "scores are equal when both have the target")


def _comes_up(facts: Facts, ending: Ending, what: str) -> Finding:
    """Whether a match can end in this way."""
    line = facts.line_to(ending=ending.name)
    if line:
        return Finding(
            Verdict.HOLDS, f"It comes up: {what} {ending_shares(facts, ending.name)}.", line
        )
    said = f"It never happens that {what}."
    if facts.rulings.finish == Finish.AT_ONCE:
        said = "The first to reach the target wins at once, so this never happens."
    return Finding(Verdict.UNDEFINED, said)


def pool_stays_whole(facts: Facts) -> Finding:
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
                return Finding(Verdict.FAILS, said, f"{line} {missing[0]}")
    all_of = f"all numbers from 1 to {pool[-1]}" if len(pool) > 1 else "1"
    said = f"Whatever was picked, {all_of} may be picked again."
    return Finding(Verdict.HOLDS, said)


def scores_stay_above(facts: Facts) -> Finding:
    """Whether no score is ever below zero."""
    line = facts.line_to(
        through=lambda fields: (fields["scores first"] < 0) | (fields["scores second"] < 0)
    )
    said = "A score can fall below zero." if line else "No match leads to a score below zero."
    return Finding(verdict(not line), said, line)


def high_numbers_have_a_price(facts: Facts) -> Finding:
    """Whether the highest number is optimal in some decisions only, and always picking it loses."""
    choice = facts.study.choice
    if not choice.sound:
        return Finding(Verdict.UNDEFINED, NO_CHOICE)
    highest = max(choice.sound)
    right = choice.sound[highest]
    said = (
        f"To pick {highest} is right in {percent(right)} of decisions, and to pick nothing else "
        f"scores {habit_scores(facts, 'high')}."
    )
    weighed = (
        VALUE_TOLERANCE < right < 1 - VALUE_TOLERANCE
        and choice.habits["high"].answered < 0.5 - VALUE_TOLERANCE
    )
    return Finding(verdict(weighed), said)


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
CLAIMS = claims(
    SENTENCES,
    {
        "keeping the other away": the_other_is_kept_away,
        "number pool": pool_stays_whole,
        "not below zero": scores_stay_above,
        "first turns": first_turns_are_exempt,
        "equal numbers": equal_numbers,
        "first to the target": first_there_wins,
        "both in one round": higher_score_wins,
        "equal at the target": level_scores_go_on,
        "worked example": check_example(EXAMPLE, scores),
        "sample of the dialog": check_example(EXAMPLE, scores),
        "watching": last_numbers_matter,
        "subtracting": subtracting_pays,
        "balance": high_numbers_have_a_price,
        "skill": skill_pays,
        "hindering": progress_is_hindered,
        "forward-thinking": thinking_pays,
        "quick": quick,
    },
)
