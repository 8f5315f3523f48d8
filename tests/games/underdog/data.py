"""What the tests know of Number Clash: First to Three."""

from typing import Any

from evenodds import get
from tests.support.game_data import ClaimCase, GameData, Given, each

Speech: Any = type(get("underdog").words)


class Congratulations(Speech):  # type: ignore[misc]
    """Closes the game with the words that the book has first, whatever has happened."""

    def closing(self, *_: Any) -> list[str]:
        return ["Congratulations, Player 1 wins the game with a score of 3 to 0!"]


SIX_STAYS = ("without(state.hands[SECOND], picks[SECOND])", "without(state.hands[SECOND], 8)")
"""Of the second hand only the 8 is ever used up."""

PINNED: list[tuple[Given, str, str]] = [
    (
        {"numbers": 5},
        """
        three points: undefined; higher numbers win: holds; used once: holds; underdogs win: holds;
        planning: holds; worked example: fails;
        sample of a prompt: fails; closing: undefined; prediction: holds; underdog answers: holds;
        saving high numbers: fails; ties cost: holds; thinking ahead: fails; every number: holds""",
        """
        ends: yes; fair: yes; first: no; draws: yes; choices: yes; skill: no; useless: no""",
    ),
    (
        {"numbers": 4, "target": 2, "gap": 0, "exhausted": "draw"},
        """
        three points: undefined; higher numbers win: holds; used once: holds; underdogs win: fails;
        planning: holds; worked example: fails;
        sample of a prompt: fails; closing: undefined; prediction: holds; underdog answers: fails;
        saving high numbers: fails; ties cost: holds; thinking ahead: holds; every number: fails""",
        "",
    ),
]
SHOWN: list[tuple[Given, str, str]] = [
    ({"numbers": 5}, "three points", "draw"),
    ({"numbers": 5}, "every number", "Player 1 has reached 3 points"),
]
CLAIM_CASES = [
    ClaimCase({"numbers": 4}),
    ClaimCase({"numbers": 4, "target": 2, "gap": 0, "exhausted": "draw"}),
    ClaimCase({"numbers": 4, "target": 2}),
    ClaimCase({"numbers": 2, "target": 2}),
    ClaimCase({"numbers": 3, "target": 1}),
    ClaimCase(  # a tie is won by the first seat
        {"numbers": 3, "target": 2},
        (("lead = round_lead(state.rulings, picks)", "lead = picks[FIRST] - picks[SECOND] or 1"),),
    ),
    ClaimCase(
        {"numbers": 4, "target": 2},
        (SIX_STAYS,),
        only=("used once", "worked example", "sample of a prompt"),
    ),
    ClaimCase({"numbers": 4}, words=Congratulations(), only=("closing",)),
]

DATA = GameData(
    place=1,
    options={
        "numbers": (10, 2, 20),
        "target": (3, 1, 10),
        "gap": (1, 0, 9),
        "exhausted": ("score", "draw"),
    },
    small={"numbers": 4, "target": 2},
    large={"numbers": 20},
    policies=each("numbers=4; numbers=3 target=2 gap=2"),
    measured=each("numbers=4 target=2; numbers=4 target=3 gap=2 exhausted=draw"),
    verdicts=each(
        "numbers=4 target=1 gap=1; numbers=4 target=2 gap=1; numbers=4 target=4 gap=1; numbers=4 "
        "target=2 gap=0; numbers=4 target=2 gap=2; numbers=4 target=2 gap=3; numbers=2 target=2; "
        "numbers=3 target=2 exhausted=draw"
    ),
    environments=each("numbers=4 target=2 gap=2 exhausted=draw"),
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
)
