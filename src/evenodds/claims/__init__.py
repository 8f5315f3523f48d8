"""Claims of rule books: the sentence, its check, the finding, and the thresholds of verdicts.

Checks read the figures of a study (`study_data`), which `study` computes. The names below are those
that release 0.1 had here.

May import `core`, `figures` and `system`.
"""

from evenodds.claims.claim import NO_CHANGES as AS_RULED
from evenodds.claims.claim import Check, Claim, Facts, Finding, Replay, Rules, Verdict
from evenodds.claims.claim import OptimalityCounts as Use
from evenodds.claims.claim import PositionFilter as Through

__all__ = [
    "AS_RULED",
    "Check",
    "Claim",
    "Facts",
    "Finding",
    "Replay",
    "Rules",
    "Through",
    "Use",
    "Verdict",
]
