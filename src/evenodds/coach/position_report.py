"""The exact solution at one position, in sentences and as JSON."""

from time import perf_counter
from typing import Any, NamedTuple

from evenodds.claims.fixed_outcome import fixed_outcome
from evenodds.claims.thresholds import is_fair
from evenodds.coach.pick_values import Measure, as_score
from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.core.match import Match
from evenodds.core.notation import play_line, write_draws, write_round
from evenodds.core.rulings import as_data
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, SEAT_NAMES, SEATS, SECOND, Outcome, Seat, decided
from evenodds.engine.solution import Mix, Solution
from evenodds.figures import VALUE_TOLERANCE, percent, to_data
from evenodds.system import Progress, silent
from evenodds.system.environment import Device


class PositionReport(NamedTuple):
    """The solution of a game at one position, the seconds it took, and notes."""

    match: Match
    solution: Solution
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def report_position(
    game: AnyGame,
    rulings: dict[str, object],
    after: str = "",
    fresh: bool = False,
    progress: Progress = silent,
    device: Device | None = None,
) -> PositionReport:
    """Solve a game and go to the position after some picks."""
    from evenodds.engine.solve import solve

    # For the solver endless play is a draw. What chance draws is told, or always the same.
    match = Match(agree(game, rulings, repetition=0), seed="")
    play_line(match, after, typed=True)
    notes: list[str] = []
    if sum(map(len, match.draws)) > after.count("("):
        notes.append(
            "What chance draws is made up where it is not told; before the first pick: "
            f"{write_draws(match.draws[0]) or 'nothing'}."
        )
    start = perf_counter()
    ruled = RuledGame(game, match.terms.rulings)
    solution = solve(ruled, progress=progress, fresh=fresh, notes=notes, device=device)
    return PositionReport(match, solution, perf_counter() - start, tuple(notes))


def as_json(report: PositionReport) -> dict[str, Any]:
    """The report as data."""
    match, solution = report.match, report.solution
    state, (drawn, *draws) = match.state, match.draws
    mixes = best_mixes(report)
    line = [write_draws(drawn), *map(write_round, match.history, draws)]
    return {
        "game": match.game.name,
        "rules": as_data(match.terms.rulings),
        "after": " ".join(filter(None, line)),
        "positions": solution.positions,
        "value": solution.value(state),
        **({} if match.points is None else {"points": match.points}),  # so far
        "first": to_data(mixes[FIRST]),
        "second": to_data(mixes[SECOND]),
        "only": {
            SEAT_NAMES[seat]: not mixes[seat] or solution.is_only_mix(state, seat) for seat in SEATS
        },
        "distance": solution.distance(state),
        "gap": solution.gap if match.game.outcome(state) == Outcome.ONGOING else 0.0,
        "seconds": round(report.seconds, 3),
    }


def best_mixes(report: PositionReport) -> tuple[Mix, ...]:
    """The best mix of each seat; empty where it has nothing to decide, or none is known."""
    solution, state = report.solution, report.match.state
    return tuple({} if solution.unknown else solution.mix(state, seat) for seat in SEATS)


def certainty_sentence(report: PositionReport) -> str:
    """Whether the value is exact, or its certified error."""
    over = report.match.game.outcome(report.match.state) != Outcome.ONGOING
    gap = report.solution.gap
    return "exact" if over or gap == 0 else f"error at most {gap:.1e}"


def value_sentence(report: PositionReport, you: Seat | None = None) -> str:
    """The value of the position in words; `you` is the seat of the reader, where there is one."""
    match, solution = report.match, report.solution
    value = solution.value(match.state) + (match.points or 0)
    is_open = match.game.outcome(match.state) == Outcome.ONGOING
    result = Outcome.ONGOING if is_open else decided(round(value))
    if result == Outcome.DRAW:
        return "a draw"
    seat = FIRST if (value if result == Outcome.ONGOING else result) > 0 else SECOND
    if seat == you:
        name, has, wins, is_, scores = "you", "have", "win", "are", "score"
    else:
        name = ("the first player", "the second player")[seat] if you is None else "your opponent"
        has, wins, is_, scores = "has", "wins", "is", "scores"
    if result != Outcome.ONGOING:
        return f"{name} {has} won"
    if solution.unknown:
        half, likely = solution.gap / solution.span / 2, as_score(abs(value), solution.span)
        low, high = percent(max(0.0, likely - half)), percent(min(1.0, likely + half))
        return f"with best play {name} {scores} from {low} to {high}; more is not known"
    if is_fair(value):
        if not match.game.is_combinatorial:
            return "with best play neither player is ahead"
        if match.game.can_repeat:
            return "neither player can force a win: with best play the game never ends"
        return "a draw with best play"
    score, measure = as_score(abs(value), solution.span), Measure(solution.span)
    if not measure.has_points and abs(value) > 1 - VALUE_TOLERANCE:
        far = solution.distance(match.state)
        picks = f" in {far} pick{'s' if far > 1 else ''}" if far else ""
        if fixed_outcome(match.game, match.terms.rulings) is not None:
            return f"{name} always {wins}, whatever anybody picks"
        return f"{name} {wins} with best play{picks}"
    lead = f"{'by' if measure.has_points else f'and {scores}'} {measure.score(score)}"
    return f"{name} {is_} ahead {lead} with best play by both"
