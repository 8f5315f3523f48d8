"""A second, deliberately naive statement of the five rule books.

Every function starts again from the empty table and walks through the whole history, in words
as near to the rule books as Python allows. Nothing is clever here, and nothing is fast: it is a
yardstick to hold against the real implementation. Draws by repetition are a setting of a match
and no rule, so they are left out.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

Rulings = Mapping[str, int | str]
History = Sequence[tuple[int, int]]


class Judgement(NamedTuple):
    """What the rules say of a game after its history.

    choices: the numbers open to first and to second in the next round.
    result: "first", "second", "draw" or "open".
    figures: what the players see as numbers, each for (first, second).
    """

    choices: tuple[set[int], set[int]]
    result: str
    figures: dict[str, tuple[int, int]]


def judge(game: str, rulings: Rulings, history: History) -> Judgement:
    """Judge a game by its rule book."""
    if game == "underdog":
        return judge_underdog(rulings, history)
    if game == "margin":
        return judge_margin(rulings, history)
    if game == "circle":
        return judge_circle(rulings, history)
    if game == "duel":
        return judge_duel(rulings, history)
    if game == "factors":
        return judge_factors(rulings, history)
    raise ValueError(f"no rule book for {game!r}")


def judge_underdog(rulings: Rulings, history: History) -> Judgement:
    """Number Clash, first to three: one point a round, and the first at the target wins."""
    target = number(rulings, "target")
    gap = number(rulings, "gap")
    hands = hands_left(number(rulings, "numbers"), history)

    scores = {"first": 0, "second": 0}
    for mine, theirs in history:
        winner = underdog_round(mine, theirs, gap)
        if winner != "nobody":
            scores[winner] += 1

    result = "open"
    if scores["first"] >= target:
        result = "first"
    elif scores["second"] >= target:
        result = "second"
    elif hands == (set(), set()):
        # The hands ran out before anyone had the target.
        by_score = word(rulings, "exhausted", {"score", "draw"}) == "score"
        result = who_has_more(scores["first"], scores["second"]) if by_score else "draw"
    return judgement(hands, result, {"scores": (scores["first"], scores["second"])})


def underdog_round(mine: int, theirs: int, gap: int) -> str:
    """The higher number wins, unless the lower is exactly the gap lower; equals win nothing."""
    if mine == theirs:
        return "nobody"
    higher, lower = ("first", "second") if mine > theirs else ("second", "first")
    underdog_rule_is_on = gap != 0
    if underdog_rule_is_on and max(mine, theirs) - min(mine, theirs) == gap:
        return lower
    return higher


def judge_margin(rulings: Rulings, history: History) -> Judgement:
    """Number Clash, five rounds: the higher number gains the difference, until hands are empty."""
    hands = hands_left(number(rulings, "numbers"), history)

    points = {"first": 0, "second": 0}
    wins = {"first": 0, "second": 0}
    round_winners: list[str] = []
    for mine, theirs in history:
        if mine > theirs:
            winner = "first"
        elif theirs > mine:
            winner = "second"
        else:
            winner = "nobody"
        round_winners.append(winner)
        if winner != "nobody":
            wins[winner] += 1
            points[winner] += max(mine, theirs) - min(mine, theirs)

    result = "open"
    if hands == (set(), set()):
        # Total points, then rounds won, then the last round.
        result = who_has_more(points["first"], points["second"])
        if result == "draw":
            result = who_has_more(wins["first"], wins["second"])
        if result == "draw":
            result = margin_last_round(
                word(rulings, "last_round", {"final", "decisive"}), round_winners
            )
    return judgement(
        hands,
        result,
        {
            "points": (points["first"], points["second"]),
            "wins": (wins["first"], wins["second"]),
        },
    )


def margin_last_round(last_round: str, round_winners: list[str]) -> str:
    """Who won the last round: the last one played, or the last one that somebody won."""
    if last_round == "decisive":
        rounds_that_count = [winner for winner in round_winners if winner != "nobody"]
    else:
        rounds_that_count = round_winners
    if not rounds_that_count or rounds_that_count[-1] == "nobody":
        return "draw"
    return rounds_that_count[-1]


def judge_circle(rulings: Rulings, history: History) -> Judgement:
    """Number Circle Duel: claim a number near the last one; who cannot move loses."""
    size = number(rulings, "numbers")
    reach = number(rulings, "reach")
    turns = turns_taken(history)
    mover = whose_turn(turns)

    claimed = [pick for _, pick in turns]
    unclaimed = {one for one in range(1, size + 1) if one not in claimed}
    if not claimed:
        # On the first turn any number may be selected.
        valid = unclaimed
    else:
        valid = {one for one in unclaimed if one in circle_neighbours(claimed[-1], size, reach)}

    # Whoever has a leap left may claim any number instead.
    left = leaps_left(number(rulings, "leaps"), turns, size, reach)
    if left[mover] > 0:
        valid = unclaimed

    result = other(mover) if not valid else "open"
    figures = {"leaps": (left["first"], left["second"])}
    return judgement(choices_of_mover(mover, valid), result, figures)


def leaps_left(leaps: int, turns: list[tuple[str, int]], size: int, reach: int) -> dict[str, int]:
    """The leaps that each has left: every number that was no neighbour of the last took one."""
    left = {"first": leaps, "second": leaps}
    for (_, last), (seat, pick) in pairwise(turns):
        if pick not in circle_neighbours(last, size, reach):
            left[seat] -= 1
    return left


def circle_neighbours(last: int, size: int, reach: int) -> set[int]:
    """Walk from the last number both ways around the full ring, claimed numbers counted."""
    neighbours: set[int] = set()
    clockwise = last
    backwards = last
    for _ in range(reach):
        clockwise = 1 if clockwise == size else clockwise + 1
        backwards = size if backwards == 1 else backwards - 1
        neighbours.add(clockwise)
        neighbours.add(backwards)
    return neighbours


def judge_duel(rulings: Rulings, history: History) -> Judgement:
    """Number Duel: the higher number strikes by its value, equal numbers hurt both."""
    every_number = pool(number(rulings, "numbers"))

    health = {"first": number(rulings, "hp"), "second": number(rulings, "hp")}
    overreach = number(rulings, "overreach")
    for mine, theirs in history:
        too_far = overreach > 0 and max(mine, theirs) - min(mine, theirs) > overreach
        if mine > theirs:
            health["first" if too_far else "second"] -= mine
        elif theirs > mine:
            health["second" if too_far else "first"] -= theirs
        else:
            health["first"] -= mine
            health["second"] -= theirs

    fallen = [player for player in ("first", "second") if health[player] <= 0]
    result = "open"
    if len(fallen) == 1:
        result = other(fallen[0])
    elif len(fallen) == 2:
        # Both fell in one round.
        by_health = word(rulings, "knockout", {"higher", "draw"}) == "higher"
        result = who_has_more(health["first"], health["second"]) if by_health else "draw"
    return judgement(
        (set(every_number), set(every_number)),
        result,
        {"health": (health["first"], health["second"])},
    )


def judge_factors(rulings: Rulings, history: History) -> Judgement:
    """Clash of Numbers: add your pick, cut the opponent by multiples and factors, to a target."""
    target = number(rulings, "target")
    finish = word(rulings, "finish", {"at_once", "round"})
    turns = turns_taken(history)

    scores = {"first": 0, "second": 0}
    last_pick: dict[str, int] = {}
    overtime = False
    result = "open"
    for mover, pick in turns:
        opponent = other(mover)
        scores[mover] += pick
        for cut in factors_cuts(rulings, mover, pick, last_pick):
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
                result = who_has_more(scores["first"], scores["second"])

    mover = whose_turn(turns)
    open_to_mover = set(pool(number(rulings, "numbers")))
    if word(rulings, "echo", {"free", "barred"}) == "barred" and len(open_to_mover) > 1:
        open_to_mover -= held_against(rulings, mover, last_pick)
    choices = choices_of_mover(mover, open_to_mover)
    return judgement(choices, result, {"scores": (scores["first"], scores["second"])})


def held_against(rulings: Rulings, mover: str, last_pick: Mapping[str, int]) -> set[int]:
    """The number that a turn is held against; none on the very first turns."""
    opponent = other(mover)
    if opponent not in last_pick:
        # The very first turn of the game: there is no previous number from the opponent.
        return set()
    exempt = word(rulings, "opening", {"exempt", "live"}) == "exempt"
    if exempt and mover not in last_pick:
        # The very first turn of this player.
        return set()
    return {last_pick[opponent]}


def factors_cuts(
    rulings: Rulings, mover: str, pick: int, last_pick: Mapping[str, int]
) -> list[int]:
    """What a pick subtracts from the opponent, one entry for each subtraction."""
    if not held_against(rulings, mover, last_pick):
        return []
    (last,) = held_against(rulings, mover, last_pick)
    same = word(rulings, "same", {"once", "twice"})
    is_multiple = pick % last == 0
    is_factor = last % pick == 0
    cuts: list[int] = []
    if is_multiple:
        cuts.append(last)
    if is_factor and not (is_multiple and same == "once"):
        cuts.append(pick)
    return cuts


def number(rulings: Rulings, key: str) -> int:
    """A ruling that is a number."""
    value = rulings[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} should be a number, not {value!r}")
    return value


def word(rulings: Rulings, key: str, words: set[str]) -> str:
    """A ruling that is one of a few words."""
    value = rulings[key]
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{key} should be one of {sorted(words)}, not {value!r}")
    return value


def pool(highest: int) -> set[int]:
    """The numbers from 1 to the highest."""
    return set(range(1, highest + 1))


def hands_left(highest: int, history: History) -> tuple[set[int], set[int]]:
    """Each number can be used only once by each player."""
    first = pool(highest) - {mine for mine, _ in history}
    second = pool(highest) - {theirs for _, theirs in history}
    return first, second


def turns_taken(history: History) -> list[tuple[str, int]]:
    """Who picked what, in a game where first begins and the players alternate."""
    turns: list[tuple[str, int]] = []
    for mine, theirs in history:
        if whose_turn(turns) == "first":
            turns.append(("first", mine))
        else:
            turns.append(("second", theirs))
    return turns


def whose_turn(turns: Sequence[tuple[str, int]]) -> str:
    """First begins, then the players alternate."""
    if not turns:
        return "first"
    last_mover, _ = turns[-1]
    return other(last_mover)


def choices_of_mover(mover: str, numbers: set[int]) -> tuple[set[int], set[int]]:
    """In a turn game only the player to move has anything to choose."""
    if mover == "first":
        return set(numbers), set()
    return set(), set(numbers)


def other(player: str) -> str:
    """The opponent of a player."""
    return "second" if player == "first" else "first"


def who_has_more(first: int, second: int) -> str:
    """The player with the larger figure; equal figures are a draw."""
    if first > second:
        return "first"
    if second > first:
        return "second"
    return "draw"


def judgement(
    choices: tuple[set[int], set[int]], result: str, figures: dict[str, tuple[int, int]]
) -> Judgement:
    """Nobody has a choice once the game is over."""
    if result != "open":
        choices = (set(), set())
    return Judgement(choices, result, figures)
