"""Turn games as a graph of links, and the odds between policies on it, cycles included."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evenodds.core.terms import REPETITION_NOT_COUNTED_NOTE, check_repetition
from evenodds.core.vocabulary import PASS, SEATS, Seat
from evenodds.graph.components import ComponentLayer, component_layers
from evenodds.graph.position_index import PositionIndex
from evenodds.graph.positions import Keys
from evenodds.graph.transitions import transition_graph_of
from evenodds.kernels.keys import repacked
from evenodds.kernels.threads import report_compilation
from evenodds.policy.policies import Policy, Uniform, check_policy, solution_of
from evenodds.policy.shares import BLOCK_POSITIONS, PolicyShares
from evenodds.policy.softmax import SoftmaxPolicy
from evenodds.solver.solution import Solution


class UncountedRepetition(ValueError):
    """A draw by repetition that cannot be told without the history of a match."""


@dataclass(frozen=True, eq=False)
class TurnGraph:
    """For each position who moves, and a link for each number: which it is, where it leads."""

    keys: Keys
    movers: Any
    begins: Any
    """Where the links of each position begin."""
    sources: Any
    picks: Any
    targets: Any
    ends: Any
    """What each end is worth to the first seat. Links lead there from the end of a list on."""

    @property
    def leads_on(self) -> Any:
        """Which links lead to an open position."""
        return self.targets >= 0

    @cached_property
    def layers(self) -> list[ComponentLayer]:
        """The positions in the order in which they are settled."""
        return component_layers(self.sources, self.targets, self.keys.size)

    @property
    def counts_repetitions(self) -> bool:
        """Whether it can be told without its history how often a match has come to a position."""
        return all(layer.is_ring for layer in self.layers)

    def outcomes(self) -> Any:
        """The outcome at the end of each link, where it leads to one."""
        return np.where(self.leads_on, 0, self.ends[np.minimum(self.targets, -1)])

    def carried(self, figures: Any, ends: Any) -> Any:
        """For each link the figure of the position it leads to, or that of its end."""
        return np.where(self.leads_on, figures[self.targets], ends)


def turn_graph_of(ground: PositionIndex) -> TurnGraph:
    """All positions of a game of turns with their links, woven once."""
    if ground.web is None:
        with report_compilation(ground.progress):
            ground.web = _woven(ground)
    web: TurnGraph = ground.web
    return web


def counts_repetitions(ground: PositionIndex) -> bool:
    """Whether draws by repetition are exact on a ground: so they are where no play comes back."""
    return not ground.game.loops or turn_graph_of(ground).counts_repetitions


def check_countable(ground: PositionIndex, repetition: int) -> int:
    """After how many times of a position matches on a ground are a draw, if that is exact.

    0 in games where play never comes back to a position. Raises `BadTerms` or
    `UncountedRepetition` in one line.
    """
    check_repetition(repetition)
    if repetition and not counts_repetitions(ground):
        raise UncountedRepetition(
            f"{REPETITION_NOT_COUNTED_NOTE} repetition=0 leaves it out, "
            "and `simulate` counts it by playing."
        )
    return repetition if ground.game.loops else 0


def _woven(ground: PositionIndex) -> TurnGraph:
    atlas = transition_graph_of(ground)
    movers, counts = np.zeros(atlas.size, np.int8), np.zeros(atlas.size, np.int64)
    for sheet in atlas.blocks:
        movers[sheet.places] = sheet.firsts[:, 0] == PASS
        counts[sheet.places] = sheet.targets[0].size
    begins = np.cumsum(counts) - counts
    links = int(counts.sum())
    picks, targets = np.zeros(links, np.int8), np.zeros(links, np.int32)
    for sheet in atlas.blocks:
        places = begins[sheet.places, None] + np.arange(sheet.targets[0].size)
        picks[places] = (
            sheet.firsts + sheet.seconds
        )  # whoever is not to move picks PASS, which is 0
        targets[places] = sheet.targets.reshape(places.shape)
    targets[targets >= atlas.size] -= atlas.size + len(atlas.ends)
    sources = np.repeat(np.arange(atlas.size, dtype=np.int32), counts)
    return TurnGraph(
        atlas.keys, movers, begins, sources, picks, targets, atlas.outcomes().astype(np.int64)
    )


def link_shares(ground: PositionIndex, web: TurnGraph, policy: Policy, seat: Seat) -> Any:
    """The share of each link of a seat's turns under a policy; 0 where the other seat moves."""
    check_policy(ground.game, ground.rulings, policy)
    own = (web.movers == seat)[web.sources]
    solution = solution_of(policy)
    if isinstance(policy, Uniform):
        counts = np.bincount(web.sources, minlength=web.keys.size)
        return np.where(own, 1.0 / counts[web.sources], 0.0)
    if solution is not None and ground.game.mirror is None:
        judged = link_values_of(ground, solution)
        return np.where(
            own, judged.blend(policy) if isinstance(policy, SoftmaxPolicy) else judged.named, 0.0
        )
    shares = np.zeros(web.sources.size)
    blocks = PolicyShares(ground, policy, seat)
    turns = np.flatnonzero(web.movers == seat)
    for begin in range(0, turns.size, BLOCK_POSITIONS):
        some = turns[begin : begin + BLOCK_POSITIONS]
        block = blocks.block(web.keys[some], 0, some.size)
        mine = np.flatnonzero(own & (web.sources >= some[0]) & (web.sources <= some[-1]))
        shares[mine] = block[np.searchsorted(some, web.sources[mine]), web.picks[mine]]
        ground.progress("preparing positions", begin, turns.size)
    return shares


