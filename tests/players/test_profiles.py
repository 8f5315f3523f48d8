"""Display names of opponents, and the line about how each plays."""

import pytest

from evenodds.core.terms import agree, check_players
from evenodds.players.profiles import names_for_spectator, profile
from evenodds.players.registry import BUILT_IN_PLAYERS, registered_name
from tests.support.examples import TURN_GAME


@pytest.mark.parametrize("name", BUILT_IN_PLAYERS)
def test_every_opponent_has_a_name_and_a_whole_sentence(name: str) -> None:
    """The name may stand for a player's, and the line fits beside it."""
    shown = profile(name)
    assert check_players((shown.name, "You")) == (shown.name, "You")
    assert shown.line[0].isupper()
    assert shown.line.endswith(".")
    assert len(shown.line) <= 64


@pytest.mark.parametrize(
    ("name", "shown", "line"),
    [
        ("level:4", "Level 4", "Plays well, but slips often enough for you to win."),
        ("perfect", "Perfect", "Never makes a mistake, and makes the most of yours."),
        ("search:2000", "Search", "Looks ahead by 2000 trial matches before each pick."),
        ("search:0.5s", "Search", "Looks ahead for 0.5 seconds before each pick."),
        (
            "cmd:python3 -u bots/mybot.py --fast",
            "mybot.py",
            "A program: python3 -u bots/mybot.py --fast.",
        ),
        ("cmd:./mybot", "mybot", "A program: ./mybot."),
        ("cmd:'unclosed", "'unclosed", "A program: 'unclosed."),
        ("cmd:python -", "python -", "A program: python -."),
        (
            "llm:small@https://host.example/v1",
            "small",
            "A language model at https://host.example/v1.",
        ),
        ("somebody", "somebody", ""),
    ],
)
def test_names_and_lines(name: str, shown: str, line: str) -> None:
    """Programs by their file, models by their name, and anything else as it is called."""
    assert profile(name) == (shown, line)


@pytest.mark.parametrize("name", BUILT_IN_PLAYERS)
def test_an_opponent_is_found_by_the_name_that_is_shown(name: str) -> None:
    """`Level 4` as well as `level:4`; any other name stays as it was typed."""
    assert registered_name(profile(name).name) == name
    assert registered_name(name) == name
    assert registered_name("cmd:Bot 1") == "cmd:Bot 1"


@pytest.mark.parametrize(
    ("players", "computers", "first", "shown"),
    [
        (None, ("", ""), 1, ("The first player", "The second player")),
        (("Player 1", "Bob"), ("", ""), 2, ("Bob", "The second player")),
        (("Player 1", "Level 4"), ("", "level:4"), 1, ("The first player", "Level 4")),
        (None, ("level:4", "perfect"), 2, ("Perfect", "Level 4")),
        (None, ("perfect", "perfect"), 1, ("Perfect (1)", "Perfect (2)")),
        (("Player 2", "Player 1"), ("", ""), 1, ("The first player", "The second player")),
    ],
)
def test_spectators_read_who_is_who(
    players: tuple[str, str] | None,
    computers: tuple[str, str],
    first: int,
    shown: tuple[str, str],
) -> None:
    """Given names, computers by theirs, people without a name by their seats, nobody as You."""
    terms = agree(TURN_GAME, players=players, computers=computers, first=first)
    names = names_for_spectator(terms)
    assert (names.by_seat, names.you) == (shown, None)
    assert names.whose(0) == f"{shown[0].replace('The', 'the')}'s"
