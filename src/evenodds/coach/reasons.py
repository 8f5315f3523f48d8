"""Explanations of pick values in one or two sentences, derived from the exact solution."""

from typing import TYPE_CHECKING, Any

from evenodds.coach.pick_values import DRAW_SCORE, PickValues, distance_after
from evenodds.core.vocabulary import Seat
from evenodds.system.text import listed, percent
from evenodds.system.tolerance import VALUE_TOLERANCE

if TYPE_CHECKING:
    from evenodds.solver import Solution


def explain_picks(solution: "Solution", state: Any, seat: Seat, found: PickValues) -> list[str]:
    """What decides here, and the game's own sentence where it has one and something depends."""
    if len(found.worths) == 1:
        return ["There is only one number to pick."]
    if is_indifferent(solution, state, seat, found):
        return [f"Every number is as good: all {_all_alike(solution, state, seat, found)}."]
    simultaneous = solution.game.simultaneous
    said = _of_a_round(found) if simultaneous else _of_a_turn(solution, state, seat, found)
    own = solution.game.words.hint(state, seat)
    return [said, own] if own else [said]


def is_indifferent(solution: "Solution", state: Any, seat: Seat, found: PickValues) -> bool:
    """Whether nothing depends on the pick; in games of turns, not even when the end comes."""
    if solution.game.simultaneous:
        return found.idle
    return (
        len({_number_outcome(solution, state, seat, number, found) for number in found.worths}) == 1
    )


def _number_outcome(
    solution: "Solution", state: Any, seat: Seat, number: int, found: PickValues
) -> Any:
    """What a number comes to in a game of turns, how soon, and how many replies to it lose."""
    worth = round(found.worths[number], 6)
    if number in found.repeats.made:
        return worth, 0, 0
    if number in found.repeats.allowed:
        return worth, 1, 0
    far = distance_after(solution, state, seat, number)
    return worth, far, solution.traps(state, seat, number) if far is None else 0


def _all_alike(solution: "Solution", state: Any, seat: Seat, found: PickValues) -> str:
    """What all numbers come to where they come to the same."""
    simultaneous = solution.game.simultaneous
    if found.score > 1 - VALUE_TOLERANCE and simultaneous:
        return "win whatever the other picks"
    if found.score > 1 - VALUE_TOLERANCE:
        return f"win {_within(distance_after(solution, state, seat, next(iter(found.mix))))}"
    if found.score < VALUE_TOLERANCE:
        return f"lose against best play{'' if simultaneous else ', equally soon'}"
    if abs(found.score - DRAW_SCORE) < VALUE_TOLERANCE:
        return "hold the balance"
    return f"score {percent(found.score)}"


def _of_a_turn(solution: "Solution", state: Any, seat: Seat, found: PickValues) -> str:
    (best,) = found.mix
    if found.score > 1 - VALUE_TOLERANCE:
        won = f"{best} wins {_within(distance_after(solution, state, seat, best))}."
        return f"{won} {_not_again(found)}".rstrip()
    if found.score < VALUE_TOLERANCE:
        return f"Every number loses against best play; {best} holds out longest."
    return f"{_balance(found)} {_trap_sentence(solution, state, seat, found)}".rstrip()


def _balance(found: PickValues) -> str:
    """Which numbers keep a drawn game drawn, told from the shorter side."""
    if not found.poor:
        return "Every number holds the balance."
    if set(found.good) <= found.repeats.made:
        made = f"{list_numbers(found.good)} {_verb(found.good, 'makes')} a draw by repetition"
        return f"{made}; {_rest(found.poor)} {_verb(found.poor, 'loses')}."
    kept = f"{_verb(found.good, 'holds')} the balance"
    if len(found.poor) < len(found.good):
        return f"{list_numbers(found.poor)} {_verb(found.poor, 'loses')}; the rest {kept}."
    return f"{list_numbers(found.good)} {kept}; {_rest(found.poor)} {_verb(found.poor, 'loses')}."


def _rest(numbers: Any) -> str:
    """All the other numbers; a single one by itself."""
    return "the rest" if len(numbers) > 1 else list_numbers(numbers)


def _not_again(found: PickValues) -> str:
    """What must not be picked by one who can win."""
    made, allowed = map(sorted, found.repeats)
    said = [f"{list_numbers(made)} would make it a draw by repetition."] if made else []
    if allowed:
        said.append(f"{list_numbers(allowed)} would let the other make it a draw by repetition.")
    return " ".join(said)


def _trap_sentence(solution: "Solution", state: Any, seat: Seat, found: PickValues) -> str:
    """In a drawn game: after which number the other can go wrong most often."""
    (best,) = found.mix
    traps = 0 if any(found.repeats) else solution.traps(state, seat, best)
    return f"After {best} the most replies lose: {traps}." if traps else ""


def _of_a_round(found: PickValues) -> str:
    if found.score > 1 - VALUE_TOLERANCE:
        return f"{list_numbers(found.mix)} {_verb(found.mix, 'wins')} whatever the other picks."
    if found.score < VALUE_TOLERANCE:
        return "Nothing helps against best play: hope for a mistake."
    return f"{_alone(found)} {_dominated_numbers_sentence(found)}".rstrip()


def _alone(found: PickValues) -> str:
    """Whether some number will do by itself, and what a mix is for."""
    sure = percent(found.score)
    if len(found.mix) == 1:
        (best,) = found.mix
        return f"{best} is best by itself: no answer to it leaves you less than {sure}."
    if not found.safe:
        return "No number is best by itself: whoever expects it has an answer. Mix them."
    enough = listed([str(number) for number in found.safe], "or")
    gains = all(
        any(
            up > down + VALUE_TOLERANCE
            for up, down in zip(found.mixed, found.against[n], strict=True)
        )
        for n in found.safe
    )
    mix = "as safe and does better against some answers" if gains else "as good"
    return (
        f"{enough} alone is enough: no answer to it leaves you less than {sure}. The mix is {mix}."
    )


def _dominated_numbers_sentence(found: PickValues) -> str:
    """Which numbers are never worth playing, and one of them explained where another beats it."""
    if not found.poor:
        return ""
    verb = "is" if len(found.poor) == 1 else "are"
    said = f"{list_numbers(found.poor)} {verb} never worth playing against best play"
    if len(found.poor) > len(found.good) + 1:
        said = f"Apart from {list_numbers(found.good)} no number is worth playing against best play"
    for worse in sorted(found.poor, key=lambda number: found.worths[number]):
        beaten = dominating_number_sentence(found, worse)
        if beaten:
            return f"{said}: {beaten}"
    return f"{said}."


def dominating_number_sentence(found: PickValues, number: int) -> str:
    """Which number is never worse than this one, where there is one."""
    better = found.better(number)
    if better is None or len(found.against[number]) == 1:
        return ""
    return f"whatever the other picks, {better} does no worse than {number}."


def _within(far: int | None) -> str:
    if far == 1:
        return "at once"
    return f"by force, within {far} picks" if far else "by force"


def _verb(subjects: Any, verb: str) -> str:
    """A verb after one number or several."""
    if len(subjects) == 1:
        return verb
    return verb.removesuffix("s")


def list_numbers(picks: Any) -> str:
    """Numbers as a list in a sentence."""
    return listed([str(number) for number in picks])
