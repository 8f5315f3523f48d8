"""The verdict of a study: the questions of a designer, answered from its figures.

Each question has its name, its answer (yes, partly or no) and its sentence here, and nowhere else;
page and terminal show them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from evenodds.claims.checks import no_draws
from evenodds.claims.claim import Facts, Finding, Verdict
from evenodds.claims.study_figures import (
    MAX_SHOWN_ROUNDS,
    PERFECT_POLICY,
    RANDOM_POLICY,
    Study,
    count_noticeable_steps,
)
from evenodds.claims.thresholds import DECIDES, SELDOM, STEP, is_fair
from evenodds.core import catalog
from evenodds.figures import VALUE_TOLERANCE, counted, percent
from evenodds.players.level_strength import below_half, describe_skill_range
from evenodds.study.wording import format_mean, format_number_ranges, length_unit

FEW_OTHERS: Final = 0.75
"""From this share of decisions on those that are left are called few."""


class VerdictAnswer(NamedTuple):
    """A designer's question, and its answer from the figures."""

    name: str
    question: str
    sentence: str


class Question(NamedTuple):
    """A standard question about every game: its answer, sentence, and a line that shows it."""

    name: str
    quote: str
    answer: Callable[[Study], Verdict]
    sentence: Callable[[Study], str]
    line: Callable[[Facts], str] = lambda _: ""
    in_verdict: bool = True
    """Whether it is part of the verdict; the others are asked after the claims."""

    def check(self, facts: Facts) -> Finding:
        """The answer, as a claim is checked."""
        study = facts.study
        return Finding(self.answer(study), self.sentence(study), self.line(facts))


def verdict_answers(study: Study) -> list[VerdictAnswer]:
    """The verdict, question by question."""
    return [
        VerdictAnswer(one.name, one.quote, one.sentence(study))
        for one in QUESTIONS
        if one.in_verdict
    ]


def _yes(is_so: bool) -> Verdict:
    return Verdict.YES if is_so else Verdict.NO


def fairness_sentence(study: Study) -> str:
    """Which seat has the higher expected score at the start, if any."""
    odds = study.plays[RANDOM_POLICY].odds
    if is_fair(study.value):
        if catalog.get(study.game).mirror is not None:
            return "It is fair: the rules treat both players alike."
        if abs(odds.score - 0.5) <= VALUE_TOLERANCE:
            return "It is fair: with best play neither player is ahead."
        return (
            "It is fair with best play: neither player is ahead. Between players who pick at "
            f"random, the first player scores {percent(odds.score)}."
        )
    seat = "first" if study.value > 0 else "second"
    if study.only_outcome == seat:
        return f"It is not fair: the {seat} player wins every match, whatever is picked."
    if abs(study.value) >= 1 - VALUE_TOLERANCE:
        after = f", in {counted(study.distance, length_unit(study))}" if study.distance else ""
        return f"It is not fair: with best play the {seat} player wins{after}."
    score = percent(0.5 + abs(study.value) / 2)
    return f"It is not fair: with best play the {seat} player scores {score}."


def draws_sentence(study: Study) -> str:
    """How often nobody wins."""
    if "draw" not in study.outcomes:
        if study.size.longest is not None:
            return "It cannot be drawn: somebody wins every match."
        if study.repetition:
            times = f"when a position occurs {study.repetition} times"
            return f"Draws are possible, but only {times}. {_drawn_shares(study)}"
        return "The rules have no draw, but play can go round in circles."
    return f"Draws are possible. {_drawn_shares(study)}"


def _drawn_shares(study: Study) -> str:
    """How many matches random and perfect players draw."""
    random, perfect = (study.plays[way].odds.draw for way in (RANDOM_POLICY, PERFECT_POLICY))
    share = {1.0: "all of them", 0.0: "none"}.get(round(perfect, 9), percent(perfect))
    few = percent(max(random, 2 * VALUE_TOLERANCE))  # never 0%: some line of play is drawn
    return f"Random players draw {few} of their matches; perfect players draw {share}."


def length_sentence(study: Study) -> str:
    """Whether a match comes to an end, and after how long."""
    size, things = study.size, length_unit(study)
    chance, best = study.plays[RANDOM_POLICY].odds, study.plays[PERFECT_POLICY].odds
    if size.longest is not None:
        if size.shortest == size.longest:
            return f"It always ends, after exactly {counted(size.longest, things)}."
        return (
            f"It always ends, after {size.shortest} to {counted(size.longest, things)}: on average "
            f"{format_mean(chance.length)} at random and {format_mean(best.length)} between "
            f"perfect players."
        )
    if study.repetition:
        goes_on = study.plays[PERFECT_POLICY].endless
        often = "" if goes_on >= 1 - VALUE_TOLERANCE else f" in {percent(goes_on)} of matches"
        alone = f", and perfect players go on for ever{often}" if goes_on > VALUE_TOLERANCE else ""
        return (
            f"By the rules alone it need not end{alone}. Here a match is drawn when a "
            f"position occurs {study.repetition} times. A random match takes "
            f"{format_mean(chance.length)} {things} on average, and a match between perfect "
            f"players {format_mean(best.length)}."
        )
    if chance.length is None:
        return "It need not end: even players who pick at random may go on for ever."
    usual = f"Players who pick at random need {format_mean(chance.length)} {things} on average."
    if best.endless >= 1 - VALUE_TOLERANCE:
        return f"It need not end: perfect players go on for ever. {usual}"
    if best.endless > VALUE_TOLERANCE:
        return f"It need not end: {percent(best.endless)} of perfect play goes on for ever. {usual}"
    return (
        "It can go round in circles, but perfect players come to an end after "
        f"{format_mean(best.length)} {things}. {usual}"
    )


