"""What the tests know of Number Duel."""

from tests.support.game_data import ClaimCase, GameData, Given, each

NO_CHOICE = "There is never more than one number to pick."
STRIKES = "picks[FIRST] if picks[FIRST] >= picks[SECOND] else 0"
STRUCK = "picks[SECOND] if picks[SECOND] >= picks[FIRST] else 0"

PINNED: list[tuple[Given, str, str]] = [
    (
        {},
        """
        predicting moves: fails; example of an attack: holds; example of equal numbers: holds;
        no overflow: holds; the other wins: undefined; ends at zero: holds; no draws: fails;
        remaining health: undefined; worked example: holds;
        sample of the dialog: holds; prediction: fails;
        risk: holds; bluffing: fails; caution: fails; quick: holds; strategy: fails;
        skill: holds""",
        """
        ends: yes; fair: yes; first: no; draws: yes; choices: yes; skill: yes; useless: yes""",
    ),
    (
        {"hp": 25, "numbers": 1, "knockout": "draw"},
        """
        predicting moves: undefined; example of an attack: holds; example of equal numbers: holds;
        no overflow: holds; the other wins: undefined; ends at zero: holds; no draws: fails;
        remaining health: holds; worked example: holds;
        sample of the dialog: holds; prediction: undefined;
        risk: undefined; bluffing: undefined; caution: undefined; quick: fails; strategy: undefined;
        skill: undefined""",
        """
        ends: yes; fair: yes; first: no; draws: yes; choices: undefined; skill: undefined;
        useless: undefined""",
    ),
]
SHOWN: list[tuple[Given, str, str]] = [
    ({}, "no draws", "The game is a draw!"),
    ({}, "the other wins", "Both players have fallen"),
    ({}, "bluffing", "Both players have fallen"),
]
IDLE: list[tuple[Given, str, str]] = [
    (
        {"hp": 1},
        "caution",
        "There is no decision with 0.5 HP or less in which something depends on the pick.",
    ),
    ({"numbers": 1}, "prediction", NO_CHOICE),
    ({"numbers": 1}, "bluffing", NO_CHOICE),
    ({"numbers": 1}, "caution", NO_CHOICE),
    ({"numbers": 1}, "strategy", NO_CHOICE),
    ({"numbers": 1}, "skill", NO_CHOICE),
    ({"numbers": 1}, "risk", "There is no higher number than 1."),
    (
        {"hp": 4, "numbers": 9, "overreach": 1},
        "caution",
        "9 is never right, with little health or much: that says nothing of caution.",
    ),
]
CLAIM_CASES = [
    ClaimCase({}),
    ClaimCase({"hp": 21, "numbers": 1, "knockout": "draw"}),
    ClaimCase({"hp": 6, "overreach": 1}),
    ClaimCase(  # equal numbers hurt the first
        {"hp": 4}, ((STRIKES, STRIKES.replace(">=", ">")),)
    ),
    ClaimCase({"hp": 4}, ((STRUCK, f"2 * {STRUCK}"),), only=("example of an attack",)),
    ClaimCase({"hp": 4}, ((STRUCK, f"{STRUCK} - 1"),)),  # whoever strikes is healed
    ClaimCase(
        {"hp": 4},
        (
            (
                "state.health[SECOND]) <= 0:\n        return Ending.K",
                "state.health[SECOND]) < 0:\n        return Ending.K",
            ),
        ),
    ),
    ClaimCase(  # a number above one's own health counts as a 1
        {"hp": 6},
        (
            (
                "damage(state.rulings, picks)",
                "damage(state.rulings, ("
                "max(1, picks[FIRST] * (picks[FIRST] <= state.health[FIRST])), "
                "max(1, picks[SECOND] * (picks[SECOND] <= state.health[SECOND]))))",
            ),
        ),
    ),
]

DATA = GameData(
    place=4,
    options={
        "hp": (10, 1, 100),
        "numbers": (3, 1, 9),
        "knockout": ("higher", "draw"),
        "overreach": (0, 0, 2),
    },
    small={"hp": 5},
    large={"hp": 100, "numbers": 9},
    policies=each("hp=5; hp=4"),
    measured=each("hp=4; hp=3 numbers=4 knockout=draw"),
    verdicts=each(
        "hp=1; hp=4; hp=10; hp=6 numbers=1; hp=6 numbers=2; hp=6 numbers=5; hp=5 knockout=draw; "
        "hp=2 overreach=1; hp=7 overreach=1; hp=4 numbers=5 overreach=1; hp=4 numbers=5 "
        "overreach=2; hp=4 numbers=5 overreach=3; hp=4 numbers=5 overreach=4"
    ),
    environments=each("hp=21 numbers=6 knockout=draw overreach=3"),
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
)
