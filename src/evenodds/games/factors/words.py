"""The texts of Clash of Numbers."""

from evenodds.core.board import Board, Gauge, Side, Span, bar
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, Pair, Seat, numbers, other
from evenodds.core.words import Names, Words, gauges, one_of, winner
from evenodds.figures import join_first
from evenodds.games.factors.rules import (
    Echo,
    Ending,
    Finish,
    Opening,
    Rulings,
    Same,
    State,
    bars_echo,
    ending,
    factor_costs,
    legal,
    multiple_costs,
)

TRACK = 24


class Speech(Words[State]):
    """The texts of the command-line section of the rule book."""

    def rules(self, rulings: Rulings) -> list[str]:
        """What a turn adds and takes, and who wins."""
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
        """The race, and the twist."""
        return (
            f"First to {rulings.target}: add your number. A multiple or factor of your "
            "opponent's costs them points."
        )

    def opening(self, state: State, names: Names) -> list[str]:
        """The title, the target and the scores."""
        return [
            "--- Clash of Numbers ---",
            f"Target Score: {state.rulings.target}",
            *(f"{name} Score: {state.scores[seat]}" for seat, name in names.listed()),
        ]

    def heading(self, state: State, round: int, names: Names) -> list[str]:
        """Whose turn it is."""
        return ["", f"{names[state.turn]}'s Turn"]

    def prompt(self, state: State, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        """The range stands for the pool, less the number that may not be echoed."""
        barred = f", not {state.against}" if bars_echo(state) else ""
        return f"Select a number (1-{state.rulings.numbers}{barred}):"

    def reveal(self, before: State, picks: Pair, after: State, names: Names) -> list[str]:
        """The pick, what it takes from the other and why, the scores."""
        number = picks[before.turn]
        scores = ", ".join(f"{name}: {after.scores[seat]}" for seat, name in names.listed())
        return [
            f"{names[before.turn]} selects {number}.",
            *_subtractions(before, number, names[other(before.turn)]),
            f"Scores -> {scores}",
            *_last_word(after, names),
        ]

    def round_summary(self, before: State, picks: Pair, after: State, names: Names) -> str:
        """What the number adds, what it takes, and why."""
        mover, number = before.turn, picks[before.turn]
        held = before.scores[other(mover)]
        taken = held - after.scores[other(mover)]
        name, them = names[mover], names.inside(other(mover))
        if taken:
            added = f"{number}, {_relation(before, number)},"
            said = names.sentence(
                mover,
                f"You add {added} and pull {them} back by {taken}.",
                f"{name} adds {added} and pulls {them} back by {taken}.",
            )
        else:
            said = names.sentence(mover, f"You add {number}.", f"{name} adds {number}.")
        return " ".join([said, *_last_word(after, names)])

    def closing(self, state: State, outcome: Outcome, names: Names) -> list[str]:
        """Who has won and by what."""
        name = names[winner(outcome)]
        if ending(state) == Ending.TARGET:
            return [f"{name} has reached the target score and wins the game!"]
        return [f"{name} has the higher score and wins the game!"]

    def decision(self, state: State, outcome: Outcome, names: Names) -> str:
        """What decided."""
        won = winner(outcome)
        target = state.rulings.target
        if ending(state) == Ending.TARGET:
            return names.sentence(
                won, f"You have reached {target}.", f"{names[won]} has reached {target}."
            )
        return names.sentence(
            won, "You have the higher score.", f"{names[won]} has the higher score."
        )

    def refusal(self, state: State, seat: Seat, number: int) -> str:
        """Out of range, or an echo where that is barred."""
        if number == state.against and bars_echo(state):
            return "not allowed: your opponent has just picked it"
        return f"not a number from 1 to {state.rulings.numbers}"

    def choices(self, state: State, seat: Seat, choices: tuple[int, ...]) -> str:
        """What the twist would do here."""
        gain = "Your number is added to your score."
        if state.against == 0:
            return f"{gain} Nothing is subtracted this turn."
        held = state.against
        twice = state.rulings.same != Same.ONCE
        equal = f"{held} itself takes {held}{' twice' if twice else ''}."
        return (
            f"{gain} A multiple of {held} takes {held} from your opponent; a factor of {held} "
            f"takes itself. {f'{held} may not be repeated.' if bars_echo(state) else equal}"
        )

    def hint(self, state: State, seat: Seat) -> str:
        """Which numbers take most from the other player: never more than there is."""
        held = state.scores[other(seat)]
        taken = {
            number: min(held, multiple_costs(state, number) + factor_costs(state, number))
            for number in numbers(legal(state, seat))
        }
        most = max(taken.values())
        if not most:
            return ""
        if set(taken.values()) == {most}:
            return f"Every number takes {most} from your opponent."
        takers = [str(number) for number in taken if taken[number] == most]
        verb = "takes" if len(takers) == 1 else "take"
        points = "1 point" if most == 1 else f"{most} points"
        return f"{join_first(takers)} {verb} the most from your opponent: {points}."

    def board(self, state: State, names: Names) -> Board:
        """A race track to the target."""
        track = gauges(names, state.scores, state.rulings.target, TRACK)
        if state.against:
            last = other(state.turn)
            held = names.sentence(last, "Your last number: ", f"{names[last]}'s last number: ")
            track.append([Span(held, "faint"), Span(str(state.against), "last")])
        return track

    def side(self, state: State, seat: Seat) -> Side:
        """The score on the way to the target."""
        return Side(Gauge(state.scores[seat], state.rulings.target, "points"))

    def picture(self) -> Board:
        """Two on their way to the target."""
        return [
            [*bar(9, 12, 11, "first"), Span("|", "open")],
            [Span("  +8    "), Span("-4", "last")],
            [*bar(5, 12, 11, "second"), Span("|", "open")],
        ]


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
    costs = {
        "multiple": multiple_costs(before, number),
        "factor": factor_costs(before, number),
    }
    for kind, cost in costs.items():
        if cost:
            lines += [
                f"{number} is a {kind} of {name}'s last number ({before.against}).",
                f"Subtracting {cost} from {name}'s score.",
            ]
    return lines or ["No subtraction this turn."]


def _relation(before: State, number: int) -> str:
    """Why a number takes something from the other player."""
    if number == before.against:
        return "the same number"
    return f"a {'multiple' if multiple_costs(before, number) else 'factor'} of {before.against}"


def _last_word(after: State, names: Names) -> list[str]:
    """What the rule book's same-round clause leads to, where rounds are finished."""
    target = after.rulings.target
    if after.rulings.finish == Finish.AT_ONCE or ending(after) == Ending.OVERTIME:
        return []
    if after.turn == SECOND and after.scores[FIRST] >= target:
        one, two = names[FIRST], names[SECOND]
        reached = "reached the target score."
        turn = "the last turn of the round."
        return [
            names.sentence(FIRST, f"You have {reached}", f"{one} has {reached}"),
            names.sentence(SECOND, f"You have {turn}", f"{two} has {turn}"),
        ]
    if after.turn == FIRST and min(after.scores) >= target:
        lines = ["Both players have reached the target score."]
        if after.overtime:
            lines.append("The scores are equal: play goes on until one player is ahead.")
        return lines
    return []
