"""The claims of the rule book of Number Duel, with their checks."""

from itertools import product

from evenodds.claims.checks import (
    NO_CHOICE,
    Example,
    check_example,
    ending_shares,
    every_line,
    no_draws,
    prediction_pays,
    quick,
    skill_pays,
    thinking_pays,
    verdict,
)
from evenodds.claims.claim import Facts, Finding, OptimalityCounts, Verdict, claims
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.games.duel.rules import KNOCKOUT_MEANINGS, Ending, State

BOOK = {"hp": 10, "numbers": 3}
EXAMPLE = Example(
    "2-3 3-3 1-2 3-1 2-2",
    ((7, 10), (4, 7), (2, 7), (2, 4), (0, 2)),
    Outcome.SECOND_WINS,
    BOOK,
)
STRIKE = Example("2-3", ((7, 10),), rules=BOOK)
BOTH_HURT = Example("2-2", ((8, 8),), rules=BOOK)


def health(state: State) -> Pair:
    """The health of both seats."""
    return state.health


def healed(facts: Facts) -> Finding:
    """Whether health never rises, so that it cannot exceed what it was at the start."""
    least = min(min(_damage(facts, pair)) for pair in _pairs(facts))
    said = f"Nothing gives health back: the least that a round costs a player is {least} HP."
    if least < 0:
        said = f"A round can give a player {-least} HP."
    return Finding(verdict(least >= 0), said)


def the_other_wins(facts: Facts) -> Finding:
    """Whether the book defines the winner of every match: not where both fall at once."""
    line = facts.line_to(ending=Ending.DOUBLE_KNOCKOUT.name)
    if not line:
        return Finding(Verdict.HOLDS, f"{every_line(facts)} leaves one player standing.")
    said = (
        f"Both fall in the same round {ending_shares(facts, Ending.DOUBLE_KNOCKOUT.name)}. The "
        "rule book does not say who wins then; here "
        f"knockout={facts.study.rules['knockout']} decides: "
        f"{KNOCKOUT_MEANINGS[facts.rulings.knockout]}."
    )
    return Finding(Verdict.UNDEFINED, said, line)


def ends_at_zero(facts: Facts) -> Finding:
    """Whether no match goes on when somebody has no health left."""
    line = facts.line_to(
        through=lambda fields: (fields["health first"] <= 0) | (fields["health second"] <= 0)
    )
    said = "A match can go on although a player has no HP left."
    fine = "No match goes on when a player has no HP left."
    return Finding(verdict(not line), said if line else fine, line)


def health_alone_decides(facts: Facts) -> Finding:
    """Whether matches that end with the same health on the screen have the same result."""
    ends = [
        facts.line_to(outcome, Ending.DOUBLE_KNOCKOUT.name)
        for outcome in (Outcome.FIRST_WINS, Outcome.DRAW)
    ]
    if not all(ends):
        said = "Matches that end with the same HP on the screen have the same result."
        return Finding(Verdict.HOLDS, said)
    said = (
        "When both fall, both are left with 0 HP; yet some of these matches are won and some are "
        f"drawn, for knockout={facts.study.rules['knockout']} counts health below zero."
    )
    return Finding(Verdict.UNDEFINED, said, ends[0])


def equal_numbers_hurt(facts: Facts) -> Finding:
    """Whether a higher number deals more, and costs more where both choose it."""
    most = facts.rulings.numbers
    if most == 1:
        return Finding(Verdict.UNDEFINED, "There is no higher number than 1.")
    deals = [_damage(facts, (number, number - 1))[SECOND] for number in range(2, most + 1)]
    costs = [_damage(facts, (number, number))[FIRST] for number in range(1, most + 1)]
    true = deals == sorted(set(deals)) and costs == sorted(set(costs))
    low, high = (_average_cost(facts, number) for number in (1, most))
    against = "Yet against" if high < low else "Against"
    said = (
        f"Equal numbers cost {costs[0]} HP at 1 and {costs[-1]} HP at {most}. {against} random "
        f"picks {most} costs its player {high:.2f} HP a round, and 1 costs {low:.2f} HP."
    )
    return Finding(verdict(true), said, f"{most}-{most}")


def _average_cost(facts: Facts, number: int) -> float:
    """What a number costs its player in a round on average, whatever the other picks."""
    pairs = [pair for pair in _pairs(facts) if pair[FIRST] == number]
    costs = [_damage(facts, pair)[FIRST] for pair in pairs]
    return sum(costs) / len(costs)


def _damage(facts: Facts, pair: Pair) -> Pair:
    """What a pair of picks costs each seat in the first round."""
    start = facts.game.start(facts.rulings)
    after = facts.game.step(start, pair).health
    return (start.health[FIRST] - after[FIRST], start.health[SECOND] - after[SECOND])


