"""What the rule book of Number Clash, first to three, promises."""

from itertools import product

from evenodds.checks import (
    Example,
    choices_matter,
    ending_shares,
    every_line,
    prediction_pays,
    saving_pays,
    thinking_pays,
    verdict,
    worked,
)
from evenodds.claims import Claim, Facts, Finding, Verdict
from evenodds.games.underdog.rules import Ending, State, round_lead
from evenodds.text import SURE, listed, percent
from evenodds.vocabulary import SECOND, Outcome, numbers

EXAMPLE = Example(
    "7-8 10-6 5-6",
    ((1, 0), (2, 0), (3, 0)),
    Outcome.FIRST_WINS,
    {"numbers": 10, "target": 3},
)
SAMPLE = Example(
    "7-8 10-6", (None, (1, 2, 3, 4, 5, 6, 7, 9, 10)), rules={"numbers": 10, "target": 3}
)


def scores(state: State) -> tuple[int, int]:
    """The points of both."""
    return state.scores


def second_list(state: State) -> tuple[int, ...] | None:
    """What the sample offers Player 2 after two rounds."""
    left = numbers(state.hands[SECOND])
    return left if len(left) == state.rulings.numbers - 2 else None


def somebody_reaches_it(facts: Facts) -> Finding:
    """Whether hands never run out before somebody has the points."""
    line = facts.line_to(ending=Ending.HANDS_EMPTY.name)
    target = facts.rulings.target
    if not line:
        return Finding(Verdict.HOLDS, f"{every_line(facts)} leads somebody to {target}.")
    said = (
        f"Hands run out before anyone has {target} "
        f"{ending_shares(facts, Ending.HANDS_EMPTY.name)}; the book does not say what then, and "
        f"exhausted={facts.study.rules['exhausted']} decides."
    )
    return Finding(Verdict.UNDEFINED, said, line)


def lower_numbers_win(facts: Facts) -> Finding:
    """Whether some lower number beats a higher one."""
    hand = range(1, facts.rulings.numbers + 1)
    pairs = [pair for pair in product(hand, hand) if pair[0] < pair[1]]
    won = [pair for pair in pairs if round_lead(facts.rulings, pair) > 0]
    said = f"Of {len(pairs)} pairs of different numbers the lower wins {len(won)}."
    return Finding(verdict(bool(won)), said, f"{won[-1][0]}-{won[-1][1]}" if won else "")


def every_number_leads_to_victory(facts: Facts) -> Finding:
    """Whether each number wins a round of some match that is won.

    Where it can do so it can in the first round: to play the same rounds in another order changes
    nothing before somebody has the points.
    """
    hand = range(1, facts.rulings.numbers + 1)
    lines = {number: _line_with(facts, number) for number in hand}
    useless = [str(number) for number, line in lines.items() if not line]
    if useless:
        said = f"No match is won in which {listed(useless, 'or')} wins a round."
        return Finding(Verdict.FAILS, said)
    right = facts.study.choice.sound
    least = min(right, key=lambda number: right[number])
    said = (
        f"Each of the {len(lines)} numbers can win a round of a match that is won; {least}, the "
        f"least, is right to pick in {percent(right[least])} of decisions."
    )
    return Finding(Verdict.HOLDS, said, lines[least])


def _line_with(facts: Facts, number: int) -> str:
    """A line that the first seat wins, in which a number wins the first round."""
    for against in range(facts.rulings.numbers, 0, -1):
        if round_lead(facts.rulings, (number, against)) > 0:
            line = facts.line_to(Outcome.FIRST_WINS, after=f"{number}-{against}")
            if line:
                return line
    return ""


def underdog_answers(facts: Facts) -> Finding:
    """Whether the best answer to a high number is the one that the rule lets win."""
    opening, gap = facts.study.opening, facts.rulings.gap
    if not gap:
        return Finding(Verdict.FAILS, "A gap of 0 switches the Underdog Rule off.")
    high = [number for number in opening.second if number > max(opening.second) / 2]
    met = [number for number in high if number - gap in opening.first]
    columns = dict(zip(opening.second, zip(*opening.payoff, strict=True), strict=True))
    best = [
        number
        for number in met
        if columns[number][opening.first.index(number - gap)] >= max(columns[number]) - SURE
    ]
    said = (
        f"In the first round the number {gap} less is a best answer to {len(best)} of the "
        f"{len(high)} high numbers."
    )
    line = f"{best[-1] - gap}-{best[-1]}" if best else ""
    return Finding(verdict(bool(high) and len(best) == len(high)), said, line)


def ties_cost(facts: Facts) -> Finding:
    """Whether a tie makes anybody worse off."""
    opening, value = facts.study.opening, facts.study.value
    ties = [line[place] for place, line in enumerate(opening.payoff)]
    worst = max(ties, key=lambda worth: abs(worth - value))
    said = (
        f"A tie in the first round takes the first seat from {percent(0.5 + value / 2)} to "
        f"{percent(0.5 + worst / 2)}; what one loses by it, the other wins."
    )
    number = opening.first[ties.index(worst)]
    return Finding(verdict(abs(worst - value) > SURE), said, f"{number}-{number}")


def closes_in_two_ways(facts: Facts) -> Finding:
    """That the book tells the end of the same match in two ways, of which one is used."""
    said = (
        'The book closes the same match again with "Player 1 has reached 3 points and wins the '
        'game!"; that one is used.'
    )
    return Finding(Verdict.UNDEFINED, said, facts.line_to(Outcome.FIRST_WINS, Ending.TARGET.name))


CLAIMS = (
    Claim(
        "three points",
        "The first player to reach three points wins the game.",
        somebody_reaches_it,
    ),
    Claim(
        "underdogs win",
        "This rule adds a strategic element, allowing lower numbers to sometimes defeat higher "
        "numbers.",
        lower_numbers_win,
    ),
    Claim(
        "planning",
        "Players must plan the use of their numbers carefully to avoid running out of valuable "
        "options in later rounds.",
        choices_matter,
    ),
    Claim("worked example", "Player 2 chooses 6.", worked(EXAMPLE, scores)),
    Claim(
        "sample of a prompt",
        "Player 2, enter your chosen number from your available numbers [1,2,3,4,5,6,7,9,10]:",
        worked(SAMPLE, second_list),
    ),
    Claim(
        "closing",
        "Congratulations, Player 1 wins the game with a score of 3 to 0!",
        closes_in_two_ways,
    ),
    Claim(
        "prediction",
        "Try to predict which numbers your opponent might play based on their remaining numbers.",
        prediction_pays,
    ),
    Claim(
        "underdog answers",
        "Utilize the Underdog Rule by playing a number that is one less than a high-value number "
        "you expect your opponent to use.",
        underdog_answers,
    ),
    Claim(
        "saving high numbers",
        "Save your highest numbers for when you think the opponent has exhausted their high "
        "numbers.",
        saving_pays,
    ),
    Claim(
        "ties cost",
        "Since ties result in a loss of valuable numbers without gaining points, try to choose "
        "numbers less likely to match the opponent's choice.",
        ties_cost,
    ),
    Claim(
        "thinking ahead",
        "Number Clash is a simple yet strategic game that requires players to think ahead and "
        "outmaneuver their opponent with careful number selection.",
        thinking_pays,
    ),
    Claim(
        "every number",
        "The unique Underdog Rule adds an element of surprise and strategy, ensuring that every "
        "number in your set has the potential to lead you to victory.",
        every_number_leads_to_victory,
    ),
)
