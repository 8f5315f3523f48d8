"""Hints: a best mix at a position, what each number is worth, and why in one or two sentences."""

import re
from operator import itemgetter
from typing import Any, Final, NamedTuple

from evenodds.claims.fixed_outcome import fixed_outcome_sentence
from evenodds.coach.pick_values import (
    DRAW_SCORE,
    REPETITION_FORESIGHT_NOTE,
    PickValues,
    evaluate_picks,
    repetition_picks,
)
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, Outcome, Seat, State, alone, other
from evenodds.engine.solution import Solution
from evenodds.figures import VALUE_TOLERANCE, join_words

LIKELY_SHARE: Final = 0.2
"""A reply with this share in the best mix is called likely."""

MAX_LISTED_NUMBERS: Final = 3
OTHER_MIXES_NOTE: Final = "Other ways to vary are equally good; this is one of them."


class Advice(NamedTuple):
    """One number: its share in the named best mix, its expected score, and a description."""

    number: int
    name: str
    share: float
    worth: float
    text: str


class Hint(NamedTuple):
    """The exact solution of a position for one seat."""

    score: float
    advice: tuple[Advice, ...]
    why: list[str]
    alike: bool
    """Whether all numbers are equally good; then all have the same share."""
    worth: str
    """The score in words."""


def hint(match: Match, solution: Solution, seat: Seat) -> Hint | None:
    """A hint for a seat of a match; None where the seat has no pick to make."""
    if not match.choices(seat):
        return None
    state = match.state
    values = evaluate_picks(solution, state, seat, repetition_picks(match, seat))
    values = values._replace(earned=(match.points or 0) * (1 if seat == FIRST else -1))
    alike = is_indifferent(values)
    shares = dict.fromkeys(values.scores, 1 / len(values.scores)) if alike else values.mix
    advice = [
        Advice(n, values.name(n), shares.get(n, 0.0), worth, _describe_number(values, n))
        for n, worth in values.scores.items()
    ]
    said = explain_picks(values)
    if solution.game.simultaneous and not alike and not solution.is_only_mix(state, seat):
        said.append(OTHER_MIXES_NOTE)
    if match.due():
        said.append(REPETITION_FORESIGHT_NOTE)
    told = values.measure.score(values.score)
    return Hint(values.score, tuple(advice), list(map(sentences, said)), alike, told)


def sentences(text: str) -> str:
    """Sentences with capitals: they may begin with the name of a pick."""
    return re.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda first: first[0].upper(), text)


def _describe_number(values: PickValues, number: int) -> str:
    """The value of a number in words: its score; in games of turns the result and distance."""
    worth, game = values.scores[number], values.solution.game
    if not game.is_combinatorial:
        return values.measure.scores(worth)
    if number in values.repetition.made:
        return "draws by repetition"
    if number in values.repetition.allowed:
        return "lets your opponent draw by repetition"
    picks = values.distance_after(number)
    if worth > 1 - VALUE_TOLERANCE:
        return "wins at once" if picks == 1 else f"wins in {picks} picks"
    if worth < VALUE_TOLERANCE:
        return "loses at once" if picks == 1 else f"loses in {picks} picks"
    return "keeps the game even" if game.loops else "draws"


def explain_picks(values: PickValues) -> list[str]:
    """Why the best numbers are best, and the game's own hint where the pick matters."""
    if len(values.scores) == 1:
        only, named = values.name(next(iter(values.scores))), values.game.words.names_picks
        return [f"{only} is your only pick." if named else "There is only one number to pick."]
    if is_indifferent(values):
        if decided := fixed_outcome_sentence(values.game, values.solution.rulings):
            return [decided]
        if values.score < VALUE_TOLERANCE:
            return ["You lose whatever you pick, if your opponent makes no mistake."]
        return [f"All numbers are equally good: they {_common_outcome(values)}."]
    said = _explain_turn(values) if values.game.is_combinatorial else _explain_round(values)
    is_won = values.score > 1 - VALUE_TOLERANCE
    own = "" if is_won else values.game.words.hint(values.state, values.seat)
    return [said, own] if own else [said]


def is_indifferent(values: PickValues) -> bool:
    """Whether nothing depends on the pick; in games of turns not even the distance to the end."""
    if not values.game.is_combinatorial:
        return values.idle
    return len({_number_outcome(values, number) for number in values.scores}) == 1


