"""Kernel that chooses between best picks in games of turns; `solver.winning_picks` says how.

The same for all games: it reads a graph of positions and links, as arrays or as plain lists.
"""

import math
from typing import Any

from evenodds.core.vocabulary import rule
from evenodds.engine.game_functions import kernel
from evenodds.engine.link_graph import LinkGraph, PickWorkspace

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
"""Sweeps for the scores against random picks: more than are ever needed, since these end play."""


@rule
def is_plainer(graph: LinkGraph, work: PickWorkspace, place: int, link: int, best: int) -> bool:
    """Whether a link is a plainer choice than the best so far, which is -1 before the first."""
    if best < 0:
        return True
    target, other = graph.targets[link], graph.targets[best]
    side = graph.sides[place] * graph.values[place]
    if side:
        return bool(side * graph.distances[target] < side * graph.distances[other])
    return bool(work.losing[target] > work.losing[other])


@rule
def mark_links(graph: LinkGraph, work: PickWorkspace) -> None:
    """Count losing picks, and mark links that keep the value or lead back."""
    count = len(graph.sides)
    for place in range(count):
        work.losing[place] = 0
        for link in range(graph.begins[place], graph.begins[place + 1]):
            target = graph.targets[link]
            if graph.values[target] == -graph.sides[place]:
                work.losing[place] += 1
            work.keeps[link] = graph.values[target] == graph.values[place]
            work.returns[link] = False
            if target < count:
                for reply in range(graph.begins[target], graph.begins[target + 1]):
                    if graph.targets[reply] == place:
                        work.returns[link] = True


@rule
def fill_model_shares(graph: LinkGraph, work: PickWorkspace) -> None:
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
def order_ends_first(graph: LinkGraph, work: PickWorkspace, side: int) -> int:
    """List the positions that a seat has not won, each after those that its score depends on.

    Depth first, so that only cycles leave some before what they depend on. Returns how many there
    are.
    """
    count = len(graph.sides)
    for place in range(count):
        work.seen[place] = False
    found, depth = 0, 0
    work.seen[0] = True
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
            work.seen[target] = True
            depth += 1
            work.path[depth], work.links[depth] = target, graph.begins[target]
    return found


@rule
def score_after(returns: Any, targets: Any, scores: Any, link: int) -> float:
    """What a seat expects of a pick; at most a draw where the opponent can take it back."""
    score: float = scores[targets[link]]
    return min(0.0, score) if returns[link] else score


@rule
def begin_scores(graph: LinkGraph, work: PickWorkspace, side: int) -> None:
    """Set the scores of ends, and of positions that a seat has won; others count as draws."""
    count = len(graph.sides)
    for place in range(count):
        work.scores[place] = 1.0 if graph.values[place] == side else 0.0
    for end in range(count, len(work.scores)):
        work.scores[end] = 1.0 * side * graph.values[end]


@rule
def fill_scores(graph: LinkGraph, work: PickWorkspace, side: int, listed: int) -> None:
    """What a seat expects at each position, from -1 to 1, if the other is the model opponent.

    Its own picks keep the value, and win most among those; what is won is 1.
    """
    begin_scores(graph, work, side)
    for _ in range(MAX_SWEEPS):
        change = 0.0
        for number in range(listed):
            place = work.order[number]
            is_own = graph.sides[place] == side
            score = -1.0 if is_own else 0.0
            for link in range(graph.begins[place], graph.begins[place + 1]):
                if not is_own:
                    score += work.shares[link] * work.scores[graph.targets[link]]
                elif work.keeps[link]:
                    found = score_after(work.returns, graph.targets, work.scores, link)
                    score = max(score, found)
            change = max(change, abs(score - work.scores[place]))
            work.scores[place] = score
        if change <= SCORE_TOLERANCE:
            break


@rule
def fill_chances(graph: LinkGraph, work: PickWorkspace, side: int, listed: int) -> None:
    """What a seat expects at each position, from -1 to 1, if the other picks any number alike.

    Its own picks are those of `work.links`; where it has lost, the one that scores most.
    """
    begin_scores(graph, work, side)
    for _ in range(MAX_CHANCE_SWEEPS):
        change = 0.0
        for number in range(listed):
            place = work.order[number]
            begin, end = graph.begins[place], graph.begins[place + 1]
            if graph.sides[place] != side:
                score = 0.0
                for link in range(begin, end):
                    score += work.scores[graph.targets[link]]
                score /= end - begin
            elif graph.values[place] == -side:
                score = -1.0
                for link in range(begin, end):
                    score = max(score, work.scores[graph.targets[link]])
            else:
                score = work.scores[graph.targets[work.links[place]]]
            change = max(change, abs(score - work.scores[place]))
            work.scores[place] = score
        if change <= SCORE_TOLERANCE:
            break


@kernel
def fill_winning_picks(graph: LinkGraph, work: PickWorkspace, chosen: Any) -> None:
    """The pick at every position: the plain choice among those with the highest score.

    In a won position it is the plain choice among all that keep it. In a lost one scores are those
    against random picks.
    """
    mark_links(graph, work)
    fill_model_shares(graph, work)
    for side in (1, -1):
        listed = order_ends_first(graph, work, side)
        fill_scores(graph, work, side, listed)
        for place in range(len(graph.sides)):
            if graph.sides[place] == side and graph.values[place] != -side:
                work.links[place] = winning_link(graph, work, place)
        fill_chances(graph, work, side, listed)
        for place in range(len(graph.sides)):
            if graph.sides[place] == side:
                if graph.values[place] == -side:
                    work.links[place] = best_chance_link(graph, work, place)
                chosen[place] = graph.picks[work.links[place]]


@rule
def best_chance_link(graph: LinkGraph, work: PickWorkspace, place: int) -> int:
    """The link of the pick in a lost position, by the scores against random picks."""
    best, most = -1, -2.0
    for link in range(graph.begins[place], graph.begins[place + 1]):
        score = rounded(work.scores[graph.targets[link]])
        if best < 0 or score > most:
            best, most = link, score
        elif score == most and is_plainer(graph, work, place, link, best):
            best = link
    return best


@rule
def winning_link(graph: LinkGraph, work: PickWorkspace, place: int) -> int:
    """The link of the pick at a position, by the scores of the seat to move."""
    is_won = graph.values[place] == graph.sides[place]
    begin, end = graph.begins[place], graph.begins[place + 1]
    best, most = -1, -2.0
    for link in range(begin, end):
        if not work.keeps[link]:
            continue
        score = 1.0
        if not is_won:
            score = score_after(work.returns, graph.targets, work.scores, link)
        score = rounded(score)
        if best < 0 or score > most:
            best, most = link, score
        elif score == most and is_plainer(graph, work, place, link, best):
            best = link
    return best


@rule
def rounded(score: float) -> float:
    """A score in the units in which scores are compared."""
    return 1.0 * math.floor(score * COMPARED_UNITS + 0.5)
