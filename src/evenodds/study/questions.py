"""What a designer asks of every game, whether or not its rule book says a word about it.

The sentences are those of `verdict`; here are a plain yes or no, and a line of play that shows it.
"""

from collections.abc import Callable

from evenodds.checks import no_draws
from evenodds.claims import Check, Claim, Facts, Finding, Verdict
from evenodds.study import verdict
from evenodds.study.skill import STEP
from evenodds.study.study import Study
from evenodds.text import SURE, percent


def asked(yes: Callable[[Facts], Verdict], sentence: Callable[[Study], str]) -> Check:
    """A question that the figures answer by themselves."""
    return lambda facts: Finding(yes(facts), sentence(facts.study))


def _answer(yes: bool) -> Verdict:
    return Verdict.YES if yes else Verdict.NO


def ends(facts: Facts) -> Finding:
    """Whether every match comes to an end by itself: partly, where repetition must end it."""
    line = facts.round_trip()
    drawn = Verdict.PARTLY if facts.study.repetition else Verdict.NO
    return Finding(drawn if line else Verdict.YES, verdict.ends(facts.study), line)


def can_be_drawn(facts: Facts) -> Finding:
    """Whether a match can end without a winner, or not at all."""
    line = no_draws(facts).line
    return Finding(_answer(bool(line)), verdict.drawn(facts.study), line)


def going_first_decides(facts: Facts) -> Finding:
    """Whether who begins is decisive."""
    best = percent(0.5 + facts.study.value / 2)
    chance = percent(facts.study.plays["random"].fate.score)
    scores = f"scores {best} under best play, and {chance} between random players"
    if facts.simultaneous:
        return Finding(Verdict.NO, f"Nobody begins: both pick at once. The first seat {scores}.")
    return Finding(_answer(not is_fair(facts)), f"Whoever begins {scores}.")


def is_fair(facts: Facts) -> bool:
    """Whether both seats are worth the same under best play."""
    return bool(abs(facts.study.value) <= SURE)


def choices(study: Study) -> Verdict:
    """Whether something depends on picks: partly, where it does in fewer than half of decisions."""
    idle = study.choice.idle
    if not study.size.decisions or idle >= 1 - SURE:
        return Verdict.NO
    return Verdict.PARTLY if idle > 0.5 else Verdict.YES


def skill(study: Study) -> Verdict:
    """Whether better players win: partly, where perfect play does but no step of the ladder."""
    if study.skill.room < STEP - SURE:
        return Verdict.NO
    return Verdict.PARTLY if study.skill.rungs and not study.skill.steps else Verdict.YES


def has_useless_numbers(facts: Facts) -> bool:
    """Whether there are numbers that give something away wherever they may be picked."""
    return any(share <= SURE for share in facts.study.choice.sound.values())


QUESTIONS = (
    Claim("fair", "Is it fair?", asked(lambda facts: _answer(is_fair(facts)), verdict.fair)),
    Claim("first", "Does going first decide?", going_first_decides),
    Claim("draws", "Can it be drawn?", can_be_drawn),
    Claim("ends", "Does it end?", ends),
    Claim(
        "choices",
        "Do choices matter?",
        asked(lambda facts: choices(facts.study), verdict.choices),
    ),
    Claim(
        "skill",
        "Does skill pay?",
        asked(lambda facts: skill(facts.study), verdict.skill),
    ),
    Claim(
        "useless",
        "Are any numbers useless?",
        asked(lambda facts: _answer(has_useless_numbers(facts)), verdict.numbers),
    ),
)
