"""Whoever copies: the legal number nearest to the other's last, the lower of two first.

That habit depends on what was picked last, which a position need not tell. So it is carried along.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from evenodds.solver.turns import Web, flow_on, shares_of, web_of
from evenodds.study.survey import Survey
from evenodds.vocabulary import FIRST, SEATS, Seat, other


def copy_scores(survey: Survey) -> float:
    """What copying scores against perfect play, on average over both seats."""
    scores = [
        _in_rounds(survey, seat) if survey.game.simultaneous else _in_turns(survey, seat)
        for seat in SEATS
    ]
    return sum(scores) / len(scores)


def nearest(numbers: Any, last: Any) -> Any:
    """The place of the number nearest to the last one in each line, the lower of two."""
    return np.argmin(np.abs(numbers - last), axis=1)  # the first of equals is the lower


def _in_rounds(survey: Survey, seat: Seat) -> float:
    """The score of who copies where both pick at once: masses by the other's last number."""
    atlas = survey.atlas
    size = atlas.size + len(atlas.ends)
    last = int(max(sheet.numbers(other(seat)).max() for sheet in atlas.sheets))
    masses = np.zeros((last + 1, size))
    masses[0, 0] = 1.0
    for place, sheet in enumerate(atlas.sheets):
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


def _in_turns(survey: Survey, seat: Seat) -> float:
    """The score of who copies in a game of turns: each pick of the other and its answer in one."""
    web = web_of(survey.ground)
    answered = replace(web, targets=_answered(web, seat))
    shares = shares_of(survey.ground, web, survey.solution, other(seat))
    begins = web.begins[web.movers == seat]
    shares[begins] = 1.0  # to begin with, the lowest number
    flow = flow_on(answered, shares)
    return _score(float(flow.ends @ web.ends), seat)


def _answered(web: Web, seat: Seat) -> Any:
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
