"""Opponents: what a pick takes, and how long it is to the first prompt against perfect play."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from evenodds import list_games
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.terms import agree
from evenodds.core.vocabulary import SEATS
from evenodds.players.registry import opponent

COMMAND: Final = str(Path(sys.executable).with_name("evenodds"))
NAMES: Final = ("random", "high", "copy", "level:1", "level:4", "perfect", "reader", "search:1000")
MATCHES: Final = 12
MOST: Final = 60
"""Picks of a match that are timed: some matches never end."""


def picks(name: str, game: AnyGame) -> list[float]:
    """Seconds for each pick of both seats in some matches, the table being open."""
    terms, chance = agree(game), Random(1)
    found: list[float] = []
    for _ in range(1 if name.startswith("search") else MATCHES):
        players = [opponent(name, terms, seat, chance) for seat in SEATS]
        match = Match(terms)
        while match.result is None and len(match.history) < MOST:
            for seat in match.waiting():
                view = match.view(seat)
                start = time.perf_counter()
                number = players[seat].pick(view)
                found.append(time.perf_counter() - start)
                match.pick(seat, number)
    return found


def first_prompt(game: AnyGame, home: str) -> float:
    """From the command to the first prompt against perfect play."""
    start = time.perf_counter()
    with subprocess.Popen(
        [COMMAND, "play", game.name, "--vs", "perfect"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"EVENODDS_HOME": home},
    ) as playing:
        assert playing.stdout is not None
        seen = b""
        while b": " not in seen.replace(b"Score: ", b""):
            seen += os.read(playing.stdout.fileno(), 4096)
        took = time.perf_counter() - start
        playing.kill()
    return took


def section() -> str:
    """Opponents, as a section of the page on performance."""
    games = list_games()
    rows = []
    for name in NAMES:
        cells = []
        for game in games:
            found = [1000 * seconds for seconds in picks(name, game)]
            cells.append(f"{statistics.median(found):.2g} ({max(found):.2g})")
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    with tempfile.TemporaryDirectory() as home:
        cold = [first_prompt(game, f"{home}/{game.name}") for game in games]
        warm = [
            statistics.median(first_prompt(game, f"{home}/{game.name}") for _ in range(5))
            for game in games
        ]
    heads = " | ".join(f"`{game.name}`" for game in games)
    return "\n".join(
        [
            "## Opponents",
            "",
            "Milliseconds for a pick with default rulings once the table is open: the median and,",
            "in brackets, the longest. All but `search` are to take less than 50.",
            "",
            f"| | {heads} |",
            f"|---|{'---|' * len(games)}",
            *rows,
            "",
            "Seconds from the command to the first prompt against `perfect`, through a pipe.",
            "",
            f"| | {heads} |",
            f"|---|{'---|' * len(games)}",
            f"| a table must be made | {' | '.join(f'{seconds:.2f}' for seconds in cold)} |",
            f"| the table is kept | {' | '.join(f'{seconds:.2f}' for seconds in warm)} |",
        ]
    )
