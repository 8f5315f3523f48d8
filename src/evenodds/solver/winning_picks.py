"""Which of several best picks a game of turns is played with: the one that wins most often.

In a won position it is the shortest win. In any other it is, among the picks that keep the value,
the one with the highest expected score against a model opponent who errs now and then. Ties go to
the plain choice: the pick after which the most replies lose (in a lost position the longest loss),
then the smallest number.

The model opponent errs once in 16 picks: then it picks any number alike. Otherwise it makes the
plain choice half of the time, and any pick that keeps the value the other half. A pick that the
opponent can take back is worth a draw at most: waiting is no progress.

What this scores in `factors` by the default rulings, and what other rules would: against `level:2`
and `level:4` of release 0.1 it is 69.3% and 62.1%. Other error rates and shares of the plain choice
reach 69.6% at most; more takes waiting, by copying the opponent's number. If everybody waits for
mistakes, it is 70.7% and 62.6%, but 57% instead of 94% against a `level:4` which plays by the same
rule: both wait, and the match is drawn. If only the one with the better chances waits, it is 70.4%
and 62.5%, and 94.7% against that `level:4`; but 97.9% instead of 99.9% against random picks, and
whoever repeats 5, 6, 7, 8 or 9 as the second player gets a draw after three rounds, where 5 and 7
lose now and the others hold out for nine rounds or more. Nobody likes to be copied into a draw.

Waiting only with some probability is no way out: of about 900 such rules (waiting with 1/4, 1/2,
3/4 or 1, from some advantage on, for some gain) each with 70% lets somebody draw by repeating 5,
or 7, who loses now. With memory it would be 81.0% and 70.6%, 99.97% against random picks, and
nobody draws who loses now: wait the first time, and break out when the position comes back. But
then a pick depends on more than the position, and odds, best responses, simulations and studies
are sums over positions.

Sums in a fixed order, compared after rounding: every machine names the same pick.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from operator import mul
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import FIRST, SECOND, Outcome, numbers
from evenodds.graph import SolvedPositions, load_result, save_result
from evenodds.kernels import packing
from evenodds.solver.interpreted import StateGraph
from evenodds.system.cache_folder import CacheKind
from evenodds.system.progress import Progress

MAX_WINNING_POSITIONS: Final = 60_000
"""Positions up to which these picks are found; larger games are played by the plain choice."""
ERROR_SHARE: Final = 1 / 16
"""How often the model opponent picks any number alike."""
PLAIN_SHARE: Final = 1 / 2
"""How often it makes the plain choice when it does not err."""
COMPARED_DIGITS: Final = 9
SCORE_TOLERANCE: Final = 1e-12
MAX_SWEEPS: Final = 20
"""Sweeps over all positions: one is enough without cycles, and few with short ones.

