"""What the page of Undercut promises."""

from evenodds.checks import Example, choices_matter, every_line, length, no_draws, prediction_pays, quick, skill_pays, thinking_pays, verdict, worked
from evenodds.claims import Claim, Facts, Finding, Verdict
from evenodds.text import percent
from evenodds.vocabulary import Outcome

from evenodds_undercut.rules import Ending, State

EXAMPLE = Example("4-5 1-1", ((9, 0), (10, 1)), Outcome.FIRST_WINS, {"target": 10, "numbers": 5})


def points(state: State) -> tuple[int, int]:
    """The points of both."""
    return state.points


def ends(facts: Facts) -> Finding:
    """Whether matches end by the target."""
    line = facts.line_to(ending=Ending.TARGET.name)
    share = percent(facts.study.plays["random"].fate.endings.get(Ending.TARGET.name, 0.0))
    said = f"{every_line(facts)} ends. {length(facts)}. {share} of random matches have a winner."
    return Finding(verdict(bool(line)), said, line)


def replayed(facts: Facts) -> Finding:
    """Whether whoever is undercut gets nothing."""
    found = facts.replay("1-2", {"numbers": 3, "target": 5})
    zero = not found.refused and found.states[-1].points[1] == 0
    return Finding(Verdict.HOLDS if zero else Verdict.FAILS, "1 against 2 leaves 2 nothing.", "1-2")


CLAIMS = (
    Claim("ends", "The first to reach the target wins.", ends),
    Claim("undercut", "Whoever is undercut scores nothing.", replayed),
    Claim("example", "4 undercuts 5, and wins 10 to 1.", worked(EXAMPLE, points)),
    Claim("no draws", "There is always a winner.", no_draws),
    Claim("choices", "Every pick matters.", choices_matter),
    Claim("foresight", "Foresee what the other picks.", prediction_pays),
    Claim("thinking", "Whoever thinks wins.", thinking_pays),
    Claim("quick", "A game of minutes.", quick),
    Claim("skill", "Skill pays.", skill_pays),
)
