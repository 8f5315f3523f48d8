"""Design goals for a repair search, and proofs that some cannot be met by any ruling."""

from collections.abc import Callable
from typing import Final, NamedTuple

from evenodds.claims.thresholds import STEP
from evenodds.core.catalog import AnyGame
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.study.measures import Figures
from evenodds.system.errors import InvalidInput
from evenodds.system.text import shorten

FAIR: Final = "fair"
NO_DRAWS: Final = "no-draws"
SKILL: Final = "skill"


class UnknownGoal(InvalidInput, LookupError):
    """There is no goal of that name."""


class DesignGoal(NamedTuple):
    """A design goal: a sentence, the measures it needs, and whether figures meet it."""

    about: str
    measures: tuple[str, ...]
    met: Callable[[Figures], bool]
    shortfall: Callable[[Figures], float]
    """How far a ruling is from meeting it, from 0 to 1."""
    describe: Callable[[Figures], str]
    """How near a ruling comes, in words."""


def _is_zero(figure: float | int | None) -> bool:
    return figure is not None and abs(figure) <= VALUE_TOLERANCE


def _undecided(figures: Figures) -> float:
    return (figures["draws"] or 0.0) + (figures["endless"] or 0.0)


def _best_step(figures: Figures) -> str:
    if figures["step"] is None:
        return "its levels cannot be weighed"
    return f"the best step of the ladder is {percent(figures['step'])}"


GOALS: Final = {
    FAIR: DesignGoal(
        "The start is worth the same to both seats.",
        ("value", "fair"),
        lambda figures: figures["fair"] is True,
        lambda figures: abs(figures["value"] or 0.0),
        lambda figures: f"the first seat scores {percent(0.5 + (figures['value'] or 0.0) / 2)}",
    ),
    NO_DRAWS: DesignGoal(
        "Perfect play ends, and never in a draw.",
        ("draws", "endless"),
        lambda figures: _is_zero(figures["draws"]) and _is_zero(figures["endless"]),
        _undecided,
        lambda figures: f"{percent(_undecided(figures))} of perfect play has no winner",
    ),
    SKILL: DesignGoal(
        f"Some level scores {STEP} or better against the one below.",
        ("step",),
        lambda figures: (figures["step"] or 0.0) >= STEP.value - VALUE_TOLERANCE,
        lambda figures: max(0.0, STEP.value - (figures["step"] or 0.0)),
        _best_step,
    ),
}
"""All goals by name (wishes, in the output of commands)."""


SYMMETRY_PROOF: Final = (
    "The rules favour neither seat, so best play is the same for both. Both may then pick the same "
    "number round after round; nobody gets ahead, and such a match is a draw, whatever is ruled."
)
TURN_GAME_PROOF: Final = (
    "In a game of turns nothing is hidden, so best play wins for one seat, or is a draw, or goes "
    "on for ever. Fair would be one of the last two, and these are not wanted, whatever is ruled."
)


def parse_goals(text: str) -> tuple[str, ...]:
    """Names of goals separated by commas, each once, in the order of the list."""
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in GOALS:
            known = ", ".join(GOALS)
            raise UnknownGoal(f'there is no wish called "{shorten(name)}"; there are {known}')
    return tuple(name for name in GOALS if name in names)


def impossibility_proofs(game: AnyGame, goals: tuple[str, ...]) -> dict[str, str]:
    """Proofs that no ruling meets a goal, by the goal or goals that are ruled out."""
    from evenodds.study.claim_results import claims_module_of  # needs NumPy

    never: dict[str, str] = getattr(claims_module_of(game), "NEVER", {})
    found = {name: proof for name, proof in never.items() if name in goals}
    if NO_DRAWS in goals and game.mirror is not None and game.simultaneous and not game.loops:
        found[NO_DRAWS] = SYMMETRY_PROOF
    if {FAIR, NO_DRAWS} <= set(goals) and not game.simultaneous and FAIR not in found:
        found[f"{FAIR} and {NO_DRAWS}"] = TURN_GAME_PROOF
    return found
