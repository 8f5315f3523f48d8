"""Why a pick is good: a sentence or two, each true of the exact table."""

from typing import TYPE_CHECKING, Any

from evenodds.coach.judgement import Judgement
from evenodds.text import SURE, listed, percent
from evenodds.vocabulary import Seat, alone

if TYPE_CHECKING:
    from evenodds.solver import Solution


def why(solution: "Solution", state: Any, seat: Seat, found: Judgement) -> list[str]:
    """What decides here, and the game's own sentence where it has one."""
    game = solution.game
    said = [_what_decides(solution, state, seat, found)]
    own = game.words.hint(state, seat)
    return said + ([own] if own else [])


def _what_decides(solution: "Solution", state: Any, seat: Seat, found: Judgement) -> str:
    if len(found.worths) == 1:
        return "There is only one number to pick."
    if not solution.game.simultaneous:
        return _of_a_turn(solution, state, seat, found)
    if found.idle:
        return f"It does not matter what you pick: {_prospect(found.score, 'every number')}."
    return _of_a_round(found)


def _of_a_turn(solution: "Solution", state: Any, seat: Seat, found: Judgement) -> str:
    (best,) = found.mix
    if found.score > 1 - SURE:
        return f"{best} wins {_within(solution.distance(state))}."
    if found.score < SURE:
        lost = "Every number loses against best play"
        return (
            f"{lost}; {best} holds out longest."
            if _outlasts(solution, state, seat, best)
            else (f"{lost}, equally soon.")
        )
    kept = f"{spoken(found.good)} {_s(found.good, 'holds')} the balance"
    kept = (
        f"{kept}; {spoken(found.poor)} {_s(found.poor, 'loses')}"
        if found.poor
        else ("Every number holds the balance")
    )
    traps = solution.traps(state, seat, best)
    return f"{kept}. After {best} the most replies lose: {traps}." if traps else f"{kept}."


def _outlasts(solution: "Solution", state: Any, seat: Seat, best: int) -> bool:
    """Whether a number that loses holds out longer than some other."""
    game = solution.game
    far = {
        number: solution.distance(game.step(state, alone(seat, number)))
        for number in game.picks(state, seat)
    }
    return any(other != far[best] for other in far.values())


def _of_a_round(found: Judgement) -> str:
    if found.score > 1 - SURE:
        return f"{spoken(found.mix)} {_s(found.mix, 'wins')} whatever the other picks."
    if found.score < SURE:
        return "Nothing helps against best play: hope for a mistake."
    if len(found.mix) == 1:
        (best,) = found.mix
        sure = percent(found.score)
        said = f"{best} is best by itself: no answer to it leaves you less than {sure}."
    else:
        said = "No number is best by itself: whoever expects it has an answer. Mix them."
    return f"{said} {_poor(found)}".rstrip()


def _poor(found: Judgement) -> str:
    """Which numbers are never worth playing, and one of them explained where another beats it."""
    if not found.poor:
        return ""
    verb = "is" if len(found.poor) == 1 else "are"
    said = f"{spoken(found.poor)} {verb} never worth playing against best play"
    for worse in sorted(found.poor, key=lambda number: found.worths[number]):
        beaten = dominated(found, worse)
        if beaten:
            return f"{said}: {beaten}"
    return f"{said}."


def dominated(found: Judgement, number: int) -> str:
    """Which number is never worse than this one, where there is one."""
    better = found.better(number)
    if better is None or len(found.against[number]) == 1:
        return ""
    return f"whatever the other picks, {better} does no worse than {number}."


def _prospect(score: float, subject: str) -> str:
    if score > 1 - SURE:
        return f"{subject} wins"
    if score < SURE:
        return f"{subject} loses against best play"
    if abs(score - 0.5) < SURE:
        return f"{subject} keeps the balance"
    return f"{subject} scores {percent(score)}"


def _within(far: int | None) -> str:
    if far == 1:
        return "at once"
    return f"by force, within {far} picks" if far else "by force"


def _s(subjects: Any, verb: str) -> str:
    """A verb after one number or several."""
    if len(subjects) == 1:
        return verb
    return {"holds": "hold", "wins": "win", "loses": "lose"}[verb]


def spoken(picks: Any) -> str:
    """Numbers as a list in a sentence."""
    return listed([str(number) for number in picks])
