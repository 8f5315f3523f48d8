"""What a designer asks of every game, whether or not its rule book says a word about it."""

from evenodds.checks import choices_matter, drawn, every_line, length, no_draws
from evenodds.claims import Claim, Facts, Finding, Verdict
from evenodds.study.skill import STEP
from evenodds.text import SURE, few, percent


def answer(yes: bool) -> Verdict:
    """Yes or no."""
    return Verdict.YES if yes else Verdict.NO


def ends(facts: Facts) -> Finding:
    """Whether every match comes to an end by itself."""
    size = facts.study.size
    if size.longest is not None:
        return Finding(Verdict.YES, f"{length(facts)}.")
    perfect = facts.study.plays["perfect"].fate
    never = f"between perfect players {percent(perfect.endless)} of matches never end"
    said = f"Play can come back to the same position for ever; {never}."
    return Finding(Verdict.NO, said, facts.round_trip())


def fair(facts: Facts) -> Finding:
    """Whether both seats are worth the same under best play."""
    return Finding(answer(abs(facts.study.value) <= SURE), f"{_worth(facts)}.")


def _worth(facts: Facts) -> str:
    """What the first seat scores, under best play and under chance."""
    best = percent(0.5 + facts.study.value / 2)
    chance = percent(facts.study.plays["random"].fate.score)
    return f"The first seat scores {best} under best play, and {chance} between random players"


def going_first_decides(facts: Facts) -> Finding:
    """Whether who begins is decisive."""
    if facts.simultaneous:
        return Finding(Verdict.NO, f"Nobody begins: both pick at once. {_worth(facts)}.")
    idle = facts.study.choice.idle
    whatever = abs(facts.study.value) > SURE and idle >= 1 - SURE
    tail = ", whatever anybody picks" if whatever else ""
    return Finding(answer(abs(facts.study.value) > SURE), f"{_worth(facts)}{tail}.")


def can_be_drawn(facts: Facts) -> Finding:
    """Whether a match can end without a winner, or not at all."""
    found = no_draws(facts)
    if not found.line:
        return Finding(Verdict.NO, f"{every_line(facts)} has a winner.")
    return Finding(Verdict.YES, f"{drawn(facts)}.", found.line)


def choices_count(facts: Facts) -> Finding:
    """Whether anything depends on what is picked."""
    found = choices_matter(facts)
    return found._replace(verdict=answer(found.verdict == Verdict.HOLDS))


def skill_counts(facts: Facts) -> Finding:
    """Whether better play is felt: 60 % or more against chance."""
    skill = facts.study.skill
    said = f"Perfect play scores {percent(skill.room)} against chance"
    if skill.rungs:
        said += (
            f"; of the {len(skill.rungs)} levels above the lowest, {skill.steps} score "
            f"{percent(STEP, 0)} or more against the one below"
        )
    return Finding(answer(skill.room >= STEP - SURE), f"{said}.")


def numbers_are_useless(facts: Facts) -> Finding:
    """Whether there are numbers that give something away wherever they may be picked."""
    sound = facts.study.choice.sound
    if not sound:
        return Finding(Verdict.NO, "There is never more than one number to pick.")
    useless = [number for number, share in sound.items() if share <= SURE]
    if useless:
        names = few([str(number) for number in useless], 9)
        return Finding(Verdict.YES, f"In no decision is it right to pick {names}.")
    least = min(sound, key=lambda number: sound[number])
    share = percent(sound[least])
    said = f"Even {least}, the worst, is right in {share} of the decisions that offer it."
    return Finding(Verdict.NO, said)


QUESTIONS = (
    Claim("ends", "Does it always end?", ends),
    Claim("fair", "Is it fair?", fair),
    Claim("first", "Does going first decide?", going_first_decides),
    Claim("draws", "Can it be drawn?", can_be_drawn),
    Claim("choices", "Do choices matter?", choices_count),
    Claim("skill", "Does skill pay?", skill_counts),
    Claim("useless", "Are there useless numbers?", numbers_are_useless),
)
