"""Checks of claims that several rule books share; `READY` are those that an author only names."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from textwrap import dedent
from typing import Any, Final

from evenodds.claims.claim import (
    NO_CHANGES,
    Check,
    Claim,
    Facts,
    Finding,
    OptimalityCounts,
    Rules,
    Verdict,
    fails,
    holds,
    judged,
    left_open,
)
from evenodds.claims.study_figures import MAX_EXACT_LINES
from evenodds.claims.thresholds import CONSISTENTLY, QUICK, is_fair, percent_beside
from evenodds.core.notation import write_round
from evenodds.core.rulings import as_data
from evenodds.core.vocabulary import SEATS, Outcome
from evenodds.figures import VALUE_TOLERANCE, join_words, percent, percent_of_possible

_ENDS: Final = {
    Outcome.FIRST_WINS: "a win for the first player",
    Outcome.SECOND_WINS: "a win for the second player",
    Outcome.DRAW: "a draw",
    Outcome.ONGOING: "open",
}


def check_example(
    line: str,
    shown: Callable[[Any], Any],
    told: tuple[Any, ...] = (),
    outcome: Outcome = Outcome.ONGOING,
    rules: Rules = NO_CHANGES,
) -> Check:
    """The check of a worked example: its picks are legal, and come to the results of the book.

    `told` is what the book shows after each of the first rounds, `shown(state)` what the rules lead
    to; `rules` are the rulings of the example.
    """

    def check(facts: Facts) -> Finding:
        found, one, count = facts.replay(line, rules), rounds(facts, 1), len(line.split())
        if found.refused and not facts.replay(line, rules, usual=True).refused:
            return left_open(f"Under these rulings the example cannot be played: {found.refused}.")
        for number, (book, state) in enumerate(zip(told, found.states[1:], strict=False), 1):
            if shown(state) != book:
                said = f"After {one} {number} the book shows {book}; by the rules it is "
                return fails(f"{said}{shown(state)}.", line, rules)
        if found.refused:
            said = f"It is against the rules in {one} {len(found.states)}: {found.refused}."
            return fails(said, line, rules)
        if found.outcome != outcome:
            said = f"The book calls the end {_ENDS[outcome]}; by the rules it is "
            return fails(f"{said}{_ENDS[found.outcome]}.", line, rules)
        if count == 1:
            return holds("It is legal and goes as the book says.", line, rules)
        said = f"All {count} {rounds(facts, count)} are legal and go as the book says."
        return holds(said, line, rules)

    return check


def check_line(
    *endings: str,
    some: Finding,
    none: Finding,
    outcome: Outcome | None = None,
    through: Callable[[Any, Mapping[str, Any]], Any] | None = None,
    **more: Callable[[Facts], str],
) -> Check:
    """The check whether any line of play leads to an end: what is found if one does, and if none.

    `through` selects positions of the line, by the rulings and the fields of all positions. The
    sentences may name `{lines}` (every line of play), `{shares}` of these endings, `{picks}` of the
    line, `{drawn}` matches, each ruling, and `more`.
    """

    def check(facts: Facts) -> Finding:
        passed = partial(through, facts.rulings) if through else None
        lines = (facts.line_to(outcome, end, through=passed) for end in endings or ("",))
        line = next(filter(None, lines), "")
        fields = {
            "lines": every_line(facts),
            "shares": ending_shares(facts, *endings),
            "picks": len(line.split()),
            "drawn": drawn(facts),
        }
        said = {name: tell(facts) for name, tell in more.items()}
        found = some if line else none
        evidence = found.evidence.format_map(facts.study.rules | fields | said)
        return found._replace(evidence=evidence, line=line)

    return check


def rounds(facts: Facts, count: float | None) -> str:
    """The unit of the length of a match: rounds in simultaneous games, picks in games of turns."""
    return ("round" if facts.game.simultaneous else "pick") + ("" if count == 1 else "s")


def no_draws(facts: Facts) -> Finding:
    """Whether every match has a winner, endless play counted as a draw."""
    if facts.study.points:  # no end tells who has more
        is_drawn, line = "draw" in facts.study.outcomes, ""
    else:
        line = facts.line_to(Outcome.DRAW) or facts.round_trip()
        is_drawn = bool(line)
    if not is_drawn:
        return holds(f"{every_line(facts)} has a winner.")
    return fails(f"{drawn(facts)}.", line)


def every_line(facts: Facts) -> str:
    """`Each of the N lines of play`, the subject of a sentence."""
    lines = facts.study.size.lines
    if lines == 1:
        return "The only line of play"
    exact = lines is not None and lines <= MAX_EXACT_LINES
    return f"Each of the {lines:,} lines of play" if exact else "Every line of play"


def length(facts: Facts) -> str:
    """How long a match can be, in a game that ends."""
    least, most = facts.study.size.shortest, facts.study.size.longest
    if least == most:
        return f"Every match takes {most} {rounds(facts, most)}"
    return f"A match takes {least} to {most} {rounds(facts, most)}"


def drawn(facts: Facts) -> str:
    """The share of matches without a winner, between random and between perfect players."""
    all_odds = (facts.study.chance, facts.study.perfect)
    random, perfect = (percent(odds.draw + odds.endless) for odds in all_odds)
    some = f"{random} of matches between random players have no winner"
    return f"{some}, and {perfect} between perfect ones"


def used_once(facts: Facts) -> Finding:
    """Whether a number picked in the first round is gone for its player."""
    for pair, after in facts.first_rounds.items():
        if facts.game.outcome(after) == Outcome.ONGOING:
            for seat in SEATS:
                if pair[seat] in facts.game.picks(after, seat):
                    said = f"A player who picked {pair[seat]} may pick it again."
                    return fails(said, write_round(pair))
    return holds("A number picked in the first round is gone in the second.")


def ending_shares(facts: Facts, *endings: str) -> str:
    """How often matches end in some ways that can happen, between random and perfect players."""
    random, perfect = (
        sum(odds.endings.get(one, 0.0) for one in endings)
        for odds in (facts.study.chance, facts.study.perfect)
    )
    between_random = f"in {percent_of_possible(random)} of matches between random players"
    return f"{between_random} and {percent(perfect)} between perfect ones"


def skill_pays(facts: Facts) -> Finding:
    """Whether skilled players consistently outperform unskilled ones."""
    skill = facts.study.skill
    if facts.study.choice.idle is None:
        return left_open(NO_CHOICE)
    said = (
        f"A perfect player scores {percent_beside(skill.perfect_score, CONSISTENTLY)} against "
        f"players who pick at random; {CONSISTENTLY} or more is called consistent."
    )
    if skill.span is not None:
        said += f" The highest level scores {percent(skill.span.score)} against the lowest"
        if skill.span.matches:
            matches = "1 match" if skill.span.matches == 1 else f"{skill.span.matches:,} matches"
            said += f"; you need about {matches} to be 95% sure which is better"
        said += "."
    return judged(CONSISTENTLY.reached_by(skill.perfect_score), said)


def thinking_pays(facts: Facts) -> Finding:
    """Whether simple strategies lose against their best response."""
    if facts.study.choice.idle is None:
        return left_open(NO_CHOICE)
    habits = {name: facts.study.choice.habits[name] for name in _HABITS}
    best = max(habits, key=lambda name: habits[name].best_opponent)
    beaten = habits[best].best_opponent < 0.5 - VALUE_TOLERANCE
    unbeaten = "" if beaten else ": as much as perfect play does"
    said = f"A player who {_HABITS[best]} scores {habit_scores(facts, best)}{unbeaten}."
    return judged(beaten, said)


def habit_scores(facts: Facts, name: str) -> str:
    """The scores of a simple strategy against perfect play and against its best response."""
    habit = facts.study.choice.habits[name]
    perfect, best = percent(habit.perfect), percent(habit.best_opponent)
    return f"{perfect} against perfect play and {best} against the best opponent"


_HABITS: Final = {"high": "always picks the highest number", "random": "picks at random"}
NO_CHOICE: Final = "There is never more than one number to pick."


def choices_matter(facts: Facts) -> Finding:
    """Whether anything depends on a pick."""
    choice, decisions = facts.study.choice, facts.study.size.decisions
    if choice.idle is None:
        return left_open(NO_CHOICE)
    said = f"In {percent(choice.idle)} of the {decisions:,} decisions nothing depends on the pick."
    if decisions == 1:
        said = f"{'Nothing' if choice.is_idle else 'Something'} depends on the only decision."
    return judged(not choice.is_idle, said)


def prediction_pays(facts: Facts) -> Finding:
    """Whether there are decisions without a pure maximin number."""
    mixed = facts.study.choice.mixed
    if mixed is None:
        return left_open(NO_CHOICE)
    if mixed <= VALUE_TOLERANCE:
        said = (
            "In every decision some number is safe whatever the opponent picks: against perfect "
            "play prediction gains nothing."
        )
        return fails(said)
    opening = facts.study.opening
    columns = zip(opening.second, zip(*opening.payoff, strict=True), strict=True)
    foreseen = sum(opening.mixes[1].get(number, 0.0) * max(column) for number, column in columns)
    (does, known), (_, unknown) = map(facts.study.worth, (foreseen, facts.study.value))
    said = (
        f"In {percent(mixed)} of decisions no single number is safe. A player who knew the "
        f"opponent's first number would {does} {known} instead of {unknown}."
    )
    return holds(said)


def optimal_shares(uses: Iterable[tuple[bool, OptimalityCounts]]) -> list[float | None]:
    """In which share of decisions numbers are optimal: those that are marked, and the others.

    None where there is no decision.
    """
    opened, sound = [0, 0], [0, 0]
    for is_marked, use in uses:
        opened[not is_marked] += use.open
        sound[not is_marked] += use.sound
    return [right / all_of if all_of else None for right, all_of in zip(sound, opened, strict=True)]


def saving_pays(facts: Facts) -> Finding:
    """Whether the highest number is less often optimal than the lowest."""
    sound = facts.study.choice.sound
    if len(sound) < 2:
        return left_open(NO_CHOICE)
    low, high = min(sound), max(sound)
    said = (
        f"Playing {high} is a mistake in {percent(1 - sound[high])} of decisions, playing {low} "
        f"in {percent(1 - sound[low])}."
    )
    return judged(sound[high] < sound[low] - VALUE_TOLERANCE, said)


def quick(facts: Facts) -> Finding:
    """Whether matches are short on average, under every policy."""
    most = QUICK.value if facts.game.simultaneous else 2 * QUICK.value
    plays, kind = facts.study.plays, rounds(facts, 2)
    lengths = {way: play.odds.length for way, play in plays.items()}
    on = {way: (play.played_on or play.odds).length for way, play in plays.items()}
    said = f"{kind.capitalize()} in a match on average: {_lengths(lengths)}."
    if facts.study.repetition:
        said = (
            f"With the draw rule a match takes on average so many {kind}: {_lengths(lengths)}. "
            f"The book has no such rule; without it: {_lengths(on)}."
        )
    said += f" Up to {most:g} is called quick."
    line = facts.round_trip() if None in on.values() else ""
    is_quick, is_quick_on = (
        all(one is not None and one <= most + VALUE_TOLERANCE for one in known.values())
        for known in (lengths, on)
    )
    return judged(is_quick, said, line) if is_quick == is_quick_on else left_open(said, line)


def _lengths(lengths: Mapping[str, float | None]) -> str:
    """The mean length of a match by policy."""
    return "; ".join(
        f"{way} never ends" if length is None else f"{way} {length:.1f}"
        for way, length in lengths.items()
    )


def fair(facts: Facts) -> Finding:
    """Whether with best play neither player is ahead."""
    does, figure = facts.study.worth(facts.study.value)
    said = f"With best play the first player {does}s {figure}."
    return judged(is_fair(facts.study.value), said)


def always_ends(facts: Facts) -> Finding:
    """Whether every match ends by the rules, whatever is picked."""
    if facts.study.size.longest is None:
        return fails("Play can come back to the same position.", facts.round_trip())
    return holds(f"{length(facts)}.")


def every_number_counts(facts: Facts) -> Finding:
    """Whether each number is somewhere better than the others."""
    useless = [str(number) for number in facts.study.choice.useless]
    if not facts.study.choice.sound:
        return left_open(NO_CHOICE)
    said = f"Another number is always at least as good as {join_words(useless, 'or')}."
    return judged(not useless, said if useless else "For each number there is a use.")


def unchecked(_: Facts) -> Finding:
    """A sentence that promises something, of which nobody has said how it is checked."""
    return Finding(Verdict.UNCHECKED, "Nobody has checked it.")


def _example(outcome: Outcome) -> Callable[[str], Check]:
    def ends(line: str) -> Check:
        def check(facts: Facts) -> Finding:
            book = as_data(facts.game.rulings())
            return check_example(line, lambda state: state, outcome=outcome, rules=book)(facts)

        return check

    return ends


READY: Final[Mapping[str, Check]] = {
    check.__name__: check
    for check in (
        *(fair, no_draws, always_ends, quick, used_once, choices_matter, every_number_counts),
        *(prediction_pays, saving_pays, thinking_pays, skill_pays, unchecked),
    )
}
"""The checks that are named in a list of sentences, as `no draws`."""
EXAMPLES: Final[Mapping[str, Callable[[str], Check]]] = {
    "first wins": _example(Outcome.FIRST_WINS),
    "second wins": _example(Outcome.SECOND_WINS),
    "drawn": _example(Outcome.DRAW),
    "goes on": _example(Outcome.ONGOING),
}
"""How a worked example of the book ends, by the book's own rulings: a line of play follows."""


