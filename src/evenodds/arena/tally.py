"""Running totals of an arena: scores, losses, times and forfeits by player and pair."""

from collections import Counter
from typing import NamedTuple

from evenodds.arena.bouts import PlayedMatch
from evenodds.arena.ratings import PairScores, fit_ratings
from evenodds.arena.schedule import Plan
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.figures import Estimate, score
from evenodds.players.player import IllegalAnswerCounts


class PlayerRow(NamedTuple):
    """The totals of one player; figures without data are None."""

    place: int
    """The index in the list of the plan."""
    player: str
    label: str
    matches: int
    score: Estimate | None
    rating: Estimate | None
    loss: float | None
    """The mean loss of a pick against exact play, in expected score."""
    pace: float | None
    """Picks a second."""
    forfeits: dict[str, int]
    """Matches lost by forfeit, by the reason."""
    faults: IllegalAnswerCounts
    """Illegal answers of a language model."""


class PairRecord(NamedTuple):
    """Wins, draws and losses of the first of two players against the second."""

    won: int
    drawn: int
    lost: int
    score: Estimate


class Tally:
    """Totals over the bouts of a plan, counted in their order."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bouts = 0
        players = range(len(plan.players))
        self._scores: dict[tuple[int, int], Counter[float]] = {
            pair: Counter() for pair in plan.pairs
        }
        self._outcomes: dict[tuple[int, int], list[int]] = {pair: [0, 0, 0] for pair in plan.pairs}
        self._picks = [0 for _ in players]
        self._judged_picks = [0 for _ in players]
        self._losses = [0.0 for _ in players]
        self._seconds = [0.0 for _ in players]
        self._forfeits: list[Counter[str]] = [Counter() for _ in players]
        self._faults = [IllegalAnswerCounts() for _ in players]

    def add(self, bout: list[PlayedMatch]) -> float:
        """Count the next bout; returns the score of the first player of its pair."""
        pair, _ = self.plan.bout(self.bouts)
        self.bouts += 1
        total = 0.0
        for played in bout:
            seat = FIRST if played.players[FIRST] == pair[0] else SECOND
            total += played.score(seat)
            self._outcomes[pair][round(2 * (1 - played.score(seat)))] += 1
            self._count(played)
        self._scores[pair][total / len(bout)] += 1
        return total / len(bout)

    def _count(self, played: PlayedMatch) -> None:
        for seat in SEATS:
            player = played.players[seat]
            self._picks[player] += played.picks[seat]
            self._seconds[player] += played.seconds[seat]
            self._faults[player] += played.faults[seat]
            if played.given is not None:
                self._judged_picks[player] += played.picks[seat]
                self._losses[player] += played.given[seat]
        if played.reason == "forfeit":
            loser = played.players[SECOND if played.outcome > 0 else FIRST]
            self._forfeits[loser][played.why] += 1

    def pair_record(self, one: int, two: int) -> PairRecord | None:
        """The matches between two players; None where there were none."""
        if (one, two) in self._outcomes:
            won, drawn, lost = self._outcomes[one, two]
            counts = self._scores[one, two]
        else:
            lost, drawn, won = self._outcomes.get((two, one), [0, 0, 0])
            counts = Counter({1 - s: n for s, n in self._scores.get((two, one), {}).items()})
        return PairRecord(won, drawn, lost, score(counts)) if counts else None

    def ratings(self) -> tuple[Estimate, ...] | None:
        """Ratings by one fit over all matches; None before the first."""
        if not self.bouts:
            return None
        results = [PairScores(one, two, seen) for (one, two), seen in self._scores.items() if seen]
        return fit_ratings(len(self.plan.players), results)

    def rows(self) -> list[PlayerRow]:
        """The players, the best first."""
        ratings = self.ratings()
        rows = [self._row(place, ratings) for place in range(len(self.plan.players))]
        return sorted(rows, key=lambda row: row.rating.value if row.rating else 0.0, reverse=True)

    def _row(self, place: int, ratings: tuple[Estimate, ...] | None) -> PlayerRow:
        counts: Counter[float] = Counter()
        for (one, two), scores in self._scores.items():
            if place in (one, two):
                counts.update({s if place == one else 1 - s: n for s, n in scores.items()})
        picks, judged, seconds = self._picks[place], self._judged_picks[place], self._seconds[place]
        return PlayerRow(
            place,
            self.plan.players[place],
            self.plan.labels[place],
            2 * sum(counts.values()),
            score(counts) if counts else None,
            ratings[place] if ratings and counts else None,
            self._losses[place] / judged if judged else None,
            picks / seconds if seconds else None,
            dict(self._forfeits[place]),
            self._faults[place],
        )
