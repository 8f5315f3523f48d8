"""Trap search for games of turns: safe picks after which a habit leads to a mistake.

The search follows lines in which the person picks as the model predicts. A reply that gives
something away is a gain; so in drawn and in lost positions too, the reader goes where the habit
leads to a mistake, many picks ahead if need be. Its own picks give nothing away, whatever the
person does instead.

Not every habit can be trapped so. In `factors`, by the exact tables for the targets 19, 30 and 50,
no line of such numbers gains anything from somebody who copies the last number, nor as second from
somebody who always picks the highest; it does from somebody who always picks 1.
"""

from typing import Any, Final, NamedTuple

from evenodds.core.vocabulary import Outcome, Seat, State, alone, other
from evenodds.engine.solution import Solution
from evenodds.figures import VALUE_TOLERANCE
from evenodds.players.reader.habits import OpponentModel, Situation

MAX_REPLIES_SEARCHED: Final = 900
"""Replies that are searched for one pick."""
MIN_LINE_PROBABILITY: Final = 0.2
"""The probability below which a line is not followed any further."""


class PredictedLine(NamedTuple):
    """A possible continuation of the match: its probability, and the expected gain on it."""

    state: State
    situation: Situation
    """That of the person, but for the numbers to choose from."""
    probability: float = 1.0
    gain: float = 0.0
    first: int = 0
    """The reader's next pick on this line."""


class TrapSearch:
    """The search for a safe pick with the highest expected gain, in games of turns."""

    def __init__(self, solution: Solution, seat: Seat, model: OpponentModel) -> None:
        self._solution = solution
        self._game = solution.game
        self._seat = seat
        self._model = model

    def best(self, start: PredictedLine, past: set[Any]) -> int:
        """The number to pick: the shortest win if there is one, else the best trap.

        Positions of the past are not searched, as coming back to them ends in a draw.
        """
        value = self._value(start.state)
        # Ties go to the named pick in lost positions, else to the lowest number.
        (exact_pick,) = self._solution.mix(start.state, self._seat) if value else (0,)
        if value > 0:
            return exact_pick
        gains = self._expected_gains(start, past)
        return max(gains, key=lambda number: (gains[number], number == exact_pick, -number))

    def _expected_gains(self, start: PredictedLine, past: set[Any]) -> dict[int, float]:
        """For each safe number the highest expected gain on a line that begins with it.

        Lines are followed depth-first, the highest number first, which finds a habit that makes
        its mistake late, in turn with the likeliest first, which finds every trap that is near.
        """
        gains: dict[int, float] = {}
        visited, replies_searched, depth_first = set(past), 0, False
        pending, frontier = self._after_own_pick(start), list[PredictedLine]()
        while pending or (replies_searched < MAX_REPLIES_SEARCHED and frontier):
            if pending:
                line = pending.pop()
            elif depth_first := not depth_first:
                line = frontier.pop()
            else:
                likelihoods = [line.probability for line in frontier]
                line = frontier.pop(likelihoods.index(max(likelihoods)))
            gain, following, replies = self._after_reply(line)
            replies_searched += replies
            gains[line.first] = max(gains.get(line.first, 0.0), gain)
            for after in following:
                if after.state not in visited:
                    visited.add(after.state)
                    frontier += self._after_own_pick(after._replace(gain=gain))
        return gains

    def _after_own_pick(self, line: PredictedLine) -> list[PredictedLine]:
        least = self._value(line.state) - VALUE_TOLERANCE
        after = {
            number: self._game.step(line.state, alone(self._seat, number))
            for number in self._game.picks(line.state, self._seat)
        }
        before, theirs = line.situation, line.situation.theirs
        return [
            line._replace(
                state=state,
                situation=before._replace(theirs=(*theirs, number), last_outcome=0),
                first=line.first or number,
            )
            for number, state in after.items()
            if self._value(state) > least
        ]

    def _after_reply(self, line: PredictedLine) -> tuple[float, list[PredictedLine], int]:
        """The gain by the replies to a line, the lines after safe ones, and how many there are."""
        if self._game.outcome(line.state) != Outcome.ONGOING:
            return line.gain, [], 0
        person = other(self._seat)
        choices = self._game.picks(line.state, person)
        after = [self._game.step(line.state, alone(person, number)) for number in choices]
        replies = [self._value(state) for state in after]
        value = self._value(line.state)
        best = [number for number, reply in zip(choices, replies, strict=True) if reply <= value]
        situation = line.situation._replace(choices=choices)
        predicted = self._model.predict(situation, dict.fromkeys(best, 1 / len(best)))
        gain, following = line.gain, []
        for number, state, reply in zip(choices, after, replies, strict=True):
            probability = line.probability * predicted[number]
            gain += probability * (reply - value)
            likely = reply <= value and probability > MIN_LINE_PROBABILITY
            if likely and self._game.outcome(state) == Outcome.ONGOING:
                then = situation._replace(own=(*situation.own, number), last_outcome=0)
                following.append(PredictedLine(state, then, probability, first=line.first))
        return gain, following, len(choices)

    def _value(self, state: State) -> float:
        return self._solution.value(state, self._seat)
