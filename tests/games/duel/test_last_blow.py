"""The blow that ends a duel."""

import evenodds
from evenodds.core.vocabulary import SEATS
from evenodds.core.words import Names


def test_the_card_and_the_summary_tell_the_same_damage() -> None:
    game, rulings = evenodds.game("duel", {"hp": 1})
    before, picks = game.start(rulings), (3, 3)
    after = game.step(before, picks)
    names = Names(("Ann", "Bob"))
    assert "both players lose 3 HP" in game.words.round_summary(before, picks, after, names)
    for seat in SEATS:
        assert game.words.gain(before, after, seat) == -3
        side = game.words.side(after, seat)
        assert side is not None
        assert side.gauge is not None
        assert side.gauge.value == 0