def _pairs(facts: Facts) -> list[Pair]:
    pool = range(1, facts.rulings.numbers + 1)
    return list(product(pool, pool))


def variety_pays(facts: Facts) -> Finding:
    """Whether a player who is predictable loses something, in any decision."""
    mixed, sound = facts.study.choice.mixed, facts.study.choice.sound
    if mixed is None:
        return Finding(Verdict.UNDEFINED, NO_CHOICE)
    safe = [number for number, share in sound.items() if share >= 1 - VALUE_TOLERANCE]
    said, line = (
        f"In {percent(mixed)} of decisions a player who is seen through gives something away.",
        "",
    )
    if safe and mixed <= VALUE_TOLERANCE:
        said = (
            f"You lose nothing by choosing {safe[-1]} in every round, even if your opponent knows "
            "it."
        )
        line = _always(facts, safe[-1])
    return Finding(verdict(mixed > VALUE_TOLERANCE), said, line)


def _always(facts: Facts, number: int) -> str:
    """The line on which both always choose the same number."""
    return " ".join([f"{number}-{number}"] * -(-facts.rulings.hp // number))


def caution_pays(facts: Facts) -> Finding:
    """Whether the highest number is less often optimal with little health than with much."""
    if not facts.study.size.decisions:
        return Finding(Verdict.UNDEFINED, NO_CHOICE)
    uses = facts.optimality_by("health")
    half, most = facts.rulings.hp / 2, facts.rulings.numbers
    low = _optimal_share(most, [use for figure, use in uses.items() if figure <= half])
    high = _optimal_share(most, [use for figure, use in uses.items() if figure > half])
    if low is None or high is None:
        some = f"{half:g} HP or less" if low is None else f"more than {half:g} HP"
        said = f"There is no decision with {some} in which something depends on the pick."
        return Finding(Verdict.UNDEFINED, said)
    if max(low, high) <= VALUE_TOLERANCE:
        said = f"{most} is never right, with little health or much: that says nothing of caution."
        return Finding(Verdict.UNDEFINED, said)
    said = (
        f"With {half:g} HP or less {most} is right in {percent(low)} of decisions that matter, "
        f"with more in {percent(high)}."
    )
    return Finding(verdict(low < high - VALUE_TOLERANCE), said)


def _optimal_share(number: int, uses: list[dict[int, OptimalityCounts]]) -> float | None:
    """The share of decisions in which a number is optimal."""
    some = [use[number] for use in uses if number in use]
    total = sum(use.open for use in some)
    return sum(use.sound for use in some) / total if total else None


SENTENCES = """
predicting moves: Predict your opponent's moves to maximize damage and avoid self-harm.
example of an attack: Player 2 attacks; Player 1 loses 3 HP.
example of equal numbers: Both players lose 2 HP.
no overflow: Players' HP cannot exceed the starting value of 10 HP.
the other wins: If a player's HP drops to zero or below, they are eliminated, and the opponent wins.
ends at zero: The game ends immediately when a player's HP reaches zero or below.
no draws: The game cannot end in a draw; there will always be a winner.
remaining health: The game outcome is solely based on the remaining HP; no additional scoring system
    is required.
worked example: Player 1's HP has reached zero.
sample of the dialog: Player 2 wins the game!
prediction: Try to anticipate the number your opponent will choose based on previous rounds.
risk: Choosing a higher number can deal more damage but risks taking self-damage if the opponent
    chooses the same number.
bluffing: Vary your choices to keep your opponent guessing.
caution: Adjust your strategy based on remaining HP; play more cautiously when HP is low.
quick / strategy: Number Duel is a quick, strategic game that combines elements of prediction, risk
    management, and psychological warfare.
skill: Skilled players who can read their opponent and make calculated choices will consistently
    come out on top.
"""
CLAIMS = claims(
    SENTENCES,
    {
        "predicting moves": prediction_pays,
        "example of an attack": check_example(STRIKE, health),
        "example of equal numbers": check_example(BOTH_HURT, health),
        "no overflow": healed,
        "the other wins": the_other_wins,
        "ends at zero": ends_at_zero,
        "no draws": no_draws,
        "remaining health": health_alone_decides,
        "worked example": check_example(EXAMPLE, health),
        "sample of the dialog": check_example(EXAMPLE, health),
        "prediction": prediction_pays,
        "risk": equal_numbers_hurt,
        "bluffing": variety_pays,
        "caution": caution_pays,
        "quick": quick,
        "strategy": thinking_pays,
        "skill": skill_pays,
    },
)
