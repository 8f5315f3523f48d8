"""A match looked at again: what each pick gave away, and what was luck.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0. What changes in
a round is what both picks gave away, and luck: a good mix that lost a round is never an error.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.coach.judgement import Judgement, judge, score_of
from evenodds.match import Match
from evenodds.text import SURE
from evenodds.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Pair, Seat, other
from evenodds.words import winner

if TYPE_CHECKING:
    from evenodds.solver import Solution

LESSONS: Final = 3
WORTH_A_LESSON: Final = 0.005
"""Less than half a per cent given away is not worth a word."""


class Choice(NamedTuple):
    """One pick, judged for the one who made it."""

    round: int
    seat: Seat
    number: int
    before: float
    after: float
    gave: float
    luck: float
    """What neither this pick nor the other's gave away or won."""
    judgement: Judgement


class Turning(NamedTuple):
    """The round in which most was decided, for whom, and how much of it by what."""

    round: int
    seat: Seat
    gained: float
    by_mistake: float
    by_luck: float


class Review(NamedTuple):
    """A whole match, judged."""

    match: Match
    choices: tuple[Choice, ...]
    curve: tuple[float, ...]
    """What the first seat could expect before each round and after the last."""

    def accuracy(self, seat: Seat) -> float | None:
        """Of what a player could have given away, the share that was kept; None if nothing."""
        own = [choice for choice in self.choices if choice.seat == seat]
        stake = sum(choice.judgement.stake for choice in own)
        return 1 - sum(choice.gave for choice in own) / stake if stake > SURE else None

    def lessons(self) -> list[Choice]:
        """The picks of people that gave away most; of computers, if nobody else played."""
        people = [seat for seat in SEATS if not self.match.terms.computer(seat)] or SEATS
        costly = [
            choice
            for choice in self.choices
            if choice.seat in people and choice.gave > WORTH_A_LESSON
        ]
        return sorted(costly, key=lambda choice: (-choice.gave, choice.round))[:LESSONS]

    def turning(self) -> Turning | None:
        """The largest step towards the winner; where there is none, the largest either way."""
        steps = [after - before for before, after in zip(self.curve, self.curve[1:], strict=False)]
        result = self.match.result
        decided = result is not None and result.outcome not in (Outcome.DRAW, Outcome.ONGOING)
        side = 1 if decided and result and winner(result.outcome) == FIRST else -1
        sizes = [side * step if decided else abs(step) for step in steps]
        if decided and max(sizes, default=0.0) < SURE:  # given up by the one who was ahead
            sizes = [abs(step) for step in steps]
        if not sizes or max(sizes) < SURE:
            return None
        place = sizes.index(max(sizes))
        seat = FIRST if steps[place] > 0 else SECOND
        made = [choice for choice in self.choices if choice.round == place + 1]
        by_mistake = sum(choice.gave for choice in made if choice.seat != seat)
        by_luck = next((c.luck if c.seat == seat else -c.luck for c in made), 0.0)
        return Turning(place + 1, seat, abs(steps[place]), by_mistake, by_luck)


def review(match: Match, solution: "Solution") -> Review:
    """Judge every pick of a match by the solution of its game."""
    choices: list[Choice] = []
    curve = [score_of(solution, match.states[0], FIRST)]
    for round, picks in enumerate(match.history, 1):
        before, after = match.states[round - 1], match.states[round]
        scores = {seat: score_of(solution, after, seat) for seat in SEATS}
        judged = {seat: judge(solution, before, seat) for seat in SEATS if picks[seat] != PASS}
        made = [_choice(round, seat, picks, judged, scores[seat]) for seat in judged]
        if _is_repetition(match, round):
            scores = dict.fromkeys(SEATS, 0.5)
            made = [_drawn(choice) for choice in made]
        choices += made
        curve.append(scores[FIRST])
    return Review(match, tuple(choices), tuple(curve))


def _choice(
    round: int, seat: Seat, picks: Pair, judged: dict[Seat, Judgement], after: float
) -> Choice:
    own = judged[seat]
    gave = {who: found.gave(picks[who]) for who, found in judged.items()}
    swing = after - own.score
    luck = swing + gave[seat] - gave.get(other(seat), 0.0)
    luck = 0.0 if abs(luck) < SURE else luck
    return Choice(round, seat, picks[seat], own.score, after, gave[seat], luck, own)


def _is_repetition(match: Match, round: int) -> bool:
    """Whether this round ended the match as a draw by repetition."""
    result = match.result
    return result is not None and result.reason == "repetition" and round == len(match.history)


def _drawn(choice: Choice) -> Choice:
    """A pick that made a draw by repetition gave away what was better than that."""
    gave = max(0.0, choice.before - 0.5)
    return choice._replace(after=0.5, gave=gave, luck=max(0.0, 0.5 - choice.before))
