"""Number Duel, stated a second time in plain words: see `tests.support.naive`."""

from tests.support import naive
from tests.support.naive import History, Judgement, Rulings


def judge(rulings: Rulings, history: History) -> Judgement:
    every_number = naive.pool(naive.number(rulings, "numbers"))

    health = {"first": naive.number(rulings, "hp"), "second": naive.number(rulings, "hp")}
    overreach = naive.number(rulings, "overreach")
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
        result = naive.other(fallen[0])
    elif len(fallen) == 2:
        # Both fell in one round.
        by_health = naive.word(rulings, "knockout", {"higher", "draw"}) == "higher"
        result = naive.who_has_more(health["first"], health["second"]) if by_health else "draw"
    return naive.judgement(
        (set(every_number), set(every_number)),
        result,
        {"health": (health["first"], health["second"])},
    )
