"""Explanations of pick values in one or two sentences, derived from the exact solution."""

from typing import Any, Final

from evenodds.claims.fixed_outcome import fixed_outcome_sentence
from evenodds.coach.pick_values import DRAW_SCORE, PickValues
from evenodds.core.vocabulary import Outcome, other
from evenodds.figures import VALUE_TOLERANCE, join_words, percent

LIKELY_SHARE: Final = 0.2
"""A reply with this share in the best mix is called likely."""

MAX_LISTED_NUMBERS: Final = 3


def explain_picks(values: PickValues) -> list[str]:
    """Why the best numbers are best, and the game's own hint where the pick matters."""
    if len(values.scores) == 1:
        return ["There is only one number to pick."]
    if is_indifferent(values):
        if decided := fixed_outcome_sentence(values.game, values.solution.rulings):
            return [decided]
        if values.score < VALUE_TOLERANCE:
            return ["You lose whatever you pick, if your opponent makes no mistake."]
        return [f"All numbers are equally good: they {_common_outcome(values)}."]
    said = _explain_round(values) if values.game.simultaneous else _explain_turn(values)
    is_won = values.score > 1 - VALUE_TOLERANCE
    own = "" if is_won else values.game.words.hint(values.state, values.seat)
    return [said, own] if own else [said]


def is_indifferent(values: PickValues) -> bool:
    """Whether nothing depends on the pick; in games of turns not even the distance to the end."""
    if values.game.simultaneous:
        return values.idle
    return len({_number_outcome(values, number) for number in values.scores}) == 1


def _number_outcome(values: PickValues, number: int) -> Any:
    """The score of a number in a game of turns, its distance to the end, and its chances.

    In a drawn game the chances are whether it is the selected pick, or else the losing replies.
    """
    worth = round(values.scores[number], 6)
    if number in values.repetition.made:
        return worth, 0, 0
    if number in values.repetition.allowed:
        return worth, 1, 0
    far = values.distance_after(number)
    if far is None and values.solution.choices is not None:
        return worth, far, number in values.mix
    return worth, far, values.traps(number) if far is None else 0


def _common_outcome(values: PickValues) -> str:
    """What all numbers lead to where they are equally good."""
    if values.score > 1 - VALUE_TOLERANCE and values.game.simultaneous:
        return "win whatever your opponent picks"
    if values.score > 1 - VALUE_TOLERANCE:
        return f"win {_distance_phrase(values.distance_after(next(iter(values.mix))))}"
    if abs(values.score - DRAW_SCORE) < VALUE_TOLERANCE:
        return "keep the game even"
    return f"score {percent(values.score)}"


def _explain_turn(values: PickValues) -> str:
    (best,) = values.mix
    if values.score > 1 - VALUE_TOLERANCE:
        won = f"{best} wins {_distance_phrase(values.distance_after(best))}."
        return f"{won} {_repetition_sentence(values)}".rstrip()
    if values.score < VALUE_TOLERANCE:
        chances = "lasts longest" if values.solution.choices is None else "has the best chances"
        return f"Every number loses to best play; {best} {chances}."
    said = [
        _drawing_numbers_sentence(values),
        refutation(values, worst) if (worst := _worst(values)) else "",
        _trap_sentence(values),
    ]
    return " ".join(filter(None, said))


def _worst(values: PickValues) -> int | None:
    """The number with the largest loss."""
    return max(values.suboptimal, key=values.loss, default=None)


def refutation(values: PickValues, number: int) -> str:
    """How the other seat answers a mistake: `10 loses to 9 at once`, and how likely that is."""
    if number in values.repetition.made | values.repetition.allowed:
        return ""
    if not values.game.simultaneous:
        after = values.after(number)
        reply = next(iter(values.solution.mix(after, other(values.seat))), None)
        if reply is None or values.scores[number] > VALUE_TOLERANCE:
            return ""
        far = values.distance_after(number)
        return (
            f"{number} loses {f'to {reply} at once' if far == 2 else f'after the reply {reply}'}."
        )
    return _likely_refutation(values, number)


def _likely_refutation(values: PickValues, number: int, subject: str = "") -> str:
    """The reply that costs most, weighed by how likely it is in best play.

    `subject` stands for the number where a sentence has named it.
    """
    costs = [
        (share * (values.score - worth), reply, share, worth)
        for (reply, share), worth in zip(values.replies, values.payoffs[number], strict=True)
    ]
    cost, reply, share, worth = max(costs)
    if cost < VALUE_TOLERANCE:
        return ""
    # The number may win the round all the same: only the end of the match is called a loss.
    over = values.game.outcome(values.after(number, reply)) != Outcome.ONGOING
    lost = worth < VALUE_TOLERANCE and over
    name = subject or str(number)
    likely = ", which is likely here" if LIKELY_SHARE <= share < 1 else ""
    setback = values.game.words.setback(values.state, values.seat, number, reply)
    if setback and not lost:
        return f"{'against' if subject else 'Against'} {reply}{likely}, {name} {setback}."
    return f"{name} {'loses the match' if lost else 'does badly'} against {reply}{likely}."


