"""Match notation, similar to PGN: tag lines, then picks, then the result.

    [Game "underdog"]
    [Rulings "numbers=6 target=2"]

    3-4 6-2 first

Rounds in which both pick are `7-8`, first's pick before second's; turns are single numbers. The
result is `first`, `second`, `draw` or `*`. Only the game is needed; a tag left out has its default.
A pick that is not revealed is never in notation.
"""

from evenodds.core.notation.parser import parse, parse_all, play_line
from evenodds.core.notation.seals import Sealed
from evenodds.core.notation.tokenizer import BadNotation
from evenodds.core.notation.verify import Verified, fits_commitment, verify_all
from evenodds.core.notation.writer import write, write_all, write_round

__all__ = [
    "BadNotation",
    "Sealed",
    "Verified",
    "fits_commitment",
    "parse",
    "parse_all",
    "play_line",
    "verify_all",
    "write",
    "write_all",
    "write_round",
]
