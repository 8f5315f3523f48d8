"""Review of a played match: what each pick gave away, and what was luck.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0. What changes in
a round is what both picks gave away, and luck: a good mix that lost a round is never an error.
In games of turns there is none, but for a draw by repetition that was too far off to be foreseen.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.coach.pick_values import (
    DRAW_SCORE,
    PickValues,
    evaluate_picks,
    expected_score_of,
    repetition_picks,
)
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Pair, Seat, other
from evenodds.core.words import winner
from evenodds.system.tolerance import VALUE_TOLERANCE

if TYPE_CHECKING:
    from evenodds.solver import Solution

MAX_LESSONS: Final = 3
MIN_LESSON_LOSS: Final = 0.005
"""Less than half a per cent given away is not worth a word."""


class ReviewedPick(NamedTuple):
    """One pick, judged for the one who made it."""

    round: int
    seat: Seat
    number: int
    before: float
    after: float
    gave: float
    luck: float
    """What neither this pick nor the other's gave away or won."""
    judgement: PickValues


class TurningPoint(NamedTuple):
    """The round in which most was decided, for whom, and how much of it by what."""

    round: int
    seat: Seat
    gained: float
    by_mistake: float
    """What the other gave away."""
    by_luck: float
    gave: float
    """What the one who gained gave away all the same: gained = by_mistake + by_luck - gave."""


class PrematureResignation(NamedTuple):
    """A match resigned by someone who stood better than a draw."""

    seat: Seat
    worth: float


class Review(NamedTuple):
    """A whole match, judged."""

    match: Match
    choices: tuple[ReviewedPick, ...]
    curve: tuple[float, ...]
    """What the first seat could expect before each round and after the last."""

    def accuracy(self, seat: Seat) -> float | None:
        """Of what a player could have given away, the share that was kept; None if nothing."""
        own = [choice for choice in self.choices if choice.seat == seat]
        stake = sum(choice.judgement.stake for choice in own)
        return 1 - sum(choice.gave for choice in own) / stake if stake > VALUE_TOLERANCE else None

    def lessons(self) -> list[ReviewedPick]:
        """The picks of people that gave away most; of computers, if nobody else played."""
        people = [seat for seat in SEATS if not self.match.terms.computer(seat)] or SEATS
        costly = [
            choice
            for choice in self.choices
            if choice.seat in people and choice.gave > MIN_LESSON_LOSS
        ]
        return sorted(costly, key=lambda choice: (-choice.gave, choice.round))[:MAX_LESSONS]

    def given_up(self) -> PrematureResignation | None:
        """Who resigned although the position was worth more than a draw, if anyone did."""
        result = self.match.result
        if result is None or result.reason != "resigned" or result.loser is None:
            return None
        worth = self.curve[-1] if result.loser == FIRST else 1 - self.curve[-1]
        return (
            PrematureResignation(result.loser, worth)
            if worth > DRAW_SCORE + MIN_LESSON_LOSS
            else None
        )

    def turning(self) -> TurningPoint | None:
        """The largest step towards the winner; where there is none, the largest either way."""
        steps = [after - before for before, after in zip(self.curve, self.curve[1:], strict=False)]
        result = self.match.result
        decided = result is not None and result.outcome not in (Outcome.DRAW, Outcome.ONGOING)
        side = 1 if decided and result and winner(result.outcome) == FIRST else -1
        sizes = [side * step if decided else abs(step) for step in steps]
        if (
            decided and max(sizes, default=0.0) < VALUE_TOLERANCE
        ):  # given up by the one who was ahead
            sizes = [abs(step) for step in steps]
        if not sizes or max(sizes) < VALUE_TOLERANCE:
            return None
        place = sizes.index(max(sizes))
        seat = FIRST if steps[place] > 0 else SECOND
        made = [choice for choice in self.choices if choice.round == place + 1]
        gave = {choice.seat: choice.gave for choice in made}
        by_luck = next((c.luck if c.seat == seat else -c.luck for c in made), 0.0)
        by_mistake, own = gave.get(other(seat), 0.0), gave.get(seat, 0.0)
        return TurningPoint(place + 1, seat, abs(steps[place]), by_mistake, by_luck, own)


def review(match: Match, solution: "Solution") -> Review:
    """Judge every pick of a match by the solution of its game."""
    choices: list[ReviewedPick] = []
    judged = _pick_values_after(match, solution, 0)
    curve = [_first_seat_score(match, solution, 0, judged)]
    for round, picks in enumerate(match.history, 1):
        made = {seat: found for seat, found in judged.items() if picks[seat] != PASS}
        judged = _pick_values_after(match, solution, round)
        curve.append(_first_seat_score(match, solution, round, judged))
        choices += [_reviewed_pick(round, seat, picks, made, curve[-2:]) for seat in made]
    return Review(match, tuple(choices), tuple(curve))


def _pick_values_after(match: Match, solution: "Solution", rounds: int) -> dict[Seat, PickValues]:
    """What those who had something to decide after so many rounds could expect, as in a hint."""
    state = match.states[rounds]
    if match.game.outcome(state) != Outcome.ONGOING or _is_repetition(match, rounds):
        return {}
    return {
        seat: evaluate_picks(solution, state, seat, repetition_picks(match, seat, rounds))
        for seat in SEATS
        if any(number != PASS for number in match.game.picks(state, seat))
    }


def _first_seat_score(
    match: Match, solution: "Solution", rounds: int, judged: dict[Seat, PickValues]
) -> float:
    """What the first seat could expect after so many rounds."""
    if _is_repetition(match, rounds):
        return DRAW_SCORE
    if FIRST in judged:
        return judged[FIRST].score
    if SECOND in judged:
        return 1 - judged[SECOND].score
    return expected_score_of(solution, match.states[rounds], FIRST)


def _reviewed_pick(
    round: int, seat: Seat, picks: Pair, judged: dict[Seat, PickValues], curve: list[float]
) -> ReviewedPick:
    """One pick; what no pick gave away counts as luck."""
    before, after = curve if seat == FIRST else (1 - score for score in curve)
    gave = {who: found.gave(picks[who]) for who, found in judged.items()}
    luck = after - before + gave[seat] - gave.get(other(seat), 0.0)
    luck = 0.0 if abs(luck) < VALUE_TOLERANCE else luck
    return ReviewedPick(round, seat, picks[seat], before, after, gave[seat], luck, judged[seat])


def _is_repetition(match: Match, rounds: int) -> bool:
    """Whether the match was over after so many rounds as a draw by repetition."""
    result = match.result
    return result is not None and result.reason == "repetition" and rounds == len(match.history)
