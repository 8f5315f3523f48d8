"""What the tests know of Number Circle Duel."""

from tests.support.game_data import GameData, case, each

BY_TURN = "if state.turn == FIRST else"

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
    pinned=[
        (
            "",
            """
            holds: options change, two neighbours, win or lose, worked example, sample of a prompt,
            one arc, whatever anybody does; undefined: who begins, going wrong; fails: removed,
            valid moves, forcing, steering, consequences, edge play, thinking ahead, skill""",
            "yes: ends, first; no: fair, draws, choices, skill, useless",
        ),
        (
            "numbers=8 reach=2",
            """
            holds: options change, forcing, win or lose, worked example, steering, consequences,
            edge play, thinking ahead, going wrong; fails: two neighbours, removed, valid moves,
            sample of a prompt, skill; undefined: who begins, one arc, whatever anybody does""",
            "",
        ),
        (
            "leaps=1",
            """
            holds: options change, two neighbours, forcing, win or lose, worked example, sample of a
            prompt, steering, consequences, edge play, thinking ahead, skill, going wrong;
            undefined: who begins, one arc, whatever anybody does; fails: removed, valid moves""",
            "",
        ),
    ],
    shown=[
        ("", "forcing", "Player 2 wins the game!"),
        ("numbers=8 reach=2", "edge play", "has no valid move"),
    ],
    idle=[
        ("numbers=1", claim, "There is never more than one number to pick.")
        for claim in ("options change", "forcing", "edge play", "steering", "skill")
    ],
    claim_cases=[
        *map(case, ("", "numbers=1", "numbers=3", "numbers=8 reach=2", "numbers=6 leaps=1")),
        case("numbers=5", f"Outcome.SECOND_WINS {BY_TURN} Outcome.FIRST_WINS -> Outcome.DRAW"),
    ],
)