def _number_outcome(values: PickValues, number: int) -> Any:
    """The score of a number in a game of turns, its distance to the end, and its chances.

    In a drawn game the chances are whether it is the selected pick.
    """
    worth = round(values.scores[number], 6)
    if number in values.repetition.made:
        return worth, 0, 0
    if number in values.repetition.allowed:
        return worth, 1, 0
    far = values.distance_after(number)
    return worth, far, number in values.mix if far is None else 0


def _common_outcome(values: PickValues) -> str:
    if values.measure.has_points:
        return f"are worth {values.measure.score(values.score)}"
    if values.score > 1 - VALUE_TOLERANCE and values.game.simultaneous:
        return "win whatever your opponent picks"
    if values.score > 1 - VALUE_TOLERANCE:
        return f"win {_distance_phrase(values.distance_after(next(iter(values.mix))))}"
    if abs(values.score - DRAW_SCORE) < VALUE_TOLERANCE:
        return "keep the game even"
    return f"score {values.measure.score(values.score)}"


def _explain_turn(values: PickValues) -> str:
    (best,) = values.mix
    if values.score > 1 - VALUE_TOLERANCE:
        won = f"{values.name(best)} wins {_distance_phrase(values.distance_after(best))}."
        return f"{won} {_repetition_sentence(values)}".rstrip()
    if values.score < VALUE_TOLERANCE:
        return f"Every number loses to best play; {values.name(best)} has the best chances."
    said = [
        _drawing_numbers_sentence(values),
        refutation(values, max(bad, key=values.loss)) if (bad := values.suboptimal) else "",
        _trap_sentence(values),
    ]
    return " ".join(filter(None, said))


def refutation(values: PickValues, number: int) -> str:
    """How the other seat answers a mistake: `10 loses to 9 at once`, and how likely that is."""
    if number in values.repetition.made | values.repetition.allowed:
        return ""
    if values.game.is_combinatorial:
        after = values.after(number)
        reply = next(iter(values.solution.mix(after, other(values.seat))), None)
        if reply is None or values.scores[number] > VALUE_TOLERANCE:
            return ""
        at_once = values.distance_after(number) == 2
        name, said = values.name(number), values.name(reply, theirs=True)
        return f"{name} loses {f'to {said} at once' if at_once else f'after the reply {said}'}."
    return _likely_refutation(values, number)


def costliest_reply(values: PickValues, number: int) -> tuple[float, int, float, float]:
    """The reply that costs a number most, weighed by how likely it is; else the likeliest one.

    What it costs beside the best mix, the reply, its share, and what the number scores against it.
    """
    replies = zip(values.replies, values.mix_scores, values.payoffs[number], strict=True)
    costs = [
        (share * (best - worth), reply, share, worth) for (reply, share), best, worth in replies
    ]
    found = max(costs)
    return found if found[0] >= VALUE_TOLERANCE else max(costs, key=itemgetter(2))


def _likely_refutation(values: PickValues, number: int, subject: str = "") -> str:
    """How the costliest reply answers a number.

    `subject` stands for the number where a sentence has named it.
    """
    if not values.replies:
        return ""
    cost, reply, share, worth = costliest_reply(values, number)
    if cost < VALUE_TOLERANCE:
        return ""
    # The number may win the round all the same: only the end of the match is called a loss.
    over = values.game.outcome(values.after(number, reply)) != Outcome.ONGOING
    lost = worth < VALUE_TOLERANCE and over
    name, said = subject or values.name(number), values.name(reply, theirs=True)
    likely = ", which is likely here" if LIKELY_SHARE <= share < 1 else ""
    setback = values.game.words.setback(values.state, values.seat, number, reply)
    if setback and not lost:
        return f"{'against' if subject else 'Against'} {said}{likely}, {name} {setback}."
    return f"{name} {'loses the match' if lost else 'does badly'} against {said}{likely}."


def _drawing_numbers_sentence(values: PickValues) -> str:
    """Which numbers keep a drawn game drawn; names the shorter list, those that do or do not."""
    if not values.suboptimal:
        return "Every number keeps the game even."
    good, bad = values.optimal, values.suboptimal
    lose = _verb(bad, "loses")
    rest = "the rest" if len(bad) > 1 else _listed(values, bad)
    if set(good) <= values.repetition.made:
        return (
            f"{_listed(values, good)} {_verb(good, 'makes')} a draw by repetition; {rest} {lose}."
        )
    kept = f"{_verb(good, 'keeps')} the game even"
    if len(bad) < len(good):
        return f"{_listed(values, bad)} {lose}; the rest {kept}."
    return f"{_listed(values, good)} {kept}; {rest} {lose}."


