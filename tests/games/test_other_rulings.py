"""Rulings that no rule book knows, off by default: what they say, and what they mend."""

from pathlib import Path

import pytest

from evenodds.core import catalog
from evenodds.core.vocabulary import FIRST
from evenodds.solver import solve
from evenodds.study.metrics.choice import choice_metrics_of
from evenodds.study.metrics.outcomes import outcome_odds_of
from evenodds.study.metrics.solved_game import SolvedGame
from tests.support.commands import evenodds_here as command


def surveyed(name: str, **given: object) -> SolvedGame:
    """A game spread out."""
    game = catalog.get(name)
    return SolvedGame(game, game.settle(given))


def test_a_blow_that_reaches_too_far_swings_back(tmp_path: Path) -> None:
    """Three against one costs the striker; three against two does not."""
    rules = ("--rule", "overreach=1", "--rule", "hp=6")
    done = command("play", "duel", *rules, typed="3\n1\n3\n2\n?\n", home=tmp_path)
    assert "Player 1 reaches too far! Player 1 loses 3 HP." in done.stdout
    assert "Player 1 attacks! Player 2 loses 3 HP." in done.stdout
    assert "More than 1 above the other's, a number costs its own player" in " ".join(
        done.stdout.split()
    )


def test_overreach_gives_a_duel_real_choices() -> None:
    """In the book's duel 3 is always safe; with overreach no number is, in any position."""
    book, mended = surveyed("duel"), surveyed("duel", overreach=1)
    assert choice_metrics_of(book).mixed == 0
    assert choice_metrics_of(mended).mixed == 1
    assert choice_metrics_of(mended).idle == 0
    assert outcome_odds_of(book, *book.equilibrium).draw == pytest.approx(1)
    assert outcome_odds_of(mended, *mended.equilibrium).draw < 0.05
    solution = solve("duel", overreach=1)
    assert solution.saddle(solution.start) is None
    assert len(solution.mix(solution.start, FIRST)) == 3


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
    book, mended = surveyed("circle"), surveyed("circle", leaps=1)
    assert choice_metrics_of(book).idle == 1
    assert choice_metrics_of(mended).idle < 0.5
    assert choice_metrics_of(mended).single > 0.2


def test_an_echo_is_refused_where_it_is_barred(tmp_path: Path) -> None:
    """The other's last number is not open, and the prompt, the refusal and the help say so."""
    rules = ("--rule", "echo=barred", "--rule", "target=20")
    done = command("play", "factors", *rules, typed="7\n7\n7\n?\n6\n", home=tmp_path)
    flat = " ".join(done.stdout.split())
    assert "Select a number (1-9, not 7):" in flat
    assert "7 is not open: the other player has just picked it" in flat
    assert "7 may not be repeated." in flat
    assert "Player 1 selects 6." in flat


@pytest.mark.long
def test_without_echoes_the_race_comes_to_an_end() -> None:
    """Perfect players go on for ever by the book, and come to an end where echoes are barred."""
    book, mended = surveyed("factors", target=20), surveyed("factors", target=20, echo="barred")
    assert outcome_odds_of(book, *book.equilibrium, 0).endless == 1
    assert outcome_odds_of(book, *book.equilibrium).endings["REPETITION"] == 1
    odds = outcome_odds_of(mended, *mended.equilibrium)
    assert odds.endless == 0
    assert odds.draw == 0
    assert odds.length is not None


def test_a_pool_of_one_number_may_be_echoed() -> None:
    """There is no other."""
    game = catalog.get("factors")
    state = game.start(game.settle({"numbers": 1, "target": 5, "echo": "barred"}))
    for seat in (0, 1, 0):
        assert game.picks(state, seat) == (1,)
        state = game.step(state, (1, 0) if seat == 0 else (0, 1))
