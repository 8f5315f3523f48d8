"""Claims of rule books: the sentence, its check, the finding, and the thresholds of verdicts.

Checks read the figures of a study (`study_data`), which `study` computes. The names below are those
that release 0.1 had here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenodds.claims.claim import NO_CHANGES as AS_RULED
    from evenodds.claims.claim import Check, Claim, Facts, Finding, Replay, Rules, Verdict
    from evenodds.claims.claim import OptimalityCounts as Use
    from evenodds.claims.claim import PositionFilter as Through
else:  # every start wants the thresholds, and only studies want the rest

    def __getattr__(name: str) -> Any:
        """A name of release 0.1, by today's."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        today = {"AS_RULED": "NO_CHANGES", "Through": "PositionFilter", "Use": "OptimalityCounts"}
        return getattr(import_module("evenodds.claims.claim"), today.get(name, name))


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
