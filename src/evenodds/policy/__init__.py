"""Policies: exact odds between two of them, best responses, exploitability, simulation.

Also batches of matches for reinforcement learning, and the range of figures over all optimal mixes.
May import `solver`, `graph`, `kernels` and their modules, `matrix`, `core` and `system`. The names
below are imported when first used.
"""

from typing import TYPE_CHECKING

from evenodds.system.imports.lazy import lazy_attributes

if TYPE_CHECKING:
    from evenodds.policy.match_odds import odds
    from evenodds.policy.policies import BadPolicy, Policy, Uniform
    from evenodds.policy.responses import Response, best_response, exploitability
    from evenodds.policy.results import Odds, UncountedRepetition
    from evenodds.policy.simulation.matches import Simulation, simulate
else:
    __getattr__ = lazy_attributes(
        __name__,
        {
            "evenodds.policy.match_odds": "odds",
            "evenodds.policy.policies": "BadPolicy Policy Uniform",
            "evenodds.policy.responses": "Response best_response exploitability",
            "evenodds.policy.simulation.matches": "Simulation simulate",
            "evenodds.policy.results": "Odds UncountedRepetition",
        },
    )

__all__ = [
    "BadPolicy",
    "Odds",
    "Policy",
    "Response",
    "Simulation",
    "UncountedRepetition",
    "Uniform",
    "best_response",
    "exploitability",
    "odds",
    "simulate",
]
