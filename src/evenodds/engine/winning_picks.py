"""Which of several best picks a game of turns is played with: the one that wins most often.

In a won position it is the shortest win. In a lost one it is the pick with the best chances: with
the highest expected score, a draw counting half, if the opponent picks any number alike for the
rest of the match while these picks are played; endless play is a draw. In any other it is, among
the picks that keep the value, the one with the highest expected score against a model opponent who
errs now and then. Ties go to the plain choice: the pick after which the most replies lose (in a
lost position the longest loss), then the smallest number.

The model opponent errs once in 16 picks: then it picks any number alike. Otherwise it makes the
plain choice half of the time, and any pick that keeps the value the other half.

A pick that the opponent can take back, in `factors` a copy of their number, is worth a draw at
most: two who play by this rule would otherwise wait for each other until the position is a draw.

Sums in a fixed order, compared after rounding. The loops run over lists, or compiled over arrays.
"""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from evenodds.core.rule_checks import BadGame
from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel

ERROR_SHARE = 1 / 16
"""How often the model opponent picks any number alike."""
PLAIN_SHARE = 1 / 2
"""How often it makes the plain choice when it does not err."""
COMPARED_UNITS = 1e9
"""Scores are compared in whole billionths: every machine names the same pick."""
SCORE_TOLERANCE = 1e-12
MAX_SWEEPS = 20
"""Sweeps over all positions: one is enough without cycles, and few with short ones.

Long cycles take hundreds: in `factors` with same=twice 270. There the scores are off by up to 0.03
after these sweeps, and half of the picks are others; all keep the value.
"""
MAX_CHANCE_SWEEPS = 10_000
"""Sweeps for the scores against random picks: enough but where these hardly ever end play."""
FEW_SUMS = 2_000_000
"""Links in all sweeps that take no longer interpreted than to compile them."""
MAX_PICKS_TO_END: Final = 32_767
"""The largest code that 16 bits hold."""


class Turns(NamedTuple):
    """A solved game of turns: its positions, the first one at 0, and a link for each pick."""

    begins: Any
    """The first link of each position, and the number of links."""
    targets: Any
    """Of each link a position, or an end; ends are numbered after all positions."""
    picks: Any
    sides: Any
    """The seat to move as a sign of values."""
    values: Any
    """Of positions and ends for the first seat."""
    distances: Any
    """Picks to the end; 0 at ends and in draws."""


class Workspace(NamedTuple):
    """What the kernel writes on the way to the picks."""

    losing: Any
    """For each position and end how many picks of the seat to move lose."""
    shares: Any
    """The share of each link by the model opponent."""
    keeps: Any
    """Whether a link keeps the value."""
    returns: Any
    """Whether the opponent can take the pick of a link back, so that it is a draw at most."""
    scores: Any
    """For each position and end."""
    order: Any
    seen: Any
    path: Any
    links: Any
    """For each position; the last two are a stack. In the end `links` has the links chosen."""


def workspace(graph: Turns, filled: Callable[[int, Any], Any]) -> Workspace:
    """The workspace for a graph; `filled` makes a list or an array of so many of a number."""
    count, places, links = len(graph.sides), len(graph.values), len(graph.targets)
    return Workspace(
        filled(places, 0),
        filled(links, 0.0),
        filled(links, False),
        filled(links, False),
        filled(places, 0.0),
        *(filled(count, 0) for _ in range(4)),
    )


def list_of(count: int, filled: Any) -> list[Any]:
    """A list of so many of a number, as `numpy.full` makes an array."""
    return [filled] * count


def choose_picks(fill: Any, filled: Callable[[int, Any], Any], few: bool, *turns: Any) -> Any:
    """The pick at every position of some `Turns`; none where `few` sweeps do not do.

    `fill` is `fill_winning_picks`, compiled or not. `BadGame` where best play takes too long.
    """
    graph = Turns(*turns)
    if max(graph.distances) > MAX_PICKS_TO_END:
        raise BadGame(f"best play takes more than {MAX_PICKS_TO_END:,} picks, which is not kept")
    chosen = filled(len(graph.sides), 0)
    return chosen if fill(graph, workspace(graph, filled), chosen, few) else []


