"""Games as files of Gambit: the tree of a small game, and the matrix of a position.

Both are text for a file, or for `pygambit.read_efg(io.StringIO(text))`.
"""

from typing import Any, Final

from evenodds.core import catalog
from evenodds.core.catalog import GameLike
from evenodds.core.rule_checks import TooLarge
from evenodds.core.rulings import titled
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, numbers
from evenodds.engine.solution import Position, Solution, UnreachablePosition

MAX_NODES: Final = 100_000
"""The most nodes of a tree; Gambit itself solves far smaller ones."""
PAYOFF_DECIMALS: Final = 12
SEAT_LIST: Final = '{ "first" "second" }'
CHANCE: Final = len(SEATS)


def to_efg(game: GameLike) -> str:
    """The tree of all matches in extensive form, with what chance draws.

    Where both pick at once the second seat follows in one information set, for it does not see the
    pick. Payoffs are 1, 0 and -1, in games about points with these. Raises `TooLarge` for a tree of
    more than 100,000 nodes or without an end.
    """
    about, rulings = catalog.settle(game, {})
    if about.loops:
        raise TooLarge(f"play in {about.name} can come back to a position: its tree has no end")
    words, sets, outcomes = about.words, [0, 0, 0], dict[int, int]()
    lines = [f"EFG 2 R {_quoted(titled(about.title, rulings))} {SEAT_LIST}", '""', ""]
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
        if (outcome := about.outcome(state)) != Outcome.ONGOING:
            paid = points + outcome
            number = outcomes.setdefault(paid, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {paid}, {-paid} }}')
            continue
        draws = about.draws(state)
        first, second = (numbers(about.legal(state, seat)) for seat in SEATS)
        if first and second and not chosen:
            sets[SECOND] += 1
            after = [(state, points, number, sets[SECOND]) for number in first]
        else:
            ones = draws or ([chosen] if chosen else first or [PASS])
            pairs = [(one, two) for one in ones for two in second or [PASS]]
            earned = [about.reward(state, pair) if about.reward else 0 for pair in pairs]
            steps = zip(earned, pairs, strict=True)
            after = [(about.step(state, pair), points + more, PASS, 0) for more, pair in steps]
        stack += reversed(after)
        if draws:
            sets[CHANCE] += 1
            total = sum(draws.values())
            shares = " ".join(f"{_quoted(n)} {weight}/{total}" for n, weight in draws.items())
            lines.append(f'c "" {sets[CHANCE]} "" {{ {shares} }} 0')
        elif picks := (first, second)[seat := FIRST if first and not chosen else SECOND]:
            sets[seat] += not unseen
            called = _listed(words.pick_name(rulings, seat, number) for number in picks)
            lines.append(f'p "" {seat + 1} {unseen or sets[seat]} "" {called} 0')
    return "\n".join(lines) + "\n"


def to_nfg(solution: Solution, state: Position | None = None) -> str:
    """The matrix of a position, by default the first, in strategic form.

    The picks of one round against each other; what follows is worth what it is under best play.
    Raises `UnreachablePosition` where nobody picks.
    """
    position = solution.start if state is None else state
    matrix, words = solution.matrix(position), solution.game.words
    if not matrix.payoff or solution.game.draws(position):
        raise UnreachablePosition("nobody picks at this position; pass one at which somebody does")
    named = (
        [words.pick_name(solution.rulings, seat, number) if number else "-" for number in picks]
        for seat, picks in enumerate((matrix.first, matrix.second))
    )
    title = titled(solution.game.title, solution.rulings)
    head = f"NFG 1 R {_quoted(title)} {SEAT_LIST}"
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
