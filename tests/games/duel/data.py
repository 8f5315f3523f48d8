"""What the tests know of Number Duel."""

from tests.support.game_data import GameData, case, each

NO_CHOICE = "There is never more than one number to pick."
STRIKES = "picks[FIRST] if picks[FIRST] >= picks[SECOND] else 0"
STRUCK = "picks[SECOND] if picks[SECOND] >= picks[FIRST] else 0"


FALLEN = "state.health[SECOND]) <= 0:\n        return Ending.K"
HELD = (
    "(" + ", ".join(f"max(1, picks[{n}] * (picks[{n}] <= state.health[{n}]))" for n in (0, 1)) + ")"
)
"""A number above one's own health counts as a 1."""

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
    pinned=[
        (
            "",
            """
            fails: predicting moves, no draws, prediction, bluffing, caution, strategy; holds:
            example of an attack, example of equal numbers, no overflow, ends at zero, worked
            example, sample of the dialog, risk, quick, skill; undefined: the other wins, remaining
            health""",
            "yes: ends, fair, draws, choices, skill, useless; no: first",
        ),
        (
            "hp=25 numbers=1 knockout=draw",
            """
            undefined: predicting moves, the other wins, prediction, risk, bluffing, caution,
            strategy, skill; holds: example of an attack, example of equal numbers, no overflow,
            ends at zero, remaining health, worked example, sample of the dialog; fails: no draws,
            quick""",
            "yes: ends, fair, draws; no: first; undefined: choices, skill, useless",
        ),
    ],
    shown=[
        ("", "no draws", "The game is a draw!"),
        ("", "the other wins", "Both players have fallen"),
        ("", "bluffing", "Both players have fallen"),
    ],
    idle=[
        (
            "hp=1",
            "caution",
            "There is no decision with 0.5 HP or less in which something depends on the pick.",
        ),
        ("numbers=1", "prediction", NO_CHOICE),
        ("numbers=1", "bluffing", NO_CHOICE),
        ("numbers=1", "caution", NO_CHOICE),
        ("numbers=1", "strategy", NO_CHOICE),
        ("numbers=1", "skill", NO_CHOICE),
        ("numbers=1", "risk", "There is no higher number than 1."),
        (
            "hp=4 numbers=9 overreach=1",
            "caution",
            "9 is never right, with little health or much: that says nothing of caution.",
        ),
    ],
    claim_cases=[
        *map(case, ("", "hp=21 numbers=1 knockout=draw", "hp=6 overreach=1")),
        case("hp=4", f"{STRIKES} -> {STRIKES.replace('>=', '>')}"),  # equal numbers hurt the first
        case("hp=4", f"{STRUCK} -> 2 * {STRUCK}", only=("example of an attack",)),
        case("hp=4", f"{STRUCK} -> {STRUCK} - 1"),  # whoever strikes is healed
        case("hp=4", f"{FALLEN} -> {FALLEN.replace('<=', '<')}"),
        case("hp=6", f"damage(state.rulings, picks) -> damage(state.rulings, {HELD})"),
    ],
)