def link_values_of(ground: PositionIndex, solution: Solution) -> "LinkValues":
    """The links of a game of turns by a solution, judged once."""
    found = ground.judged.get(solution)
    if found is None:
        found = ground.judged[solution] = LinkValues(ground, turn_graph_of(ground), solution)
    return found


class LinkValues:
    """Every link of a game of turns, judged by a solution."""

    def __init__(self, ground: PositionIndex, web: TurnGraph, solution: Solution) -> None:
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

    def blend(self, blend: SoftmaxPolicy) -> Any:
        """The shares of a blend."""
        web = self.web
        losses = (self.worths[web.sources] - self.gains).astype(float)
        weights = np.exp(-losses / blend.temperature)
        totals = np.add.reduceat(weights, web.begins)
        return blend.sure * self.named + (1 - blend.sure) * weights / totals[web.sources]


class TurnFlow(NamedTuple):
    """What becomes of all matches: the share that comes to each end, and what else may become."""

    ends: Any
    endless: float
    repeated: float
    """The share that is drawn because a position came up too often."""
    length: float


def turn_flow(ground: PositionIndex, first: Policy, second: Policy, repetition: int) -> TurnFlow:
    """What becomes of matches between two policies."""
    web = turn_graph_of(ground)
    policies = zip((first, second), SEATS, strict=True)
    shares = sum(link_shares(ground, web, policy, seat) for policy, seat in policies)
    return flow_on(web, shares, repetition)


def flow_on(web: TurnGraph, shares: Any, repetition: int) -> TurnFlow:
    """What becomes of matches that follow each link with some share.

    With `repetition` a match is drawn when a position comes up so many times; else it goes on for
    ever from positions that lead to no end.
    """
    count = web.ends.size
    columns = np.arange(count + 3)
    endless, repeated, length = columns[count:]
    figures = np.zeros((web.keys.size + count, columns.size))
    figures[web.keys.size :, :count] = np.eye(count)
    can_end = np.zeros(len(figures), bool)
    can_end[web.keys.size :] = True
    for layer in web.layers:
        parts = shares[layer.links]
        known = layer.summed(parts[:, None] * figures[layer.targets])
        known[:, length] += 1
        inner = parts[layer.inner]
        if repetition:
            drawn = np.tile((columns == repeated).astype(float), (len(known), 1))
            figures[layer.places] = _drawn_if_repeated(layer, inner, known, drawn, repetition)
            continue
        ending = _can_end(layer, parts, can_end)
        can_end[layer.places] = ending
        known[~ending] = columns == endless
        inner = np.where(ending[layer.rows[layer.inner]], inner, 0.0)
        if layer.is_long and layer.knots[0, 0] == 0:  # the last layer: only the start is asked for
            figures[0] = layer.visits(inner) @ known
        else:
            figures[layer.places] = layer.solve(inner, known)
    return TurnFlow(figures[0, :count], *map(float, figures[0, count:]))


def _drawn_if_repeated(
    layer: ComponentLayer, inner: Any, known: Any, drawn: Any, times: int
) -> Any:
    """What the positions of a layer lead to when going round its rings too often is a draw."""
    stays = layer.gathered(inner)[:, None]
    if not layer.inner.size:
        return known
    return layer.go_round(times, drawn, lambda at, ahead: known[at] + stays[at] * ahead)


def _can_end(layer: ComponentLayer, parts: Any, can_end: Any) -> Any:
    """The positions of a layer from which some line of play ends."""
    found = np.logical_or.reduceat((parts > 0) & can_end[layer.targets], layer.begins)
    return layer.leading(parts[layer.inner] > 0, found)
