"""Claims of Number Circle Duel, found a second way."""

from itertools import product

import pytest

from tests.support import naive
from tests.support.claim_results import every_line, promised, result


def test_what_the_book_of_circle_says_is_taken_at_its_word() -> None:
    found = promised("circle")
    assert found["valid moves"].evidence.endswith(
        "But after 1 only 2 and 10 may be selected, of 9 unclaimed numbers."
    )
    assert found["removed"].evidence == (
        "A claimed number keeps its place: after 1 and 2 the circle does not close up, and 10 is "
        "not adjacent to 2."
    )
    assert found["removed"].line == "1 2 10"
    assert (
        "toss a coin; with best play whoever goes first scores 0%" in found["who begins"].evidence
    )
    small = promised("circle", numbers=3)
    assert small["valid moves"].verdict == small["removed"].verdict == "holds"


@pytest.mark.long
@pytest.mark.parametrize("reach", [1, 2, 3])
@pytest.mark.parametrize(
    ("size", "leaps"), [*product((1, 2, 5, 6, 7), (0,)), (5, 1), (6, 1), (6, 2)]
)
def test_rings_that_corner_are_those_with_early_ends(size: int, leaps: int, reach: int) -> None:
    """Ends before all is claimed, winners and first options, on all lines by the naive rules."""
    rules = {"numbers": size, "reach": reach, "leaps": leaps}
    every = every_line("circle", **rules)
    results = {result("circle", line, **rules) for line in every}
    found = promised("circle", **rules)
    assert (found["forcing"].verdict == "holds") == (len(results) == 2)
    early = min(len(line.picks) for line in every)
    assert (found["edge play"].verdict == "holds") == (early < size)
    assert len(found["edge play"].line.split()) == early
    left = {
        frozenset(naive.judge("circle", rules, [(n, 0)]).choices[1]) for n in range(1, size + 1)
    }
    assert (found["options change"].verdict == "holds") == (len(left) > 1)
    said = f"leave {len(left)} different" if size > 1 else "only one first pick"
    assert said in found["options change"].evidence
