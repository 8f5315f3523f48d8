"""Number Circle Duel alone: its solution, its claims found a second way, and `leaps`."""

from itertools import product
from pathlib import Path

import pytest

from tests.support import naive
from tests.support.claim_results import answered, claimed, every_line, result
from tests.support.commands import evenodds_here


def test_on_the_smallest_circles_every_move_is_valid() -> None:
    small = claimed("circle", numbers=3)
    assert small["valid moves"].verdict == small["removed"].verdict == "holds"


@pytest.mark.long
@pytest.mark.parametrize("reach", [1, 2, 3])
@pytest.mark.parametrize(("size", "leaps"), [*product((2, 5, 6), (0,)), (5, 1), (6, 1), (5, 2)])
def test_rings_that_corner_are_those_with_early_ends(size: int, leaps: int, reach: int) -> None:
    rules = {"numbers": size, "reach": reach, "leaps": leaps}
    every = every_line("circle", **rules)
    results = {result("circle", line, **rules) for line in every}
    found = claimed("circle", **rules)
    assert (found["forcing"].verdict == "holds") == (len(results) == 2)
    early = min(len(line.picks) for line in every)
    assert (found["edge play"].verdict == "holds") == (early < size)
    assert len(found["edge play"].line.split()) == early
    left = {
        frozenset(naive.judge("circle", rules, [(n, 0)]).choices[1]) for n in range(1, size + 1)
    }
    assert (found["options change"].verdict == "holds") == (len(left) > 1)
    assert f"leave {len(left)} different" in found["options change"].evidence


def test_leaps_are_offered_told_and_used_up(tmp_path: Path) -> None:
    rules = ("--rule", "numbers=6", "--rule", "leaps=1")
    typed = "?\n1\n?\n4\n5\n?\n2\n6\nboard\n3\n2\n"
    said = evenodds_here("play", "circle", *rules, typed=typed, home=tmp_path).stdout
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
    assert "\nPlayer 1: Leaps left: 1\nPlayer 2: Leaps left: 0\n" in said
    assert "Player 1 has no valid move.\nPlayer 2 wins the game!" in said


def test_leaps_give_a_ring_real_choices() -> None:
    assert answered("circle", numbers=7)["choices"].verdict == "no"
    assert answered("circle", numbers=7, leaps=1)["choices"].verdict == "yes"
