"""What Number Circle Duel says."""

from math import cos, pi, sin

from evenodds.games.circle.rules import State, legal, open_numbers
from evenodds.vocabulary import Outcome, Pair, Seat, numbers, other
from evenodds.words import SEAT_STYLES, Board, Line, Names, Span, Words


class Speech(Words[State]):
    """The command-line section of the rule book, line by line."""

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        """Whose turn it is and what is open."""
        choices = " ".join(map(str, numbers(legal(state, state.turn))))
        turn = ["", f"{names[state.turn]}'s turn."]
        if state.last == 0:
            return [*turn, f"Available numbers: {choices}"]
        return [
            *turn,
            f"Last number selected: {state.last}",
            f"Available adjacent numbers: {choices}",
        ]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        """The choices stand in the heading."""
        return "Select a number:"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        """What was claimed."""
        return ["", f"Number {picks[before.turn]} selected."]

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        """Who is stuck and who has won."""
        return [
            "",
            f"{names[state.turn]} has no valid move.",
            f"{names[other(state.turn)]} wins the game!",
        ]

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        """Claimed, too far away, or not on the ring at all."""
        if not 1 <= number <= state.rulings.numbers:
            return "not on the circle"
        if number not in numbers(state.free):
            return "already claimed"
        if state.rulings.reach == 1:
            return f"not next to {state.last}"
        return f"not within {state.rulings.reach} places of {state.last}"

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        """What may be claimed and how the game is won."""
        if state.last == 0:
            near = "Claim any number to begin."
        elif state.rulings.reach == 1:
            near = f"Claim a free number next to {state.last} on the circle."
        else:
            near = f"Claim a free number within {state.rulings.reach} places of {state.last}."
        return f"{near} A player who has no valid move loses."

    def board(self, state: State, names: Names) -> Board:
        """The ring: the last pick in round brackets, open numbers in square ones, gaps as dots."""
        return [*_ring(state), [], _legend(state, names[state.turn])]


def _legend(state: State, name: str) -> Line:
    legend: Line = []
    if open_numbers(state):
        legend += [Span("[n]", "open"), Span(f" open to {name}  ", SEAT_STYLES[state.turn])]
    if state.last:
        legend += [Span("(n)", "last"), Span(" last  "), Span("·", "spent"), Span(" claimed")]
    return legend


def _mark(state: State, number: int) -> Span:
    """One place of the ring, at most four columns wide."""
    if number == state.last:
        return Span(f"({number})", "last")
    if number in numbers(open_numbers(state)):
        return Span(f"[{number}]", "open")
    if number in numbers(state.free):
        return Span(f" {number} ")
    return Span(" · ", "spent")


def _ring(state: State) -> Board:
    """The places on an ellipse, clockwise from the top; wide enough that none covers another."""
    size = state.rulings.numbers
    high = max(1, round(size * 0.3))
    wide = min(26, high * 4 + 1)
    rows: dict[int, dict[int, Span]] = {row: {} for row in range(2 * high + 1)}
    for number in range(1, size + 1):
        angle = 2 * pi * (number - 1) / size
        row = round(high - high * cos(angle))
        rows[row][round(wide + wide * sin(angle))] = _mark(state, number)
    return [_row(places) for places in rows.values()]


def _row(places: dict[int, Span]) -> Line:
    line: Line = []
    width = 0
    for middle, span in sorted(places.items()):
        column = middle + 3 - len(span.text) // 2
        line += [Span(" " * (column - width)), span]
        width = column + len(span.text)
    return line