Long cycles take hundreds: in `factors` with same=twice 270, more than two minutes. There the scores
are off by up to 0.03 after these sweeps, and half of the picks are others; all keep the value.
"""

CHOICES_KIND: Final = CacheKind("choices", "choices between best picks")
SELECTION_VERSION: Final = 1
"""Raised whenever one of several best picks or mixes is selected in another way: part of the key of
every result that depends on it."""


def choices_of(
    game: AnyGame, rulings: Any, solved: SolvedPositions, progress: Progress, keep: bool
) -> bytes | None:
    """The winning picks of a solved game, from the cache or found and, if asked, cached.

    None where both pick at once, and in games that are too large.
    """
    if game.simultaneous or game.mirror is not None or solved.positions > MAX_WINNING_POSITIONS:
        return None
    key = (game, rulings, CHOICES_KIND, str(SELECTION_VERSION))
    with suppress(TypeError, ValueError, zlib.error):  # not in the cache, or damaged
        found = zlib.decompress(b64decode(load_result(*key), validate=True))
        if len(found) == len(solved.keys):
            return found
    found = winning_picks(game, rulings, solved, progress)
    if keep:
        save_result(b64encode(zlib.compress(found, 9)).decode(), *key)
    return found


def winning_picks(
    game: AnyGame, rulings: Any, solved: SolvedPositions, progress: Progress
) -> bytes:
    """The pick at every position of a solved game of turns, in the order of its keys."""
    graph = _LinkGraph(game, rulings, solved, progress)
    scores = {side: graph.expected_scores(side) for side in (1, -1)}
    return bytes(graph.pick(place, scores[graph.sides[place]]) for place in graph.by_key)


class _LinkGraph:
    """Positions with links, values and model shares as plain lists; the ends come last."""

    def __init__(
        self, game: AnyGame, rulings: Any, solved: SolvedPositions, progress: Progress
    ) -> None:
        listed = StateGraph(game, rulings, inf, progress)
        states = listed.states
        self.count = len(states)
        pack = packing(states[0]).pack
        keys = [pack(state, solved.layout) for state in states]
        self.by_key = sorted(range(self.count), key=keys.__getitem__)
        codes = [0] * self.count
        for place, code in zip(self.by_key, memoryview(solved.values), strict=True):
            codes[place] = code
        self.values = [(code > 0) - (code < 0) for code in codes] + [1, 0, -1]
        """For the first seat."""
        self.distances = [*map(abs, codes), 0, 0, 0]
        moves = [[numbers(game.legal(state, seat)) for seat in (FIRST, SECOND)] for state in states]
        self.sides = [1 if first else -1 for first, _ in moves]
        """The seat to move as a sign of values."""
        self.picks = [first or second for first, second in moves]
        self.targets = [[self._target(t) for row in grid for t in row] for grid in listed.grids]
        losing = [
            sum(self.values[target] == -side for target in targets)
            for side, targets in zip(self.sides, self.targets, strict=True)
        ]
        self.losing = [*losing, 0, 0, 0]
        """How many picks of the seat to move lose."""
        self.shares = [self._model_shares(place) for place in range(self.count)]
        """The share of each link by the model opponent."""
        self.keeping = [
            [
                (link, target, self._can_return(place, target))
                for link, target in enumerate(targets)
                if self.values[target] == self.values[place]
            ]
            for place, targets in enumerate(self.targets)
        ]
        """The links that keep the value, with their targets and whether those lead back."""

    def _target(self, target: int | Outcome) -> int:
        return self.count + 1 - target if isinstance(target, Outcome) else target

    def _keeps_value(self, place: int) -> list[bool]:
        """Which links of a position keep its value."""
        return [self.values[target] == self.values[place] for target in self.targets[place]]

    def _plain_choice(self, place: int, links: list[int]) -> int:
        """The plain choice among some links that keep the value."""
        targets = self.targets[place]
        side = self.sides[place] * self.values[place]

        def rank(link: int) -> int:
            target = targets[link]
            return side * self.distances[target] if side else -self.losing[target]

        return min(links, key=rank)

    def _model_shares(self, place: int) -> list[float]:
        keeps = self._keeps_value(place)
        keeping = [link for link, kept in enumerate(keeps) if kept]
        error = ERROR_SHARE / len(keeps)
        any_best = (1 - ERROR_SHARE) * (1 - PLAIN_SHARE) / len(keeping)
        shares = [error + any_best if kept else error for kept in keeps]
        shares[self._plain_choice(place, keeping)] += (1 - ERROR_SHARE) * PLAIN_SHARE
        return shares

    def expected_scores(self, side: int) -> list[float]:
        """What a seat expects at each position, from -1 to 1, if the other is the model opponent.

        Its own picks keep the value, and win most among those; what is won is 1.
        """
        scores = [float(value == side) for value in self.values]
        scores[self.count :] = [float(side), 0.0, float(-side)]
        order = self._ends_first(side)
        for _ in range(MAX_SWEEPS):
            change = 0.0
            for place in order:
                if self.sides[place] == side:
                    score = max(self._link_scores(place, scores).values())
                else:
                    score = self._model_score(place, scores)
                change = max(change, abs(score - scores[place]))
                scores[place] = score
            if change <= SCORE_TOLERANCE:
                break
        return scores

    def _model_score(self, place: int, scores: list[float]) -> float:
        """The score ahead of a position where the model opponent picks."""
        ahead = map(scores.__getitem__, self.targets[place])
        return float(sum(map(mul, self.shares[place], ahead)))

    def _link_scores(self, place: int, scores: list[float]) -> dict[int, float]:
        """The expected score of each link that keeps the value."""
        found = {}
        for link, target, returns in self.keeping[place]:
            if returns:
                kept, scores[place] = scores[place], 0.0  # taken back: a draw
                found[link] = min(0.0, self._model_score(target, scores))
                scores[place] = kept
            else:
                found[link] = scores[target]
        return found

    def _can_return(self, place: int, target: int) -> bool:
        """Whether the opponent can take a pick back."""
        return target < self.count and place in self.targets[target]

    def _ends_first(self, side: int) -> list[int]:
        """The positions that are not won, each after those that its score depends on.

        Depth first; only cycles of more than two positions leave some before what they depend on.
        """
        order, seen, path = [], {0}, [(0, self._dependencies(0, side))]
        while path:
            place, ahead = path[-1]
            target = next((one for one in ahead if one not in seen), None)
            if target is None:
                order.append(place)
                path.pop()
            else:
                seen.add(target)
                path.append((target, self._dependencies(target, side)))
        return [place for place in order if self.values[place] != side]

    def _dependencies(self, place: int, side: int) -> Iterator[int]:
        for target in self.targets[place]:
            if self.sides[place] == side and self._can_return(place, target):
                yield from (t for t in self.targets[target] if t < self.count and t != place)
            elif target < self.count:
                yield target

    def pick(self, place: int, scores: list[float]) -> int:
        """The pick at a position, by the scores of the seat to move."""
        if self.values[place] == self.sides[place]:
            best = [link for link, kept in enumerate(self._keeps_value(place)) if kept]
        else:
            found = {
                link: round(score, COMPARED_DIGITS)
                for link, score in self._link_scores(place, scores).items()
            }
            most = max(found.values())
            best = [link for link, score in found.items() if score == most]
        return self.picks[place][self._plain_choice(place, best)]
