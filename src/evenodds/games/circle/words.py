"""The texts of Number Circle Duel."""

from math import cos, pi, sin

from evenodds.core.board import SEAT_STYLES, Board, Line, Ring, Side, Span
from evenodds.core.vocabulary import Moves, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Preview, Words, up_to
from evenodds.figures import counted, join_words
from evenodds.games.circle.rules import Rulings, State, open_numbers, step, within_reach


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    def rules(self, rulings: Rulings) -> list[str]:
        size, reach, leaps = rulings
        ring = f", so that {size} is next to 1" if size > 1 else ""
        near = "next to" if reach == 1 else f"at most {reach} places, either way around, from"
        leap = (
            f"{'Once' if leaps == 1 else f'{leaps} times'} in the match each player may leap to "
            "any unclaimed number. A number within reach never costs a leap."
        )
        return [
            f"The circle holds {up_to(size)}{ring}. Two players take turns to claim a number. "
            "The first pick may be any number.",
            f"Every later pick must be an unclaimed number {near} the last one picked. A claimed "
            "number stays in its place as a gap: the numbers on either side do not move together.",
            *([leap] if leaps else []),
            "A player who has no valid move on their turn loses, and the other player wins.",
        ]

    def goal(self, rulings: Rulings) -> str:
        near = "next to" if rulings.reach == 1 else f"within {rulings.reach} places of"
        return f"Claim a number {near} the last one; whoever cannot move loses."

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        near, turn = within_reach(state), ["", f"{names[state.turn]}'s turn."]
        if state.last == 0:
            return [*turn, f"Available numbers: {_listed(near)}"]
        far = open_numbers(state) & ~near
        return [
            *turn,
            f"Last number selected: {state.last}",
            f"Available adjacent numbers: {_listed(near)}",
            *([f"Leaps left: {state.leaps[state.turn]}"] if state.rulings.leaps else []),
            *([f"Available by a leap: {_listed(far)}"] if far else []),
        ]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        return "Select a number:"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        number, name = picks[before.turn], names[before.turn]
        leap = [f"{name} leaps to {number}."] if after.leaps != before.leaps else []
        return ["", *leap, f"Number {number} selected."]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        verbs = ("leap to", "leaps to") if after.leaps != before.leaps else ("claim", "claims")
        claims = f"{names.does(before.turn, *verbs)} {picks[before.turn]}."
        left = len(numbers(open_numbers(after)))
        has = f"{names.does(after.turn, 'have', 'has')} {counted(left, 'choices')}."
        return f"{claims} {has}" if left else claims

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        return [
            "",
            f"{names[state.turn]} has no valid move.",
            f"{names[other(state.turn)]} wins the game!",
        ]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        return names.does(state.turn, "have no number left to claim.", "has no number to claim.")

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        if not 1 <= number <= state.rulings.numbers:
            return "not on the circle"
        if number not in numbers(state.free):
            return "already claimed"
        spent = ", and no leap is left" if state.rulings.leaps else ""
        return f"not {_near(state)}{spent}"

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        where = " on the circle" if state.rulings.reach == 1 else ""
        said = f"Claim a free number {_near(state)}{where}."
        said = said if state.last else "Claim any number to begin."
        return f"{said}{_leap_rule(state, seat)} A player who has no valid move loses."

    def board(self, state: State, names: Names) -> Board:
        """The ring: the last pick in round brackets, open numbers in square ones, gaps as dots."""
        return [
            *_ring(state),
            [],
            _legend(state, names.inside(state.turn)),
            *_leaps_left(state, names),
        ]

    def preview(self, state: State, seat: Seat, number: int) -> Preview:
        after = step(state, (number, number))
        near = within_reach(after)
        left = [str(n) for n in numbers(near)] + ["a leap"] * (open_numbers(after) != near)
        leap = "Costs a leap. " if after.leaps != state.leaps else ""
        leaves = f"{join_words(left, 'or')}." if left else "nothing: you win."
        return Preview("", f"{leap}Leaves them {leaves}")

    def side(self, state: State, seat: Seat) -> Side:
        return Side(note=f"Leaps left: {state.leaps[seat]}" if state.rulings.leaps else "")

    def ring(self, state: State) -> Ring:
        far = open_numbers(state) & ~within_reach(state) if state.last else 0
        return Ring(state.rulings.numbers, numbers(state.free), state.last, numbers(far))

    def picture(self) -> Board:
        return [
            [Span("   1  2  "), Span("·", "first")],
            [Span(" 8         "), Span("·", "second")],
            [Span("   7  6  "), Span("5", "last")],
        ]


def _listed(moves: Moves) -> str:
    return " ".join(map(str, numbers(moves))) or "none"


def _near(state: State) -> str:
    """Where a number lies that costs no leap."""
    if state.rulings.reach == 1:
        return f"next to {state.last}"
    return f"within {state.rulings.reach} places of {state.last}"


def _leap_rule(state: State, seat: Seat) -> str:
    """What a leap is, or that none is left, as a sentence that follows another."""
    if not state.rulings.leaps:
        return ""
    left = state.leaps[seat]
    if not left:
        return " You have no leap left."
    leap = "Or leap to any other free number" if state.last else "Later you may leap"
    return f" {leap} (leaps left: {left})."


def _leaps_left(state: State, names: Names) -> Board:
    """The leaps of both players, where the game has leaps."""
    if not state.rulings.leaps:
        return []
    line: Line = [Span("Leaps left: ")]
    for seat in names.order:
        left = f"{names.inside(seat)} {state.leaps[seat]}"
        line += [Span(left, SEAT_STYLES[seat]), Span(", ")]
    return [line[:-1]]


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
