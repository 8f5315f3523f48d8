"""Play between policies in games of turns: a web of positions, loops and all."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from evenodds.solver.blends import Blend
from evenodds.solver.crew import compiling_told
from evenodds.solver.flows import ENDED
from evenodds.solver.ground import BLOCK, Ground
from evenodds.solver.knots import Layer, layers_of
from evenodds.solver.layout import repacked
from evenodds.solver.listing import Keys
from evenodds.solver.policies import Policy, Uniform, check_policy, solution_of
from evenodds.solver.solution import Solution
from evenodds.vocabulary import SEATS, Outcome, Seat

ENDS: Final = [-3, -2, -1]
"""Where links lead that end a match: a loss of the first seat, a draw, a win."""
ENDLESS, LENGTH = 3, 4
"""Beside the ends: the share of play that never does, and how long it takes."""


@dataclass(frozen=True, eq=False)
class Web:
    """For each position who moves, and a link for each number: which it is, where it leads."""

    keys: Keys
    movers: Any
    begins: Any
    """Where the links of each position begin."""
    sources: Any
    picks: Any
    targets: Any

    @property
    def leads_on(self) -> Any:
        """Which links lead to an open position."""
        return self.targets >= 0

    @cached_property
    def layers(self) -> list[Layer]:
        """The positions in the order in which they are settled."""
        return layers_of(self.sources, self.targets, self.keys.size)

    @property
    def counts_repetitions(self) -> bool:
        """Whether it can be told without its history how often a match has come to a position."""
        return all(layer.is_ring for layer in self.layers)

    def outcomes(self) -> Any:
        """The outcome at the end of each link, where it leads to one."""
        return np.where(self.leads_on, 0, self.targets + ENDED)

    def carried(self, figures: Any, ends: Any) -> Any:
        """For each link the figure of the position it leads to, or that of its end."""
        return np.where(self.leads_on, figures[self.targets], ends)


def web_of(ground: Ground) -> Web:
    """All positions of a game of turns with their links, woven once."""
    if ground.web is None:
        with compiling_told(ground.progress):
            ground.web = _woven(ground)
    web: Web = ground.web
    return web


def _woven(ground: Ground) -> Web:
    keys = np.concatenate(ground.layers)
    movers, counts = np.zeros(keys.size, np.int8), np.zeros(keys.size, np.int64)
    where = (ground.rulings, ground.layout, keys)
    ground.loops.flows.count_links(*where, movers, counts)
    links = int(counts.sum())
    picks, targets = np.zeros(links, np.int8), np.zeros(links, np.int32)
    ground.loops.flows.link(*where, tuple(ground.table(keys)), movers, picks, targets)
    begins = np.cumsum(counts) - counts
    sources = np.repeat(np.arange(keys.size, dtype=np.int32), counts)
    return Web(keys, movers, begins, sources, picks, targets)


def shares_of(ground: Ground, web: Web, policy: Policy, seat: Seat) -> Any:
    """The share of each link of a seat's turns under a policy; 0 where the other seat moves."""
    check_policy(ground.game, ground.rulings, policy)
    own = (web.movers == seat)[web.sources]
    solution = solution_of(policy)
    if isinstance(policy, Uniform):
        counts = np.bincount(web.sources, minlength=web.keys.size)
        return np.where(own, 1.0 / counts[web.sources], 0.0)
    if solution is not None and ground.game.mirror is None:
        judged = judged_by(ground, solution)
        return np.where(
            own, judged.blend(policy) if isinstance(policy, Blend) else judged.named, 0.0
        )
    shares = np.zeros(web.sources.size)
    blocks = ground.shares(policy, seat)
    turns = np.flatnonzero(web.movers == seat)
    for begin in range(0, turns.size, BLOCK):
        some = turns[begin : begin + BLOCK]
        block = blocks.block(web.keys[some], 0, some.size)
        mine = np.flatnonzero(own & (web.sources >= some[0]) & (web.sources <= some[-1]))
        shares[mine] = block[np.searchsorted(some, web.sources[mine]), web.picks[mine]]
        ground.progress("policy", begin, turns.size)
    return shares


