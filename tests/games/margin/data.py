"""What the tests know of Number Clash: Five Rounds."""

from tests.support.game_data import GameData, case, each

SIX_STAYS = "without(state.hands[SECOND], picks[SECOND]) -> without(state.hands[SECOND], 8)"
"""Of the second hand only the 8 is ever used up."""


HAND = "return state.hands[seat]"

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
    pinned=[
        (
            "",
            """
            fails: turns, points decide, sets of numbers, points against rounds, skill, no draws;
            holds: used once, five rounds, saving high numbers, example of scoring, worked example,
            sample of a prompt, sample of the dialog, managing numbers, prediction, quick, not
            points decide; undefined: last round""",
            "yes: ends, fair, draws, choices; no: first, useless; partly: skill",
        ),
        (
            "numbers=3 last_round=decisive",
            """
            fails: turns, points decide, sets of numbers, five rounds, points against rounds, no
            draws; holds: used once, saving high numbers, example of scoring, worked example, sample
            of a prompt, sample of the dialog, managing numbers, prediction, skill, quick, not
            points decide;
            undefined: last round""",
            "",
        ),
    ],
    shown=[
        ("", "no draws", "draw"),
        ("", "last round", "draw"),
        ("", "points decide", "won more rounds"),
    ],
    claim_cases=[
        *map(case, ("", "numbers=2", "numbers=3 last_round=decisive")),
        case(  # 21 rounds with nothing to choose
            "numbers=21", "Whole(2, 12, -> Whole(2, 21,", f"{HAND} -> {HAND} & -state.hands[seat]"
        ),
        case("numbers=3", "state.last if keeps_last else sign(lead) -> 1"),
        case("numbers=4", "+ max(lead, 0) -> + (lead > 1)", "+ max(-lead, 0) -> + (lead < -1)"),
        case("numbers=3", f"{HAND} -> {HAND} if seat == FIRST else 1", only=("turns",)),
        case("numbers=3", "(full, full) -> (full, full << 1)", only=("sets of numbers",)),
        case("numbers=3", SIX_STAYS, only=("used once", "sample of a prompt")),
    ],
)
