"""What the tests know of Number Clash: First to Three."""

from typing import Any

from evenodds.core.catalog import get
from tests.support.game_data import GameData, case, each

Speech: Any = type(get("underdog").words)


class Congratulations(Speech):  # type: ignore[misc]
    """Closes the game with the words that the book has first, whatever has happened."""

    def closing(self, *_: Any) -> list[str]:
        return ["Congratulations, Player 1 wins the game with a score of 3 to 0!"]


SIX_STAYS = "without(state.hands[SECOND], picks[SECOND]) -> without(state.hands[SECOND], 8)"
"""Of the second hand only the 8 is ever used up."""


SAMPLES = ("worked example", "sample of a prompt")

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
    pinned=[
        (
            "numbers=5",
            """
            undefined: three points, closing; holds: higher numbers win, used once, underdogs win,
            planning, prediction, underdog answers, ties cost, every number; fails: worked example,
            sample of a prompt, saving high numbers, thinking ahead""",
            "yes: ends, fair, draws, choices; no: first, skill, useless",
        ),
        (
            "numbers=4 target=2 gap=0 exhausted=draw",
            """
            undefined: three points, closing; holds: higher numbers win, used once, planning,
            prediction, ties cost, thinking ahead; fails: underdogs win, worked example, sample of a
            prompt, underdog answers, saving high numbers, every number""",
            "",
        ),
    ],
    shown=[
        ("numbers=5", "three points", "draw"),
        ("numbers=5", "every number", "Player 1 has reached 3 points"),
    ],
    claim_cases=[
        *map(case, ("numbers=4", "numbers=4 target=2 gap=0 exhausted=draw", "numbers=4 target=2")),
        *map(case, ("numbers=2 target=2", "numbers=3 target=1")),
        case(  # a tie is won by the first seat
            "numbers=3 target=2",
            "lead = round_lead(state.rulings, picks) -> lead = picks[FIRST] - picks[SECOND] or 1",
        ),
        case("numbers=4 target=2", SIX_STAYS, only=(*SAMPLES, "used once")),
        case("numbers=4", words=Congratulations(), only=("closing",)),
    ],
)