def judged_by(ground: Ground, solution: Solution) -> "Judged":
    """The links of a game of turns by a solution, judged once."""
    found = ground.judged.get(solution)
    if found is None:
        found = ground.judged[solution] = Judged(ground, web_of(ground), solution)
    return found


class Judged:
    """Every link of a game of turns, judged by a solution."""

    def __init__(self, ground: Ground, web: Web, solution: Solution) -> None:
        solved = solution.solved
        places = np.searchsorted(solved.keys, repacked(web.keys, ground.layout, solved.layout))
        self.web = web
        self.codes = solved.values[places].astype(np.int64)
        self.sides = 1 - 2 * web.movers.astype(np.int64)
        self.worths = self.sides * np.sign(self.codes)
        """What each position is worth to who moves there."""
        gains = web.carried(np.sign(self.codes), web.outcomes())
        self.gains = self.sides[web.sources] * gains
        """What each link is worth to who moves."""

    @cached_property
    def named(self) -> Any:
        """The named picks: by worth, then by distance or losing replies, then by number."""
        web = self.web
        losing = np.bincount(web.sources, self.gains < 0, web.keys.size).astype(np.int64)
        far = web.carried(np.abs(self.codes), 0)
        mine = self.worths[web.sources]
        nicety = np.where(mine == 0, -web.carried(losing, 0), mine * far)
        order = np.lexsort((web.picks, nicety, -self.gains, web.sources))
        shares = np.zeros(web.sources.size)
        shares[order[web.begins]] = 1.0
        return shares

    def blend(self, blend: Blend) -> Any:
        """The shares of a blend."""
        web = self.web
        losses = (self.worths[web.sources] - self.gains).astype(float)
        weights = np.exp(-losses / blend.temperature)
        totals = np.add.reduceat(weights, web.begins)
        return blend.sure * self.named + (1 - blend.sure) * weights / totals[web.sources]


def flow(
    ground: Ground, first: Policy, second: Policy, repetition: int = 0
) -> tuple[Any, float, float]:
    """The odds of each outcome from a win of the second seat on, of endless play, and the length.

    With `repetition` a match is drawn when a position comes up so many times; else it goes on for
    ever from positions that lead to no end.
    """
    web = web_of(ground)
    policies = zip((first, second), SEATS, strict=True)
    shares = sum(shares_of(ground, web, policy, seat) for policy, seat in policies)
    figures = np.zeros((web.keys.size + len(ENDS), len(ENDS) + 2))
    figures[ENDS, range(len(ENDS))] = 1.0
    can_end = np.zeros(len(figures), bool)
    can_end[ENDS] = True
    for layer in web.layers:
        parts = shares[layer.links]
        known = layer.summed(parts[:, None] * figures[layer.targets])
        known[:, LENGTH] += 1
        inner = parts[layer.inner]
        if repetition:
            figures[layer.places] = _drawn_if_repeated(layer, inner, known, repetition)
            continue
        ending = _can_end(layer, parts, can_end)
        can_end[layer.places] = ending
        known[~ending] = np.arange(LENGTH + 1) == ENDLESS
        inner = np.where(ending[layer.rows[layer.inner]], inner, 0.0)
        if layer.is_long and layer.knots[0, 0] == 0:  # the last layer: only the start is asked for
            figures[0] = layer.visits(inner) @ known
        else:
            figures[layer.places] = layer.solve(inner, known)
    return figures[0, : len(ENDS)], float(figures[0, ENDLESS]), float(figures[0, LENGTH])


def _drawn_if_repeated(layer: Layer, inner: Any, known: Any, times: int) -> Any:
    """What the positions of a layer lead to when going round its rings too often is a draw."""
    stays = layer.gathered(inner)[:, None]
    drawn = np.zeros(known.shape)
    drawn[:, ENDS.index(Outcome.DRAW - ENDED)] = 1.0
    if not layer.inner.size:
        return known
    return layer.go_round(times, drawn, lambda at, ahead: known[at] + stays[at] * ahead)


def _can_end(layer: Layer, parts: Any, can_end: Any) -> Any:
    """The positions of a layer from which some line of play ends."""
    found = np.logical_or.reduceat((parts > 0) & can_end[layer.targets], layer.begins)
    return layer.leading(parts[layer.inner] > 0, found)
