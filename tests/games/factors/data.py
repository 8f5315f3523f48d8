"""What the tests know of Clash of Numbers."""

from tests.support.game_data import GameData, case, each

NO_CHOICE = "There is never more than one number to pick."

SUM = "state.scores[mover] + number"

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
        "finish=round; target=5 numbers=3 same=twice; target=8 numbers=3 echo=barred"
    ),
    environments=each(
        "target=20 numbers=6 finish=round same=twice repetition=2; target=8 numbers=2; "
        "opening=live echo=barred max_cycles=20"
    ),
    pinned=[
        (
            "",
            """
            holds: keeping the other away, number pool, not below zero, first to the target, worked
            example, sample of the dialog, watching, subtracting, balance, skill, hindering,
            forward-thinking, not always ends; undefined: first turns, equal numbers,
            both in one round, equal at the target, quick""",
            "partly: ends, choices; yes: fair, draws, skill, useless; no: first",
        ),
        (
            "target=10 finish=round opening=live",
            """
            undefined: keeping the other away, first turns, equal numbers, first to the target,
            quick; holds: number pool, not below zero, both in one round, equal at the target,
            watching, subtracting, balance, skill, hindering, forward-thinking, not always
            ends; fails: worked example, sample of the dialog""",
            "",
        ),
    ],
    shown=[
        (
            "target=10 finish=round opening=live",
            "hindering",
            "The same position has come up three times",
        ),
        ("target=10 finish=round opening=live", "first to the target", "Player 2"),
    ],
    idle=[
        (
            "numbers=2 target=5 echo=barred",
            "watching",
            "Nothing depends on a pick where it is held against a number of the other.",
        ),
        (
            "numbers=2 target=5 echo=barred",
            "subtracting",
            "Nowhere does something depend on whether a number subtracts or not.",
        ),
        (
            "numbers=2 target=5 echo=barred",
            "equal numbers",
            "No number is ever held against an equal one.",
        ),
        (
            "numbers=1 target=1 finish=round",
            "both in one round",
            "It never happens that both have the target in the same round, and one has more.",
        ),
        ("numbers=1 target=1 finish=round", "watching", NO_CHOICE),
        ("numbers=1 target=1 finish=round", "balance", NO_CHOICE),
    ],
    claim_cases=[
        *map(case, ("target=9", "target=10 finish=round opening=live", "target=1 numbers=1")),
        case("target=8 numbers=3 echo=barred"),
        case("target=6 numbers=3 same=twice", "max(0, theirs -> max(-1, theirs"),
        case(  # nothing is subtracted
            "target=6 numbers=3",
            "return state.against if state.against != 0 and -> return 0 if state.against != 0 and",
            "state.rulings.same == Same.ONCE else number -> state.rulings.same == Same.ONCE else 0",
        ),
        case(  # the target must be hit exactly
            "target=7 numbers=4", f"mine = {SUM} -> mine = {SUM} * ({SUM} <= state.rulings.target)"
        ),
    ],
)
