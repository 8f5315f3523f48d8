"""The texts of Clash of Numbers."""

from evenodds.core.board import Board, Gauge, Side, Span, bar
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Preview, Words, one_of, winner
from evenodds.figures import counted, join_first
from evenodds.games.factors import rules
from evenodds.games.factors.rules import Echo, Ending, Finish, Opening, Rulings, Same, State


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    def rules(self, rulings: Rulings) -> list[str]:
        each = rulings.opening == Opening.EXEMPT
        first = "the first turn of each player" if each else "the very first turn of the game"
        return [
            "Two players take turns. On your turn select "
            f"{one_of(rulings.numbers)} and add it to your score. Numbers are never used up.",
            "If your number is a multiple of your opponent's last number, their last number is "
            "subtracted from their score. If your number is a factor of their last number, your "
            "number is subtracted from their score. A score never goes below zero.",
            f"Nothing is subtracted on {first}.",
            _equal_rule(rulings),
            _finish_rule(rulings),
        ]

    def goal(self, rulings: Rulings) -> str:
        return (
            f"First to {rulings.target}: add your number. A multiple or factor of your "
            "opponent's costs them points."
        )

    def opening(self, state: State, names: Names) -> list[str]:
        return [
            "--- Clash of Numbers ---",
            f"Target Score: {state.rulings.target}",
            *(f"{name} Score: {state.scores[seat]}" for seat, name in names.listed()),
        ]

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        return ["", f"{names[state.turn]}'s Turn"]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        barred = f", not {state.against}" if rules.bars_echo(state) else ""
        return f"Select a number (1-{state.rulings.numbers}{barred}):"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        number = picks[before.turn]
        scores = ", ".join(f"{name}: {after.scores[seat]}" for seat, name in names.listed())
        return [
            f"{names[before.turn]} selects {number}.",
            *_subtractions(before, number, names[other(before.turn)]),
            f"Scores -> {scores}",
            *_last_word(after, names),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        mover, number = before.turn, picks[before.turn]
        taken = before.scores[other(mover)] - after.scores[other(mover)]
        said = f"{names.does(mover, 'add', 'adds')} {number}."
        if taken:
            pulls = names.sentence(mover, "pull", "pulls")
            back = f"{pulls} {names.inside(other(mover))} back by {taken}."
            said = f"{said[:-1]}, {_relation(before, number)}, and {back}"
        return " ".join([said, *_last_word(after, names)])

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        how = "reached the target" if rules.ending(state) == Ending.TARGET else "the higher"
        return [f"{names[winner(outcome)]} has {how} score and wins the game!"]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        at_target = rules.ending(state) == Ending.TARGET
        how = f"reached {state.rulings.target}" if at_target else "the higher score"
        return f"{names.does(winner(outcome), 'have', 'has')} {how}."

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        if number == state.against and rules.bars_echo(state):
            return "not allowed: your opponent has just picked it"
        return f"not a number from 1 to {state.rulings.numbers}"

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        gain = "Your number is added to your score."
        if state.against == 0:
            return f"{gain} Nothing is subtracted this turn."
        held = state.against
        twice = state.rulings.same != Same.ONCE
        equal = f"{held} itself takes {held}{' twice' if twice else ''}."
        return (
            f"{gain} A multiple of {held} takes {held} from your opponent; a factor of {held} "
            f"takes itself. {f'{held} may not be repeated.' if rules.bars_echo(state) else equal}"
        )

    def hint(self, state: State, seat: Seat) -> str:
        """Which numbers take most from the other player: never more than there is."""
        taken = {number: _taken(state, number) for number in numbers(rules.legal(state, seat))}
        most = max(taken.values())
        if not most:
            return ""
        if set(taken.values()) == {most}:
            return f"Every number takes {most} from your opponent."
        takers = [str(number) for number in taken if taken[number] == most]
        verb = "takes" if len(takers) == 1 else "take"
        points = counted(most, "points")
        return f"{join_first(takers)} {verb} the most from your opponent: {points}."

    def board(self, state: State, names: Names) -> Board:
        track = super().board(state, names)
        if state.against:
            last = other(state.turn)
            whose = names.sentence(last, "Your", f"{names[last]}'s")
            held = Span(f"{whose} last number: ", "faint")
            track.append([held, Span(str(state.against), "last")])
        return track

    def side(self, state: State, seat: Seat) -> Side:
        return Side(Gauge(state.scores[seat], state.rulings.target, "points"))

    preview_legend = "-n: what a number takes from the other player"

    def preview(self, state: State, seat: Seat, number: int) -> Preview:
        taken = _taken(state, number)
        if not taken:
            return Preview("", f"+{number}.")
        return Preview(f"-{taken}", f"+{number}, they lose {taken}.")

    def picture(self) -> Board:
        return [
            [*bar(9, 12, 11, "first"), Span("|", "open")],
            [Span("  +8    "), Span("-4", "last")],
            [*bar(5, 12, 11, "second"), Span("|", "open")],
        ]


def _taken(state: State, number: int) -> int:
    """What a number takes from the other player: never more than there is."""
    costs = rules.multiple_costs(state, number) + rules.factor_costs(state, number)
    return min(state.scores[other(state.turn)], costs)


def _equal_rule(rulings: Rulings) -> str:
    """What becomes of the opponent's last number."""
    if rulings.echo != Echo.FREE and rulings.numbers > 1:
        always = rulings.opening != Opening.EXEMPT
        unless = "" if always else ", except on the first turn of each player"
        return f"Your opponent's last number may not be picked again{unless}."
    times = "once" if rulings.same == Same.ONCE else "twice, once for each rule"
    return (
        f"A number equal to their last number is a multiple and a factor: it is subtracted {times}."
    )


def _finish_rule(rulings: Rulings) -> str:
    """When the target decides."""
    if rulings.finish == Finish.AT_ONCE:
        return f"The first player to reach or pass {rulings.target} points wins at once."
    return (
        f"When the first seat reaches or passes {rulings.target} points, the second still has its "
        f"turn of that round. Whoever has the higher score at the end of a round wins, if it is "
        f"{rulings.target} or more; if scores are equal, play goes on until one player is ahead."
    )


def _subtractions(before: State, number: int, name: str) -> list[str]:
    lines: list[str] = []
    for kind, costs in (("multiple", rules.multiple_costs), ("factor", rules.factor_costs)):
        if cost := costs(before, number):
            lines += [
                f"{number} is a {kind} of {name}'s last number ({before.against}).",
                f"Subtracting {cost} from {name}'s score.",
            ]
    return lines or ["No subtraction this turn."]


def _relation(before: State, number: int) -> str:
    """Why a number takes something from the other player."""
    if number == before.against:
        return "the same number"
    kind = "multiple" if rules.multiple_costs(before, number) else "factor"
    return f"a {kind} of {before.against}"


def _last_word(after: State, names: Names) -> list[str]:
    """What the rule book's same-round clause leads to, where rounds are finished."""
    target = after.rulings.target
    if after.rulings.finish == Finish.AT_ONCE or rules.ending(after) == Ending.OVERTIME:
        return []
    if after.turn == SECOND and after.scores[FIRST] >= target:
        one, two = (names.does(seat, "have", "has") for seat in SEATS)
        return [f"{one} reached the target score.", f"{two} the last turn of the round."]
    if after.turn == FIRST and min(after.scores) >= target:
        equal = "The scores are equal: play goes on until one player is ahead."
        both = "Both players have reached the target score."
        return [both, equal] if after.overtime else [both]
    return []
