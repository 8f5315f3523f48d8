"""What the rule book of Number Duel promises."""

from itertools import product

from evenodds.checks import (
    Example,
    ending_shares,
    every_line,
    no_draws,
    prediction_pays,
    quick,
    skill_pays,
    thinking_pays,
    verdict,
    worked,
)
from evenodds.claims import Claim, Facts, Finding, Use, Verdict
from evenodds.games.duel.rules import Ending, State, damage
from evenodds.text import SURE, percent
from evenodds.vocabulary import FIRST, SECOND, Outcome, Pair

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
    """The health of both."""
    return state.health


def healed(facts: Facts) -> Finding:
    """Whether health never rises, so that it cannot exceed what it was at the start."""
    least = min(min(damage(facts.rulings, pair)) for pair in _pairs(facts))
    said = f"Nothing gives health back: the least that a round costs a player is {least} HP."
    if least < 0:
        said = f"A round can give a player {-least} HP."
    return Finding(verdict(least >= 0), said)


def the_other_wins(facts: Facts) -> Finding:
    """Whether it is always clear who has won when somebody falls."""
    line = facts.line_to(ending=Ending.DOUBLE_KNOCKOUT.name)
    if not line:
        return Finding(Verdict.HOLDS, f"{every_line(facts)} leaves one player standing.")
    said = (
        f"Both fall in the same round {ending_shares(facts, Ending.DOUBLE_KNOCKOUT.name)}; by the "
        f"book each has lost and won, and knockout={facts.study.rules['knockout']} decides."
    )
    return Finding(Verdict.UNDEFINED, said, line)


def equal_numbers_hurt(facts: Facts) -> Finding:
    """Whether a higher number deals more, and costs more where both choose it."""
    most = facts.rulings.numbers
    deals = [damage(facts.rulings, (number, number - 1))[SECOND] for number in range(2, most + 1)]
    costs = [damage(facts.rulings, (number, number))[FIRST] for number in range(1, most + 1)]
    true = most > 1 and deals == sorted(set(deals)) and costs == sorted(set(costs))
    low, high = (_average_cost(facts, number) for number in (1, most))
    said = (
        f"Equal numbers cost {costs[0]} HP at 1 and {costs[-1]} HP at {most}. Yet against chance "
        f"{most} costs its player {high:.2f} HP a round, and 1 costs {low:.2f} HP."
    )
    return Finding(verdict(true), said, f"{most}-{most}")


def _average_cost(facts: Facts, number: int) -> float:
    """What a number costs its player in a round on average, whatever the other picks."""
    pairs = [pair for pair in _pairs(facts) if pair[FIRST] == number]
    costs = [damage(facts.rulings, pair)[FIRST] for pair in pairs]
    return sum(costs) / len(costs)


def _pairs(facts: Facts) -> list[Pair]:
    pool = range(1, facts.rulings.numbers + 1)
    return list(product(pool, pool))


def variety_pays(facts: Facts) -> Finding:
    """Whether a player who always chooses the same number gives something away."""
    mixed = facts.study.choice.mixed
    sound = facts.study.choice.sound
    safe = [number for number, share in sound.items() if share >= 1 - SURE]
    said = f"In {percent(mixed)} of decisions a player who is seen through gives something away."
    if safe and mixed <= SURE:
        said = f"Nothing is lost by choosing {safe[-1]} in every round, though the other knows it."
    return Finding(verdict(mixed > SURE), said, _always(facts, safe[-1]) if safe else "")


def _always(facts: Facts, number: int) -> str:
    """The line on which both always choose the same number."""
    return " ".join([f"{number}-{number}"] * -(-facts.rulings.hp // number))


def caution_pays(facts: Facts) -> Finding:
    """Whether the highest number is less often right with little health than with much."""
    uses = facts.uses_by("health")
    half, most = facts.rulings.hp / 2, facts.rulings.numbers
    low = _right(most, [use for figure, use in uses.items() if figure <= half])
    high = _right(most, [use for figure, use in uses.items() if figure > half])
    if low is None or high is None:
        return Finding(Verdict.FAILS, "Nothing depends on a number where health is low or high.")
    said = (
        f"With {half:g} HP or less {most} is right in {percent(low)} of decisions that matter, "
        f"with more in {percent(high)}."
    )
    return Finding(verdict(low < high - SURE), said)


def _right(number: int, uses: list[dict[int, Use]]) -> float | None:
    """How often a number gives nothing away."""
    some = [use[number] for use in uses if number in use]
    total = sum(use.open for use in some)
    return sum(use.sound for use in some) / total if total else None


CLAIMS = (
    Claim(
        "predicting moves",
        "Predict your opponent's moves to maximize damage and avoid self-harm.",
        prediction_pays,
    ),
    Claim(
        "example of an attack",
        "Player 2 attacks; Player 1 loses 3 HP.",
        worked(STRIKE, health),
    ),
    Claim("example of equal numbers", "Both players lose 2 HP.", worked(BOTH_HURT, health)),
    Claim(
        "no overflow",
        "Players' HP cannot exceed the starting value of 10 HP.",
        healed,
    ),
    Claim(
        "the other wins",
        "If a player's HP drops to zero or below, they are eliminated, and the opponent wins.",
        the_other_wins,
    ),
    Claim(
        "no draws",
        "The game cannot end in a draw; there will always be a winner.",
        no_draws,
    ),
    Claim("worked example", "Player 1's HP has reached zero.", worked(EXAMPLE, health)),
    Claim("sample of the dialog", "Player 2 wins the game!", worked(EXAMPLE, health)),
    Claim(
        "prediction",
        "Try to anticipate the number your opponent will choose based on previous rounds.",
        prediction_pays,
    ),
    Claim(
        "risk",
        "Choosing a higher number can deal more damage but risks taking self-damage if the "
        "opponent chooses the same number.",
        equal_numbers_hurt,
    ),
    Claim("bluffing", "Vary your choices to keep your opponent guessing.", variety_pays),
    Claim(
        "caution",
        "Adjust your strategy based on remaining HP; play more cautiously when HP is low.",
        caution_pays,
    ),
    Claim("quick", "Number Duel is a quick", quick),
    Claim(
        "strategy",
        "strategic game that combines elements of prediction, risk management, and psychological "
        "warfare.",
        thinking_pays,
    ),
    Claim(
        "skill",
        "Skilled players who can read their opponent and make calculated choices will consistently "
        "come out on top.",
        skill_pays,
    ),
)
