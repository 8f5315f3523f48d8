"""The verdict of a study: designer questions answered in sentences from its figures.

Page and terminal show the same sentences, which are written here only.
"""

from typing import Final, NamedTuple

from evenodds.claims.study_figures import (
    MAX_SHOWN_ROUNDS,
    PERFECT_POLICY,
    RANDOM_POLICY,
    Study,
    count_noticeable_steps,
)
from evenodds.claims.thresholds import DECIDES, SELDOM, STEP
from evenodds.core import catalog
from evenodds.figures import VALUE_TOLERANCE, counted, percent
from evenodds.players.level_strength import below_half, describe_skill_range
from evenodds.study.wording import (
    format_mean,
    format_number_ranges,
    is_choice_idle,
    length_unit,
)

FEW_OTHERS: Final = 0.75
"""From this share of decisions on those that are left are called few."""


class VerdictAnswer(NamedTuple):
    """A designer's question, and its answer from the figures."""

    question: str
    sentence: str


def verdict_answers(study: Study) -> list[VerdictAnswer]:
    """The verdict, question by question."""
    return [
        VerdictAnswer("Is it fair?", fairness_sentence(study)),
        VerdictAnswer("Can it be drawn?", draws_sentence(study)),
        VerdictAnswer("Does it end?", length_sentence(study)),
        VerdictAnswer("Do choices matter?", choices_sentence(study)),
        VerdictAnswer("Does skill pay?", skill_sentence(study)),
        VerdictAnswer("Are any numbers useless?", numbers_sentence(study)),
    ]


def fairness_sentence(study: Study) -> str:
    """Which seat has the higher expected score at the start, if any."""
    odds = study.plays[RANDOM_POLICY].odds
    if abs(study.value) <= VALUE_TOLERANCE:
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
    if not study.size.decisions:
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
    alike = is_choice_idle(study)
    skill_range = describe_skill_range(
        study.skill.perfect_score,
        study.value,
        simultaneous=game.simultaneous,
        alike=alike,
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
    idle = study.choice.idle
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
    best, drawn = (
        max(level.score for level in comparisons),
        min(level.drawn for level in comparisons),
    )
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
    if choice.idle >= 1 - VALUE_TOLERANCE:
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
