"""What the tests know of Number Circle Duel."""

from tests.support.game_data import ClaimCase, GameData, Given, each

PINNED: list[tuple[Given, str, str]] = [
    (
        {},
        """
        options change: holds; two neighbours: holds; who begins: undefined; removed: fails;
        valid moves: fails; forcing: fails; win or lose: holds; worked example: holds;
        sample of a prompt: holds; steering: fails; consequences: fails; edge play: fails;
        thinking ahead: fails; skill: fails""",
        """
        ends: yes; fair: no; first: yes; draws: no; choices: no; skill: no; useless: no""",
    ),
    (
        {"numbers": 8, "reach": 2},
        """
        options change: holds; two neighbours: fails; who begins: undefined; removed: fails;
        valid moves: fails; forcing: holds; win or lose: holds; worked example: holds;
        sample of a prompt: fails; steering: holds; consequences: holds; edge play: holds;
        thinking ahead: holds; skill: fails""",
        "",
    ),
    (
        {"leaps": 1},
        """
        options change: holds; two neighbours: holds; who begins: undefined; removed: fails;
        valid moves: fails; forcing: holds; win or lose: holds; worked example: holds;
        sample of a prompt: holds; steering: holds; consequences: holds; edge play: holds;
        thinking ahead: holds; skill: holds""",
        "",
    ),
]
SHOWN: list[tuple[Given, str, str]] = [
    ({}, "forcing", "Player 2 wins the game!"),
    ({"numbers": 8, "reach": 2}, "edge play", "has no valid move"),
]
IDLE: list[tuple[Given, str, str]] = [
    ({"numbers": 1}, claim, "There is never more than one number to pick.")
    for claim in ("options change", "forcing", "edge play", "steering", "skill")
]
CLAIM_CASES = [
    ClaimCase({}),
    ClaimCase({"numbers": 1}),
    ClaimCase({"numbers": 3}),
    ClaimCase({"numbers": 8, "reach": 2}),
    ClaimCase({"numbers": 6, "leaps": 1}),
    ClaimCase(
        {"numbers": 5},
        (("Outcome.SECOND_WINS if state.turn == FIRST else Outcome.FIRST_WINS", "Outcome.DRAW"),),
    ),
]

DATA = GameData(
    place=3,
    options={"numbers": (10, 1, 24), "reach": (1, 1, 3), "leaps": (0, 0, 2)},
    small={"numbers": 7, "reach": 2},
    large={"numbers": 24, "reach": 3},
    policies=each("numbers=8 reach=2"),
    measured=each("numbers=7 reach=2; numbers=6; numbers=6 leaps=1"),
    verdicts=each(
        "numbers=1; numbers=2; numbers=3; numbers=8; numbers=7 reach=2; numbers=7 reach=3; "
        "numbers=6 leaps=1; numbers=6 leaps=2"
    ),
    environments=each("numbers=13 reach=2 leaps=1; numbers=24 reach=3 leaps=2"),
    pinned=PINNED,
    shown=SHOWN,
    idle=IDLE,
    claim_cases=CLAIM_CASES,
)
