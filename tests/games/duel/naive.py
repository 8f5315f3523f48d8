"""Number Duel, stated a second time in plain words: see `tests.support.naive`."""

from tests.support.naive import (
    History,
    Judgement,
    Rulings,
    judgement,
    number,
    other,
    pool,
    who_has_more,
    word,
)


def judge(rulings: Rulings, history: History) -> Judgement:
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
