"""Number Clash: Five Rounds, stated a second time in plain words: see `tests.support.naive`."""

from tests.support import naive
from tests.support.naive import History, Judgement, Rulings


def judge(rulings: Rulings, history: History) -> Judgement:
    hands = naive.hands_left(naive.number(rulings, "numbers"), history)

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
        result = naive.who_has_more(points["first"], points["second"])
        if result == "draw":
            result = naive.who_has_more(wins["first"], wins["second"])
        if result == "draw":
            result = last_round_winner(
                naive.word(rulings, "last_round", {"final", "decisive"}), round_winners
            )
    return naive.judgement(
        hands,
        result,
        {"points": (points["first"], points["second"]), "wins": (wins["first"], wins["second"])},
    )


def last_round_winner(last_round: str, round_winners: list[str]) -> str:
    if last_round == "decisive":
        rounds_that_count = [winner for winner in round_winners if winner != "nobody"]
    else:
        rounds_that_count = round_winners
    if not rounds_that_count or rounds_that_count[-1] == "nobody":
        return "draw"
    return rounds_that_count[-1]
