"""The claims of the rule book of Number Clash, first to three, with their checks."""

from operator import attrgetter

from evenodds.claims import checks
from evenodds.claims.claim import Facts, Finding, fails, holds, judged, left_open
from evenodds.core.notation import write_round
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, numbers
from evenodds.core.words import Names
from evenodds.figures import VALUE_TOLERANCE, counted, join_words, percent
from evenodds.games.underdog.rules import Ending, State

BOOK = {"numbers": 10, "target": 3}
CLOSING = "Congratulations, Player 1 wins the game with a score of 3 to 0!"


def second_list(state: State) -> tuple[int, ...] | None:
    """The hand of Player 2 after two rounds, where the sample lists it; None before."""
    two_rounds = len(numbers(state.hands[FIRST])) == state.rulings.numbers - 2
    return numbers(state.hands[SECOND]) if two_rounds else None


three_points = checks.check_line(
    Ending.HANDS_EMPTY.name,
    some=left_open(
        "Hands run out before anyone has {target} {shares}. The book does not say what happens "
        "then; here exhausted={exhausted} decides."
    ),
    none=holds("{lines} leads somebody to {target}."),
)


def underdogs_win(facts: Facts) -> Finding:
    """Whether some lower number beats a higher one."""
    leads = {pair: lead for pair, lead in _leads(facts).items() if pair[0] < pair[1]}
    won = [pair for pair, lead in leads.items() if lead > 0]
    said = f"Of {counted(len(leads), 'pairs')} of different numbers the lower wins {len(won)}."
    return judged(bool(won), said, write_round(won[-1]) if won else "")


def higher_numbers_win(facts: Facts) -> Finding:
    """Whether the higher of two numbers wins more often than the lower."""
    leads = [lead for pair, lead in _leads(facts).items() if pair[0] > pair[1]]
    won, lost = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    pairs = counted(len(leads), "pairs")
    said = f"Of {pairs} of different numbers the higher wins {won}, the lower {lost}."
    return judged(won > lost, said)


def _leads(facts: Facts) -> dict[Pair, int]:
    """Who wins the first round with a pair of picks: above 0 the first seat, below 0 the second."""
    scored = {pair: after.scores for pair, after in facts.first_rounds.items()}
    return {pair: first - second for pair, (first, second) in scored.items()}


def every_number(facts: Facts) -> Finding:
    """Whether each number wins a round of some match that its player wins.

    It is enough to look at first rounds: the order of rounds before the target does not matter.
    """
    lines = {number: _line_with(facts, number) for number in numbers(facts.start.hands[FIRST])}
    useless = [str(number) for number, line in lines.items() if not line]
    if useless:
        return fails(f"No match is won in which {join_words(useless, 'or')} wins a round.")
    right = facts.study.choice.sound
    least = min(right, key=lambda number: right[number])
    said = (
        f"Each of the {len(lines)} numbers can win a round of a match that is won; {least}, the "
        f"least, is right to pick in {percent(right[least])} of decisions."
    )
    return holds(said, lines[least])


def _line_with(facts: Facts, number: int) -> str:
    """A line that the first seat wins, in which a number wins the first round."""
    won = [pair for pair, lead in _leads(facts).items() if pair[FIRST] == number and lead > 0]
    lines = (facts.line_to(Outcome.FIRST_WINS, after=write_round(pair)) for pair in reversed(won))
    return next(filter(None, lines), "")


def underdog_answers(facts: Facts) -> Finding:
    """Whether the number that beats a high one by the Underdog Rule is a best reply to it."""
    opening, gap = facts.study.opening, facts.rulings.gap
    if not gap:
        return fails("A gap of 0 switches the Underdog Rule off.")
    high = [number for number in opening.second if number > max(opening.second) / 2]
    met = [number for number in high if number - gap in opening.first]
    columns = dict(zip(opening.second, zip(*opening.payoff, strict=True), strict=True))
    best = [
        number
        for number in met
        if columns[number][opening.first.index(number - gap)]
        >= max(columns[number]) - VALUE_TOLERANCE
    ]
    said = (
        f"In the first round the number {gap} less is a best answer to {len(best)} of "
        f"{counted(len(high), 'high numbers')}."
    )
    line = f"{best[-1] - gap}-{best[-1]}" if best else ""
    return judged(bool(high) and len(best) == len(high), said, line)


def ties_cost(facts: Facts) -> Finding:
    """Whether any tie changes the expected scores."""
    ties = facts.ties()
    if not ties.costly:
        return fails(f"None of the {ties.possible:,} possible ties changes the expected scores.")
    said = (
        f"{percent(ties.costly / ties.possible)} of possible ties hurt one player and help the "
        f"other. The worst cuts a player's expected score from {percent(ties.before)} to "
        f"{percent(ties.after)}."
    )
    return holds(said, ties.line)


def closing(facts: Facts) -> Finding:
    """Whether a match closes with the quoted text; the book closes its example in two ways."""
    # The worked example with its illegal third round replaced by a legal one.
    line, rules = "7-8 10-6 9-2", BOOK | {"gap": 1}
    end, names = facts.replay(line, rules), Names(("Player 1", "Player 2"))
    said, *_ = facts.game.words.closing(end.states[-1], end.outcome, names)
    told = f'The book closes the same match in two ways; here it is closed with "{said}"'
    found = holds if said == CLOSING else left_open
    return found(f"{told}.", line, rules)


worked_example = checks.check_example(
    "7-8 10-6 5-6", attrgetter("scores"), ((1, 0), (2, 0), (3, 0)), Outcome.FIRST_WINS, BOOK
)
sample_of_a_prompt = checks.check_example(
    "7-8 10-6", second_list, (None, (1, 2, 3, 4, 5, 6, 7, 9, 10)), rules=BOOK
)
planning, prediction = checks.choices_matter, checks.prediction_pays
saving_high_numbers, thinking_ahead = checks.saving_pays, checks.thinking_pays

SENTENCES = """
three points: The first player to reach three points wins the game.
higher numbers win: Higher Number Wins: Generally, the player who selects the higher number wins the
    round.
used once: Each number from 1 to 10 can be used only once per player during the game.
underdogs win: This rule adds a strategic element, allowing lower numbers to sometimes defeat higher
    numbers.
planning: Players must plan the use of their numbers carefully to avoid running out of valuable
    options in later rounds.
worked example: Player 2 chooses 6.
sample of a prompt: Player 2, enter your chosen number from your available numbers
    [1,2,3,4,5,6,7,9,10]:
closing: Congratulations, Player 1 wins the game with a score of 3 to 0!
prediction: Try to predict which numbers your opponent might play based on their remaining numbers.
underdog answers: Utilize the Underdog Rule by playing a number that is one less than a high-value
    number you expect your opponent to use.
saving high numbers: Save your highest numbers for when you think the opponent has exhausted their
    high numbers.
ties cost: Since ties result in a loss of valuable numbers without gaining points, try to choose
    numbers less likely to match the opponent's choice.
thinking ahead: Number Clash is a simple yet strategic game that requires players to think ahead and
    outmaneuver their opponent with careful number selection.
every number: The unique Underdog Rule adds an element of surprise and strategy, ensuring that every
    number in your set has the potential to lead you to victory.
"""
