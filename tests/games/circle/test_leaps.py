"""`leaps`, a ruling of our own, off by default: what it says, and what it mends."""

from pathlib import Path

import pytest

from evenodds.study.metrics.choice import choice_metrics_of
from tests.support.commands import evenodds_here as command
from tests.support.solved import solved_game


def test_leaps_are_offered_told_and_used_up(tmp_path: Path) -> None:
    """The numbers next to the last one stand as ever; then the leaps and where they lead."""
    rules = ("--rule", "numbers=6", "--rule", "leaps=1")
    typed = "?\n1\n?\n4\n5\n?\n2\n6\nboard\n3\n2\n"
    said = command("play", "circle", *rules, typed=typed, home=tmp_path).stdout
    assert "Claim any number to begin. Later you may leap (leaps left: 1)." in said
    assert (
        "Player 2's turn.\nLast number selected: 1\nAvailable adjacent numbers: 2 6\n"
        "Leaps left: 1\nAvailable by a leap: 3 4 5\nSelect a number: "
    ) in said
    assert "next to 1 on the circle. Or leap to any other free number (leaps left: 1)." in said
    assert "\nPlayer 2 leaps to 4.\nNumber 4 selected.\n" in said
    assert "\n\nNumber 5 selected.\n" in said, "a number within reach is no leap"
    assert "Available adjacent numbers: 6\nLeaps left: 0\nSelect a number: " in said
    assert "next to 5 on the circle. You have no leap left." in said
    assert "2 is not next to 5, and no leap is left. Choose 6, or ? for help." in said
    assert "Available adjacent numbers: none\nLeaps left: 1\nAvailable by a leap: 2 3\n" in said
    assert "\nLeaps left: Player 1 1, Player 2 0\n" in said
    assert "Player 1 has no valid move.\nPlayer 2 wins the game!" in said


@pytest.mark.long
def test_leaps_give_a_ring_real_choices() -> None:
    """In the book's ring every pick comes to the same; with a leap each, most do not."""
    book, mended = solved_game("circle"), solved_game("circle", leaps=1)
    assert choice_metrics_of(book).idle == 1
    assert choice_metrics_of(mended).idle < 0.5
    assert choice_metrics_of(mended).single > 0.2
