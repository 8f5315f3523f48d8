"""Standard questions about every game, answered yes, partly or no from its study.

The sentences are those of `verdict`; this module adds the answer, and a line of play that shows it.
"""

from collections.abc import Callable

from evenodds.claims.checks import no_draws
from evenodds.claims.claim import Check, Claim, Facts, Finding, Verdict
from evenodds.claims.study_figures import Study, count_noticeable_steps
from evenodds.claims.thresholds import SELDOM, STEP
from evenodds.figures import VALUE_TOLERANCE, percent
from evenodds.study import verdict


def check_from_figures(yes: Callable[[Study], Verdict], sentence: Callable[[Study], str]) -> Check:
    """A check that needs only the study."""
    return lambda facts: Finding(yes(facts.study), sentence(facts.study))


def _answer(yes: bool) -> Verdict:
    return Verdict.YES if yes else Verdict.NO


def always_ends(facts: Facts) -> Finding:
    """Whether every match ends; partly, where only the draw by repetition ends it."""
    line = facts.round_trip()
    drawn = Verdict.PARTLY if facts.study.repetition else Verdict.NO
    return Finding(drawn if line else Verdict.YES, verdict.length_sentence(facts.study), line)


def can_be_drawn(facts: Facts) -> Finding:
    """Whether a match can be drawn or endless."""
    line = no_draws(facts).line
    return Finding(_answer(bool(line)), verdict.draws_sentence(facts.study), line)


def going_first_decides(facts: Facts) -> Finding:
    """Whether it is decisive which seat begins."""
    best = percent(0.5 + facts.study.value / 2)
    chance = percent(facts.study.plays["random"].odds.score)
    scores = f"scores {best} under best play, and {chance} between random players"
    if facts.simultaneous:
        return Finding(Verdict.NO, f"Nobody begins: both pick at once. The first seat {scores}.")
    return Finding(_answer(abs(facts.study.value) > VALUE_TOLERANCE), f"Whoever begins {scores}.")


def is_start_fair(study: Study) -> Verdict:
    """Whether both seats have the same value under best play."""
    return _answer(abs(study.value) <= VALUE_TOLERANCE)


def do_choices_matter(study: Study) -> Verdict:
    """Whether anything depends on picks; partly, where it seldom does."""
    idle = study.choice.idle
    if not study.size.decisions or idle >= 1 - VALUE_TOLERANCE:
        return Verdict.NO
    return Verdict.PARTLY if idle > SELDOM.value + VALUE_TOLERANCE else Verdict.YES


def does_skill_pay(study: Study) -> Verdict:
    """Whether better players win.

    Partly, where perfect play beats random picks but no level beats the one below, or where only
    the best response to random picks beats them.
    """
    comparisons = study.skill.comparisons
    if study.skill.perfect_score < STEP.value - VALUE_TOLERANCE:
        seen = verdict.best_against_chance(study) >= STEP.value - VALUE_TOLERANCE
        return Verdict.PARTLY if seen else Verdict.NO
    return (
        Verdict.PARTLY if comparisons and not count_noticeable_steps(comparisons) else Verdict.YES
    )


def has_useless_numbers(study: Study) -> Verdict:
    """Whether numbers are useless; partly, where some are never right against perfect play."""
    if study.choice.useless:
        return Verdict.YES
    return Verdict.PARTLY if verdict.never_optimal_numbers(study) else Verdict.NO


QUESTIONS = (
    Claim(
        "fair",
        "Is it fair?",
        check_from_figures(is_start_fair, verdict.fairness_sentence),
    ),
    Claim("first", "Does going first decide?", going_first_decides),
    Claim("draws", "Can it be drawn?", can_be_drawn),
    Claim("ends", "Does it end?", always_ends),
    Claim(
        "choices",
        "Do choices matter?",
        check_from_figures(do_choices_matter, verdict.choices_sentence),
    ),
    Claim(
        "skill",
        "Does skill pay?",
        check_from_figures(does_skill_pay, verdict.skill_sentence),
    ),
    Claim(
        "useless",
        "Are any numbers useless?",
        check_from_figures(has_useless_numbers, verdict.numbers_sentence),
    ),
)