def choices_sentence(study: Study) -> str:
    """How often something depends on a pick."""
    idle, single = study.choice.idle, study.choice.single
    if idle is None or single is None:
        return "There are no choices: nobody ever has two numbers to pick from."
    if idle >= 1 - VALUE_TOLERANCE:
        return "No choice matters: all picks lead to the same result."
    also = f"{percent(single)} of decisions have a single best pick."
    if idle <= VALUE_TOLERANCE:
        return f"Every choice matters: in each decision some picks are better than others. {also}"
    often = f"in {percent(idle)} of decisions"
    same = "all picks are equally good, whatever the opponent picks"
    if idle > SELDOM.value + VALUE_TOLERANCE:
        return f"Choices seldom matter: {often}, more than {SELDOM}, {same}. {also}"
    return f"Choices matter in {percent(1 - idle)} of decisions; in the others {same}. {also}"


def skill_sentence(study: Study) -> str:
    """The score of perfect play and of the best opponent against random picks, and the levels."""
    game = catalog.get(study.game)
    alike = study.choice.is_idle
    skill_range = describe_skill_range(
        study.skill.perfect_score, study.value, simultaneous=game.simultaneous, alike=alike
    )
    if alike:
        return skill_range
    fallen = below_half({level.name: level.score for level in study.skill.comparisons})
    said = [
        skill_range,
        _few_decisions_sentence(study),
        _best_response_sentence(study),
        levels_sentence(study),
        fallen,
    ]
    return " ".join(filter(None, said))


def _few_decisions_sentence(study: Study) -> str:
    """Why skill decides where choices seldom matter."""
    idle = study.choice.idle or 0.0
    decides = study.skill.perfect_score >= DECIDES.value - VALUE_TOLERANCE
    if idle <= SELDOM.value + VALUE_TOLERANCE or not decides:
        return ""
    at_once = catalog.get(study.game).simultaneous
    same = "come to the same" if at_once else "are decided or even"
    others = "few others" if idle >= FEW_OTHERS else "others"
    return f"Most positions {same} whatever you pick; skill shows in the {others}."


def best_against_chance(study: Study) -> float:
    """The score of the best response to random picks, on average over both seats."""
    return 1 - study.choice.habits[RANDOM_POLICY].answered


def _best_response_sentence(study: Study) -> str:
    """The score of the best response to random picks, where it beats perfect play."""
    best = best_against_chance(study)
    if best <= 0.5 + VALUE_TOLERANCE:
        return "Nobody does better: random picks are as good as any."
    if best <= study.skill.perfect_score + VALUE_TOLERANCE:
        return ""
    return f"The best response to random picks scores {percent(best)}."


def levels_sentence(study: Study) -> str:
    """How many steps of the ladder of levels are noticeable."""
    comparisons = study.skill.comparisons
    if not comparisons:
        return "The levels are not compared: matches between them hardly ever end."
    steps = count_noticeable_steps(comparisons)
    if steps == len(comparisons):
        return f"Each level scores {STEP} or more against the one below."
    if steps:
        return f"{steps} of {len(comparisons)} levels score {STEP} or more against the one below."
    best = max(level.score for level in comparisons)
    drawn = min(level.drawn for level in comparisons)
    if drawn > 0.5:
        return f"But neighbouring levels draw at least {percent(drawn)} of their matches."
    if best <= 0.5 + VALUE_TOLERANCE:
        return "But no level scores more than half against the one below."
    return f"But no level scores {STEP} against the one below; the best score is {percent(best)}."


def numbers_sentence(study: Study) -> str:
    """Which numbers are useless, never optimal, and always optimal."""
    choice = study.choice
    if not choice.sound:
        return "No number can be useless where there is nothing to choose."
    if choice.is_idle:
        return "No number is ever better than another."
    never_right, never_wrong = never_optimal_numbers(study), always_optimal_numbers(study)
    said = []
    if choice.useless:
        said.append(_useless_sentence(choice.useless))
    if never_right:
        said.append(_never_optimal_sentence(never_right))
    if not said:
        said.append(f"No number is useless: {_optimality_sentence(choice.sound)}")
    elif never_wrong:
        verb = "is" if len(never_wrong) == 1 else "are"
        said.append(
            f"{format_number_ranges(never_wrong)} {verb} never a mistake against perfect play."
        )
    idle = [number for number in never_picked(study) if number not in choice.useless]
    if idle:
        said.append(
            "Perfect players who use the computer's strategy never pick "
            f"{format_number_ranges(idle, 'or')}."
        )
    return " ".join(said)


