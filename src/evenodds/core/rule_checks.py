"""Checks of a game and, at one position, of its functions and words; errors of one line.

Games from packages are not trusted: every result that is derived from wrong rules would be wrong.
"""

from collections.abc import Iterable
from functools import cache
from itertools import product
from operator import attrgetter
from types import CellType, CodeType, FunctionType
from typing import Any, Final, NamedTuple

from evenodds.core.catalog import AnyGame, is_built_in
from evenodds.core.step_limit import NeverReturns, limited
from evenodds.core.vocabulary import (
    NOTHING,
    PASS,
    RULES,
    SEATS,
    Moves,
    Outcome,
    Pair,
    Seat,
    numbers,
)
from evenodds.system import EvenOddsError
from evenodds.system.text import error_text, shorten

MAX_MOVE_BITS: Final = 63
"""Bits of a set of moves, which must fit into a signed 64-bit integer when compiled."""
MAX_WEIGHT: Final = 1_000_000
MAX_POINTS: Final = 1_000_000_000
"""The most points of a step: their sums stay exact."""
MAX_SHOWN_CHARACTERS: Final = 160
"""Characters of a position that are shown."""


UNDECLARED_LOOPS: Final = (
    "can repeat positions; it must declare loops=True, a folder `loops = True` in rules.py"
)


class BadGame(EvenOddsError, ValueError):
    """A game whose rules or declaration are wrong, and where that shows."""

    function = ""
    """What of the game is wrong, such as `step` or `words.board`, where that is known."""
    name = ""
    """The name in it that is."""


class TooLarge(EvenOddsError, ValueError):
    """A ruling with more positions than the memory limit allows."""


class PositionRules(NamedTuple):
    """The outcome of a position and, while it is open, the moves of both seats or the draws."""

    outcome: Outcome
    moves: tuple[Moves, Moves]
    draws: dict[int, int]
    """The numbers of which one is drawn, with their weights."""

    def choices(self, seat: Seat) -> tuple[int, ...]:
        """The numbers that a seat may pick; none where it has nothing to decide."""
        return numbers(self.moves[seat])

    def pairs(self) -> Iterable[Pair]:
        """Every pair that a step takes; none where the match is over."""
        if self.outcome != Outcome.ONGOING:
            return ()
        first, second = (numbers(moves) or (PASS,) for moves in self.moves)
        return product(self.draws or first, second)


def check_position(game: AnyGame, state: Any) -> PositionRules:
    """The outcome and moves at a position; `BadGame` where they are invalid."""
    answer = call_rule(game, "outcome", state, state)
    try:
        outcome = Outcome(answer)
    except ValueError:
        raise game_fault(game, "outcome", state, f"is {shorten(answer)}, which is none") from None
    if outcome != Outcome.ONGOING:
        return PositionRules(outcome, (NOTHING, NOTHING), {})
    first, second = (_set_of_numbers(game, "legal", state, seat) for seat in SEATS)
    draws = _draws(game, state) if game.chance else {}
    if draws and (first, second) != (NOTHING, NOTHING):
        raise game_fault(game, "chance", state, "draws a number where somebody picks")
    if first == second == NOTHING and not draws:
        raise game_fault(game, "legal", state, "leaves nobody a pick while the match is open")
    if NOTHING not in (first, second) and not game.simultaneous:
        raise game_fault(game, "legal", state, "lets both seats pick, but simultaneous is False")
    return PositionRules(outcome, (first, second), draws)


def check_step(game: AnyGame, state: Any, picks: Pair) -> Any:
    """The position after both picks; `BadGame` where it is of another type."""
    child = call_rule(game, "step", state, state, picks)
    if type(child) is not type(state):
        problem = f"with picks {picks} gives no {type(state).__name__}: {shorten(child)}"
        raise game_fault(game, "step", state, problem)
    return child


def game_fault(game: AnyGame, function: str, state: Any, problem: str) -> BadGame:
    """The error for a function that is wrong at a position."""
    said = f"{game.name}: {function} {problem}, at {describe_position(state)}"
    return fault(said, function)


def fault(said: str, function: str, name: str = "") -> BadGame:
    """The error for a function of a game, and a name in it."""
    error = BadGame(said)
    error.function, error.name = function, name
    return error


def describe_position(state: Any) -> str:
    """The fields of a position as text, without the rulings."""
    fields: dict[str, Any] = getattr(state, "_asdict", dict)()
    shown = " ".join(f"{key}={value}" for key, value in fields.items() if key != "rulings")
    return shorten(shown or repr(state), MAX_SHOWN_CHARACTERS)


