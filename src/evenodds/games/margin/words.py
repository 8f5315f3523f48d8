"""The texts of Number Clash (five rounds)."""

from evenodds.core.board import Board, Gauge, Side, cards
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Preview, Words, up_to, winner
from evenodds.figures import counted, join_words
from evenodds.games.margin.rules import Ending, LastRound, Rulings, State, ending

ALL_EQUAL = "Points, rounds won and the last round are all equal."


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    players = ("Player A", "Player B")

    def rules(self, rulings: Rulings) -> list[str]:
        rounds = rulings.numbers
        return [
            f"Each player has {up_to(rounds)}. In every round both secretly choose an unused "
            f"number and reveal them together. After {rounds} rounds all numbers are used "
            "and the game is over.",
            "The higher number wins the round and gains the difference in points. Equal numbers "
            "are a tie, and no points are awarded.",
            "The higher total score wins. Both players play the same numbers in the end, so the "
            "totals are always equal, and the player who won more rounds wins.",
            f"If that is equal too, {_last_round(rulings)}.",
        ]

    def goal(self, rulings: Rulings) -> str:
        how = "the higher number wins a round, and each number is used once"
        return f"Win more of the {rulings.numbers} rounds: {how}."

    def opening(self, state: State, names: Names) -> list[str]:
        both = " and ".join(name for _, name in names.listed())
        return [
            "Welcome to Number Clash!",
            f"{both}, prepare your numbers (1-{state.rulings.numbers}).",
        ]

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        return ["", f"Round {round}:"]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        return f"{names[seat]}, select your number from [{', '.join(map(str, choices))}]:"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        lead = picks[FIRST] - picks[SECOND]
        result = [
            f"{names[FIRST if lead > 0 else SECOND]} wins the round!",
            f"Points gained: {abs(lead)}",
        ]
        return [
            "",
            *(f"{name} plays {picks[seat]}." for seat, name in names.listed()),
            "",
            *(result if lead else ["The round is a tie!", "No points are awarded."]),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        lead = picks[FIRST] - picks[SECOND]
        if not lead:
            return f"Both picks are {picks[FIRST]}: a tie, no points."
        won = FIRST if lead > 0 else SECOND
        gains = names.sentence(won, "you gain", f"{names.inside(won)} gains")
        return f"{max(picks)} beats {min(picks)}: {gains} {counted(abs(lead), 'points')}."

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        scores = (
            f"{name}: {counted(state.points[seat], 'points')}" for seat, name in names.listed()
        )
        lines = ["", "Game Over!", "Final Scores:", *scores, ""]
        if outcome == Outcome.DRAW:
            return [*lines, f"{ALL_EQUAL} The game is a draw!"]
        name, (deed, _) = names[winner(outcome)], _why(state)
        return [*lines, f"{name} {deed} and is the winner!", f"Congratulations, {name}!"]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        if outcome == Outcome.DRAW:
            return ALL_EQUAL
        return f"{names.does(winner(outcome), 'win', 'wins')} {_why(state)[1]}."

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        return (
            "The higher number wins the round and gains the difference in points. "
            "Equal totals are decided by rounds won; if these are equal, "
            f"{_last_round(state.rulings)}. "
            "Each number can be used only once."
        )

    def setback(self, state: State, seat: Seat, number: int, reply: int) -> str:
        return "" if number > reply else "loses the round" if number < reply else "wins nothing"

    def preview(self, state: State, seat: Seat, number: int) -> Preview:
        beaten = [reply for reply in numbers(state.hands[other(seat)]) if reply < number]
        if not beaten:
            return Preview("", "Beats nothing now.")
        most = f"{'up to ' if beaten[1:] else ''}{counted(number - beaten[0], 'points')}"
        return Preview("", f"Beats {join_words([str(reply) for reply in beaten])}: {most}.")

    def side(self, state: State, seat: Seat) -> Side:
        points = Gauge(state.points[seat], 0, "points")
        won = f"{counted(state.wins[seat], 'rounds')} won"
        return Side(points, numbers(state.hands[seat]), state.rulings.numbers, won)

    def picture(self) -> Board:
        return cards((" 5 ", "first"), (" 3 ", "second"), between="+2")


def _last_round(rulings: Rulings) -> str:
    """What the second tie-breaker is."""
    if rulings.last_round == LastRound.FINAL:
        return "whoever won the last round wins, and a tie there is a draw"
    return "whoever won the last round that was no tie wins, and ties alone are a draw"


def _why(state: State) -> tuple[str, str]:
    """What the winner did, and by what they won."""
    if ending(state) == Ending.MORE_POINTS:
        return "has the higher total score", "with more points"
    if ending(state) == Ending.MORE_ROUNDS:
        return "won more rounds", "with more rounds"
    last = "last" if state.rulings.last_round == LastRound.FINAL else "last decided"
    return f"won the {last} round", f"by winning the {last} round"
