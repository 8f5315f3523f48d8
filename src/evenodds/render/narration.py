"""Text of a match in the words of its game: its rulings, its rounds, and how it ended."""

from functools import partial
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.record import MatchResult
from evenodds.core.rulings import OneOf, Option, options, ruling_texts
from evenodds.core.terms import MAX_ROUNDS, repetition_end
from evenodds.core.vocabulary import PASS, SEATS, Outcome, Seat
from evenodds.core.words import Names


def goal_of(game: AnyGame, rulings: tuple[Any, ...] | None = None) -> str:
    """What wins a game, in a sentence, under some rulings or the default ones."""
    return game.words.goal(rulings or game.rulings()) or game.summary


def describe_changed_rulings(rulings: tuple[Any, ...]) -> list[str]:
    """The rulings that differ from the defaults, in words: `The size of each hand: 5`."""
    known = options(type(rulings))
    changed = ruling_texts(rulings, changed_only=True)
    return [describe_ruling(known[key], value) for key, value in changed.items()]


def describe_ruling(option: Option, value: str) -> str:
    """A ruling with its value: what a word means, and that 0 is off where it turns it off."""
    about = option.about.partition(";")[0]
    if isinstance(option, OneOf):
        value = option.words[value]
    elif value == "0" and "; 0 turns this off" in option.about:
        value = "0 (off)"
    return f"{about[:1].upper()}{about[1:]}: {value}"


def describe_rounds(match: Match, since: int | None = None) -> list[str]:
    """The text of the rounds from `since` on, or of the last; before the first, the opening."""
    words, names, played = match.game.words, match.names, len(match.history)
    if not played:
        return list(filter(None, [*words.opening(match.state, names), *tell_luck(match, 0)]))
    lines = []
    for round in range(since or played, played + 1):
        before, after = match.states[round - 1 : round + 1]
        lines += words.reveal(before, match.history[round - 1], after, names)
        lines += tell_luck(match, round)
    return list(filter(None, lines))


def tell_luck(match: Match, round: int | None = None, names: Names | None = None) -> list[str]:
    """What was drawn after a round or, at 0, before the first, and who leads then.

    Without a round, after the last.
    """
    round, names = len(match.history) if round is None else round, names or match.names
    game: AnyGame = match.game
    said: list[str] = []
    if not (game.chance or game.reward):
        return said
    if match.draws[round]:
        state = game.start(match.terms.rulings)
        if round:
            state = game.step(match.states[round - 1], match.history[round - 1])
        for number in match.draws[round]:
            said.append(game.words.drawn(state, number, names))
            state = game.step(state, (number, PASS))
    leads = match.leads[: round + 1]
    if any(leads[-2:]) and game.outcome(match.states[round]) == Outcome.ONGOING:
        said.append(game.words.lead(leads[-1], False, names))
    return said


def summarize_round(match: Match, names: Names | None = None) -> str:
    """What the last round has come to, in one line; before the first, what was drawn."""
    names, said = names or match.names, tell_luck(match, names=names)
    if match.history:
        before, after = match.states[-2:]
        said[:0] = [match.game.words.round_summary(before, match.history[-1], after, names)]
    return " ".join(said)


def format_choices(match: Match, seat: Seat) -> str:
    """What a seat may pick, short: `1, 2 or 4`, and `1 to 9` where none is missing."""
    return match.game.words.listed(match.terms.rulings, seat, match.choices(seat))


def describe_history(match: Match, names: Names) -> list[str]:
    """The picks of every round and what was drawn after it, one a line."""
    called = partial(match.game.words.pick_name, match.terms.rulings)
    told = [" ".join(tell_luck(match, round, names)) for round in range(match.round)]
    rounds = [
        f"{round}. "
        + ", ".join(
            f"{names.inside(seat) if rest else names[seat]} chose {called(seat, picks[seat])}"
            for rest, seat in enumerate(seat for seat in SEATS if picks[seat] != PASS)
        )
        + f". {told[round]}".removesuffix(". ")
        for round, picks in enumerate(match.history, 1)
    ] or ["Nothing has been played yet."]
    return [*filter(None, told[:1]), *rounds]


def tell_round(match: Match, round: int, names: Names) -> str:
    """A round with its picks, for a log; to a player in the second person."""
    before, after = match.states[round - 1 : round + 1]
    story = match.game.words.round_story(before, match.history[round - 1], after, names)
    return " ".join([story, *tell_luck(match, round, names)])


def describe_ending(match: Match, result: MatchResult) -> list[str]:
    """The text of the end of a match, by the rules or for another reason."""
    words, names = match.game.words, match.names
    if result.reason == "rules":
        lines = words.closing(match.state, result.outcome, names)
        return [*lines, words.lead(match.margin, True, names)] if match.margin else lines
    return _early_end(match, result, names)


def nonempty_ending_lines(match: Match, result: MatchResult) -> list[str]:
    """`describe_ending` without empty lines."""
    return list(filter(None, describe_ending(match, result)))


def summarize_ending(match: Match, result: MatchResult, names: Names | None = None) -> str:
    """Why a match ended as it did, in one line."""
    words, names = match.game.words, names or match.names
    if result.reason == "rules":
        why = words.decision(match.state, result.outcome, names)
        if not match.margin:
            return why
        verdict = words.verdict(result.outcome, names)
        return f"{words.lead(match.margin, True, names)} {why.removeprefix(verdict)}".strip()
    return _early_end(match, result, names)[0]


def tell_ending(match: Match, result: MatchResult, names: Names) -> str:
    """Who has won and why, for a log; to a player in the second person."""
    why = summarize_ending(match, result, names)
    if result.reason != "rules" and result.outcome == Outcome.DRAW:
        return why
    verdict = match.game.words.verdict(result.outcome, names)
    return why if why.startswith(verdict.rstrip("!.")) else f"{verdict} {why}"


def _early_end(match: Match, result: MatchResult, names: Names) -> list[str]:
    """The text of an end that is not by the rules."""
    if result.reason == "repetition":
        return [repetition_end(match.terms.repetition)]
    if result.reason == "rounds":
        return [f"The match has lasted {MAX_ROUNDS:,} {match.game.round_word}s. It is a draw."]
    return match.game.words.ended(result.reason, result.loser, names)
