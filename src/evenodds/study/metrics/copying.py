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


def copy_scores(survey: SolvedGame) -> tuple[float, float]:
    """What copying scores against perfect play, and against its best opponent; over both seats."""
    if survey.game.simultaneous:
        found = [(_in_rounds(survey, seat), _beaten_in_rounds(survey, seat)) for seat in SEATS]
    else:
        found = [_in_turns(survey, seat) for seat in SEATS]
    met, answered = zip(*found, strict=True)
    return sum(met) / 2, sum(answered) / 2


def nearest(numbers: Any, last: Any) -> Any:
    """The place of the number nearest to the last one in each line, the lower of two."""
    return np.argmin(np.abs(numbers - last), axis=1)  # the first of equals is the lower


def _in_rounds(survey: SolvedGame, seat: Seat) -> float:
    """The score of who copies where both pick at once: masses by the other's last number."""
    atlas = survey.atlas
    size = atlas.size + len(atlas.ends)
    last = int(max(sheet.numbers(other(seat)).max() for sheet in atlas.blocks))
    masses = np.zeros((last + 1, size))
    masses[0, 0] = 1.0
    for place, sheet in enumerate(atlas.blocks):
        own, theirs = sheet.numbers(seat), sheet.numbers(other(seat))
        lines = np.arange(len(own))
        targets = sheet.targets if seat == FIRST else sheet.targets.transpose(0, 2, 1)
        for number in range(last + 1):
            here = masses[number, sheet.places]
            if not here.any():
                continue
            pick = nearest(own, number) if number else np.zeros(len(own), int)
            places = theirs * size + targets[lines, pick]
            weights = here[:, None] * survey.named[other(seat)][place]
            moved = np.bincount(places.ravel(), weights.ravel(), masses.size)
            masses += moved.reshape(masses.shape)
    ends = masses[:, atlas.size :].sum(axis=0)
    return _score(float(ends @ atlas.outcomes()), seat)


def _beaten_in_rounds(survey: SolvedGame, seat: Seat) -> float:
    """The score of who copies where the other knows it: every pick is answered, none is chance."""
    atlas = survey.atlas
    last = int(max(sheet.numbers(other(seat)).max() for sheet in atlas.blocks))
    side = -1 if seat == FIRST else 1
    worths = np.zeros((last + 1, atlas.size + len(atlas.ends)), np.int8)
    worths[:, atlas.size :] = side * atlas.outcomes()
    for sheet in reversed(atlas.blocks):
        own, theirs = sheet.numbers(seat), sheet.numbers(other(seat))
        targets = sheet.targets if seat == FIRST else sheet.targets.transpose(0, 2, 1)
        lines = np.arange(len(own))
        for number in range(last + 1):
            pick = nearest(own, number) if number else np.zeros(len(own), int)
            worths[number, sheet.places] = worths[theirs, targets[lines, pick]].max(axis=1)
    return _score(side * float(worths[0, 0]), seat)


def _in_turns(survey: SolvedGame, seat: Seat) -> tuple[float, float]:
    """The scores of who copies in a game of turns: each pick of the other and its answer in one.

    It is a draw by repetition when it would be one with both picks apart: who copies always goes
    the same way round.
    """
    web = turn_graph_of(survey.ground)
    answered = replace(web, targets=_answered(web, seat))
    times = survey.repetition
    assert not times or answered.counts_repetitions
    shares = link_shares(survey.ground, web, survey.solution, other(seat))
    shares[web.begins[web.movers == seat]] = 1.0  # to begin with, the lowest number
    met = float(flow_on(answered, shares, times).ends @ web.ends)
    gained = best_response_gain_in_turns(answered, shares, other(seat), times)
    return _score(met, seat), 0.5 - gained / 2


def best_response_gain_in_turns(web: TurnGraph, shares: Any, seat: Seat, repetition: int) -> float:
    """What a seat gains at most where the other follows its links with some shares."""
    answer = ResponseSolver(web, shares, seat)
    for layer in web.layers:
        answer.find(layer, repetition)
    return float(answer.worths[0])


def _answered(web: TurnGraph, seat: Seat) -> Any:
    """Where each pick of the other leads once it is copied."""
    targets = web.targets.copy()
    counts = np.diff(np.append(web.begins, web.targets.size))
    asked = np.flatnonzero((web.movers[web.sources] == other(seat)) & web.leads_on)
    turn = web.targets[asked]
    turns = web.movers[turn] == seat
    asked, turn = asked[turns], turn[turns]
    best, least = np.zeros(asked.size, np.int64), np.full(asked.size, 1 << 30)
    for place in range(int(counts.max())):
        there = place < counts[turn]
        link = np.where(there, web.begins[turn] + place, 0)
        far = np.abs(web.picks[link].astype(np.int64) - web.picks[asked])
        nearer = there & (far < least)
        best, least = np.where(nearer, link, best), np.where(nearer, far, least)
    targets[asked] = web.targets[best]
    return targets


def _score(value: float, seat: Seat) -> float:
    """A value for the first seat as what a seat scores."""
    return 0.5 + (value if seat == FIRST else -value) / 2