def call_rule(game: AnyGame, function: str, state: Any, *arguments: Any) -> Any:
    """Call a function of a game, such as `step` or `words.board`; an error becomes `BadGame`.

    One of other people is stopped where it does not return.
    """
    try:
        called = attrgetter(function)(game)
        return called(*arguments) if is_built_in(game) else limited(called, *arguments)
    except NeverReturns as error:
        raise game_fault(game, function, state, f"{error}{_picks(*arguments)}") from None
    except (Exception, SystemExit) as error:
        problem = f"fails with {error_text(error, MAX_SHOWN_CHARACTERS)}{_picks(*arguments)}"
        raise game_fault(game, function, state, problem) from None


def _picks(*given: Any) -> str:
    """The picks that a rule was called with."""
    return f", with picks {given[1]}" if len(given) > 1 and type(given[1]) is tuple else ""


def check_reward(game: AnyGame, state: Any, picks: Pair) -> int:
    """The points of a step; `BadGame` where they are no whole number, or too large."""
    points = call_rule(game, "reward", state, state, picks)
    if type(points) is not int or abs(points) > MAX_POINTS:
        allowed = f"a whole number from -{MAX_POINTS:,} to {MAX_POINTS:,}"
        problem = f"of picks {picks} is {shorten(points)}; it is {allowed}"
        raise game_fault(game, "reward", state, problem)
    return points


def figure_fault(game: AnyGame, state: Any) -> BadGame:
    """What is wrong with the weights or points at a position, as compiled loops have found."""
    for picks in check_position(game, state).pairs():
        if game.reward:
            check_reward(game, state, picks)
    return game_fault(game, "reward" if game.reward else "weight", state, "fails when compiled")


def _draws(game: AnyGame, state: Any) -> dict[int, int]:
    found = {}
    for number in numbers(_set_of_numbers(game, "chance", state)):
        weight = call_rule(game, "weight", state, state, number) if game.weight else 1
        if type(weight) is not int or not 1 <= weight <= MAX_WEIGHT:
            allowed = f"a whole number from 1 to {MAX_WEIGHT:,}"
            problem = f"of {number} is {shorten(weight)}; it is {allowed}"
            raise game_fault(game, "weight", state, problem)
        found[number] = weight
    return found


def _set_of_numbers(game: AnyGame, function: str, *given: Any) -> Moves:
    moves = call_rule(game, function, given[0], *given)
    if not isinstance(moves, int) or isinstance(moves, bool) or moves < 0:
        problem = f"is {shorten(moves)}, which is no set of numbers"
    elif not moves:
        problem = "is empty; a seat with no pick has NOTHING"
    elif moves & NOTHING and moves != NOTHING:
        problem = "holds PASS beside numbers"
    elif moves.bit_length() > MAX_MOVE_BITS:
        problem = f"holds a number above {MAX_MOVE_BITS - 1}"
    else:
        return moves
    whose = f"of seat {given[1]} " if function == "legal" else ""
    raise game_fault(game, function, given[0], whose + problem)


def refuse_unsolvable(game: AnyGame) -> None:
    """`BadGame` for points that can be won for ever, which no solver here handles."""
    if game.loops and game.reward:
        raise BadGame(f"{game.name} has points and loops; what endless play is worth is not said")


def too_many_positions(max_positions: int) -> str:
    """Why a ruling beyond a limit that somebody has set is left out."""
    return f"more than {max_positions:,} positions"


def check_marked(game: AnyGame, role: str) -> None:
    """`BadGame` where a function of a game, or one that it calls, is not marked as a rule."""
    if not is_marked(getattr(game, role)):
        what = "is not marked with @rule, so it cannot be compiled"
        raise fault(f"{game.name}: {role} {what}", role)
    check_helpers(game, getattr(game, role), set())


def check_helpers(game: AnyGame, function: Any, seen: set[Any]) -> None:
    """`BadGame` where a function that a rule calls is not marked as one."""
    seen.add(function)
    for called, value in sorted(names_read(function).items()):
        if isinstance(value, FunctionType) and value not in seen:
            if not is_marked(value):
                what = f"calls {called}, which is not marked with @rule, so it cannot be compiled"
                raise fault(f"{game.name}: {function.__name__} {what}", function.__name__, called)
            check_helpers(game, value, seen)


def is_marked(function: Any) -> bool:
    """Whether a function is marked as a rule."""
    return function in RULES.get(getattr(function, "__module__", ""), ())


def names_read(function: Any) -> dict[str, Any]:
    """What a function reads beside its arguments: globals, and variables that it closes over."""
    names, namespace = globals_of(function.__code__), function.__globals__
    found = {name: namespace[name] for name in names if name in namespace}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return found | {name: cell.cell_contents for name, cell in cells if cell != CellType()}


@cache
def globals_of(code: CodeType) -> set[str]:
    """The global names that a function uses."""
    import dis  # slow to import, and games of ours are not checked

    found = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return found.union(*map(globals_of, inner))
