"""The claims of the rule book of Number Circle Duel, with their checks."""

from collections.abc import Mapping
from typing import Any

from evenodds.claims import checks
from evenodds.claims.claim import Facts, Finding, fails, holds, judged, left_open
from evenodds.claims.thresholds import is_fair
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, alone, numbers
from evenodds.figures import counted, join_words, percent
from evenodds.games.circle.rules import State, around, open_numbers, within_reach

BOOK = {"numbers": 10}
OF_THE_BOOK = "It is said of reach 1 without leaps."


def unclaimed(state: State) -> tuple[int, ...]:
    """The unclaimed numbers, which the book lists as the circle."""
    return numbers(state.free)


def offered(state: State) -> tuple[int, ...]:
    """The legal numbers of the player to move."""
    return numbers(open_numbers(state))


def adjacent(state: State) -> tuple[int, ...]:
    """The unclaimed numbers within reach, which the prompt calls adjacent."""
    return numbers(within_reach(state))


def options_change(facts: Facts) -> Finding:
    """Whether the legal numbers of the next turn depend on the pick."""
    after = _after_each(facts)
    first, left = list(after), {offered(state) for state in after.values()}
    said = (
        f"{counted(len(first), 'first picks')} leave {counted(len(left), 'different sets')} of "
        "numbers to pick from."
    )
    if len(first) == 1:
        return left_open(checks.NO_CHOICE)
    return judged(len(left) > 1, said)


def _after_each(facts: Facts) -> dict[int, State]:
    """The position after each first pick."""
    return {number: state for (number, _), state in facts.first_rounds.items()}


def two_neighbours(facts: Facts) -> Finding:
    """Whether every number has two others next to it."""
    near = {number: adjacent(state) for number, state in _after_each(facts).items()}
    number = next((number for number in near if len(near[number]) != 2), 1)
    said = (
        f"{number} is adjacent to {join_words(list(map(str, near[number]))) or 'no other number'}."
    )
    return judged(len(near[number]) == 2, said)


def who_begins(facts: Facts) -> Finding:
    """Whether both seats have the same value, as the book also lets a coin decide who begins."""
    coin = "The book also lets the players agree on who goes first, or toss a coin"
    if is_fair(facts.study.value):
        return holds(f"{coin}; with best play it makes no difference.")
    score = percent(0.5 + facts.study.value / 2)
    said = f"{coin}; with best play whoever goes first scores {score}, and --first decides who."
    return left_open(said)


def valid_moves(facts: Facts) -> Finding:
    """Whether all unclaimed numbers are open while one next to the last number is unclaimed.

    That is what the sentence says, though it means that such a number must be selected.
    """

    def refuses(fields: Mapping[str, Any]) -> Any:
        free, near = fields["free"], fields["free"] & around(facts.rulings, fields["last"])
        leaps = (fields["turn"] == FIRST) * fields["leaps first"]
        leaps = leaps + (fields["turn"] == SECOND) * fields["leaps second"]
        return (fields["last"] > 0) & (near != 0) & (near != free) & (leaps == 0)

    line = facts.line_to(through=refuses)
    if not line:
        return holds("As long as a player can move, every unclaimed number is open.")
    states = (state for state in facts.replay(line).states[1:] if offered(state))
    state = next(state for state in states if offered(state) != unclaimed(state))
    near, count = join_words(list(map(str, offered(state)))), len(unclaimed(state))
    said = (
        "Taken literally, one unclaimed neighbour of the last number makes every move valid. But "
        f"after {state.last} only {near} may be selected, of {count} unclaimed numbers."
    )
    return fails(said, line)


def removed(facts: Facts) -> Finding:
    """Whether the circle closes up over claimed numbers, and none can be claimed again."""
    state, all_of = facts.start, facts.rulings.numbers
    for number in range(1, all_of - 1):  # claimed one after the other, from 1 on
        state = facts.game.step(state, alone(state.turn, number))
        walked = " ".join(map(str, range(1, number + 1)))
        again = [one for one in offered(state) if one <= number]
        if again:
            return fails(f"{again[0]} can be selected again.", walked)
        if all_of not in adjacent(state):
            said = (
                f"A claimed number keeps its place: after {join_words(walked.split())} the circle "
                f"does not close up, and {all_of} is not adjacent to {number}."
            )
            return fails(said, f"{walked} {all_of}")
    return holds("Numbers on both sides of those that are claimed are adjacent.")


def forcing(facts: Facts) -> Finding:
    """Whether the outcome depends on picks: either seat can win, and some decision matters."""
    choice = facts.study.choice
    if choice.idle is None:
        return left_open(checks.NO_CHOICE)
    lines = [facts.line_to(outcome) for outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS)]
    if all(lines):
        hangs = percent(1 - choice.idle)
        said = f"Either player can win; in {hangs} of decisions it hangs on the pick."
        return judged(not choice.is_idle, said, min(lines, key=len))
    winner = "first" if lines[0] else "second"
    said = f"{checks.every_line(facts)} is won by the {winner} to pick: nobody forces anything."
    return fails(said, lines[0] or lines[1])


