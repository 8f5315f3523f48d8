"""Is this rule book any good? Six plain answers, each from the figures of a study.

The page and the terminal say the same sentences; they are written here and nowhere else.
"""

from typing import NamedTuple

from evenodds import catalog
from evenodds.players.strength import below_half, room_in_words
from evenodds.solver.simulator import REPEATED
from evenodds.study.figures import mean, spans, unit
from evenodds.study.passage import SHOWN
from evenodds.study.skill import STEP
from evenodds.study.study import Study
from evenodds.study.survey import CHANCE, NIL, PERFECT
from evenodds.text import counted, percent


class Answer(NamedTuple):
    """A designer's question, and what the figures say to it."""

    question: str
    sentence: str


def sentences(study: Study) -> list[str]:
    """The verdict in a few sentences."""
    return [answer.sentence for answer in answers(study)]


def answers(study: Study) -> list[Answer]:
    """The verdict, question by question."""
    return [
        Answer("Is it fair?", fair(study)),
        Answer("Can it be drawn?", drawn(study)),
        Answer("Does it end?", ends(study)),
        Answer("Do choices matter?", choices(study)),
        Answer("Does skill pay?", skill(study)),
        Answer("Are any numbers useless?", numbers(study)),
    ]


def fair(study: Study) -> str:
    """Whether a seat is ahead at the start."""
    fate = study.plays[CHANCE].fate
    if abs(study.value) <= NIL:
        if catalog.get(study.game).mirror is not None:
            return "It is fair: the rules treat both seats alike."
        if abs(fate.score - 0.5) <= NIL:
            return "It is fair: with best play neither seat is ahead."
        return (
            "It is fair with best play: neither seat is ahead. Between players who pick at random "
            f"whoever goes first scores {percent(fate.score)}."
        )
    seat = "first" if study.value > 0 else "second"
    share = fate.first if study.value > 0 else fate.second
    if share >= 1 - NIL and study.size.longest is not None:
        return f"It is not fair: whoever goes {seat} wins every match, whatever is picked."
    if abs(study.value) >= 1 - NIL:
        after = f", in {counted(study.distance, unit(study))}" if study.distance else ""
        return f"It is not fair: with best play whoever goes {seat} wins{after}."
    score = percent(0.5 + abs(study.value) / 2)
    return f"It is not fair: with best play the {seat} seat scores {score}."


def drawn(study: Study) -> str:
    """How often nobody wins."""
    chance, best = study.plays[CHANCE].fate, study.plays[PERFECT].fate
    if chance.draw <= chance.endings.get(REPEATED, 0.0) + NIL:
        if study.size.longest is not None:
            return "It cannot be drawn: somebody wins every match."
        if study.repetition:
            times = f"the same position {study.repetition} times"
            all_or_some = "all" if best.draw >= 1 - NIL else percent(best.draw)
            return (
                f"It can be drawn by repetition alone: {times} is a draw, and nothing else is. So "
                f"end {percent(chance.draw)} of matches between players who pick at random, and "
                f"{all_or_some} between perfect players."
            )
        return "The rules know no draw, but play can go round in circles."
    random = f"{percent(chance.draw)} of matches between players who pick at random are draws"
    if best.draw >= 1 - NIL:
        return f"It can be drawn: {random}, and all between perfect players."
    if best.draw <= NIL:
        return f"It can be drawn: {random}, but none between perfect players."
    return f"It can be drawn: {random}, and {percent(best.draw)} between perfect players."


def ends(study: Study) -> str:
    """Whether a match comes to an end, and after how long."""
    size, things = study.size, unit(study)
    chance, best = study.plays[CHANCE].fate, study.plays[PERFECT].fate
    if size.longest is not None:
        if size.shortest == size.longest:
            return f"It always ends, after exactly {counted(size.longest, things)}."
        return (
            f"It always ends, after {size.shortest} to {counted(size.longest, things)}: on average "
            f"{mean(chance.length)} at random and {mean(best.length)} between perfect players."
        )
    if study.repetition:
        goes_on = study.plays[PERFECT].endless
        often = "" if goes_on >= 1 - NIL else f" in {percent(goes_on)} of matches"
        alone = f", and perfect players go on for ever{often}" if goes_on > NIL else ""
        return (
            f"By the rules alone it need not end{alone}. But the same position "
            f"{study.repetition} times is a draw, and so a match takes {mean(chance.length)} "
            f"{things} on average at random and {mean(best.length)} between perfect players."
        )
    if chance.length is None:
        return "It need not end: even players who pick at random may go on for ever."
    usual = f"Players who pick at random need {mean(chance.length)} {things} on average."
    if best.endless >= 1 - NIL:
        return f"It need not end: perfect players go on for ever. {usual}"
    if best.endless > NIL:
        return f"It need not end: {percent(best.endless)} of perfect play goes on for ever. {usual}"
    return (
        "It can go round in circles, but perfect players come to an end after "
        f"{mean(best.length)} {things}. {usual}"
    )


