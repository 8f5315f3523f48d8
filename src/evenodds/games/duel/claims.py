"""The claims of the rule book of Number Duel, with their checks."""

from operator import attrgetter

from evenodds.claims import checks
from evenodds.claims.claim import Facts, Finding, fails, holds, judged, left_open
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.games.duel.rules import Ending

BOOK = {"hp": 10, "numbers": 3}
health = attrgetter("health")


def no_overflow(facts: Facts) -> Finding:
    """Whether health never rises, so that it cannot exceed what it was at the start."""
    least = min(map(min, _damage(facts).values()))
    said = f"Nothing gives health back: the least that a round costs a player is {least} HP."
    if least < 0:
        said = f"A round can give a player {-least} HP."
    return judged(least >= 0, said)


the_other_wins = checks.check_line(
    Ending.DOUBLE_KNOCKOUT.name,
    some=left_open(
        "Both fall in the same round {shares}. The rule book does not say who wins then; here "
        "knockout={knockout} decides: {meaning}."
    ),
    none=holds("{lines} leaves one player standing."),
    meaning=lambda facts: facts.rulings.knockout.meaning,
)
ends_at_zero = checks.check_line(
    through=lambda _, fields: (fields["health first"] <= 0) | (fields["health second"] <= 0),
    some=fails("A match can go on although a player has no HP left."),
    none=holds("No match goes on when a player has no HP left."),
)


def remaining_health(facts: Facts) -> Finding:
    """Whether matches that end with the same health on the screen have the same result."""
    ends = [
        facts.line_to(outcome, Ending.DOUBLE_KNOCKOUT.name)
        for outcome in (Outcome.FIRST_WINS, Outcome.DRAW)
    ]
    if not all(ends):
        return holds("Matches that end with the same HP on the screen have the same result.")
    said = (
        "When both fall, both are left with 0 HP; yet some of these matches are won and some are "
        f"drawn, for knockout={facts.study.rules['knockout']} counts health below zero."
    )
    return left_open(said, ends[0])


def risk(facts: Facts) -> Finding:
    """Whether a higher number deals more, and costs more where both choose it."""
    most = facts.rulings.numbers
    if most == 1:
        return left_open("There is no higher number than 1.")
    damage, pool = _damage(facts), range(1, most + 1)
    deals = [damage[number, number - 1][SECOND] for number in pool[1:]]
    costs = [damage[number, number][FIRST] for number in pool]
    true = deals == sorted(set(deals)) and costs == sorted(set(costs))
    low, high = (sum(damage[one, other][FIRST] for other in pool) / most for one in (1, most))
    against = "Yet against" if high < low else "Against"
    said = (
        f"Equal numbers cost {costs[0]} HP at 1 and {costs[-1]} HP at {most}. {against} random "
        f"picks {most} costs its player {high:.2f} HP a round, and 1 costs {low:.2f} HP."
    )
    return judged(true, said, f"{most}-{most}")


def _damage(facts: Facts) -> dict[Pair, Pair]:
    """What each pair of picks costs each seat in the first round."""
    first, second = facts.start.health
    left = {pair: after.health for pair, after in facts.first_rounds.items()}
    return {pair: (first - one, second - two) for pair, (one, two) in left.items()}


def bluffing(facts: Facts) -> Finding:
    """Whether a player who is predictable loses something, in any decision."""
    mixed, sound = facts.study.choice.mixed, facts.study.choice.sound
    if mixed is None:
        return left_open(checks.NO_CHOICE)
    safe = [number for number, share in sound.items() if share >= 1 - VALUE_TOLERANCE]
    said = f"In {percent(mixed)} of decisions a player who is seen through gives something away."
    line = ""
    if safe and mixed <= VALUE_TOLERANCE:
        number = safe[-1]
        said = (
            f"You lose nothing by choosing {number} in every round, even if your opponent knows it."
        )
        line = " ".join([f"{number}-{number}"] * -(-facts.rulings.hp // number))
    return judged(mixed > VALUE_TOLERANCE, said, line)


def caution(facts: Facts) -> Finding:
    """Whether the highest number is less often optimal with little health than with much."""
    if not facts.study.size.decisions:
        return left_open(checks.NO_CHOICE)
    uses = facts.optimality_by("health")
    half, most = facts.rulings.hp / 2, facts.rulings.numbers
    used = {figure: use[most] for figure, use in uses.items() if most in use}
    low, high = checks.optimal_shares((figure <= half, use) for figure, use in used.items())
    if low is None or high is None:
        some = f"{half:g} HP or less" if low is None else f"more than {half:g} HP"
        return left_open(
            f"There is no decision with {some} in which something depends on the pick."
        )
    if max(low, high) <= VALUE_TOLERANCE:
        said = f"{most} is never right, with little health or much: that says nothing of caution."
        return left_open(said)
    said = (
        f"With {half:g} HP or less {most} is right in {percent(low)} of decisions that matter, "
        f"with more in {percent(high)}."
    )
    return judged(low < high - VALUE_TOLERANCE, said)


worked_example = sample_of_the_dialog = checks.check_example(
    "2-3 3-3 1-2 3-1 2-2",
    health,
    ((7, 10), (4, 7), (2, 7), (2, 4), (0, 2)),
    Outcome.SECOND_WINS,
    BOOK,
)
example_of_an_attack = checks.check_example("2-3", health, ((7, 10),), rules=BOOK)
example_of_equal_numbers = checks.check_example("2-2", health, ((8, 8),), rules=BOOK)
prediction = predicting_moves = checks.prediction_pays
strategy, skill = checks.thinking_pays, checks.skill_pays

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
