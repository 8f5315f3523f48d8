"""The claims of the rule book of Number Clash, five rounds, with their checks."""

from itertools import pairwise
from operator import attrgetter

from evenodds.claims import checks
from evenodds.claims.claim import Facts, Finding, Verdict, fails, holds, judged, left_open
from evenodds.core.vocabulary import FIRST, SEATS, Outcome, numbers
from evenodds.figures import percent
from evenodds.games.margin.rules import Ending, State

ROUNDS = 5
BOOK = {"numbers": ROUNDS}
points = attrgetter("points")


def hands(state: State) -> tuple[tuple[int, ...], ...]:
    """The hands of both seats as numbers."""
    return tuple(numbers(hand) for hand in state.hands)


def points_decide(facts: Facts) -> Finding:
    """Whether any match is decided by points rather than by a tie-breaker."""
    line = facts.line_to(ending=Ending.MORE_POINTS.name)
    if line:
        return holds(f"Points decide {checks.ending_shares(facts, Ending.MORE_POINTS.name)}.", line)
    said = f"{checks.every_line(facts)} ends with equal points: the tie-breakers decide them all."
    line = facts.line_to(ending=Ending.MORE_ROUNDS.name) or facts.line_to()
    return fails(said, line)


def points_against_rounds(facts: Facts) -> Finding:
    """Whether some matches are decided by points and some by rounds won."""
    ends = (Ending.MORE_POINTS.name, Ending.MORE_ROUNDS.name)
    lines = [facts.line_to(ending=end) for end in ends]
    points, rounds = (percent(facts.study.perfect.endings.get(end, 0.0)) for end in ends)
    said = f"Of matches between perfect players points decide {points}, rounds won {rounds}."
    return judged(all(lines), said, lines[1])


last_round = checks.check_line(
    Ending.ALL_EQUAL.name,
    some=left_open(
        "The last round may be a tie itself. The book does not say what happens then; here "
        "last_round={last_round} decides. {drawn}."
    ),
    none=holds("{lines} has a winner."),
)


def five_rounds(facts: Facts) -> Finding:
    """Whether every match takes as many rounds as the book says."""
    size = facts.study.size
    return judged(size.shortest == size.longest == ROUNDS, f"{checks.length(facts)}.")


def turns(facts: Facts) -> Finding:
    """Whether one player picks after the other."""
    asked = [len(numbers(facts.game.legal(facts.start, seat))) for seat in SEATS]
    turns = min(asked) == 0
    said = f"Both choose at once, in the first round from {asked[0]} numbers each."
    return judged(turns, "One player picks after the other." if turns else said)


def sets_of_numbers(facts: Facts) -> Finding:
    """Whether each player has numbers that the other has not."""
    first, second = hands(facts.start)
    said = "Each player begins with numbers of their own."
    if first == second:
        said = f"Both players begin with the same numbers, {first[0]} to {first[-1]}."
    return judged(first != second, said)


def saving_high_numbers(facts: Facts) -> Finding:
    """Whether a higher number wins more rounds against chance, and is more often worth saving."""
    first, second = hands(facts.start)
    won = {
        one: sum(facts.game.step(facts.start, (one, two)).wins[FIRST] for two in second)
        / len(second)
        for one in first
    }
    rising = all(won[low] < won[high] for low, high in pairwise(first))
    saved = checks.saving_pays(facts)
    said = (
        f"Against a random first number {first[-1]} wins {percent(won[first[-1]])} of rounds and "
        f"{first[0]} wins {percent(won[first[0]])}. {saved.evidence}"
    )
    return judged(rising and saved.verdict == Verdict.HOLDS, said)


example_of_scoring = checks.check_example("5-3 2-4", points, ((2, 0), (2, 2)), rules=BOOK)
worked_example = sample_of_the_dialog = checks.check_example(
    "3-2 5-4 2-5 4-1 1-3",
    points,
    ((1, 0), (2, 0), (2, 3), (5, 3), (5, 5)),
    Outcome.FIRST_WINS,
    BOOK,
)
sample_of_a_prompt = checks.check_example(
    "3-2 5-4", hands, (((1, 2, 4, 5), (1, 3, 4, 5)),), rules=BOOK
)
managing_numbers, skill = checks.thinking_pays, checks.skill_pays
prediction = checks.prediction_pays

SENTENCES = """
turns: Number Clash is a strategic two-player, turn-based game where players aim to accumulate the
    highest total score over five rounds.
points decide: The player with the highest total score at the end of the game wins.
sets of numbers: Each player is assigned a unique set of numbers from 1 to 5.
used once: Once a number is used, it cannot be selected again.
five rounds: The game consists of five rounds.
saving high numbers: Higher numbers have a greater chance of winning a round but may be
    strategically saved for later.
last round: If still tied, the player who won the last round wins the game.
example of scoring: Total Scores: Player A = 2 points, Player B = 2 points.
worked example: Winner: Player A wins by having won more rounds.
sample of a prompt: Player A, select your number from [1, 2, 4, 5]:
sample of the dialog: Player A won more rounds and is the winner!
managing numbers: Decide when to use high numbers for assured round wins versus saving them for
    later rounds.
prediction: Gauge which numbers the opponent may play based on their remaining numbers.
points against rounds: Weigh the importance of gaining points versus winning more rounds to secure
    victory in a tie.
skill: It provides depth through number selection and prediction, ensuring that skilled players can
    consistently outperform unskilled opponents.
no draws / quick: With clear rules and quick gameplay, it offers an engaging experience without the
    possibility of a draw.
not points decide: Both players play the same numbers in the end, so the differences cancel out:
    total points are always equal, and the tie-breakers decide every game.
"""
