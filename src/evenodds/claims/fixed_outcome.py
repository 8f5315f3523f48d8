"""Whether picks matter: rules that decide a match, a number that is always best; livelier rules."""

from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.terms import Terms
from evenodds.core.validation import validate
from evenodds.core.vocabulary import SEAT_NAMES, SEATS, Outcome
from evenodds.core.words import winner

PLAYOUTS: Final = 32
"""Random matches before all positions are looked at: most games show two results at once."""
MAX_POSITIONS: Final = 5_000
"""Beyond this many positions a game counts as open; decided games are far smaller."""


@lru_cache(64)
def fixed_outcome(game: AnyGame, rulings: Any) -> Outcome | None:
    """The outcome of every line of play; None where picks can change it.

    `BadGame` where the rules of a package are wrong under these rulings.
    """
    validate(game, rulings)
    if game.reward:  # points decide, too
        return None
    start = game.start(rulings)
    rng, results = Random(0), set[Outcome]()
    for _ in range(PLAYOUTS):
        results.add(_playout(game, start, rng))
        if len(results) > 1 or Outcome.ONGOING in results:
            return None
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for one, two in product(*(game.picks(state, seat) for seat in SEATS)):
            child = game.step(state, (one, two))
            outcome = game.outcome(child)
            if outcome not in (*results, Outcome.ONGOING):
                return None
            if game.loops and child in seen:  # a match may go round for ever
                return None
            if outcome == Outcome.ONGOING and child not in seen:
                seen.add(child)
                waiting.append(child)
        if len(seen) > MAX_POSITIONS:
            return None
    return results.pop()


def is_plain(game: AnyGame, rulings: Any) -> bool:
    """Whether there is little to decide: nothing, or one number is always best."""
    return fixed_outcome(game, rulings) is not None or bool(game.words.always_best(rulings))


def lively_variant(game: AnyGame, rulings: Any) -> Any | None:
    """For rulings with little to decide: rulings under which picks matter, if any are known.

    The game declares them as `lively`.
    """
    if not is_plain(game, rulings):
        return None
    variant = rulings._replace(**dict(game.lively))
    return None if is_plain(game, variant) else variant


def livelier(terms: Terms) -> Terms:
    """The terms with livelier rulings where theirs leave little to decide and some are known."""
    variant = lively_variant(terms.game, terms.rulings)
    return terms if variant is None else terms._replace(rulings=variant)


def fixed_outcome_sentence(game: AnyGame, rulings: Any) -> str:
    """That the rules decide every match, and how; empty where picks do."""
    outcome = fixed_outcome(game, rulings)
    if outcome is None:
        return ""
    if outcome == Outcome.DRAW:
        return "Every match is a draw, whatever anyone picks."
    place = SEAT_NAMES[winner(outcome)]
    who = f"{place} player" if game.simultaneous else f"player who goes {place}"
    return f"The {who} always wins, whatever anyone picks."


def decided_sentence(game: AnyGame, rulings: Any) -> str:
    """That the rules decide every match, or a number is always best; empty where picks matter."""
    best = game.words.always_best(rulings)
    always = f"{best} is always a best pick." if best else ""
    return fixed_outcome_sentence(game, rulings) or always


def is_lively(game: AnyGame, rulings: Any) -> bool:
    """Whether these are the livelier rulings of a game whose book leaves little to decide."""
    return bool(rulings != game.rulings() and rulings == lively_variant(game, game.rulings()))


def rules_line(game: AnyGame, rulings: Any) -> str:
    """What rules that decide a match, or the livelier ones, mean for it; empty for others."""
    if is_lively(game, rulings):
        return f"Livelier rules: {game.lively_about}"
    decided = decided_sentence(game, rulings)
    which = "By the book" if rulings == game.rulings() else "With these rules"
    return decided and f"{which}: {decided[:1].lower()}{decided[1:]}"


def decided_lines(terms: Terms, way_out: str = "") -> list[str]:
    """What to tell players of a match with little to decide; nothing where their picks matter.

    `way_out` tells how to take the livelier variant, if there is one.
    """
    decided = decided_sentence(terms.game, terms.rulings)
    if not decided:
        return []
    which = "the original" if terms.rulings == terms.game.rulings() else "these"
    said = [f"With {which} rules {decided[:1].lower()}{decided[1:]}"]
    if way_out and lively_variant(terms.game, terms.rulings) is not None:
        said.append(f"To make your picks matter, {way_out}.")
    return said


def _playout(game: AnyGame, state: Any, rng: Random) -> Outcome:
    """The outcome of one random match; ONGOING where it has not ended after many rounds."""
    for _ in range(1_000):
        outcome = game.outcome(state)
        if outcome != Outcome.ONGOING:
            return outcome
        one, two = (rng.choice(game.picks(state, seat)) for seat in SEATS)
        state = game.step(state, (one, two))
    return Outcome.ONGOING