def edge_play(facts: Facts) -> Finding:
    """Whether a match can end before all numbers are claimed, depending on the picks."""
    size = facts.study.size
    if not size.decisions:
        return left_open(checks.NO_CHOICE)
    left = facts.rulings.numbers - size.shortest
    if left > 0 and not facts.study.choice.is_idle:
        said = (
            f"A player can be stuck after {counted(size.shortest, 'picks')}, with "
            f"{counted(left, 'numbers')} unclaimed."
        )
        return holds(said, facts.line_to())
    said = f"Nobody is stuck before all {facts.rulings.numbers} numbers are claimed."
    return fails(said, facts.line_to())


def one_arc(facts: Facts) -> Finding:
    """Whether by the book's rules nobody is stuck before all numbers are claimed."""
    if not _is_plain(facts):
        return left_open(OF_THE_BOOK)
    return judged(facts.study.size.shortest == facts.rulings.numbers, f"{checks.length(facts)}.")


def whatever_anybody_does(facts: Facts) -> Finding:
    """Whether by the book's rules the first to pick always wins exactly on odd circles."""
    return _odd_wins(facts) if _is_plain(facts) else left_open(OF_THE_BOOK)


def going_wrong(facts: Facts) -> Finding:
    """Whether by other rules that is so with best play alone."""
    return left_open("It is said of other rules.") if _is_plain(facts) else _odd_wins(facts)


def _is_plain(facts: Facts) -> bool:
    return bool(facts.rulings.reach == 1 and facts.rulings.leaps == 0)


def _odd_wins(facts: Facts) -> Finding:
    is_odd = facts.rulings.numbers % 2 == 1
    seat = "first" if is_odd else "second"
    always = facts.study.only_outcome == seat
    said = f"The {seat} player wins {'whatever is picked' if always else 'with best play'}."
    if not is_fair(facts.study.value - (1 if is_odd else -1)):
        return fails(f"The {seat} player does not win with best play.")
    return judged(always == _is_plain(facts), said)


worked_example = checks.check_example(
    "4 5 6 7 8 9 10 1 2 3",
    unclaimed,
    (
        (1, 2, 3, 5, 6, 7, 8, 9, 10),
        (1, 2, 3, 6, 7, 8, 9, 10),
        (1, 2, 3, 7, 8, 9, 10),
        (1, 2, 3, 8, 9, 10),
        (1, 2, 3, 9, 10),
        (1, 2, 3, 10),
        (1, 2, 3),
        (2, 3),
        (3,),
        (),
    ),
    Outcome.SECOND_WINS,
    BOOK,
)
sample_of_a_prompt = checks.check_example("4", adjacent, ((3, 5),), rules=BOOK)
steering = consequences = checks.choices_matter
thinking_ahead, skill = checks.thinking_pays, checks.skill_pays
win_or_lose = checks.no_draws

SENTENCES = """
options change: Players take turns selecting numbers, with each selection impacting the available
    options for the next turn.
two neighbours: Each number is adjacent to two other numbers, forming a closed loop (e.g., 1 is
    adjacent to 2 and 10).
who begins: Players alternate turns, starting with Player 1.
removed: Once a number is selected, it is removed from the circle and cannot be selected again.
valid moves: A move is valid if there is at least one unclaimed number adjacent to the last number
    selected.
forcing: The winner is the player who successfully forces their opponent into a position with no
    valid moves.
win or lose: The game is a win-or-lose scenario with no points or scores accumulated.
worked example: Player 2 wins the game.
sample of a prompt: Available adjacent numbers: 3 5
steering: Try to steer the game toward numbers that limit your opponent's options.
consequences: Anticipate the consequences of your move on future turns.
edge play: Moving towards the "edges" of the circle (e.g., numbers where the next adjacent numbers
    are already claimed) can corner your opponent.
thinking ahead: Number Circle Duel is a simple yet strategic game that challenges players to think
    ahead and make tactical decisions.
skill: Its straightforward rules make it easy to code and play in a command-line interface, while
    the strategic depth ensures that skilled players can consistently outperform less experienced
    opponents.
one arc: With reach 1 and no leaps the claimed numbers grow into one arc and every number is always
    claimed.
whatever anybody does: So on an even circle the player who begins loses, and on an odd one wins,
    whatever anybody does.
going wrong: With a longer reach, or with leaps, the same player wins with best play, but can go
    wrong.
"""

NEVER = {
    "fair": "A ring has no draws, and whoever begins wins exactly on odd rings, for every reach "
    "and with any leaps. On an even ring the numbers pair up, each with a neighbour: whoever goes "
    "second takes the partner of the last number and is never stuck, wherever the other leaps. On "
    "an odd ring the first number is left over, the others pair up, and whoever began takes the "
    "partners."
}
"""Design goals that no ruling can meet, each with the proof."""