def _drawing_numbers_sentence(values: PickValues) -> str:
    """Which numbers keep a drawn game drawn; names the shorter list, those that do or do not."""
    if not values.suboptimal:
        return "Every number keeps the game even."
    if set(values.optimal) <= values.repetition.made:
        made = (
            f"{list_numbers(values.optimal)} {_verb(values.optimal, 'makes')} a draw by repetition"
        )
        return f"{made}; {_other_numbers(values.suboptimal)} {_verb(values.suboptimal, 'loses')}."
    kept = f"{_verb(values.optimal, 'keeps')} the game even"
    lose = _verb(values.suboptimal, "loses")
    if len(values.suboptimal) < len(values.optimal):
        return f"{list_numbers(values.suboptimal)} {lose}; the rest {kept}."
    return f"{list_numbers(values.optimal)} {kept}; {_other_numbers(values.suboptimal)} {lose}."


def _other_numbers(numbers: Any) -> str:
    """`the rest`, or the number if there is only one."""
    return "the rest" if len(numbers) > 1 else list_numbers(numbers)


def _repetition_sentence(values: PickValues) -> str:
    """The numbers that would turn a won position into a draw by repetition."""
    made, allowed = map(sorted, values.repetition)
    said = [f"{list_numbers(made)} would make it a draw by repetition."] if made else []
    if allowed:
        said.append(
            f"{list_numbers(allowed)} would let your opponent make it a draw by repetition."
        )
    return " ".join(said)


def _trap_sentence(values: PickValues) -> str:
    """In a drawn game: the replies to the best number that lose, or that it wins most often."""
    (best,) = values.mix
    if any(values.repetition):
        return ""
    traps = values.traps(best)
    if not traps:
        best_chances = f"{best} scores best against an opponent who makes mistakes."
        return "" if values.solution.choices is None else best_chances
    replies = "1 reply loses" if traps == 1 else f"{traps} replies lose"
    return f"Set a trap with {best}: {replies} against it."


def _explain_round(values: PickValues) -> str:
    if values.score > 1 - VALUE_TOLERANCE:
        return (
            f"{list_numbers(values.mix)} {_verb(values.mix, 'wins')} whatever your opponent picks."
        )
    if values.score < VALUE_TOLERANCE:
        return "Every number loses to best play: hope for a mistake."
    mistakes = _mistakes_sentence(values)
    return f"{_safe_numbers_sentence(values)} {mistakes}".rstrip()


def _safe_numbers_sentence(values: PickValues) -> str:
    """Whether a single number is safe, or a mix is needed."""
    if len(values.mix) == 1:
        (best,) = values.mix
        if values.dominates_all(best):
            return f"{best} is the best pick, whatever your opponent does."
        enough = join_words([str(number) for number in values.safe], "or")
        kept = f"it keeps your expected score of {percent(values.score)}"
        return f"{enough} is safe by itself: {kept}, whatever your opponent picks."
    if not values.safe:
        return "No single number is safe: an opponent who expects it can beat it. Vary your picks."
    enough = join_words([str(number) for number in values.safe], "or")
    gains = all(
        any(
            up > down + VALUE_TOLERANCE
            for up, down in zip(values.mix_scores, values.payoffs[n], strict=True)
        )
        for n in values.safe
    )
    vary = "as safe and does better against some picks" if gains else "as good"
    return f"{enough} is safe by itself, whatever your opponent does. Varying is {vary}."


def _mistakes_sentence(values: PickValues) -> str:
    """The suboptimal numbers, and why: one number dominates all of them, or one explained."""
    if not values.suboptimal:
        return ""
    (better, *others) = {values.dominating(number) for number in values.suboptimal}
    known_reply = len(values.replies) == 1  # then nothing holds "always"
    few = len(values.suboptimal) <= MAX_LISTED_NUMBERS
    if better is not None and not others and few and not known_reply:
        dominated = join_words([str(number) for number in values.suboptimal], "or")
        return f"{better} is always at least as good as {dominated}."
    verb = "is a mistake" if len(values.suboptimal) == 1 else "are mistakes"
    said = f"{list_numbers(values.suboptimal)} {verb}"
    if len(values.suboptimal) > len(values.optimal) + 1:
        said = f"All numbers but {list_numbers(values.optimal)} are mistakes"
    for worse in sorted(values.suboptimal, key=lambda number: values.scores[number]):
        beaten = dominating_number_sentence(values, worse)
        if beaten:
            return f"{said}: {beaten}"
    worst = _worst(values)
    subject = "it" if len(values.suboptimal) == 1 else str(worst)
    refuted = "" if worst is None else _likely_refutation(values, worst, subject)
    return f"{said}: {refuted}" if refuted else f"{said}."


def dominating_number_sentence(values: PickValues, number: int) -> str:
    """A sentence on a number that dominates this one, where there is one."""
    better = values.dominating(number)
    if better is None or len(values.payoffs[number]) == 1:
        return ""
    return f"{better} is always at least as good as {number}."


def _distance_phrase(far: int | None) -> str:
    if far == 1:
        return "at once"
    return f"in at most {far} picks" if far else "by force"


def _verb(subjects: Any, verb: str) -> str:
    """A verb in the singular or the plural."""
    if len(subjects) == 1:
        return verb
    return verb.removesuffix("s")


def list_numbers(picks: Any) -> str:
    """Numbers as a list in a sentence."""
    return join_words([str(number) for number in picks])