@kernel
def fill_winning_picks(graph: Turns, work: Workspace, chosen: Any, few: bool) -> bool:
    """The pick at every position: the plain choice among those with the highest score.

    With `few` sweeps where there are many links; False if scores against random picks still change.
    """
    most = min(MAX_CHANCE_SWEEPS, FEW_SUMS // len(graph.targets) if few else MAX_CHANCE_SWEEPS)
    mark_links(graph, work)
    fill_model_shares(graph, work)
    for side in (1, -1):
        listed = order_ends_first(graph, work, side)
        for at_random in (False, True):
            done = fill_scores(graph, work, side, listed, at_random, most)
            if not done and most < MAX_CHANCE_SWEEPS:
                return False
            for place in range(len(graph.sides)):
                is_lost = graph.values[place] == -side
                if graph.sides[place] == side and is_lost == at_random:
                    work.links[place] = best_link(graph, work, place)
                    chosen[place] = graph.picks[work.links[place]]
    return True


@rule
def mark_links(graph: Turns, work: Workspace) -> None:
    """Count losing picks, and mark links that keep the value or lead back."""
    count = len(graph.sides)
    for place in range(count):
        for link in range(graph.begins[place], graph.begins[place + 1]):
            target = graph.targets[link]
            if graph.values[target] == -graph.sides[place]:
                work.losing[place] += 1
            work.keeps[link] = graph.values[target] == graph.values[place]
            if target < count and graph.values[place] == 0:
                for reply in range(graph.begins[target], graph.begins[target + 1]):
                    if graph.targets[reply] == place:
                        work.returns[link] = True


@rule
def fill_model_shares(graph: Turns, work: Workspace) -> None:
    """The share of each link by the model opponent."""
    for place in range(len(graph.sides)):
        begin, end = graph.begins[place], graph.begins[place + 1]
        keeping, plain = 0, -1
        for link in range(begin, end):
            if work.keeps[link]:
                keeping += 1
                if is_plainer(graph, work, place, link, plain):
                    plain = link
        for link in range(begin, end):
            work.shares[link] = ERROR_SHARE / (end - begin)
            if work.keeps[link]:
                work.shares[link] += (1 - ERROR_SHARE) * (1 - PLAIN_SHARE) / keeping
        work.shares[plain] += (1 - ERROR_SHARE) * PLAIN_SHARE


@rule
def is_plainer(graph: Turns, work: Workspace, place: int, link: int, best: int) -> bool:
    """Whether a link is a plainer choice than the best so far, which is -1 before the first."""
    if best < 0:
        return True
    target, other = graph.targets[link], graph.targets[best]
    side = graph.sides[place] * graph.values[place]
    if side:
        return bool(side * graph.distances[target] < side * graph.distances[other])
    return bool(work.losing[target] > work.losing[other])


@rule
def order_ends_first(graph: Turns, work: Workspace, side: int) -> int:
    """List the positions that a seat has not won, each after those that its score depends on.

    Depth first, so that only cycles leave some before what they depend on. Returns how many there
    are.
    """
    count = len(graph.sides)
    for place in range(count):
        work.seen[place] = 0
    found, depth = 0, 0
    work.seen[0] = 1
    work.path[0], work.links[0] = 0, graph.begins[0]
    while depth >= 0:
        place, link = work.path[depth], work.links[depth]
        if link == graph.begins[place + 1]:
            if graph.values[place] != side:
                work.order[found] = place
                found += 1
            depth -= 1
            continue
        work.links[depth] = link + 1
        target = graph.targets[link]
        if target < count and not work.seen[target]:
            work.seen[target] = 1
            depth += 1
            work.path[depth], work.links[depth] = target, graph.begins[target]
    return found


@rule
def fill_scores(
    graph: Turns, work: Workspace, side: int, listed: int, at_random: bool, most: int
) -> bool:
    """What a seat expects at each position, from -1 to 1, if the other is the model opponent.

    Its own picks keep the value, and win most among those; what is won is 1. With `at_random` the
    other picks any number alike, and the own picks are those of `work.links`, where they are known.
    """
    count = len(graph.sides)
    for place in range(count):
        work.scores[place] = 1.0 if graph.values[place] == side else 0.0
    for end in range(count, len(work.scores)):
        work.scores[end] = 1.0 * side * graph.values[end]
    for _ in range(most if at_random else MAX_SWEEPS):
        change = 0.0
        for number in range(listed):
            place = work.order[number]
            begin, end = graph.begins[place], graph.begins[place + 1]
            is_own = graph.sides[place] == side
            score = -1.0 if is_own else 0.0
            if is_own and at_random and graph.values[place] != -side:
                score = work.scores[graph.targets[work.links[place]]]
            else:
                for link in range(begin, end):
                    if is_own and work.keeps[link]:
                        score = max(score, score_after(graph, work, link))
                    elif not is_own:
                        share = 1 / (end - begin) if at_random else work.shares[link]
                        score += share * work.scores[graph.targets[link]]
            change = max(change, abs(score - work.scores[place]))
            work.scores[place] = score
        if change <= SCORE_TOLERANCE:
            return True
    return not at_random


@rule
def score_after(graph: Turns, work: Workspace, link: int) -> float:
    """What a seat expects of a pick."""
    score: float = work.scores[graph.targets[link]]
    return min(0.0, score) if work.returns[link] else score


@rule
def best_link(graph: Turns, work: Workspace, place: int) -> int:
    """The link of the pick at a position, by the scores of the seat to move."""
    best, most = -1, -2.0 * COMPARED_UNITS
    for link in range(graph.begins[place], graph.begins[place + 1]):
        if work.keeps[link]:
            score = 0.0  # all wins are alike
            if graph.values[place] != graph.sides[place]:
                score = math.floor(score_after(graph, work, link) * COMPARED_UNITS + 0.5)
            if score > most or (score == most and is_plainer(graph, work, place, link, best)):
                best, most = link, score
    return best
