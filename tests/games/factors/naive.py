"""Clash of Numbers, stated a second time in plain words: see `tests.support.naive`."""

from collections.abc import Mapping

from tests.support import naive
from tests.support.naive import History, Judgement, Rulings


def judge(rulings: Rulings, history: History) -> Judgement:
    target = naive.number(rulings, "target")
    finish = naive.word(rulings, "finish", {"at_once", "round"})
    turns = naive.turns_taken(history)

    scores = {"first": 0, "second": 0}
    last_pick: dict[str, int] = {}
    overtime = False
    result = "open"
    for mover, pick in turns:
        opponent = naive.other(mover)
        scores[mover] += pick
        for cut in cuts(rulings, mover, pick, last_pick):
            scores[opponent] = max(0, scores[opponent] - cut)
        last_pick[mover] = pick

        if finish == "at_once":
            if scores[mover] >= target:
                result = mover
        elif overtime:
            # Equal at or past the target: the next to be higher at the end of a turn wins.
            if scores[mover] > scores[opponent]:
                result = mover
        elif mover == "second" and (scores["first"] >= target or scores["second"] >= target):
            # The round is complete and somebody is at the target: the higher score wins.
            if scores["first"] == scores["second"]:
                overtime = True
            else:
                result = naive.who_has_more(scores["first"], scores["second"])

    mover = naive.whose_turn(turns)
    open_to_mover = set(naive.pool(naive.number(rulings, "numbers")))
    if naive.word(rulings, "echo", {"free", "barred"}) == "barred" and len(open_to_mover) > 1:
        open_to_mover -= held_against(rulings, mover, last_pick)
    choices = naive.choices_of_mover(mover, open_to_mover)
    return naive.judgement(choices, result, {"scores": (scores["first"], scores["second"])})


def held_against(rulings: Rulings, mover: str, last_pick: Mapping[str, int]) -> set[int]:
    opponent = naive.other(mover)
    if opponent not in last_pick:
        # The very first turn of the game: there is no previous number from the opponent.
        return set()
    exempt = naive.word(rulings, "opening", {"exempt", "live"}) == "exempt"
    if exempt and mover not in last_pick:
        # The very first turn of this player.
        return set()
    return {last_pick[opponent]}


def cuts(rulings: Rulings, mover: str, pick: int, last_pick: Mapping[str, int]) -> list[int]:
    if not held_against(rulings, mover, last_pick):
        return []
    (last,) = held_against(rulings, mover, last_pick)
    same = naive.word(rulings, "same", {"once", "twice"})
    is_multiple = pick % last == 0
    is_factor = last % pick == 0
    cuts: list[int] = []
    if is_multiple:
        cuts.append(last)
    if is_factor and not (is_multiple and same == "once"):
        cuts.append(pick)
    return cuts
