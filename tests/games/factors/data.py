"""What the tests know of Clash of Numbers."""

from tests.support.game_data import ClaimCase, GameData, Given, each

NO_CHOICE = "There is never more than one number to pick."
PINNED: list[tuple[Given, str, str]] = [
    (
        {},
        """
        keeping the other away: holds; number pool: holds; not below zero: holds;
        first turns: undefined; equal numbers: undefined;
        first to the target: holds; both in one round: undefined; equal at the target: undefined;
        worked example: holds; sample of the dialog: holds; watching: holds;
        subtracting: holds; balance: holds; skill: holds; hindering: holds;
        forward-thinking: holds; quick: undefined""",
        """
        ends: partly; fair: yes; first: no; draws: yes; choices: partly; skill: yes;
        useless: yes""",
    ),
    (
        {"target": 12, "finish": "round", "opening": "live"},
        """
        keeping the other away: undefined; number pool: holds; not below zero: holds;
        first turns: undefined; equal numbers: undefined;
        first to the target: undefined; both in one round: holds; equal at the target: holds;
        worked example: fails; sample of the dialog: fails; watching: holds;
        subtracting: holds; balance: holds; skill: holds; hindering: holds;
        forward-thinking: holds; quick: undefined""",
        "",
    ),
]
SHOWN: list[tuple[Given, str, str]] = [
    (
        {"target": 12, "finish": "round", "opening": "live"},
        "hindering",
        "The same position has come up three times",
    ),
    ({"target": 12, "finish": "round", "opening": "live"}, "first to the target", "Player 2"),
]
IDLE: list[tuple[Given, str, str]] = [
    (
        {"numbers": 2, "target": 5, "echo": "barred"},
        "watching",
        "Nothing depends on a pick where it is held against a number of the other.",
    ),
    (
        {"numbers": 2, "target": 5, "echo": "barred"},
        "subtracting",
        "Nowhere does something depend on whether a number subtracts or not.",
    ),
    (
        {"numbers": 2, "target": 5, "echo": "barred"},
        "equal numbers",
        "No number is ever held against an equal one.",
    ),
    (
        {"numbers": 1, "target": 1, "finish": "round"},
        "both in one round",
        "It never happens that both have the target in the same round, and one has more.",
    ),
    ({"numbers": 1, "target": 1, "finish": "round"}, "watching", NO_CHOICE),
    ({"numbers": 1, "target": 1, "finish": "round"}, "balance", NO_CHOICE),
]
CLAIM_CASES = [
    ClaimCase({"target": 9}),
    ClaimCase({"target": 12, "finish": "round", "opening": "live"}),
    ClaimCase({"target": 1, "numbers": 1}),
    ClaimCase({"target": 8, "numbers": 3, "echo": "barred"}),
    ClaimCase({"target": 6, "numbers": 3, "same": "twice"}, (("max(0, theirs", "max(-1, theirs"),)),
    ClaimCase(  # nothing is subtracted
        {"target": 6, "numbers": 3},
        (
            (
                "return state.against if state.against != 0 and",
                "return 0 if state.against != 0 and",
            ),
            (
                "state.rulings.same == Same.ONCE else number",
                "state.rulings.same == Same.ONCE else 0",
            ),
        ),
    ),
    ClaimCase(  # the target must be hit exactly
        {"target": 7, "numbers": 4},
        (
            (
                "mine = state.scores[mover] + number",
                "mine = state.scores[mover] + number * "
                "(state.scores[mover] + number <= state.rulings.target)",
            ),
        ),
    ),
]

DATA = GameData(
    place=5,
    options={
        "target": (50, 1, 1000),
        "numbers": (9, 1, 30),
        "finish": ("at_once", "round"),
        "same": ("once", "twice"),
        "opening": ("exempt", "live"),
        "echo": ("free", "barred"),
    },
    small={"target": 9},
    large={"target": 1000, "numbers": 30},
    policies=each("target=5 numbers=3"),
    measured=each("target=5 numbers=3 echo=barred"),
    verdicts=each(
        "target=1 numbers=4; target=5 numbers=4; target=9 numbers=4; target=7; target=6 numbers=3 "
        "finish=round; target=6 numbers=3 same=twice; target=8 numbers=3 echo=barred"
    ),
    environments=each(
        "target=20 numbers=6 finish=round same=twice repetition=2; target=8 numbers=2; "
        "opening=live echo=barred max_cycles=20"
    ),
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
)