def never_optimal_numbers(study: Study) -> list[int]:
    """Numbers that always lose something against perfect play, but may beat other opponents."""
    known = study.choice
    return [
        n for n, share in known.sound.items() if share <= VALUE_TOLERANCE and n not in known.useless
    ]


def always_optimal_numbers(study: Study) -> list[int]:
    """Numbers that never lose anything against perfect play."""
    return [number for number, share in study.choice.sound.items() if share >= 1 - VALUE_TOLERANCE]


def never_picked(study: Study) -> list[int]:
    """Numbers that perfect players never pick; empty where only their first rounds are known."""
    use = study.choice.use
    if len(use) >= MAX_SHOWN_ROUNDS:
        return []
    known = {number for line in use for number in line}
    return sorted(
        known - {n for line in use for n, share in line.items() if share > VALUE_TOLERANCE}
    )


def _useless_sentence(numbers: list[int]) -> str:
    verb = "is" if len(numbers) == 1 else "are"
    return (
        f"{format_number_ranges(numbers)} {verb} useless: some other number is always at least as "
        "good, and sometimes better, whatever the opponent picks."
    )


def _never_optimal_sentence(numbers: list[int]) -> str:
    verb = "is always a mistake" if len(numbers) == 1 else "are always mistakes"
    return f"Against perfect play {format_number_ranges(numbers)} {verb}."


def _optimality_sentence(sound: dict[int, float]) -> str:
    """The numbers that are optimal least and most often, with their shares."""
    least, most = min(sound, key=lambda n: sound[n]), max(sound, key=lambda n: sound[n])
    offered = "of the decisions where it can be picked"
    if sound[least] >= 1 - VALUE_TOLERANCE:
        return "against perfect play each is as good as any other."
    if sound[most] - sound[least] <= VALUE_TOLERANCE:
        return f"each is a best pick in {percent(sound[most])} {offered}."
    rarely, often = percent(sound[least]), percent(sound[most])
    return f"{least} is a best pick in {rarely} {offered}, and {most} in {often}."


def first_seat_sentence(study: Study) -> str:
    """What the seat that begins scores."""
    best = percent(0.5 + study.value / 2)
    chance = percent(study.plays[RANDOM_POLICY].odds.score)
    scores = f"scores {best} under best play, and {chance} between random players"
    if catalog.get(study.game).simultaneous:
        return f"Nobody begins: both pick at once. The first seat {scores}."
    return f"Whoever begins {scores}."


def first_seat_decides(study: Study) -> Verdict:
    """Whether it is decisive which seat begins."""
    return _yes(not catalog.get(study.game).simultaneous and not is_fair(study.value))


def always_ends(study: Study) -> Verdict:
    """Whether every match ends; partly, where only the draw by repetition ends it."""
    if study.size.longest is not None:
        return Verdict.YES
    return Verdict.PARTLY if study.repetition else Verdict.NO


def do_choices_matter(study: Study) -> Verdict:
    """Whether anything depends on picks; partly, where it seldom does."""
    if study.choice.is_idle:
        return Verdict.NO
    seldom = (study.choice.idle or 0.0) > SELDOM.value + VALUE_TOLERANCE
    return Verdict.PARTLY if seldom else Verdict.YES


def does_skill_pay(study: Study) -> Verdict:
    """Whether better players win.

    Partly, where perfect play beats random picks but no level beats the one below, or where only
    the best response to random picks beats them.
    """
    comparisons = study.skill.comparisons
    if study.skill.perfect_score < STEP.value - VALUE_TOLERANCE:
        seen = best_against_chance(study) >= STEP.value - VALUE_TOLERANCE
        return Verdict.PARTLY if seen else Verdict.NO
    unfelt = comparisons and not count_noticeable_steps(comparisons)
    return Verdict.PARTLY if unfelt else Verdict.YES


def has_useless_numbers(study: Study) -> Verdict:
    """Whether numbers are useless; partly, where some are never right against perfect play."""
    if study.choice.useless:
        return Verdict.YES
    return Verdict.PARTLY if never_optimal_numbers(study) else Verdict.NO


QUESTIONS: Final = (
    Question("fair", "Is it fair?", lambda study: _yes(is_fair(study.value)), fairness_sentence),
    Question(
        "first",
        "Does going first decide?",
        first_seat_decides,
        first_seat_sentence,
        in_verdict=False,
    ),
    Question(
        "draws",
        "Can it be drawn?",
        lambda study: _yes("draw" in study.outcomes or study.size.longest is None),
        draws_sentence,
        lambda facts: no_draws(facts).line,
    ),
    Question(
        "ends", "Does it end?", always_ends, length_sentence, lambda facts: facts.round_trip()
    ),
    Question("choices", "Do choices matter?", do_choices_matter, choices_sentence),
    Question("skill", "Does skill pay?", does_skill_pay, skill_sentence),
    Question("useless", "Are any numbers useless?", has_useless_numbers, numbers_sentence),
)
"""The questions that are asked of every game."""
