"""Play between policies in games of turns: a web of positions, loops and all."""

from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np

from evenodds.solver.blends import Blend
from evenodds.solver.crew import compiling_told
from evenodds.solver.flows import ENDED
from evenodds.solver.ground import BLOCK, Ground
from evenodds.solver.layout import repacked
from evenodds.solver.listing import Keys
from evenodds.solver.policies import Policy, Uniform, check_policy, solution_of
from evenodds.solver.solution import Solution
from evenodds.solver.visits import PATIENCE, total_visits
from evenodds.vocabulary import FIRST, SEATS, Seat

STILL: Final = 1e-15
"""A change this small is rounding."""


class Web(NamedTuple):
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
        judged = Judged(ground, web, solution)
        return np.where(
            own, judged.blend(policy) if isinstance(policy, Blend) else judged.named(), 0.0
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
        return blend.sure * self.named() + (1 - blend.sure) * weights / totals[web.sources]


def flow(ground: Ground, first: Policy, second: Policy) -> tuple[Any, float, float]:
    """The odds of each outcome from a win of the second seat on, of endless play, and the length.

    How often each position is visited on average tells all three; from positions that lead to no
    end the match goes on for ever.
    """
    web = web_of(ground)
    policies = zip((first, second), SEATS, strict=True)
    shares = sum(shares_of(ground, web, policy, seat) for policy, seat in policies)
    can_end = _can_end(web, shares)
    start = np.zeros(web.keys.size)
    start[0] = 1.0
    if not can_end[0]:
        return np.zeros(3), 1.0, 0.0
    going = np.flatnonzero(web.leads_on & (shares > 0) & can_end[web.sources])
    lost = going[~can_end[web.targets[going]]]
    going = going[can_end[web.targets[going]]]
    sources, targets, parts = web.sources[going], web.targets[going], shares[going]

    def step(mass: Any) -> Any:
        return np.bincount(targets, parts * mass[sources], web.keys.size)

    visits = total_visits(step, start)
    over = np.flatnonzero(~web.leads_on & can_end[web.sources])
    ended = shares[over] * visits[web.sources[over]]
    ends = np.bincount(web.targets[over] + ENDED + 1, ended, 3)
    endless = float((shares[lost] * visits[web.sources[lost]]).sum())
    return ends, endless, float(visits.sum())


def _can_end(web: Web, shares: Any) -> Any:
    """The positions from which some line of play between these policies ends."""
    likely = shares > 0
    ending = np.zeros(web.keys.size, bool)
    while True:
        more = ending.copy()
        more[web.sources[likely & web.carried(ending, True)]] = True
        if (more == ending).all():
            return ending
        ending = more


def respond(ground: Ground, policy: Policy, seat: Seat) -> tuple[float, Keys, Any]:
    """What a seat gains at most against a policy, and its best picks at its own turns.

    Worths rise from below, one pick further ahead each time, until they stand still. Where the seat
    can keep the match open for ever it has a draw at least. Where they rise slowly, the picks that
    are best so far are followed to the end of all matches.
    """
    web = web_of(ground)
    shares = shares_of(ground, web, policy, 1 - seat)
    own = web.movers == seat
    ends = (1 if seat == FIRST else -1) * web.outcomes().astype(float)
    floor = np.where(_can_stay(web, shares, own), 0.0, -1.0)
    worths = floor.copy()
    best = np.zeros(web.keys.size, np.int64)
    for ahead in count(1):
        leads = web.carried(worths, ends)
        most = np.maximum.reduceat(leads, web.begins)
        mean = np.add.reduceat(shares * leads, web.begins)
        found = np.maximum(np.where(own, most, mean), floor)
        rising = found > worths + STILL
        first = web.begins + _first_in_each(web, leads == most[web.sources])
        best = np.where((rising | (best == 0)) & own, first, best)
        worths = np.maximum(worths, found)
        if not rising.any():
            break
        if ahead % PATIENCE == 0:
            worths = np.maximum(worths, _followed(web, shares, best[own], ends))
    return min(1.0, float(worths[0])), web.keys[own], web.picks[best[own]]


def _followed(web: Web, shares: Any, best: Any, ends: Any) -> Any:
    """What each position is worth when the best links so far are always taken."""
    taken = shares.copy()
    taken[best] = 1.0
    can_end = _can_end(web, taken)
    over = np.flatnonzero(~web.leads_on & (taken > 0))
    going = np.flatnonzero(web.leads_on & (taken > 0) & can_end[web.sources])
    sources, targets, parts = web.sources[going], web.targets[going], taken[going]

    def back(worths: Any) -> Any:
        return np.bincount(sources, parts * worths[targets], web.keys.size)

    now = np.bincount(web.sources[over], taken[over] * ends[over], web.keys.size)
    return total_visits(back, now)


def _can_stay(web: Web, shares: Any, own: Any) -> Any:
    """The positions from which a seat can keep the match open for ever, whatever is drawn."""
    staying = np.ones(web.keys.size, bool)
    while True:
        stays = web.carried(staying, False)
        some = np.logical_or.reduceat(stays, web.begins)
        every = np.logical_and.reduceat(stays | (shares == 0), web.begins)
        less = staying & np.where(own, some, every)
        if (less == staying).all():
            return staying
        staying = less


def _first_in_each(web: Web, chosen: Any) -> Any:
    """For each position which of its links is the first that is chosen; one of them is."""
    places = np.arange(web.sources.size) - web.begins[web.sources]
    return np.minimum.reduceat(np.where(chosen, places, places.size), web.begins)