def choices(study: Study) -> str:
    """How often something depends on a pick."""
    idle, single = study.choice.idle, study.choice.single
    if not study.size.decisions:
        return "There are no choices: nobody ever has two numbers to pick from."
    if idle >= 1 - NIL:
        return "No choice matters: in every decision all picks come to the same."
    also = f"{percent(single)} of decisions have a single best pick."
    if idle <= NIL:
        return f"Every choice matters: no decision in which all picks come to the same. {also}"
    if idle > 0.5:
        often = f"in {percent(idle)} of decisions all picks come to the same"
        return f"Choices seldom matter: {often}. {also}"
    rest = "in the others all picks come to the same"
    return f"Choices matter in {percent(1 - idle)} of decisions; {rest}. {also}"


def skill(study: Study) -> str:
    """How much perfect play wins, and how far the levels are apart."""
    game = catalog.get(study.game)
    alike = not study.size.decisions or study.choice.idle >= 1 - NIL
    room = room_in_words(study.skill.room, study.value, simultaneous=game.simultaneous, alike=alike)
    fallen = below_half({rung.name: rung.score for rung in study.skill.rungs})
    return room if alike else " ".join(filter(None, [room, ladder(study), fallen]))


def ladder(study: Study) -> str:
    """How many steps of the ladder are felt."""
    rungs, steps = study.skill.rungs, study.skill.steps
    if not rungs:
        return "The levels are not weighed: matches between them hardly ever end."
    mark = percent(STEP, 0)
    if steps == len(rungs):
        return f"Each level scores {mark} or more against the one below."
    if steps:
        return f"{steps} of {len(rungs)} levels score {mark} or more against the one below."
    best, drawn = max(rung.score for rung in rungs), min(rung.drawn for rung in rungs)
    if drawn > 0.5:
        return f"But levels next to each other draw {percent(drawn)} of their matches or more."
    if best <= 0.5 + NIL:
        return "But no level scores more than half against the one below."
    return f"But no level scores {mark} against the one below; {percent(best)} is the most."


def numbers(study: Study) -> str:
    """Which numbers are never right, and which are never wrong."""
    sound = study.choice.sound
    if not sound:
        return "No number can be useless where there is nothing to choose."
    useless = [number for number, share in sound.items() if share <= 0]
    never_wrong = [number for number, share in sound.items() if share >= 1 - NIL]
    if len(never_wrong) == len(sound):
        return "No number is better than another, wherever it is open."
    said = [_useless(useless)] if useless else []
    unneeded = never_needed(study)
    without = f"perfect play never needs {spans(unneeded, 'or')}"
    if never_wrong:
        verb = "is" if len(never_wrong) == 1 else "are"
        also = f", and {without}" if unneeded else ""
        said.append(f"{spans(never_wrong)} {verb} never wrong{also}.")
    elif unneeded:
        said.append(f"{without[0].upper()}{without[1:]}.")
    return " ".join(said) or _rightness(sound)


def never_needed(study: Study) -> list[int]:
    """Numbers that perfect play never picks; nothing where it is not followed to the end."""
    use = study.choice.use
    if len(use) >= SHOWN:
        return []
    known = {number for line in use for number in line}
    return sorted(known - {n for line in use for n, share in line.items() if share > NIL})


def _useless(numbers: list[int]) -> str:
    verb = "is useless: it always gives" if len(numbers) == 1 else "are useless: they always give"
    return f"{spans(numbers)} {verb} something away."


def _rightness(sound: dict[int, float]) -> str:
    """Which number is right in the fewest decisions that offer it, and which in the most."""
    least, most = min(sound, key=lambda n: sound[n]), max(sound, key=lambda n: sound[n])
    if sound[most] - sound[least] <= NIL:
        same = percent(sound[most])
        return f"No number is useless: each is right in {same} of the decisions that offer it."
    return (
        f"No number is useless: {least} is right in {percent(sound[least])} of the decisions that "
        f"offer it, and {most} in {percent(sound[most])}."
    )
