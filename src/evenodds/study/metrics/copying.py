"""Scores of the copying strategy: the legal number nearest to the opponent's last pick.

The strategy depends on the last pick, which a position need not hold, so it is tracked beside it.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, Seat, other
from evenodds.graph import TurnGraph, link_flow, link_response, turn_graph_of
from evenodds.study.solved.solved_game import SolvedGame


def copy_scores(solved: SolvedGame) -> tuple[float, float]:
    """The scores of copying against perfect play and its best response, over both seats."""
    if solved.game.simultaneous:
        found = [
            (_score_in_rounds(solved, seat), _worst_score_in_rounds(solved, seat)) for seat in SEATS
        ]
    else:
        found = [_scores_in_turns(solved, seat) for seat in SEATS]
    against_perfect, against_best = zip(*found, strict=True)
    return sum(against_perfect) / 2, sum(against_best) / 2


def nearest_number_index(numbers: Any, last: Any) -> Any:
    """The index of the number nearest to the last one in each row, the lower of two."""
    return np.argmin(np.abs(numbers - last), axis=1)  # argmin takes the first of equals


def _score_in_rounds(solved: SolvedGame, seat: Seat) -> float:
    """The score against perfect play where both pick at once: masses by the other's last pick."""
    graph = solved.graph
    size = graph.size + len(graph.ends)
    last = int(max(block.numbers(other(seat)).max() for block in graph.blocks))
    masses = np.zeros((last + 1, size))
    masses[0, 0] = 1.0
    for index, block in enumerate(graph.blocks):
        own, theirs = block.numbers(seat), block.numbers(other(seat))
        lines = np.arange(len(own))
        targets = block.targets if seat == FIRST else block.targets.transpose(0, 2, 1)
        for number in range(last + 1):
            mass = masses[number, block.places]
            if not mass.any():
                continue
            pick = nearest_number_index(own, number) if number else np.zeros(len(own), int)
            places = theirs * size + targets[lines, pick]
            weights = mass[:, None] * solved.selected.mixes(other(seat))[index]
            arrived = np.bincount(places.ravel(), weights.ravel(), masses.size)
            masses += arrived.reshape(masses.shape)
    ends = masses[:, graph.size :].sum(axis=0)
    return _score(float(ends @ graph.outcomes()), seat)


def _worst_score_in_rounds(solved: SolvedGame, seat: Seat) -> float:
    """The score against the best response where both pick at once; nothing is random then."""
    graph = solved.graph
    last = int(max(block.numbers(other(seat)).max() for block in graph.blocks))
    side = -1 if seat == FIRST else 1
    values = np.zeros((last + 1, graph.size + len(graph.ends)), np.int8)
    values[:, graph.size :] = side * graph.outcomes()
    for block in reversed(graph.blocks):
        own, theirs = block.numbers(seat), block.numbers(other(seat))
        targets = block.targets if seat == FIRST else block.targets.transpose(0, 2, 1)
        lines = np.arange(len(own))
        for number in range(last + 1):
            pick = nearest_number_index(own, number) if number else np.zeros(len(own), int)
            values[number, block.places] = values[theirs, targets[lines, pick]].max(axis=1)
    return _score(side * float(values[0, 0]), seat)


def _scores_in_turns(solved: SolvedGame, seat: Seat) -> tuple[float, float]:
    """Both scores in a game of turns: a pick of the other and its copy are merged into one link.

    Repetitions are counted alike with both picks apart, for copying is deterministic.
    """
    turn_graph = turn_graph_of(solved.position_index)
    copied = replace(turn_graph, targets=_copied_targets(turn_graph, seat))
    times = solved.repetition
    assert not times or copied.counts_repetitions
    shares = turn_graph.link_shares(*solved.equilibrium)
    own = turn_graph.movers == seat
    shares[own[turn_graph.sources]] = 0.0
    shares[turn_graph.begins[own]] = 1.0  # to begin with, the lowest number
    against_perfect = float(link_flow(copied, shares, times).ends @ turn_graph.ends)
    gain = link_response(copied, shares, other(seat), times).value
    return _score(against_perfect, seat), 0.5 - gain / 2


def _copied_targets(turn_graph: TurnGraph, seat: Seat) -> Any:
    """The successor of each pick of the other seat once it is copied."""
    targets = turn_graph.targets.copy()
    counts = np.diff(np.append(turn_graph.begins, turn_graph.targets.size))
    links = np.flatnonzero(
        (turn_graph.movers[turn_graph.sources] == other(seat)) & turn_graph.leads_on
    )
    reply_positions = turn_graph.targets[links]
    copies = turn_graph.movers[reply_positions] == seat
    links, reply_positions = links[copies], reply_positions[copies]
    nearest_link, least_difference = np.zeros(links.size, np.int64), np.full(links.size, 1 << 30)
    for nth in range(int(counts.max())):
        exists = nth < counts[reply_positions]
        link = np.where(exists, turn_graph.begins[reply_positions] + nth, 0)
        difference = np.abs(turn_graph.picks[link].astype(np.int64) - turn_graph.picks[links])
        nearer = exists & (difference < least_difference)
        nearest_link = np.where(nearer, link, nearest_link)
        least_difference = np.where(nearer, difference, least_difference)
    targets[links] = turn_graph.targets[nearest_link]
    return targets


def _score(value: float, seat: Seat) -> float:
    """The score of a seat, from a value for the first seat."""
    return 0.5 + (value if seat == FIRST else -value) / 2
