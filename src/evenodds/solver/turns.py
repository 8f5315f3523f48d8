"""Play between policies in games of turns: a web of positions, loops and all."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import count
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
from evenodds.solver.visits import PATIENCE
from evenodds.vocabulary import FIRST, SEATS, Outcome, Seat

STILL: Final = 1e-15
"""A change this small is rounding."""
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
    return _leading(layer, parts[layer.inner] > 0, found)


def _leading(layer: Layer, likely: Any, there: Any) -> Any:
    """The positions of a layer from which some inner links lead to places that are marked."""
    return _settled(there, lambda some: some | (layer.gathered(likely & layer.lead(some)) > 0))


def _settled(marks: Any, change: Callable[[Any], Any]) -> Any:
    """Marks that a change leaves as they are, from some others on."""
    while ((changed := change(marks)) != marks).any():
        marks = changed
    return marks


def respond(
    ground: Ground, policy: Policy, seat: Seat, repetition: int = 0
) -> tuple[float, Keys, Any]:
    """What a seat gains at most against a policy, and its best picks at its own turns.

    Where the seat can keep the match open for ever it has a draw at least. With `repetition` that
    ends in a draw when a position comes up so many times, and the picks are those for the first
    time.
    """
    web = web_of(ground)
    answer = Answer(web, shares_of(ground, web, policy, 1 - seat), seat)
    for layer in web.layers:
        answer.find(layer, repetition)
    own = web.movers == seat
    return min(1.0, float(answer.worths[0])), web.keys[own], web.picks[answer.best[own]]


class Answer:
    """The best answer of a seat to the other's shares, found layer by layer from the ends back."""

    def __init__(self, web: Web, shares: Any, seat: Seat) -> None:
        self.shares = shares
        self.own = web.movers == seat
        self.worths = np.zeros(web.keys.size + len(ENDS))
        self.worths[ENDS] = (1 if seat == FIRST else -1) * (np.array(ENDS) + ENDED)
        self.staying = np.zeros(self.worths.size, bool)
        """From where the seat can keep the match open for ever, whatever is drawn."""
        self.best = np.zeros(web.keys.size, np.int64)

    def find(self, layer: Layer, repetition: int) -> None:
        """Answer in one layer; all that it leads to is answered."""
        view = Prospect(layer, self)
        if not layer.inner.size:
            worths, best = np.where(view.own, view.most, view.mean), view.first_best(view.leads)
        elif repetition:
            worths, best = view.repeated(repetition)
        else:
            worths, best = view.raised()
            self.staying[layer.places] = view.staying
        self.worths[layer.places] = worths
        self.best[layer.places] = layer.links[best]


class Prospect:
    """What a seat has in view in a layer: what it gets by leaving each position's knot at once."""

    def __init__(self, layer: Layer, answer: Answer) -> None:
        self.layer = layer
        self.own = answer.own[layer.places]
        self.parts = answer.shares[layer.links]
        self.inner = layer.stays()
        leads = answer.worths[layer.targets]
        self.leads = np.where(self.inner, -np.inf, leads)
        """What each link is worth; those that stay within the knot are not known yet."""
        self.most = np.maximum.reduceat(self.leads, layer.begins)
        self.mean = layer.summed(np.where(self.inner, 0.0, self.parts * leads))
        self._stays = answer.staying[layer.targets]

    def first_best(self, leads: Any) -> Any:
        """For each position the first of its links that leads to the most."""
        layer = self.layer
        most = np.maximum.reduceat(leads, layer.begins)
        places = np.arange(layer.links.size)
        best = np.where(leads == most[layer.rows], places, places.size)
        return np.minimum.reduceat(best, layer.begins)

    def repeated(self, times: int) -> tuple[Any, Any]:
        """Worths and best links where going round too often is a draw."""
        layer = self.layer
        stays = layer.gathered(self.parts[layer.inner])
        round = np.where(layer.gathered(np.ones(layer.inner.size)) > 0, 0.0, -np.inf)

        def before(at: Any, ahead: Any) -> Any:
            chosen = np.maximum(self.most[at], round[at] + ahead)
            return np.where(self.own[at], chosen, self.mean[at] + stays[at] * ahead)

        worths = layer.go_round(times, np.zeros(self.own.size), before)
        goes_on = self.inner & (worths > self.most)[layer.rows]
        return worths, self.first_best(np.where(goes_on, np.inf, self.leads))

    @cached_property
    def staying(self) -> Any:
        """The positions of the layer from where the seat can keep the match open for ever."""
        layer = self.layer

        def stay(some: Any) -> Any:
            stays = self._stays.copy()
            stays[layer.inner] = layer.lead(some)
            any_ = np.logical_or.reduceat(stays, layer.begins)
            every = np.logical_and.reduceat(stays | (self.parts == 0), layer.begins)
            return some & np.where(self.own, any_, every)

        return _settled(np.ones(self.own.size, bool), stay)

    def raised(self) -> tuple[Any, Any]:
        """Worths and best links where a match may stay within a knot for ever.

        Worths rise from below, one pick further ahead each time, until they stand still. Whoever
        can stay for ever has a draw at least. In between, the links that are best so far are
        followed to the end of all matches: seldom where that takes long.
        """
        layer, leads = self.layer, self.leads.copy()
        patience = PATIENCE if layer.is_long else 1
        worths = floor = np.where(self.staying, 0.0, -1.0)
        best = np.full(self.own.size, -1)
        for ahead in count(1):
            leads[layer.inner] = layer.lead(worths)
            mean = self.mean + layer.gathered(self.parts[layer.inner] * layer.lead(worths))
            most = np.maximum.reduceat(leads, layer.begins)
            found = np.maximum(np.where(self.own, most, mean), floor)
            rising = found > worths + STILL
            best = np.where(rising | (best < 0), self.first_best(leads), best)
            worths = np.maximum(worths, found)
            if not rising.any():
                break
            if ahead % patience == 0:
                worths = np.maximum(worths, self._followed(best))
        return worths, best

    def _followed(self, best: Any) -> Any:
        """What positions are worth when the seat takes some links."""
        layer = self.layer
        rows = layer.rows[layer.inner]
        goes_on = self.inner[best] & self.own
        known = np.where(self.own, np.where(goes_on, 0.0, self.leads[best]), self.mean)
        parts = np.where(self.own[rows], layer.inner == best[rows], self.parts[layer.inner])
        likely = np.logical_or.reduceat((self.parts > 0) & ~self.inner, layer.begins)
        ending = _leading(layer, parts > 0, np.where(self.own, ~goes_on, likely))
        known[~ending] = 0.0
        return layer.solve(np.where(ending[rows], parts, 0.0), known[:, None])[:, 0]
