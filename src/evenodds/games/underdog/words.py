"""The texts of Number Clash (first to three)."""

from evenodds.core.board import SEAT_STYLES, Board, Gauge, Side, Span, cards, hand_line
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Words, up_to, winner
from evenodds.figures import counted, join_words
from evenodds.games.underdog.rules import (
    Ending,
    Exhausted,
    Rulings,
    State,
    ending,
    is_underdog,
    round_lead,
)

UPSET = "Underdog!"


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    def rules(self, rulings: Rulings) -> list[str]:
        """The rounds, the twist, and what ends it."""
        gap = rulings.gap
        underdog = (
            f" But if the lower number is exactly {gap} less than the higher, the lower number "
            f"wins instead{_underdog_example(rulings)}."
            if gap
            else ""
        )
        most = "more points win, and equal points are a draw"
        return [
            f"Each player has {up_to(rulings.numbers)}. In every round both secretly choose one of "
            "their numbers and reveal them together. Both are then discarded: each number can be "
            "used only once.",
            f"The higher number wins the round and one point.{underdog}",
            "Equal numbers win nothing for anybody.",
            f"The first player to reach {counted(rulings.target, 'points')} wins the game.",
            "If the numbers run out before that, "
            f"{most if rulings.exhausted == Exhausted.SCORE else 'the game is a draw'}.",
        ]

    def goal(self, rulings: Rulings) -> str:
        """The race, and who scores."""
        gap = rulings.gap
        less = "one" if gap == 1 else gap
        underdog = f", but a number exactly {less} lower beats it" if gap else ""
        points = counted(rulings.target, "points")
        return f"First to {points}: the higher number scores{underdog}."

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        """The rule book asks without a heading."""
        return [""]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        """Names the numbers still in the hand."""
        held = ",".join(map(str, choices))
        return f"{names[seat]}, enter your chosen number from your available numbers [{held}]:"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        """The picks, the result of the round, the scores."""
        return [
            *(f"{name} chose: {picks[seat]}" for seat, name in names.listed()),
            _result(before, picks, names),
            "Current Scores:",
            *(f"{name}: {after.scores[seat]}" for seat, name in names.listed()),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        """Who wins the round, and by what."""
        lead = round_lead(before.rulings, picks)
        if not lead:
            return f"Both picks are {picks[FIRST]}: nobody scores."
        won = FIRST if lead > 0 else SECOND
        mine, theirs = picks[won], picks[other(won)]
        scores = names.sentence(won, "you score", f"{names.inside(won)} scores")
        if is_underdog(before.rulings, picks):
            less = "one" if theirs - mine == 1 else theirs - mine
            return f"{UPSET} {mine} is {less} less than {theirs}, so {scores}."
        return f"{mine} beats {theirs}: {scores}."

    def upset(self, before: State, picks: Pair) -> str:
        """The Underdog Rule."""
        return UPSET if is_underdog(before.rulings, picks) else ""

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        """Who reached the target, or what the empty hands came to."""
        return [_verdict(state, outcome, names), "Thank you for playing Number Clash."]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        """What decided."""
        won = winner(outcome)
        if ending(state) == Ending.TARGET:
            points = counted(state.rulings.target, "points")
            return names.sentence(won, f"You have {points}.", f"{names[won]} has {points}.")
        all_used = "All numbers are used"
        if outcome == Outcome.DRAW:
            return f"{all_used}."
        return names.sentence(
            won,
            f"{all_used}, and you have more points.",
            f"{all_used}, and {names.inside(won)} has more points.",
        )

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        """It never was in the hand."""
        return "not in your hand"

    def refused(self, state: State, seat: Seat, number: int) -> str:
        """A number of this game is gone; any other never was in the hand."""
        if 1 <= number <= state.rulings.numbers:
            return f"{number} has already been played; each number can be used only once"
        return super().refused(state, seat, number)

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        """The rule of the round in a sentence or two."""
        gap = state.rulings.gap
        underdog = f", unless the lower is exactly {gap} less: then the lower wins" if gap else ""
        return (
            f"The higher number wins the round{underdog}. Equal numbers win nothing. "
            "Each number can be used only once."
        )

    def setback(self, state: State, seat: Seat, number: int, reply: int) -> str:
        """A round that is lost, or won by nobody."""
        lead = _lead(state, seat, number, reply) * (1 if seat == FIRST else -1)
        return "" if lead > 0 else "loses the round" if lead else "wins nothing"

    def hint(self, state: State, seat: Seat) -> str:
        """Which numbers no number of the other can beat in this round."""
        mine, theirs = (numbers(state.hands[who]) for who in (seat, other(seat)))
        side = 1 if seat == FIRST else -1
        safe = [
            str(number)
            for number in mine
            if all(side * _lead(state, seat, number, reply) >= 0 for reply in theirs)
        ]
        return f"{join_words(safe)} cannot lose this round." if safe else ""

    def board(self, state: State, names: Names) -> Board:
        """Both hands with spent numbers struck out, and a race of points to the target."""
        board: Board = []
        for seat, name in names.listed():
            style = SEAT_STYLES[seat]
            points = state.scores[seat]
            board += [
                [
                    Span(name, style),
                    Span("  "),
                    Span("●" * points, style),
                    Span("○" * (state.rulings.target - points), "faint"),
                    Span(f"  {points} of {state.rulings.target}", "faint"),
                ],
                hand_line(state.rulings.numbers, numbers(state.hands[seat]), style),
            ]
        return board

    def side(self, state: State, seat: Seat) -> Side:
        """The hand, and points on the way to the target."""
        points = Gauge(state.scores[seat], state.rulings.target, "points")
        return Side(points, numbers(state.hands[seat]), state.rulings.numbers)

    def picture(self) -> Board:
        """7 beats 8."""
        return cards((" 7 ", "first"), (" 8 ", "second"), between=">")


def _underdog_example(rulings: Rulings) -> str:
    """A pair in which the lower number wins, and where there is one a pair in which it does not."""
    high = min(rulings.numbers, max(8, rulings.gap + 1))
    low = high - rulings.gap
    wins = f": {low} beats {high}"
    loser = low - 1 if low > 1 else low + 1
    return f"{wins}, but {high} beats {loser}" if loser < high else wins


def _result(before: State, picks: Pair, names: Names) -> str:
    lead = round_lead(before.rulings, picks)
    if lead == 0:
        return "Round Result: Neither player wins the round!"
    name = names[FIRST if lead > 0 else SECOND]
    if is_underdog(before.rulings, picks):
        return f"Underdog Rule Activated! {name} wins the round!"
    return f"Round Result: {name} wins the round!"


def _verdict(state: State, outcome: Outcome, names: Names) -> str:
    if ending(state) == Ending.TARGET:
        target = state.rulings.target
        points = "point" if target == 1 else "points"
        return f"{names[winner(outcome)]} has reached {target} {points} and wins the game!"
    if outcome == Outcome.DRAW:
        return "All numbers have been used. The game is a draw!"
    return (
        f"All numbers have been used. {names[winner(outcome)]} has more points and wins the game!"
    )


def _lead(state: State, seat: Seat, number: int, reply: int) -> int:
    picks = (number, reply) if seat == FIRST else (reply, number)
    return round_lead(state.rulings, picks)
