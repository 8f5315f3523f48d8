"""The texts of Number Clash (first to three)."""

from functools import lru_cache

from evenodds.core.board import Board, Gauge, Side, cards
from evenodds.core.vocabulary import FIRST, SECOND, Moves, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Preview, Words, up_to, winner
from evenodds.figures import counted, join_words
from evenodds.games.underdog import rules
from evenodds.games.underdog.rules import Ending, Exhausted, Rulings, State

UPSET = "Underdog!"


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    def rules(self, rulings: Rulings) -> list[str]:
        underdog = (
            f" But if the lower number is exactly {rulings.gap} less than the higher, the lower "
            f"number wins instead{_underdog_example(rulings)}."
        )
        most = "more points win, and equal points are a draw"
        return [
            f"Each player has {up_to(rulings.numbers)}. In every round both secretly choose one of "
            "their numbers and reveal them together. Both are then discarded: each number can be "
            "used only once.",
            f"The higher number wins the round and one point.{underdog if rulings.gap else ''}",
            "Equal numbers win nothing for anybody.",
            f"The first player to reach {counted(rulings.target, 'points')} wins the game.",
            "If the numbers run out before that, "
            f"{most if rulings.exhausted == Exhausted.SCORE else 'the game is a draw'}.",
        ]

    def goal(self, rulings: Rulings) -> str:
        gap = rulings.gap
        less = "one" if gap == 1 else gap
        underdog = f", but a number exactly {less} lower beats it" if gap else ""
        points = counted(rulings.target, "points")
        return f"First to {points}: the higher number scores{underdog}."

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        return [""]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        held = ",".join(map(str, choices))
        return f"{names[seat]}, enter your chosen number from your available numbers [{held}]:"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        return [
            *(f"{name} chose: {picks[seat]}" for seat, name in names.listed()),
            _result(before, picks, names),
            "Current Scores:",
            *(f"{name}: {after.scores[seat]}" for seat, name in names.listed()),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        lead = rules.round_lead(before.rulings, picks)
        if not lead:
            return f"Both picks are {picks[FIRST]}: nobody scores."
        won = FIRST if lead > 0 else SECOND
        mine, theirs = picks[won], picks[other(won)]
        scores = names.sentence(won, "you score", f"{names.inside(won)} scores")
        if rules.is_underdog(before.rulings, picks):
            less = "one" if theirs - mine == 1 else theirs - mine
            return f"{UPSET} {mine} is {less} less than {theirs}, so {scores}."
        return f"{mine} beats {theirs}: {scores}."

    def upset(self, before: State, picks: Pair) -> str:
        return UPSET if rules.is_underdog(before.rulings, picks) else ""

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        if rules.ending(state) == Ending.TARGET:
            points = counted(state.rulings.target, "points")
            said = f"{names[winner(outcome)]} has reached {points} and wins the game!"
        else:
            won = f"{names[winner(outcome)]} has more points and wins the game!"
            how = "The game is a draw!" if outcome == Outcome.DRAW else won
            said = f"All numbers have been used. {how}"
        return [said, "Thank you for playing Number Clash."]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        won = winner(outcome)
        if rules.ending(state) == Ending.TARGET:
            points = counted(state.rulings.target, "points")
            return f"{names.does(won, 'have', 'has')} {points}."
        if outcome == Outcome.DRAW:
            return "All numbers are used."
        has = names.sentence(won, "you have", f"{names.inside(won)} has")
        return f"All numbers are used, and {has} more points."

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        gap = state.rulings.gap
        underdog = f", unless the lower is exactly {gap} less: then the lower wins" if gap else ""
        return (
            f"The higher number wins the round{underdog}. Equal numbers win nothing. "
            "Each number can be used only once."
        )

    def setback(self, state: State, seat: Seat, number: int, reply: int) -> str:
        lead = rules.round_lead(state.rulings, (number, reply))
        return "" if lead > 0 else "loses the round" if lead else "wins nothing"

    def hint(self, state: State, seat: Seat) -> str:
        """Which numbers no number of the other can beat in this round."""
        mine, theirs = (numbers(state.hands[who]) for who in (seat, other(seat)))
        safe = [
            str(number)
            for number in mine
            if all(rules.round_lead(state.rulings, (number, reply)) >= 0 for reply in theirs)
        ]
        return f"{join_words(safe)} cannot lose this round." if safe else ""

    def preview(self, state: State, seat: Seat, number: int) -> Preview:
        beaten = _beaten(state.rulings, number, state.hands[other(seat)])
        return Preview("", f"Beats {join_words(beaten)}." if beaten else "Beats nothing now.")

    def side(self, state: State, seat: Seat) -> Side:
        points = Gauge(state.scores[seat], state.rulings.target, "points")
        return Side(points, numbers(state.hands[seat]), state.rulings.numbers)

    def picture(self) -> Board:
        return cards((" 7 ", "first"), (" 8 ", "second"), between=">")


@lru_cache(4096)  # a server asks for each card of each view
def _beaten(rulings: Rulings, number: int, theirs: Moves) -> list[str]:
    return [str(n) for n in numbers(theirs) if rules.round_lead(rulings, (number, n)) > 0]


def _underdog_example(rulings: Rulings) -> str:
    """A pair in which the lower number wins, and where there is one a pair in which it does not."""
    high = min(rulings.numbers, max(8, rulings.gap + 1))
    low = high - rulings.gap
    wins = f": {low} beats {high}"
    loser = low - 1 if low > 1 else low + 1
    return f"{wins}, but {high} beats {loser}" if loser < high else wins


def _result(before: State, picks: Pair, names: Names) -> str:
    lead = rules.round_lead(before.rulings, picks)
    if lead == 0:
        return "Round Result: Neither player wins the round!"
    name = names[FIRST if lead > 0 else SECOND]
    if rules.is_underdog(before.rulings, picks):
        return f"Underdog Rule Activated! {name} wins the round!"
    return f"Round Result: {name} wins the round!"
