"""A game's page, with the rulings that hold."""

from pathlib import Path

from tests.support.commands import evenodds_here as evenodds
from tests.support.commands import lines


def test_rules_at_the_prompt_are_those_of_the_match(home: Path) -> None:
    done = evenodds("play", "circle", "--rule", "reach=3", typed=lines("rules"), home=home)
    assert "- `reach` [3], 1 to 3" in done.stdout
    assert "the value in brackets is the one of this match" in done.stdout
