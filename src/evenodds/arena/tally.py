"""Results of an arena: exact scores, and running totals by player and pair."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from evenodds.arena.bouts import PlayedMatch
from evenodds.arena.ratings import fit_ratings
from evenodds.arena.schedule import Plan
from evenodds.arena.sequential import SequentialTest
from evenodds.core.vocabulary import FIRST, SEATS, SECOND
from evenodds.figures import Estimate, score
from evenodds.players.player import IllegalAnswerCounts

NO_FIGURE: Final = "–"
EXACT_MARK: Final = "="


class PlayerRow(NamedTuple):
    """The totals of one player; figures without data are None."""

    rank: int
    """1 for the best."""
    entry: int
    """The number in the list of the plan, from 1."""
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


class PairScore(NamedTuple):
    """The score of one player against another, on average over both seats: a win 1, a draw 1/2."""

    one: str
    two: str
    exact: float | None
    """Summed over all positions; None where it can only be sampled."""
    sampled: Estimate | None
    """From the matches that were played; None where there were none."""

    @property
    def score(self) -> float | None:
        """The exact score where it is known, or else the sampled one."""
        return self.sampled.value if self.exact is None and self.sampled else self.exact

    @property
    def cell(self) -> str:
        """The score in a table, in %; an exact one is marked."""
        mark = "" if self.exact is None else EXACT_MARK
        return NO_FIGURE if self.score is None else f"{100 * self.score:.1f}{mark}"


class Tally:
    """Totals over the bouts of a plan, counted in their order, until a test is settled.

    `exact_scores` are known without play, of the first of two players against the second.
    """

    def __init__(
        self,
        plan: Plan,
        exact_scores: Mapping[tuple[int, int], float] = MappingProxyType({}),
        test: SequentialTest | None = None,
    ) -> None:
        self.plan = plan
        self.exact_scores = exact_scores
        self.test = test
        self.bouts = 0
        self._scores: defaultdict[tuple[int, int], Counter[float]] = defaultdict(Counter)
        """How often a player had each score in a bout with another."""
        self.outcomes = {pair: [0, 0, 0] for pair in plan.pairs}
        """Matches that the first of a pair has won, drawn and lost."""
        players = range(len(plan.players))
        self._picks = [0 for _ in players]
        self._judged_picks = [0 for _ in players]
        self._losses = [0.0 for _ in players]
        self._seconds = [0.0 for _ in players]
        self._forfeits: list[Counter[str]] = [Counter() for _ in players]
        self._faults = [IllegalAnswerCounts() for _ in players]

    @property
    def settled(self) -> bool:
        """Whether there is a test, and nothing more to play for it."""
        return self.test is not None and self.test.settled != 0

    def add(self, bout: list[PlayedMatch]) -> None:
        """Count the next bout."""
        pair, _ = self.plan.bout(self.bouts)
        self.bouts += 1
        scores = [played.score(played.players.index(pair[0])) for played in bout]
        for played, scored in zip(bout, scores, strict=True):
            self.outcomes[pair][round(2 * (1 - scored))] += 1
            self._count(played)
        mean = sum(scores) / len(bout)
        self._scores[pair][mean] += 1
        self._scores[pair[::-1]][1 - mean] += 1
        if self.test:
            self.test.add(mean)

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

    def pair(self, one: int, two: int) -> PairScore:
        """The score between two players, by their places."""
        exact, counts = self.exact_scores.get((one, two)), self._scores[one, two]
        if (two, one) in self.exact_scores:
            exact = 1 - self.exact_scores[two, one]
        sampled = score(counts) if counts else None
        return PairScore(self.plan.players[one], self.plan.players[two], exact, sampled)

    def rows(self) -> list[PlayerRow]:
        """The players, the best first; ratings are one fit over all matches."""
        met = {pair: self._scores[pair] for pair in self.plan.pairs if self._scores[pair]}
        ratings = fit_ratings(len(self.plan.players), met) if met else None
        rows = [self._row(place, ratings) for place in range(len(self.plan.players))]
        rows.sort(key=lambda row: row.rating.value if row.rating else 0.0, reverse=True)
        return [row._replace(rank=rank) for rank, row in enumerate(rows, 1)]

    def _row(self, place: int, ratings: tuple[Estimate, ...] | None) -> PlayerRow:
        counts: Counter[float] = Counter()
        for opponent in range(len(self.plan.players)):
            counts.update(self._scores[place, opponent])
        picks, judged, seconds = self._picks[place], self._judged_picks[place], self._seconds[place]
        return PlayerRow(
            0,
            place + 1,
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
