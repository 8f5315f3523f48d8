"""`overreach`, a ruling of our own, off by default: what it says, and what it mends."""

from pathlib import Path

import pytest

import evenodds
from evenodds.core.vocabulary import FIRST
from evenodds.solver import solve
from evenodds.study.metrics.choice import choice_metrics_of
from evenodds.study.metrics.outcomes import outcome_odds_of
from tests.support.commands import evenodds_here as command
from tests.support.solved import solved_game


def test_a_blow_that_reaches_too_far_swings_back(tmp_path: Path) -> None:
    """Three against one costs the striker; three against two does not."""
    rules = ("--rule", "overreach=1", "--rule", "hp=6")
    done = command("play", "duel", *rules, typed="3\n1\n3\n2\n?\n", home=tmp_path)
    assert "Player 1 reaches too far! Player 1 loses 3 HP." in done.stdout
    assert "Player 1 attacks! Player 2 loses 3 HP." in done.stdout
    assert "a number more than 1 above the other costs its own player" in " ".join(
        done.stdout.split()
    )


def test_overreach_gives_a_duel_real_choices() -> None:
    """In the book's duel 3 is always safe; with overreach no number is, in any position."""
    book, mended = solved_game("duel"), solved_game("duel", overreach=1)
    assert choice_metrics_of(book).mixed == 0
    assert choice_metrics_of(mended).mixed == 1
    assert choice_metrics_of(mended).idle == 0
    assert outcome_odds_of(book, *book.equilibrium).draw == pytest.approx(1)
    assert outcome_odds_of(mended, *mended.equilibrium).draw < 0.05
    solution = solve(evenodds.game("duel", overreach=1))
    assert solution.saddle(solution.start) is None
    assert len(solution.mix(solution.start, FIRST)) == 3
