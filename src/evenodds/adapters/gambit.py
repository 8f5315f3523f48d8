"""Games as files of Gambit: the tree of a small game, and the matrix of a position.

Both are text for a file, or for `pygambit.read_efg(io.StringIO(text))`.
"""

from typing import Any, Final

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.core.rule_checks import TooLarge
from evenodds.core.rulings import titled
from evenodds.core.vocabulary import FIRST, PASS, SEAT_NAMES, SEATS, SECOND, Outcome, alone, numbers
from evenodds.engine.solution import Position, Solution

MAX_NODES: Final = 100_000
"""The most nodes of a tree; Gambit itself solves far smaller ones."""
PAYOFF_DECIMALS: Final = 12


def to_efg(game: GameLike) -> str:
    """The tree of all matches in extensive form, with what chance draws.

    Where both pick at once the second seat follows in one information set, for it does not see the
    pick. Payoffs are 1, 0 and -1, in games about points with these. Raises `TooLarge` for a tree of
    more than 100,000 nodes or without an end.
    """
    about, rulings = catalog.settle(game, {})
    if about.loops:
        raise TooLarge(f"play in {about.name} can come back to a position: its tree has no end")
    words, title = about.words, titled(about.title, rulings)
    lines = [f"EFG 2 R {_quoted(title)} {_listed(map(SEAT_NAMES.get, SEATS))}", '""', ""]
    sets, outcomes = [0, 0, 0], dict[int, int]()
    # A position, the points so far, the first seat's pick if only the second's is to come, and the
    # second's information set.
    stack: list[tuple[Any, int, int, int]] = [(about.start(rulings), 0, PASS, 0)]
    while stack:
        if len(lines) > MAX_NODES:
            raise TooLarge(
                f"the tree of {titled(about.name, rulings)} has more than {MAX_NODES:,} nodes, "
                "which is the limit; take smaller rulings"
            )
        state, points, chosen, unseen = stack.pop()

        def after(picks: tuple[int, int], state: Any = state, points: int = points) -> Any:
            earned = about.reward(state, picks) if about.reward else 0
            return about.step(state, picks), points + earned, PASS, 0

        outcome = about.outcome(state)
        if outcome != Outcome.ONGOING:
            paid = points + outcome
            number = outcomes.setdefault(paid, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {paid}, {-paid} }}')
            continue
        if draws := about.draws(state):
            sets[2] += 1
            total = sum(draws.values())
            shares = " ".join(f"{_quoted(n)} {weight}/{total}" for n, weight in draws.items())
            lines.append(f'c "" {sets[2]} "" {{ {shares} }} 0')
            stack += [after((number, PASS)) for number in reversed(draws)]
            continue
        legal = {seat: numbers(about.legal(state, seat)) for seat in SEATS}
        waiting = [s for s in SEATS if legal[s] and not (chosen and s == FIRST)]
        if not waiting:
            stack.append(after((PASS, PASS)))
            continue
        seat = waiting[0]
        if not unseen:
            sets[seat] += 1
        picks = legal[seat]
        called = _listed(words.pick_name(rulings, seat, number) for number in picks)
        lines.append(f'p "" {seat + 1} {unseen or sets[seat]} "" {called} 0')
        if len(waiting) == len(SEATS):
            sets[SECOND] += 1
            stack += [(state, points, number, sets[SECOND]) for number in reversed(picks)]
        else:
            pairs = [(chosen, n) if chosen else alone(seat, n) for n in reversed(picks)]
            stack += [after(pair) for pair in pairs]
    return "\n".join(lines) + "\n"


def to_nfg(solution: Solution, state: Position | None = None) -> str:
    """The matrix of a position, by default the first, in strategic form.

    The picks of one round against each other; what follows is worth what it is under best play.
    """
    position = solution.start if state is None else state
    matrix, words = solution.matrix(position), solution.game.words
    named = (
        [words.pick_name(solution.rulings, seat, number) if number else "-" for number in picks]
        for seat, picks in enumerate((matrix.first, matrix.second))
    )
    title = titled(solution.game.title, solution.rulings)
    head = f"NFG 1 R {_quoted(title)} {_listed(map(SEAT_NAMES.get, SEATS))}"
    worths = [worth for column in zip(*matrix.payoff, strict=True) for worth in column]
    payoffs = " ".join(f"{_figure(worth)} {_figure(-worth)}" for worth in worths)
    return f'{head}\n\n{{ {" ".join(map(_listed, named))} }}\n""\n\n{payoffs}\n'


def _quoted(text: object) -> str:
    escaped = str(text).replace(chr(34), "'")
    return f'"{escaped}"'


def _listed(texts: Any) -> str:
    return f"{{ {' '.join(map(_quoted, texts))} }}"


def _figure(worth: float) -> str:
    return f"{round(worth, PAYOFF_DECIMALS) + 0.0:.{PAYOFF_DECIMALS}f}".rstrip("0").rstrip(".")
