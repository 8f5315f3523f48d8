"""Claims of rule books: the sentence, its check, the finding, and the thresholds of verdicts.

Checks read the figures of a study (`study_data`), which `study` computes. May import `core`,
`figures` and `system`. The names below are those that release 0.1 had here.
"""

from evenodds.claims.claim import (
    AS_RULED,
    Check,
    Claim,
    Facts,
    Finding,
    Replay,
    Rules,
    Through,
    Ties,
    Use,
    Verdict,
)

__all__ = [
    "AS_RULED",
    "Check",
    "Claim",
    "Facts",
    "Finding",
    "Replay",
    "Rules",
    "Through",
    "Ties",
    "Use",
    "Verdict",
]