def claims(sentences: str, own: Mapping[str, Any]) -> tuple[Claim, ...]:
    """The claims of a book: its sentences in order, and the check of each claim by its name.

    A line has the name of a claim and its sentence, as `name: sentence`, continued on lines
    indented deeper; a sentence that makes several claims has their names with ` / ` between them. A
    check is a function of the module, `used_once` for `used once`, whose names are `own`; or it is
    `READY`; or one of the `EXAMPLES` and a line of play, as in `first wins 3-2 5-4`. `not quick` is
    that `quick` fails.
    """
    found = []
    whole = re.sub(r"\n\s*?[ \t](?=\S)", " ", dedent(sentences))
    for line in filter(str.strip, whole.splitlines()):
        names, _, quote = line.partition(": ")
        for name in names.split(" / "):
            known, check = _named_check(name, own)
            found.append(Claim(known, quote, check))
    return tuple(found)


def _named_check(name: str, own: Mapping[str, Any]) -> tuple[str, Check]:
    function = re.sub(r"\W", "_", name)
    if check := own.get(function) or READY.get(function):
        return name, check
    for kind, example in EXAMPLES.items():
        if name.startswith(f"{kind} "):
            return kind, example(name.removeprefix(kind))
    if name.startswith("not "):
        return name, _opposite(_named_check(name.removeprefix("not "), own)[1])
    ready = ", ".join(known.replace("_", " ") for known in READY)
    raise LookupError(
        f'"{name}" has no check; write a function {function}(facts), or name one of {ready}, '
        f"{', '.join(EXAMPLES)}"
    )


def _opposite(check: Check) -> Check:
    opposites = {Verdict.HOLDS: Verdict.FAILS, Verdict.FAILS: Verdict.HOLDS}

    @wraps(check)
    def opposite(facts: Facts) -> Finding:
        found = check(facts)
        return found._replace(verdict=opposites.get(found.verdict, found.verdict))

    return opposite
