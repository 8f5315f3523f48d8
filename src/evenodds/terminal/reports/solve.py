"""Report of exact solutions and odds, as text and as JSON."""

import time
from typing import Final, NamedTuple

import evenodds
from evenodds.coach.position_report import PositionReport, certainty_sentence, value_sentence
from evenodds.core.catalog import AnyGame
from evenodds.core.claims.mix_notes import OTHERS_REACHED, named_mixes_note
from evenodds.core.match import Match
from evenodds.core.notation import play_line
from evenodds.core.terms import (
    DEFAULT_REPETITION,
    REPETITION_NOT_COUNTED_NOTE,
    agree,
    repetition_rule,
)
from evenodds.core.vocabulary import FIRST, SECOND, other
from evenodds.core.words import Line, Span, bar
from evenodds.policy import Odds, Policy, UncountedRepetition, Uniform, odds
from evenodds.policy.optimal_mix_ranges import Extremes, Figure, Range
from evenodds.study.metrics.solved_game import SolvedGame
from evenodds.system.text import percent
from evenodds.terminal.progress import progress_bar
from evenodds.terminal.screen import Screen

MIX_BAR_COLUMNS = 30
MAX_POSITIONS_FOR_OTHER_MIXES: Final = 100_000
"""Positions up to which odds are tried with other best mixes; a study does it with any number."""


def find(game: AnyGame, rulings: dict[str, object], after: str, fresh: bool) -> PositionReport:
    """Solve a game and go to the position after some picks."""
    match = Match(agree(game, rulings, repetition=0))  # for the solver endless play is a draw
    play_line(match, after)
    notes: list[str] = []
    start = time.perf_counter()
    with progress_bar() as progress:
        solution = evenodds.solve(
            game, progress=progress, fresh=fresh, notes=notes, rulings=rulings
        )
    return PositionReport(match, solution, time.perf_counter() - start, tuple(notes))


def show(found: PositionReport, screen: Screen) -> None:
    """The finding for people: the value in words, the best mixes as bars, how it was found."""
    match, solution = found.match, found.solution
    screen.say(f"{match.game.title}: {value_sentence(found)}")
    for seat, name in ((FIRST, "First"), (SECOND, "Second")):
        mix = solution.mix(match.state, seat)
        if mix:
            only = solution.is_only_mix(match.state, seat)
            screen.say("", f"{name} picks{'' if only else ', one best way of several'}:")
            screen.draw([_bar_line(number, share, seat) for number, share in mix.items()])
    saddle = solution.saddle(match.state) if match.game.simultaneous else None
    if saddle:
        screen.say(
            "", f"A saddle point: {saddle[0]} against {saddle[1]}, nobody needs chance here."
        )
    screen.say(
        "", f"{solution.positions:,} positions, {certainty_sentence(found)}, {found.seconds:.1f} s."
    )


def _bar_line(number: int, share: float, seat: int) -> Line:
    style = ("first", "second")[seat]
    filled = bar(round(share * 1000), 1000, MIX_BAR_COLUMNS, style)
    return [Span(f"{number:>4}  "), *filled, Span(f" {percent(share):>7}")]


def find_odds(
    game: AnyGame,
    rulings: dict[str, object],
    policy_names: tuple[str, str],
    repetition: int | None,
    notes: list[str],
) -> Odds:
    """The exact odds between two named ways to play; what is to be said of the way is noted.

    As in a match, unless `repetition` is asked for; without that draw where it cannot be told
    exactly, and then a note says so.
    """
    policies: dict[str, Policy] = {"uniform": Uniform(game)}
    with progress_bar() as progress:
        if "perfect" in policy_names:
            policies["perfect"] = evenodds.solve(
                game, progress=progress, notes=notes, rulings=rulings
            )
        first, second = (policies[name] for name in policy_names)

        def found(times: int) -> Odds:
            return odds(game, first, second, repetition=times, progress=progress, rulings=rulings)

        if repetition is not None:
            return found(repetition)
        try:
            return found(DEFAULT_REPETITION)
        except UncountedRepetition:
            notes.append(REPETITION_NOT_COUNTED_NOTE)
            return found(0)


class OtherMixesOdds(NamedTuple):
    """What odds of perfect play come to with other mixes that are as good; None: not known."""

    score: Range | None
    """Of the first seat: over all mixes that are best in every position."""
    draw: Range | None
    """Between two perfect players, as far as was reached."""


def find_other_mixes_odds(
    game: AnyGame, rulings: dict[str, object], policy_names: tuple[str, str], found: Odds
) -> OtherMixesOdds:
    """How far odds depend on the mixes named; not known in games with loops and in large ones."""
    same = OtherMixesOdds(Range(found.score, found.score), Range(found.draw, found.draw))
    both = policy_names == ("perfect", "perfect")
    if "perfect" not in policy_names or (both and not game.simultaneous):
        return same
    with progress_bar() as progress:
        solved = SolvedGame(game, game.settle(rulings), progress)
        if game.loops or solved.solution.positions > MAX_POSITIONS_FOR_OTHER_MIXES:
            return OtherMixesOdds(same.score if both else None, None)
        extremes = Extremes(solved.graph, solved.values)
        if both:
            return same._replace(
                draw=extremes.reached(Figure(solved.graph.outcomes() == 0.0), solved.equilibrium)
            )
        seat = FIRST if policy_names[FIRST] == "perfect" else SECOND
        range = extremes.score_against(solved.graph.uniform(other(seat)), seat)
    least, most = range if seat == FIRST else (1 - range.most, 1 - range.least)
    return OtherMixesOdds(Range(least, most), None)


def show_odds(game: AnyGame, found: Odds, others: OtherMixesOdds, screen: Screen) -> None:
    """The odds as bars, how long a match takes, and how far they depend on the mixes named."""
    screen.say(f"{game.title}, exact odds:", "")
    styles = {"first": "first", "draw": "strong", "second": "second", "endless": "faint"}
    for name, style in styles.items():
        share = getattr(found, name)
        if name == "endless" and (found.repetition or not game.loops):
            continue
        filled = bar(round(share * 1000), 1000, MIX_BAR_COLUMNS, style)
        screen.draw([[Span(f"{name:>8}  "), *filled, Span(f" {percent(share, 2):>8}")]])
    unit = "rounds" if game.simultaneous else "picks"
    length = (
        "may not end" if found.length is None else f"takes {found.length:.2f} {unit} on average"
    )
    score = f"{percent(found.score, 2)}{named_mixes_note(others.score)}"
    screen.say("", f"The first seat scores {score}. A match {length}.")
    draws = named_mixes_note(others.draw, others=OTHERS_REACHED)
    if draws and not named_mixes_note(others.score):
        screen.say(f"{percent(found.draw, 2)} are drawn{draws}.")
    if game.loops:
        screen.say(repetition_rule(found.repetition))
