"""Scores of the copying strategy: the legal number nearest to the opponent's last pick.

That habit depends on what was picked last, which a position need not tell. So it is carried along.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from evenodds.core.vocabulary import FIRST, SEATS, Seat, other
from evenodds.policy.turn_play import TurnGraph, flow_on, link_shares, turn_graph_of
from evenodds.policy.turn_responses import ResponseSolver
from evenodds.study.metrics.solved_game import SolvedGame


def copy_scores(solved: SolvedGame) -> tuple[float, float]:
    """What copying scores against perfect play, and against its best opponent; over both seats."""
    if solved.game.simultaneous:
        found = [(_in_rounds(solved, seat), _beaten_in_rounds(solved, seat)) for seat in SEATS]
    else:
        found = [_in_turns(solved, seat) for seat in SEATS]
    met, answered = zip(*found, strict=True)
    return sum(met) / 2, sum(answered) / 2


def nearest_number_index(numbers: Any, last: Any) -> Any:
    """The place of the number nearest to the last one in each line, the lower of two."""
    return np.argmin(np.abs(numbers - last), axis=1)  # the first of equals is the lower


def _in_rounds(solved: SolvedGame, seat: Seat) -> float:
    """The score of who copies where both pick at once: masses by the other's last number."""
    graph = solved.graph
    size = graph.size + len(graph.ends)
    last = int(max(block.numbers(other(seat)).max() for block in graph.blocks))
    masses = np.zeros((last + 1, size))
    masses[0, 0] = 1.0
    for place, block in enumerate(graph.blocks):
        own, theirs = block.numbers(seat), block.numbers(other(seat))
        lines = np.arange(len(own))
        targets = block.targets if seat == FIRST else block.targets.transpose(0, 2, 1)
        for number in range(last + 1):
            here = masses[number, block.places]
            if not here.any():
                continue
            pick = nearest_number_index(own, number) if number else np.zeros(len(own), int)
            places = theirs * size + targets[lines, pick]
            weights = here[:, None] * solved.equilibrium[other(seat)][place]
            moved = np.bincount(places.ravel(), weights.ravel(), masses.size)
            masses += moved.reshape(masses.shape)
    ends = masses[:, graph.size :].sum(axis=0)
    return _score(float(ends @ graph.outcomes()), seat)


def _beaten_in_rounds(solved: SolvedGame, seat: Seat) -> float:
    """The score of who copies where the other knows it: every pick is answered, none is chance."""
    graph = solved.graph
    last = int(max(block.numbers(other(seat)).max() for block in graph.blocks))
    side = -1 if seat == FIRST else 1
    worths = np.zeros((last + 1, graph.size + len(graph.ends)), np.int8)
    worths[:, graph.size :] = side * graph.outcomes()
    for block in reversed(graph.blocks):
        own, theirs = block.numbers(seat), block.numbers(other(seat))
        targets = block.targets if seat == FIRST else block.targets.transpose(0, 2, 1)
        lines = np.arange(len(own))
        for number in range(last + 1):
            pick = nearest_number_index(own, number) if number else np.zeros(len(own), int)
            worths[number, block.places] = worths[theirs, targets[lines, pick]].max(axis=1)
    return _score(side * float(worths[0, 0]), seat)


def _in_turns(solved: SolvedGame, seat: Seat) -> tuple[float, float]:
    """The scores of who copies in a game of turns: each pick of the other and its answer in one.

    It is a draw by repetition when it would be one with both picks apart: who copies always goes
    the same way round.
    """
    turn_graph = turn_graph_of(solved.position_index)
    answered = replace(turn_graph, targets=_copied_targets(turn_graph, seat))
    times = solved.repetition
    assert not times or answered.counts_repetitions
    shares = link_shares(solved.position_index, turn_graph, solved.solution, other(seat))
    shares[turn_graph.begins[turn_graph.movers == seat]] = 1.0  # to begin with, the lowest number
    met = float(flow_on(answered, shares, times).ends @ turn_graph.ends)
    gained = best_response_gain_in_turns(answered, shares, other(seat), times)
    return _score(met, seat), 0.5 - gained / 2


def best_response_gain_in_turns(
    turn_graph: TurnGraph, shares: Any, seat: Seat, repetition: int
) -> float:
    """What a seat gains at most where the other follows its links with some shares."""
    answer = ResponseSolver(turn_graph, shares, seat)
    for layer in turn_graph.layers:
        answer.find(layer, repetition)
    return float(answer.worths[0])


def _copied_targets(turn_graph: TurnGraph, seat: Seat) -> Any:
    """Where each pick of the other leads once it is copied."""
    targets = turn_graph.targets.copy()
    counts = np.diff(np.append(turn_graph.begins, turn_graph.targets.size))
    asked = np.flatnonzero(
        (turn_graph.movers[turn_graph.sources] == other(seat)) & turn_graph.leads_on
    )
    turn = turn_graph.targets[asked]
    turns = turn_graph.movers[turn] == seat
    asked, turn = asked[turns], turn[turns]
    best, least = np.zeros(asked.size, np.int64), np.full(asked.size, 1 << 30)
    for place in range(int(counts.max())):
        there = place < counts[turn]
        link = np.where(there, turn_graph.begins[turn] + place, 0)
        far = np.abs(turn_graph.picks[link].astype(np.int64) - turn_graph.picks[asked])
        nearer = there & (far < least)
        best, least = np.where(nearer, link, best), np.where(nearer, far, least)
    targets[asked] = turn_graph.targets[best]
    return targets


def _score(value: float, seat: Seat) -> float:
    """A value for the first seat as what a seat scores."""
    return 0.5 + (value if seat == FIRST else -value) / 2
