"""The texts of Number Duel."""

from functools import lru_cache

from evenodds.core.board import Board, Gauge, Side, Span, bar
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, Seat, other
from evenodds.core.words import Names, Preview, Words, one_of, winner
from evenodds.figures import join_words
from evenodds.games.duel.rules import Ending, Knockout, Rulings, State, damage, ending, overreaches


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    pause = "Press Enter to continue to the next round..."

    def rules(self, rulings: Rulings) -> list[str]:
        back = (
            f" But a number that is more than {rulings.overreach} above the other swings back: its "
            "own player loses that many HP instead."
        )
        fallen = "whoever would stand higher, counted below zero, wins; equal HP are a draw"
        return [
            f"Both players start with {rulings.hp} health points (HP). In every round both "
            f"secretly choose {one_of(rulings.numbers)} and reveal together. "
            "Numbers are never used up.",
            "Different numbers: the higher number attacks, and the other player loses that many "
            f"HP.{back if rulings.overreach else ''}",
            "Equal numbers: both players lose that many HP.",
            "A player whose HP drop to zero or below is out, and the other player wins.",
            "If both fall in the same round, "
            f"{fallen if rulings.knockout == Knockout.HIGHER else 'the game is a draw'}.",
        ]

    def goal(self, rulings: Rulings) -> str:
        how = "the higher number takes that many HP from the other"
        far = f", but from its own player when more than {rulings.overreach} above"
        how += far if rulings.overreach else ""
        return f"Bring your opponent from {rulings.hp} HP to 0: {how}."

    def opening(self, state: State, names: Names) -> list[str]:
        return ["--- Number Duel ---", "", f"Both players start with {state.rulings.hp} HP."]

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        return ["", f"[Round {round}]"]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        return f"{names[seat]}, enter your number (1-{state.rulings.numbers}):"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        return [
            "Both players have chosen.",
            "",
            "Revealing numbers...",
            *(f"{name} chose: {picks[seat]}" for seat, name in names.listed()),
            "",
            *_blow(before, picks, names),
            "",
            "Current HP:",
            *(f"{name}: {shown(after.health[seat])} HP" for seat, name in names.listed()),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        lost = damage(before.rulings, picks)
        if picks[FIRST] == picks[SECOND]:
            return f"Both picks are {picks[FIRST]}: both players lose {lost[FIRST]} HP."
        struck = FIRST if lost[FIRST] else SECOND
        cost = f"{lost[struck]} HP"
        if overreaches(before.rulings, picks):
            fails = names.does(struck, "reach too far and lose", "reaches too far and loses")
            return f"{fails} {cost}."
        loses = names.sentence(struck, "you lose", f"{names.inside(struck)} loses")
        return f"{max(picks)} beats {min(picks)}: {loses} {cost}."

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        lines = ["", "Game Over!"]
        if ending(state) == Ending.DOUBLE_KNOCKOUT:
            lines.append("Both players have fallen in the same round.")
        if outcome == Outcome.DRAW:
            return [*lines, "The game is a draw!"]
        if ending(state) == Ending.DOUBLE_KNOCKOUT and state.rulings.knockout == Knockout.HIGHER:
            lines.append(_higher(state, winner(outcome), names))
        return [*lines, f"{names[winner(outcome)]} wins the game!"]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        won = winner(outcome)
        if outcome == Outcome.DRAW:
            return "Both fall in the same round."
        if ending(state) == Ending.DOUBLE_KNOCKOUT:
            return f"Both fall in the same round. {_higher(state, won, names)}"
        return f"{names.does(other(won), 'have', 'has')} no health left."

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        return f"not a number from 1 to {state.rulings.numbers}"

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        said = (
            "The higher number strikes: its opponent loses that many HP. "
            "With equal numbers both players lose that many HP."
        )
        far = f"But a number more than {state.rulings.overreach} above the other"
        back = f" {far} costs its own player that many."
        return said + (back if state.rulings.overreach else "")

    def setback(self, state: State, seat: Seat, number: int, reply: int) -> str:
        lost = damage(state.rulings, (number, reply) if seat == FIRST else (reply, number))
        if not lost[seat]:
            return ""
        if lost[other(seat)]:
            return f"costs both players {lost[seat]} HP"
        return f"loses {lost[seat]} HP"

    def preview(self, state: State, seat: Seat, number: int) -> Preview:
        return _preview(state.rulings, number)

    def always_best(self, rulings: Rulings) -> int:
        return 0 if rulings.overreach else rulings.numbers

    def side(self, state: State, seat: Seat) -> Side:
        return Side(Gauge(shown(state.health[seat]), state.rulings.hp, "HP"))

    def gain(self, before: State, after: State, seat: Seat) -> int:
        """The whole blow, although the health shown ends at zero."""
        return after.health[seat] - before.health[seat]

    def picture(self) -> Board:
        return [
            [*bar(9, 12, 12, "first")],
            [Span("    3 "), Span("»", "open"), Span(" 2")],
            [*bar(5, 12, 12, "second")],
        ]


@lru_cache(4096)  # a server asks for each number of each seat in each round
def _preview(rulings: Rulings, number: int) -> Preview:
    replies = range(1, rulings.numbers + 1)
    lost = {str(reply): damage(rulings, (number, reply)) for reply in replies}
    beaten = [reply for reply, (mine, _) in lost.items() if not mine]
    far = [reply for reply, (_, theirs) in lost.items() if not theirs and int(reply) < number]
    cost = join_words([str(hp) for hp in sorted({lost[reply][1] for reply in beaten})], "or")
    beats = f"Beats {join_words(beaten)}: they lose {cost} HP." if beaten else "Beats nothing."
    back = f" Overreaches if they pick {join_words(far, 'or')}." if far else ""
    return Preview("", beats + back)


def shown(health: int) -> int:
    """The health shown to players never goes below zero."""
    return max(0, health)


def _blow(state: State, picks: Pair, names: Names) -> list[str]:
    lost = damage(state.rulings, picks)
    if picks[FIRST] == picks[SECOND]:
        taken = f"Both players take {lost[FIRST]} HP damage."
        return ["Both players chose the same number.", taken]
    struck = FIRST if lost[FIRST] else SECOND
    if overreaches(state.rulings, picks):
        return [f"{names[struck]} reaches too far! {names[struck]} loses {lost[struck]} HP."]
    return [f"{names[other(struck)]} attacks! {names[struck]} loses {lost[struck]} HP."]


def _higher(state: State, won: Seat, names: Names) -> str:
    health = f"{state.health[won]} to {state.health[other(won)]}"
    return f"{names[won]} would stand higher, {health}."
