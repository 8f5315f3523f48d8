"""The verdict of a study: the questions of a designer, answered from its figures.

Each question has its name, its answer (yes, partly or no) and its sentence here, and nowhere else;
page and terminal show them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from evenodds.claims.checks import NO_CHOICE, no_draws
from evenodds.claims.claim import Facts, Finding, Verdict
from evenodds.claims.study_figures import MAX_SHOWN_ROUNDS, RANDOM_POLICY, Study
from evenodds.claims.study_figures import count_noticeable_steps as count_steps
from evenodds.claims.thresholds import DECIDES, SELDOM, STEP, is_fair, percent_beside
from evenodds.coach.reasons import sentences
from evenodds.core import catalog
from evenodds.figures import VALUE_TOLERANCE, counted, percent, percent_of_possible, points
from evenodds.study.level_strength import below_half, describe_skill_range, luck_of
from evenodds.study.wording import (
    called,
    format_mean,
    format_number_ranges,
    length_unit,
    numbers_are,
)

FEW_OTHERS: Final = 0.75
"""From this share of decisions on those that are left are called few."""

Answer = tuple[Verdict, str]
"""Yes, partly or no, and a sentence that says why."""
YES, PARTLY, NO = Verdict.YES, Verdict.PARTLY, Verdict.NO
NO_DECISION: Final[Answer] = (Verdict.UNDEFINED, NO_CHOICE)
"""The answer to questions on picks where there is no decision."""


class ClaimResult(NamedTuple):
    """The result of a claim or a standard question, as plain data."""

    name: str
    text: str
    """The quoted sentence of the rule book; or the question."""
    verdict: str
    """`holds` or `fails` for a claim; `yes`, `partly` or `no` for a question; or `undefined`."""
    evidence: str
    line: str = ""
    """A line of play that shows it; may be empty."""
    command: str = ""
    """The command that replays the line."""


class Question(NamedTuple):
    """A standard question about every game, how it is answered, and a line that shows it."""

    name: str
    quote: str
    answer: Callable[[Study], Answer]
    line: Callable[[Facts], str] = lambda _: ""
    in_verdict: bool = True
    """Whether it is part of the verdict; the others are asked after the claims."""

    def check(self, facts: Facts) -> Finding:
        """The answer, as a claim is checked."""
        return Finding(*self.answer(facts.study), self.line(facts))


def verdict_answers(study: Study) -> list[ClaimResult]:
    """The verdict, question by question, without lines of play."""
    asked = [one for one in QUESTIONS if one.in_verdict]
    return [ClaimResult(one.name, one.quote, *one.answer(study)) for one in asked]


def is_it_fair(study: Study) -> Answer:
    """Which seat has the higher expected score at the start, if any."""
    score = study.chance.score
    if is_fair(study.value):
        if catalog.get(study.game).mirror is not None:
            return YES, "It is fair: the rules treat both players alike."
        if is_fair(score - 0.5):
            return YES, "It is fair: with best play neither player is ahead."
        return YES, (
            "It is fair with best play: neither player is ahead. Between players who pick at "
            f"random, the first player scores {percent(score)}."
        )
    seat = "first" if study.value > 0 else "second"
    does, figure = study.worth(abs(study.value))
    said = f"with best play the {seat} player {does}s {figure}"
    if study.only_outcome == seat:
        said = f"the {seat} player wins every match, whatever is picked"
    elif abs(study.value) >= 1 - VALUE_TOLERANCE and not study.points:
        after = f", in {counted(study.distance, length_unit(study))}" if study.distance else ""
        said = f"with best play the {seat} player wins{after}"
    return NO, f"It is not fair: {said}."


def does_going_first_decide(study: Study) -> Answer:
    """What the seat that begins scores."""
    (does, best), chance = study.worth(study.value), percent(study.chance.score)
    again = "scores " * bool(study.points)
    scores = f"{does}s {best} under best play, and {again}{chance} between random players"
    if catalog.get(study.game).simultaneous:
        return NO, f"Nobody begins: both pick at once. The first seat {scores}."
    return NO if is_fair(study.value) else YES, f"Whoever begins {scores}."


def can_it_be_drawn(study: Study) -> Answer:
    """How often nobody wins; endless play counts as a draw."""
    possible = "Draws are possible."
    if "draw" not in study.outcomes:
        if study.size.longest is not None:
            return NO, "It cannot be drawn: somebody wins every match."
        if not study.repetition:
            return YES, "The rules have no draw, but play can go round in circles."
        possible = f"Draws are possible, but only when a position occurs {study.repetition} times."
    perfect = study.perfect.draw
    share = {1.0: "all of them", 0.0: "none"}.get(round(perfect, 9), percent(perfect))
    random = percent_of_possible(study.chance.draw)
    said = f"Random players draw {random} of their matches; perfect players draw {share}."
    return YES, f"{possible} {said}"


def does_it_end(study: Study) -> Answer:
    """Whether a match ends, and after how long; partly, where only repetition ends it."""
    size, things = study.size, length_unit(study)
    random, perfect = format_mean(study.chance.length), format_mean(study.perfect.length)
    if size.longest is not None:
        if size.shortest == size.longest:
            return YES, f"It always ends, after exactly {counted(size.longest, things)}."
        return YES, (
            f"It always ends, after {size.shortest} to {counted(size.longest, things)}: on average "
            f"{random} at random and {perfect} between perfect players."
        )
    endless = study.plays["perfect"].endless
    if study.repetition:
        often = "" if endless >= 1 - VALUE_TOLERANCE else f" in {percent(endless)} of matches"
        alone = f", and perfect players go on for ever{often}" if endless > VALUE_TOLERANCE else ""
        return PARTLY, (
            f"By the rules alone it need not end{alone}. Here a match is drawn when a "
            f"position occurs {study.repetition} times. A random match takes {random} {things} on "
            f"average, and a match between perfect players {perfect}."
        )
    if study.chance.length is None:
        return NO, "It need not end: even players who pick at random may go on for ever."
    said = f"It need not end: {percent(endless)} of perfect play goes on for ever."
    if endless >= 1 - VALUE_TOLERANCE:
        said = "It need not end: perfect players go on for ever."
    elif endless <= VALUE_TOLERANCE:
        said = "It can go round in circles, but perfect players come to an end after "
        said += f"{perfect} {things}."
    return NO, f"{said} Players who pick at random need {random} {things} on average."


def do_choices_matter(study: Study) -> Answer:
    """How often something depends on a pick; partly, where it seldom does."""
    idle, single = study.choice.idle, study.choice.single
    if idle is None or single is None:
        return NO_DECISION
    if study.choice.is_idle:
        return NO, "No choice matters: all picks lead to the same result."
    also = f"{percent(single)} of decisions have a single best pick."
    same = "all picks are equally good, whatever the opponent picks"
    if idle <= VALUE_TOLERANCE:
        said = "Every choice matters: in each decision some picks are better than others."
        return YES, f"{said} {also}"
    if SELDOM.exceeded_by(idle):
        often = f"in {percent_beside(idle, SELDOM)} of decisions, more than {SELDOM}"
        return PARTLY, f"Choices seldom matter: {often}, {same}. {also}"
    often = percent(1 - idle)
    return YES, f"Choices matter in {often} of decisions; in the others {same}. {also}"


def does_skill_pay(study: Study) -> Answer:
    """The score of perfect play and of the best opponent against random picks, and the levels.

    Partly, where perfect play beats random picks but no level beats the one below, or where only
    the best response to random picks beats them.
    """
    if not study.size.decisions:
        return NO_DECISION
    game, alike = catalog.get(study.game), study.choice.is_idle
    skill, comparisons = study.skill, study.skill.comparisons
    best = 1 - study.choice.habits[RANDOM_POLICY].best_opponent
    answer = PARTLY if comparisons and not count_steps(comparisons) else YES
    if not STEP.reached_by(skill.perfect_score):
        answer = PARTLY if STEP.reached_by(best) else NO
    luck = luck_of(game)
    room = describe_skill_range(skill.perfect_score, study.value, luck=luck, alike=alike)
    if alike:
        return answer, room
    best_said = ""
    if best <= 0.5 + VALUE_TOLERANCE:
        best_said = "Nobody does better: random picks are as good as any."
    elif best > skill.perfect_score + VALUE_TOLERANCE:
        best_said = f"The best response to random picks scores {percent(best)}."
    fallen = below_half({level.name: level.score for level in comparisons})
    in_points = f"That is {points(study.points.gain)} a match." if study.points else ""
    said = [
        room,
        in_points,
        _few_decisions_sentence(study),
        best_said,
        _levels_sentence(study),
        fallen,
    ]
    return answer, " ".join(filter(None, said))


def _few_decisions_sentence(study: Study) -> str:
    """Why skill decides where choices seldom matter."""
    idle = study.choice.idle or 0.0
    if not (SELDOM.exceeded_by(idle) and DECIDES.reached_by(study.skill.perfect_score)):
        return ""
    same = "come to the same" if luck_of(catalog.get(study.game)) else "are decided or even"
    others = "few others" if idle >= FEW_OTHERS else "others"
    return f"Most positions {same} whatever you pick; skill shows in the {others}."


def _levels_sentence(study: Study) -> str:
    """How many steps of the ladder of levels are noticeable."""
    comparisons = study.skill.comparisons
    if not comparisons:
        return "The levels are not compared: play can come back to too many positions."
    steps = count_steps(comparisons)
    if steps:
        some = f"{steps} of {len(comparisons)} levels score"
        some = "Each level scores" if steps == len(comparisons) else some
        return f"{some} {STEP} or more against the one below."
    best = max(level.score for level in comparisons)
    drawn = min(level.drawn for level in comparisons)
    if drawn > 0.5:
        return f"But neighbouring levels draw at least {percent(drawn)} of their matches."
    if best <= 0.5 + VALUE_TOLERANCE:
        return "But no level scores more than half against the one below."
    best_shown = percent_beside(best, STEP)
    return f"But no level scores {STEP} against the one below; the best score is {best_shown}."


def are_numbers_useless(study: Study) -> Answer:
    """Which numbers are useless, never optimal, and always optimal.

    Partly, where some are never right against perfect play but may beat other opponents.
    """
    useless, sound = study.choice.useless, study.choice.sound
    never_right = [n for n, share in sound.items() if share <= VALUE_TOLERANCE and n not in useless]
    answer = YES if useless else PARTLY if never_right else NO
    if not sound:
        return NO_DECISION
    if study.choice.is_idle:
        return answer, "No number is ever better than another."
    never_wrong = [n for n, share in sound.items() if share >= 1 - VALUE_TOLERANCE]
    said = []
    if useless:
        said.append(
            f"{numbers_are(study, useless)} useless: some other number is always at least as "
            "good, and sometimes better, whatever the opponent picks."
        )
    if never_right:
        verb = "is always a mistake" if len(never_right) == 1 else "are always mistakes"
        said.append(f"Against perfect play {format_number_ranges(study, never_right)} {verb}.")
    if not said:
        said.append(f"No number is useless: {_optimality_sentence(study)}")
    elif never_wrong:
        said.append(f"{numbers_are(study, never_wrong)} never a mistake against perfect play.")
    unused = [number for number in _never_picked(study) if number not in useless]
    if unused:
        numbers = format_number_ranges(study, unused, "or")
        said.append(f"Perfect players who use the computer's strategy never pick {numbers}.")
    return answer, sentences(" ".join(said))


def _never_picked(study: Study) -> list[int]:
    """Numbers that perfect players never pick; empty where only their first rounds are known."""
    use = study.choice.use
    if len(use) >= MAX_SHOWN_ROUNDS:
        return []
    picked = {n for line in use for n, share in line.items() if share > VALUE_TOLERANCE}
    return sorted({number for line in use for number in line} - picked)


def _optimality_sentence(study: Study) -> str:
    """The numbers that are optimal least and most often, with their shares."""
    sound, single = study.choice.sound, study.choice.single or 0.0
    least, most = min(sound, key=lambda n: sound[n]), max(sound, key=lambda n: sound[n])
    offered = "of the decisions where it can be picked"
    if sound[least] >= 1 - VALUE_TOLERANCE:
        return "against perfect play each is as good as any other."
    if sound[most] - sound[least] <= VALUE_TOLERANCE:
        return f"each is a best pick in {percent(sound[most])} {offered}."
    rarely, often = percent(sound[least]), percent(sound[most])
    one, other = called(study, least), called(study, most)
    alone = ", but never the only one" if single <= VALUE_TOLERANCE else ""
    return f"{one} is a best pick in {rarely} {offered}, and {other} in {often}{alone}."


QUESTIONS: Final = (
    Question("fair", "Is it fair?", is_it_fair),
    Question("first", "Does going first decide?", does_going_first_decide, in_verdict=False),
    Question("draws", "Can it be drawn?", can_it_be_drawn, lambda facts: no_draws(facts).line),
    Question("ends", "Does it end?", does_it_end, lambda facts: facts.round_trip()),
    Question("choices", "Do choices matter?", do_choices_matter),
    Question("skill", "Does skill pay?", does_skill_pay),
    Question("useless", "Are any numbers useless?", are_numbers_useless),
)
