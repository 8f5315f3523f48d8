"""What the solver found, for people and for programs."""

import time
from typing import Any, NamedTuple

import evenodds
from evenodds.catalog import AnyGame
from evenodds.match import Match
from evenodds.notation import play_line, write_round
from evenodds.rulings import as_data
from evenodds.solver import Odds, Policy, Uniform, odds
from evenodds.terminal.progress import shown_progress
from evenodds.terminal.screen import Screen
from evenodds.terms import agree
from evenodds.text import SURE, percent
from evenodds.vocabulary import FIRST, SEATS, SECOND, Outcome
from evenodds.words import Line, Span, bar

BAR = 30


class Finding(NamedTuple):
    """The solution of a game at one position."""

    match: Match
    solution: Any
    seconds: float
    notes: list[str]


def find(game: AnyGame, rulings: dict[str, object], after: str, fresh: bool) -> Finding:
    """Solve a game and go to the position after some picks."""
    match = Match(agree(game, rulings, repetition=0))  # for the solver endless play is a draw
    play_line(match, after)
    notes: list[str] = []
    start = time.perf_counter()
    with shown_progress() as progress:
        solution = evenodds.solve(game, progress=progress, fresh=fresh, notes=notes, **rulings)
    return Finding(match, solution, time.perf_counter() - start, notes)


def as_json(found: Finding) -> dict[str, Any]:
    """The finding as data."""
    match, solution = found.match, found.solution
    mixes = [solution.mix(match.state, seat) for seat in SEATS]
    return {
        "game": match.game.name,
        "rules": as_data(match.terms.rulings),
        "after": " ".join(write_round(picks) for picks in match.history),
        "positions": solution.positions,
        "value": solution.value(match.state),
        "first": {str(number): share for number, share in mixes[FIRST].items()},
        "second": {str(number): share for number, share in mixes[SECOND].items()},
        "distance": solution.distance(match.state),
        "gap": solution.gap if match.game.outcome(match.state) == Outcome.ONGOING else 0.0,
        "seconds": round(found.seconds, 3),
    }


def show(found: Finding, screen: Screen) -> None:
    """The finding for people: the value in words, the best mixes as bars, how it was found."""
    match, solution = found.match, found.solution
    screen.say(f"{match.game.title}: {verdict(found)}")
    for seat, name in ((FIRST, "First"), (SECOND, "Second")):
        mix = solution.mix(match.state, seat)
        if mix:
            screen.say("", f"{name} picks:")
            screen.draw([_bar_line(number, share, seat) for number, share in mix.items()])
    saddle = solution.saddle(match.state) if match.game.simultaneous else None
    if saddle:
        screen.say(
            "", f"A saddle point: {saddle[0]} against {saddle[1]}, nobody needs chance here."
        )
    over = match.game.outcome(match.state) != Outcome.ONGOING
    exact = "exact" if over or solution.gap == 0 else f"certified to {solution.gap:.1e}"
    screen.say("", f"{solution.positions:,} positions, {exact}, {found.seconds:.1f} s.")


def verdict(found: Finding) -> str:
    """The value of the position in words."""
    match, solution = found.match, found.solution
    value = solution.value(match.state)
    result = match.game.outcome(match.state)
    if result != Outcome.ONGOING:
        return {1: "first has won", 0: "the game is a draw", -1: "second has won"}[int(result)]
    if abs(value) < SURE:
        if match.game.simultaneous:
            return "fair; with best play neither seat is ahead"
        if match.game.loops:
            return "nobody can force a win: play goes on for ever"
        return "a draw with best play"
    name = "first" if value > 0 else "second"
    if abs(value) > 1 - SURE:
        far = solution.distance(match.state)
        picks = f" in {far} pick{'s' if far > 1 else ''}" if far else ""
        if _whatever_happens(solution, value):
            return f"{name} wins whatever happens{picks}"
        return f"{name} wins with best play{picks}"
    return f"{name} is ahead; with best play {name} scores {percent(0.5 + abs(value) / 2)}"


def _whatever_happens(solution: Any, value: float) -> bool:
    """Whether no position of the game is worth anything else."""
    values = solution.solved.values
    return bool((values > 0).all() if value > 0 else (values < 0).all())


def _bar_line(number: int, share: float, seat: int) -> Line:
    style = ("first", "second")[seat]
    filled = bar(round(share * 1000), 1000, BAR, style)
    return [Span(f"{number:>4}  "), *filled, Span(f" {percent(share):>7}")]


def find_odds(
    game: AnyGame, rulings: dict[str, object], first: str, second: str, notes: list[str]
) -> Odds:
    """The exact odds between two named ways to play; what is to be said of the way is noted."""
    ways: dict[str, Policy] = {"uniform": Uniform(game)}
    with shown_progress() as progress:
        if "perfect" in (first, second):
            ways["perfect"] = evenodds.solve(game, progress=progress, notes=notes, **rulings)
        return odds(game, ways[first], ways[second], progress=progress, **rulings)


def show_odds(game: AnyGame, found: Odds, screen: Screen) -> None:
    """The odds as bars, and how long a match takes."""
    screen.say(f"{game.title}, exact odds:", "")
    styles = {"first": "first", "draw": "strong", "second": "second", "endless": "faint"}
    for name, style in styles.items():
        share = getattr(found, name)
        if name == "endless" and not game.loops:
            continue
        filled = bar(round(share * 1000), 1000, BAR, style)
        screen.draw([[Span(f"{name:>8}  "), *filled, Span(f" {percent(share, 2):>8}")]])
    unit = "rounds" if game.simultaneous else "picks"
    length = (
        "may not end" if found.length is None else f"takes {found.length:.2f} {unit} on average"
    )
    screen.say("", f"A match {length}.")
