"""Review of a played match: the loss of each pick, and what outguessing changed.

Figures are expected scores under best play by both: a win 1, a draw 1/2, a loss 0. The change of
the expected score in a round is the difference of both losses, plus what one seat gained by
outguessing the other, called `luck` in data: a pick of a best mix is never an error, however the
round ends. In games of turns there is none, except for a draw by repetition beyond the horizon of
`pick_values`. What is drawn after a round belongs to it: above the average it is luck of another
kind, called `chance`. In games about points, those won so far are part of the score.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from evenodds.coach.pick_values import (
    DRAW_SCORE,
    Measure,
    PickValues,
    evaluate_picks,
    expected_score_of,
    repetition_picks,
)
from evenodds.coach.reasons import refutation
from evenodds.core.match import Match
from evenodds.core.record import DRAW_REASONS
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Seat, other
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved
from evenodds.engine.solution import Solution
from evenodds.figures import VALUE_TOLERANCE

MAX_LESSONS: Final = 3
MIN_LESSON_LOSS: Final = 0.005
"""Smaller losses are not mentioned."""
MIN_DECISIONS: Final = 3
"""Accuracy is a figure from so many picks on that could have been mistakes,"""
MIN_AT_RISK: Final = 0.25
"""and from so much on that they could have lost together; before, words say what happened."""


class ReviewedPick(NamedTuple):
    """One pick with its figures, from the view of its seat."""

    round: int
    seat: Seat
    number: int
    before: float
    after: float
    loss: float
    luck: float
    """The change of the score that neither a loss nor a draw of chance explains."""
    pick_values: PickValues
    refutation: str = ""
    """How the other seat answers a mistake, in a sentence."""
    chance: float = 0.0
    """What was drawn after the round, above the average."""

    @property
    def name(self) -> str:
        """What the pick is called."""
        return self.pick_values.name(self.number)


class TurningPoint(NamedTuple):
    """The round with the largest change of the expected score, and its causes."""

    round: int
    seat: Seat
    gained: float
    by_mistake: float
    """The loss of the other seat."""
    by_luck: float
    gave: float
    """The loss of the seat that gained: gained = by_mistake + by_luck + by_chance - gave."""
    by_chance: float = 0.0
    """What chance has drawn for it."""


class PrematureResignation(NamedTuple):
    """A resignation in a position worth more than a draw."""

    seat: Seat
    worth: float


class Review(NamedTuple):
    """A match with the figures of every pick."""

    match: Match
    picks: tuple[ReviewedPick, ...]
    curve: tuple[float, ...]
    """The expected score of the first seat before each round and after the last."""
    names: Names
    """What the players are called to the reader."""
    draws: tuple[float, ...]
    """What chance brought the first seat before the first round and after each, above the average:
    that of mistakes, of outguessing and of chance is the change from the start to the end."""
    measure: Measure

    def accuracy(self, seat: Seat) -> float | None:
        """1 less the share of the possible loss that a player incurred; None if too little was."""
        own = [pick for pick in self.picks if pick.seat == seat]
        risks = [max(map(pick.pick_values.loss, pick.pick_values.scores)) for pick in own]
        at_risk, decisions = sum(risks), sum(risk > MIN_LESSON_LOSS for risk in risks)
        if decisions < MIN_DECISIONS or at_risk < MIN_AT_RISK:
            return None
        return 1 - sum(pick.loss for pick in own) / at_risk

    def mistakes(self, seat: Seat) -> int:
        """How many picks of a player lost something."""
        return sum(pick.seat == seat and pick.loss > 0 for pick in self.picks)

    def lessons(self) -> list[ReviewedPick]:
        """The picks of people with the largest losses; of computers, if only they played."""
        people = self.match.terms.people or SEATS
        costly = [
            pick for pick in self.picks if pick.seat in people and pick.loss > MIN_LESSON_LOSS
        ]
        return sorted(costly, key=lambda pick: (-pick.loss, pick.round))[:MAX_LESSONS]

    def premature_resignation(self) -> PrematureResignation | None:
        """The resignation of a position worth more than a draw, if there was one."""
        result = self.match.result
        if result is None or result.reason != "resigned" or result.loser is None:
            return None
        worth = self.curve[-1] if result.loser == FIRST else 1 - self.curve[-1]
        if worth <= DRAW_SCORE + MIN_LESSON_LOSS:
            return None
        return PrematureResignation(result.loser, worth)

    def decided_otherwise(self) -> bool:
        """Whether the clock or a forfeit decided the match, and no pick."""
        result = self.match.result
        return result is not None and result.reason in ("time", "forfeit")

    def turning_point(self) -> TurningPoint | None:
        """The largest step towards the winner; without a winner the largest in either direction.

        None where no pick decided the match.
        """
        if self.decided_otherwise():
            return None
        steps = [after - before for before, after in zip(self.curve, self.curve[1:], strict=False)]
        outcome = self.match.result.outcome if self.match.result else Outcome.DRAW
        sizes = [outcome * step for step in steps]  # none for a draw
        if max(sizes, default=0.0) < VALUE_TOLERANCE:
            # No step went towards a winner: perhaps the one who was ahead resigned.
            sizes = list(map(abs, steps))
        if max(sizes, default=0.0) < VALUE_TOLERANCE:
            return None
        index = sizes.index(max(sizes))
        seat = FIRST if steps[index] > 0 else SECOND
        made = [pick for pick in self.picks if pick.round == index + 1]
        losses = {pick.seat: pick.loss for pick in made}
        by_luck = next((c.luck if c.seat == seat else -c.luck for c in made), 0.0)
        by_chance = self.draws[index + 1] * (1 if seat == FIRST else -1)
        by_mistake, own = losses.get(other(seat), 0.0), losses.get(seat, 0.0)
        gained = abs(steps[index])
        return TurningPoint(index + 1, seat, gained, by_mistake, by_luck, own, by_chance)


def review(match: Match, solution: Solution, names: Names | None = None) -> Review:
    """Review every pick of a match by the solution of its game; `names` say who reads it."""
    found = [_evaluate(match, solution, rounds) for rounds in range(len(match.history) + 1)]
    earned, draws = _earned(match, solution)
    curve = tuple(score + points for (_, score), points in zip(found, earned, strict=True))
    reviewed: list[ReviewedPick] = []
    for round, picks in enumerate(match.history, 1):
        values = {seat: one for seat, one in found[round - 1][0].items() if picks[seat] != PASS}
        losses = {seat: one.loss(picks[seat]) for seat, one in values.items()}
        for seat, one in values.items():
            steps = curve[round - 1 : round + 1]
            before, after = steps if seat == FIRST else (1 - score for score in steps)
            chance = draws[round] if seat == FIRST else -draws[round]
            luck = after - before + losses[seat] - losses.get(other(seat), 0.0) - chance
            luck = 0.0 if abs(luck) < VALUE_TOLERANCE else luck  # rounding errors are no luck
            number, loss = picks[seat], losses[seat]
            why = refutation(one, number) if loss > MIN_LESSON_LOSS else ""
            figures = before, after, loss, luck, one, why, chance
            reviewed.append(ReviewedPick(round, seat, number, *figures))
    told = names or match.names, draws, Measure(solution.span)
    return Review(match, tuple(reviewed), curve, *told)


def review_all(
    matches: dict[int, Match], solve: Callable[[Terms], Solution], names: Callable[[Terms], Names]
) -> tuple[dict[int, Review], dict[str, list[int]]]:
    """Reviews of matches by number; and the reasons why others have none, with their numbers."""
    found: dict[int, Review] = {}
    failed: dict[str, list[int]] = {}
    solutions: dict[Any, Solution | str] = {}  # many matches, few games: each is solved once
    for number, match in matches.items():
        key = match.game.name, match.terms.rulings
        if key not in solutions:
            try:
                solutions[key] = solve(match.terms)
            except NotSolved as error:
                solutions[key] = str(error)
        solution = solutions[key]
        if isinstance(solution, str):
            failed.setdefault(solution, []).append(number)
        else:
            found[number] = review(match, solution, names(match.terms))
    return found, failed


def _earned(match: Match, solution: Solution) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The first seat's points before each round and after the last, and what draws brought it.

    Both as scores; the draws before the first round and after each.
    """
    game, state, points = match.game, solution.start, 0
    earned, brought = [], []
    for picks, drawn in zip((None, *match.history), match.draws, strict=True):
        worths = []
        for step in (picks, *((number, PASS) for number in drawn)):
            if step:
                points += game.reward(state, step) if game.reward else 0
                state = game.step(state, step)
            worths.append(points + solution.value(state))
        luck = (worths[-1] - worths[0]) / solution.span
        earned.append(points / solution.span)
        brought.append(luck if abs(luck) >= VALUE_TOLERANCE else 0.0)
    return tuple(earned), tuple(brought)


def _evaluate(
    match: Match, solution: Solution, rounds: int
) -> tuple[dict[Seat, PickValues], float]:
    """The pick values of the seats to pick after so many rounds, and the first seat's score."""
    state, result = match.states[rounds], match.result
    if result is not None and result.reason in DRAW_REASONS and rounds == len(match.history):
        return {}, DRAW_SCORE
    values: dict[Seat, PickValues] = {}
    if match.game.outcome(state) == Outcome.ONGOING:
        values = {
            seat: evaluate_picks(solution, state, seat, repetition_picks(match, seat, rounds))
            for seat in SEATS
            if match.game.picks(state, seat) != (PASS,)
        }
    # The pick values know draws by repetition that are near, the solution does not: they go first.
    for seat, one in values.items():
        return values, one.score if seat == FIRST else 1 - one.score
    return values, expected_score_of(solution, state, FIRST)
