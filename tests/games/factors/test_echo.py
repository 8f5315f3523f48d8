"""`echo`, a ruling of our own, off by default: what it says, and what it mends."""

from pathlib import Path

import pytest

from evenodds.core import catalog
from evenodds.study.metrics.outcomes import outcome_odds_of
from tests.support.commands import evenodds_here as command
from tests.support.solved import solved_game


def test_an_echo_is_refused_where_it_is_barred(tmp_path: Path) -> None:
    """The other's last number is not open, and the prompt, the refusal and the help say so."""
    rules = ("--rule", "echo=barred", "--rule", "target=20")
    done = command("play", "factors", *rules, typed="7\n7\n7\n?\n6\n", home=tmp_path)
    flat = " ".join(done.stdout.split())
    assert "Select a number (1-9, not 7):" in flat
    assert "7 is not allowed: your opponent has just picked it" in flat
    assert "7 may not be repeated." in flat
    assert "Player 1 selects 6." in flat


@pytest.mark.long
def test_without_echoes_the_race_comes_to_an_end() -> None:
    """Perfect players go on for ever by the book, and come to an end where echoes are barred."""
    book, mended = (
        solved_game("factors", target=20),
        solved_game("factors", target=20, echo="barred"),
    )
    assert outcome_odds_of(book, *book.equilibrium, 0).endless == 1
    assert outcome_odds_of(book, *book.equilibrium).endings["REPETITION"] == 1
    odds = outcome_odds_of(mended, *mended.equilibrium)
    assert odds.endless == 0
    assert odds.draw == 0
    assert odds.length is not None


def test_a_pool_of_one_number_may_be_echoed() -> None:
    game = catalog.get("factors")
    state = game.start(game.settle({"numbers": 1, "target": 5, "echo": "barred"}))
    for seat in (0, 1, 0):
        assert game.picks(state, seat) == (1,)
        state = game.step(state, (1, 0) if seat == 0 else (0, 1))
