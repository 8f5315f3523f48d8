"""Running totals of an arena: scores, losses, times and forfeits by player and pair."""

from collections import Counter
from typing import NamedTuple

from evenodds.arena.bouts import PlayedMatch
from evenodds.arena.ratings import PairScores, fit_ratings
from evenodds.arena.schedule import Plan
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.players.player import IllegalAnswerCounts
from evenodds.policy.estimates import Estimate, score


class PlayerRow(NamedTuple):
    """What one player has done. Figures that nothing was seen of are None."""

    place: int
    """In the list of the plan."""
    player: str
    label: str
    matches: int
    score: Estimate | None
    rating: Estimate | None
    loss: float | None
    """What a pick gave away on average against exact play, in expected score."""
    pace: float | None
    """Picks a second."""
    forfeits: dict[str, int]
    """Matches lost by forfeit, by the reason."""
    faults: IllegalAnswerCounts
    """Answers of a language model that were no legal pick."""


class PairRecord(NamedTuple):
    """What became of the matches of two players, as the first of them sees it."""

    won: int
    drawn: int
    lost: int
    score: Estimate


class Tally:
    """Sums over the bouts of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bouts = 0
        players = range(len(plan.players))
        self._scores: dict[tuple[int, int], Counter[float]] = {
            pair: Counter() for pair in plan.pairs
        }
        self._ends: dict[tuple[int, int], list[int]] = {pair: [0, 0, 0] for pair in plan.pairs}
        self._picks = [0 for _ in players]
        self._judged = [0 for _ in players]
        self._given = [0.0 for _ in players]
        self._seconds = [0.0 for _ in players]
        self._forfeits: list[Counter[str]] = [Counter() for _ in players]
        self._faults = [IllegalAnswerCounts() for _ in players]

    def add(self, bout: list[PlayedMatch]) -> float:
        """Count a bout; what the first of its pair scored in it."""
        pair, _ = self.plan.bout(self.bouts)
        self.bouts += 1
        total = 0.0
        for played in bout:
            seat = FIRST if played.players[FIRST] == pair[0] else SECOND
            total += played.score(seat)
            self._ends[pair][round(2 * (1 - played.score(seat)))] += 1
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
                self._judged[player] += played.picks[seat]
                self._given[player] += played.given[seat]
        if played.reason == "forfeit":
            loser = played.players[SECOND if played.outcome > 0 else FIRST]
            self._forfeits[loser][played.why] += 1

    def met(self, one: int, two: int) -> PairRecord | None:
        """What became of the matches between two players; None where there were none."""
        if (one, two) in self._ends:
            won, drawn, lost = self._ends[one, two]
            counts = self._scores[one, two]
        else:
            lost, drawn, won = self._ends.get((two, one), [0, 0, 0])
            counts = Counter({1 - s: n for s, n in self._scores.get((two, one), {}).items()})
        return PairRecord(won, drawn, lost, score(counts)) if counts else None

    def ratings(self) -> tuple[Estimate, ...] | None:
        """One fit over all matches; None before there are any."""
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
        picks, judged, seconds = self._picks[place], self._judged[place], self._seconds[place]
        return PlayerRow(
            place,
            self.plan.players[place],
            self.plan.labels[place],
            2 * sum(counts.values()),
            score(counts) if counts else None,
            ratings[place] if ratings and counts else None,
            self._given[place] / judged if judged else None,
            picks / seconds if seconds else None,
            dict(self._forfeits[place]),
            self._faults[place],
        )
