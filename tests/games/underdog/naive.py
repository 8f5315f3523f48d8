"""Number Clash: First to Three, stated a second time in plain words: see `tests.support.naive`."""

from tests.support import naive
from tests.support.naive import History, Judgement, Rulings


def judge(rulings: Rulings, history: History) -> Judgement:
    target = naive.number(rulings, "target")
    gap = naive.number(rulings, "gap")
    hands = naive.hands_left(naive.number(rulings, "numbers"), history)

    scores = {"first": 0, "second": 0}
    for mine, theirs in history:
        winner = round_winner(mine, theirs, gap)
        if winner != "nobody":
            scores[winner] += 1

    result = "open"
    if scores["first"] >= target:
        result = "first"
    elif scores["second"] >= target:
        result = "second"
    elif hands == (set(), set()):
        # The hands ran out before anyone had the target.
        by_score = naive.word(rulings, "exhausted", {"score", "draw"}) == "score"
        result = naive.who_has_more(scores["first"], scores["second"]) if by_score else "draw"
    return naive.judgement(hands, result, {"scores": (scores["first"], scores["second"])})


def round_winner(mine: int, theirs: int, gap: int) -> str:
    """The higher number wins, unless the lower is exactly the gap lower; equals win nothing."""
    if mine == theirs:
        return "nobody"
    higher, lower = ("first", "second") if mine > theirs else ("second", "first")
    underdog_rule_is_on = gap != 0
    if underdog_rule_is_on and max(mine, theirs) - min(mine, theirs) == gap:
        return lower
    return higher
