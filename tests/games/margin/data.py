"""What the tests know of Number Clash: Five Rounds."""

from tests.support.game_data import ClaimCase, GameData, Given, each

SIX_STAYS = ("without(state.hands[SECOND], picks[SECOND])", "without(state.hands[SECOND], 8)")
"""Of the second hand only the 8 is ever used up."""

PINNED: list[tuple[Given, str, str]] = [
    (
        {},
        """
        turns: fails; points decide: fails; sets of numbers: fails; used once: holds;
        five rounds: holds; saving high numbers: holds;
        last round: undefined; example of scoring: holds; worked example: holds;
        sample of a prompt: holds; sample of the dialog: holds; managing numbers: holds;
        prediction: holds; points against rounds: fails; skill: fails;
        no draws: fails; quick: holds""",
        """
        ends: yes; fair: yes; first: no; draws: yes; choices: yes; skill: partly; useless: no""",
    ),
    (
        {"numbers": 3, "last_round": "decisive"},
        """
        turns: fails; points decide: fails; sets of numbers: fails; used once: holds;
        five rounds: fails; saving high numbers: holds;
        last round: undefined; example of scoring: holds; worked example: holds;
        sample of a prompt: holds; sample of the dialog: holds; managing numbers: holds;
        prediction: holds; points against rounds: fails; skill: holds;
        no draws: fails; quick: holds""",
        "",
    ),
]
SHOWN: list[tuple[Given, str, str]] = [
    ({}, "no draws", "draw"),
    ({}, "last round", "draw"),
    ({}, "points decide", "won more rounds"),
]
CLAIM_CASES = [
    ClaimCase({}),
    ClaimCase({"numbers": 2}),
    ClaimCase({"numbers": 3, "last_round": "decisive"}),
    ClaimCase(  # 21 rounds with nothing to choose
        {"numbers": 21},
        (
            ("Whole(2, 12,", "Whole(2, 21,"),
            ("return state.hands[seat]", "return state.hands[seat] & -state.hands[seat]"),
        ),
    ),
    ClaimCase({"numbers": 3}, (("state.last if keeps_last else sign(lead)", "1"),)),
    ClaimCase(  # a point for a lead of two or more
        {"numbers": 4}, (("+ max(lead, 0)", "+ (lead > 1)"), ("+ max(-lead, 0)", "+ (lead < -1)"))
    ),
    ClaimCase(
        {"numbers": 3},
        (("return state.hands[seat]", "return state.hands[seat] if seat == FIRST else 1"),),
        only=("turns",),
    ),
    ClaimCase({"numbers": 3}, (("(full, full)", "(full, full << 1)"),), only=("sets of numbers",)),
    ClaimCase({"numbers": 3}, (SIX_STAYS,), only=("used once", "sample of a prompt")),
]

DATA = GameData(
    place=2,
    options={"numbers": (5, 2, 12), "last_round": ("final", "decisive")},
    small={"numbers": 4},
    large={"numbers": 12},
    policies=each("numbers=4"),
    measured=each("numbers=4; numbers=3 last_round=decisive"),
    verdicts=each(
        "numbers=2; numbers=3; numbers=4; numbers=3 last_round=decisive; numbers=4 "
        "last_round=decisive"
    ),
    environments=each("numbers=7 last_round=decisive"),
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
)
