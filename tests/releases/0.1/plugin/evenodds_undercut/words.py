"""What Undercut says."""

from evenodds.text import brief, columns
from evenodds.vocabulary import FIRST, SECOND, Outcome, Pair, Seat, numbers
from evenodds.words import SEAT_STYLES, Board, Names, Span, Words, bar, hand_line, winner

from evenodds_undercut.rules import State, leader


class Speech(Words[State]):
    """A voice of its own."""

    players = ("Upper", "Under")

    def opening(self, state: State, names: Names) -> list[str]:
        """The welcome."""
        return [f"Undercut to {state.rulings.target}!"]

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        """The picks, and who was undercut."""
        told = [f"{name}: {picks[seat]}" for seat, name in names.listed()]
        lead = picks[FIRST] - picks[SECOND]
        if abs(lead) == 1:
            told.append(f"{names[SECOND if lead == 1 else FIRST]} undercuts!")
        return told

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        """Who has won."""
        if outcome == Outcome.DRAW:
            return ["As many points for both: a draw."]
        return [f"{names[winner(outcome)]} has {state.points[leader(state)]} and wins!"]

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        """Why not."""
        return "not for the first round" if number == state.rulings.last else "not in the game"

    def board(self, state: State, names: Names) -> Board:
        """Points as bars, and what may be picked."""
        board: Board = []
        wide = max(columns(name) for _, name in names.listed())
        for seat, name in names.listed():
            style = SEAT_STYLES[seat]
            points = state.points[seat]
            board.append(
                [
                    Span(brief(name).ljust(wide), style),
                    Span("  "),
                    *bar(points, state.rulings.target, 20, style),
                    Span(f" {points}", "strong"),
                ]
            )
        board.append(hand_line(state.rulings.numbers, numbers(state.hands[FIRST]), "open"))
        return board