def _repetition_sentence(values: PickValues) -> str:
    """The numbers that would turn a won position into a draw by repetition."""
    made, allowed = map(sorted, values.repetition)
    draw = "make it a draw by repetition."
    said = [f"{_listed(values, made)} would {draw}"] if made else []
    said += [f"{_listed(values, allowed)} would let your opponent {draw}"] if allowed else []
    return " ".join(said)


def _trap_sentence(values: PickValues) -> str:
    """In a drawn game: the replies to the best number that lose, or that it wins most often."""
    (best,) = values.mix
    if any(values.repetition):
        return ""
    if not (traps := losing_replies(values.solution, values.state, values.seat, best)):
        return f"{values.name(best)} scores best against an opponent who makes mistakes."
    replies = "1 reply loses" if traps == 1 else f"{traps} replies lose"
    return f"Set a trap with {values.name(best)}: {replies} against it."


def losing_replies(solution: Solution, state: State, seat: Seat, number: int) -> int:
    """In a game of turns: how many replies to a pick lose."""
    game, reply = solution.game, other(seat)
    after = game.step(state, alone(seat, number))
    if game.outcome(after) != Outcome.ONGOING:
        return 0
    replies = (game.step(after, alone(reply, each)) for each in game.picks(after, reply))
    return sum(solution.value(lost, seat) > 0 for lost in replies)


def _explain_round(values: PickValues) -> str:
    if values.score > 1 - VALUE_TOLERANCE:
        wins = _verb(values.mix, "wins")
        return f"{_listed(values, values.mix)} {wins} whatever your opponent picks."
    if values.score < VALUE_TOLERANCE:
        return "Every number loses to best play: hope for a mistake."
    return f"{_safe_numbers_sentence(values)} {_mistakes_sentence(values)}".rstrip()


def _safe_numbers_sentence(values: PickValues) -> str:
    """Whether a single number is safe, or a mix is needed."""
    enough = _listed(values, values.safe, "or")
    if not values.replies:
        return f"{enough} is the best pick."
    if len(values.mix) == 1:
        (best,) = values.mix
        if all(values.dominates(best, number) for number in values.payoffs):
            return f"{values.name(best)} is the best pick, whatever your opponent does."
        kept = f"it keeps your expected score of {values.measure.score(values.score)}"
        return f"{enough} is safe by itself: {kept}, whatever your opponent picks."
    if not values.safe:
        return "No single number is safe: an opponent who expects it can beat it. Vary your picks."
    gains = all(
        any(up > down + VALUE_TOLERANCE for up, down in zip(values.mix_scores, line, strict=True))
        for line in map(values.payoffs.__getitem__, values.safe)
    )
    vary = "as safe and does better against some picks" if gains else "as good"
    return f"{enough} is safe by itself, whatever your opponent does. Varying is {vary}."


def _mistakes_sentence(values: PickValues) -> str:
    """The suboptimal numbers, and why: one number dominates all of them, or one explained."""
    good, bad = values.optimal, values.suboptimal
    if not bad:
        return ""
    (better, *others) = {values.dominating(number) for number in bad}
    known_reply = len(values.replies) <= 1  # then nothing holds "always"
    few = len(bad) <= MAX_LISTED_NUMBERS
    if better is not None and not others and few and not known_reply:
        return f"{values.name(better)} is always at least as good as {_listed(values, bad, 'or')}."
    said = f"{_listed(values, bad)} {'is a mistake' if len(bad) == 1 else 'are mistakes'}"
    if len(bad) > len(good) + 1:
        said = f"All numbers but {_listed(values, good)} are mistakes"
    worst = max(bad, key=values.loss)
    ranked = sorted(bad, key=lambda number: values.scores[number])
    why = [dominating_number_sentence(values, number) for number in ranked]
    why.append(_likely_refutation(values, worst, "it" if len(bad) == 1 else values.name(worst)))
    found = next(filter(None, why), "")
    return f"{said}: {found}" if found else f"{said}."


def dominating_number_sentence(values: PickValues, number: int) -> str:
    """A sentence on a number that dominates this one, where there is one."""
    better = values.dominating(number)
    if better is None or len(values.payoffs[number]) == 1:
        return ""
    return f"{values.name(better)} is always at least as good as {values.name(number)}."


def _distance_phrase(far: int | None) -> str:
    if far == 1:
        return "at once"
    return f"in at most {far} picks" if far else "by force"


def _verb(subjects: Any, verb: str) -> str:
    return verb if len(subjects) == 1 else verb.removesuffix("s")


def _listed(values: PickValues, picks: Any, last: str = "and") -> str:
    return join_words([values.name(number) for number in picks], last)
