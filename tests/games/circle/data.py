"""What the tests know of Number Circle Duel."""

from evenodds import Outcome
from tests.games.circle.claims import CLAIM_CASES, PINNED, SHOWN
from tests.support.game_data import GameData

DATA = GameData(
    place=3,
    options={"numbers": (10, 1, 24), "reach": (1, 1, 3), "leaps": (0, 0, 2)},
    fixed_outcomes=[
        ({}, Outcome.SECOND_WINS),
        ({"numbers": 24}, Outcome.SECOND_WINS),
        ({"numbers": 9}, Outcome.FIRST_WINS),
        ({"leaps": 1}, None),
        ({"reach": 2}, None),
    ],
    lost=[{"numbers": 7, "leaps": 1}],
    choices=[{"numbers": 7, "leaps": 1}],
    small={"numbers": 8, "reach": 2},
    tiny={"numbers": 7, "reach": 2},
    large={"numbers": 24, "reach": 3},
    puzzles={"numbers": 9, "reach": 2},
    no_puzzles=[{}],
    rational=[{"numbers": 7, "reach": 2}],
    compiled=[{}, {"numbers": 9, "reach": 2}, {"numbers": 1}],
    interpreted=[{"numbers": 6, "reach": 2}],
    policies=[{"numbers": 8, "reach": 2}],
    equilibria=[{"numbers": 5, "reach": 2}],
    measured=[{"numbers": 7, "reach": 2}, {"numbers": 6}, {"numbers": 6, "leaps": 1}],
    swept=[{"numbers": 5, "reach": 2}],
    verdicts=[
        {"numbers": 1},
        {"numbers": 2},
        {"numbers": 3},
        {"numbers": 8},
        {"numbers": 7, "reach": 2},
        {"numbers": 7, "reach": 3},
        {"numbers": 6, "leaps": 1},
        {"numbers": 6, "leaps": 2},
    ],
    odd=[{"numbers": 1}, {"numbers": 7, "reach": 3}, {"numbers": 6, "leaps": 2}],
    levels=[{"reach": 2}, {"reach": 3, "numbers": 9}, {"reach": 2, "numbers": 7}],
    counter_read=[{"numbers": 6, "reach": 2}],
    searched=[{"numbers": 12, "reach": 2}],
    environments=[{"numbers": 13, "reach": 2, "leaps": 1}, {"numbers": 24, "reach": 3, "leaps": 2}],
    counts=[
        ({}, 10, (0, 0, 20, 0)),
        ({"numbers": 9}, 9, (18, 0, 0, 0)),
        ({"numbers": 7, "reach": 2}, 7, (476, 0, 168, 0)),
        ({"numbers": 6, "reach": 3}, 6, (0, 0, 720, 0)),
        ({"numbers": 1}, 3, (1, 0, 0, 0)),
        ({"numbers": 6, "leaps": 1}, 6, (120, 0, 180, 0)),
        ({"numbers": 6, "reach": 2, "leaps": 1}, 6, (0, 0, 624, 0)),
        ({"numbers": 5, "leaps": 2}, 5, (120, 0, 0, 0)),
    ],
    habits=[
        ({"numbers": 9, "reach": 2}, "avoids_repeats", -0.05),  # perfect play finds it, too
        ({"numbers": 10, "reach": 2}, "copies", 0.15),
    ],
    thresholds=[
        ({"numbers": 7, "reach": 2}, "choices?", "seldom", [("partly", 0.5), ("yes", 0.99)])
    ],
    variants={"numbers": [9, 10, 11], "reach": [1, 2, 3], "leaps": [0, 1, 2]},
    unreachable=[({"numbers": 3}, [{"last": 2}, {"turn": 0.5}, {"free": "a"}])],
    hints=[
        ({}, "", "The second player wins, whatever anyone picks."),
        ({"numbers": 8, "reach": 2}, "1 2 3", "equally good: they win in at most"),
    ],
    prompts=[
        ({}, ["1 to 10", "10 is next to 1", "next to the last one"], ["places", "a leap"]),
        (
            {"numbers": 7, "reach": 2},
            ["1 to 7", "7 is next to 1", "at most 2 places"],
            ["10", "next to the last", "a leap"],
        ),
        ({"leaps": 2}, ["may 2 times in the match claim any unclaimed"], ["places"]),
    ],
    pinned=PINNED,
    shown=SHOWN,
    claim_cases=CLAIM_CASES,
    explained=[
        (["?"], "Claim any number to begin."),
        ([4, "?"], "Claim a free number next to 4 on the circle."),
    ],
    dialogs=[
        (
            ["--rule", "numbers=3", "--first", "2"],
            [1, 2, 3],
            ["Player 2's turn.", "Player 1 has no valid move.", "Player 2 wins the game!"],
        )
    ],
)
