"""Validation of a game's rules on sampled or all positions.

Anybody's package may bring a game. What is wrong with it is said in one line that names the
function and the position; nothing that is derived from wrong rules would be worth anything.
"""

from collections import deque
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import FIRST, NOTHING, SEATS, SECOND, Moves, Outcome, Pair
from evenodds.system.text import brief

MAX_SEARCHED_PAIRS: Final = 3_000
"""Pairs of picks that are followed from the start on; in small rulings these are all."""
RANDOM_MATCHES: Final = 50
"""Matches of chance that are followed to their end."""
PAIRS_PER_POSITION: Final = 6
"""Pairs of picks that are tried at a position of such a match."""
MAX_MATCH_ROUNDS: Final = 10_000
"""No match without loops has more rounds than this."""
MAX_ROUNDS_WITH_LOOPS: Final = 200
"""Rounds of a match with loops that are looked at."""
MAX_MOVE_BITS: Final = 63
"""Bits of a set of moves: the highest number is one less."""
MAX_SHOWN_CHARACTERS: Final = 160
"""Characters of a position that are shown."""


class BadGame(ValueError):
    """A game that does not keep to what is promised of it, and what shows that."""


class PositionRules(NamedTuple):
    """What the rules say of a position: how it stands, and while it is open, both seats' moves."""

    outcome: Outcome
    moves: tuple[Moves, Moves]


def is_built_in(game: AnyGame) -> bool:
    """Whether it is one of our own as it stands, which the tests look after."""
    return game.name in catalog.built_in() and catalog.get(game.name) is game


@lru_cache(256)
def validate(game: AnyGame, rulings: Any) -> None:
    """Follow a sample of play, or all of it under small rulings; `BadGame` where it is not sound.

    A mirror is held against the rules on the way: a false one would make a false value certain.
    """
    if flaw := game.flaw():
        raise BadGame(f"{game.name}: {flaw}")
    GameValidator(game, rulings).run()


def check_position(game: AnyGame, state: Any) -> PositionRules:
    """Outcome and moves at a position; `BadGame` where they cannot be."""
    said = _call(game, "outcome", state, state)
    try:
        outcome = Outcome(said)
    except ValueError:
        raise game_fault(game, "outcome", state, f"is {brief(said)}, which is none") from None
    if outcome != Outcome.ONGOING:
        return PositionRules(outcome, (NOTHING, NOTHING))
    first, second = (_moves(game, state, seat) for seat in SEATS)
    if first == second == NOTHING:
        raise game_fault(game, "legal", state, "leaves nobody a pick while the match is open")
    if NOTHING not in (first, second) and not game.simultaneous:
        raise game_fault(game, "legal", state, "lets both seats pick, but simultaneous is False")
    return PositionRules(outcome, (first, second))


def check_step(game: AnyGame, state: Any, picks: Pair) -> Any:
    """The position after both picks; `BadGame` where there is none."""
    child = _call(game, "step", state, state, picks)
    if type(child) is not type(state):
        kind = type(state).__name__
        raise game_fault(game, "step", state, f"with picks {picks} gives no {kind}: {brief(child)}")
    return child


def game_fault(game: AnyGame, function: str, state: Any, what: str) -> BadGame:
    """One line about a function that is wrong at a position."""
    return BadGame(f"{game.name}: {function} {what}, at {describe_position(state)}")


def describe_position(state: Any) -> str:
    """A position in a few words: its fields, without the rulings."""
    fields: dict[str, Any] = getattr(state, "_asdict", dict)()
    told = " ".join(f"{key}={value}" for key, value in fields.items() if key != "rulings")
    return brief(told or repr(state), MAX_SHOWN_CHARACTERS)


def _call(game: AnyGame, function: str, state: Any, *given: Any) -> Any:
    """Ask a rule; whatever it raises is told in one line."""
    try:
        return getattr(game, function)(*given)
    except Exception as error:
        said = f"{type(error).__name__}: {brief(str(error), MAX_SHOWN_CHARACTERS)}".rstrip(": ")
        raise game_fault(game, function, state, f"fails with {said}") from None


def _moves(game: AnyGame, state: Any, seat: int) -> Moves:
    moves = _call(game, "legal", state, state, seat)
    whose = f"of seat {seat}"
    if not isinstance(moves, int) or isinstance(moves, bool):
        raise game_fault(
            game, "legal", state, f"{whose} is {brief(moves)}, which is no set of numbers"
        )
    if moves <= 0:
        raise game_fault(game, "legal", state, f"{whose} is empty; a seat with no pick has NOTHING")
    if moves & NOTHING and moves != NOTHING:
        raise game_fault(game, "legal", state, f"{whose} holds PASS beside numbers")
    if moves.bit_length() > MAX_MOVE_BITS:
        raise game_fault(game, "legal", state, f"{whose} holds a number above {MAX_MOVE_BITS - 1}")
    return moves


class GameValidator:
    """One game under one ruling, looked at position by position."""

    def __init__(self, game: AnyGame, rulings: Any) -> None:
        from random import Random  # only when needed: the first prompt does not wait for it

        self.game = game
        self.rulings = rulings
        self._chance = Random(0)
        self._both_pick = False
        """Whether a position was seen at which both seats pick."""
        self._searched: dict[Any, PositionRules] = {}
        """Positions that were looked at with every pair of picks; no match looks at them again."""
        self._start = _call(game, "start", rulings, rulings)
        self._shape = _shape(self._start)
        if self._shape is None or not _is_plain(self._shape[1]) or self._start[0] != rulings:
            what = "gives no named tuple of the rulings and whole numbers, or pairs of them"
            raise game_fault(game, "start", self._start, what)

    def run(self) -> None:
        """Look at all that is near the start, then at matches of chance."""
        if self.look(self._start).outcome != Outcome.ONGOING:
            raise game_fault(self.game, "start", self._start, "is over before anybody has picked")
        if self.game.mirror is not None and self._image(self._start) != self._start:
            raise self._false(self._start, "favours a seat: it gives another position")
        self._look_around()
        for _ in range(RANDOM_MATCHES):
            self._walk()
        if self.game.simultaneous and not self._both_pick:
            what = "lets both seats pick in no position, but simultaneous is True"
            raise game_fault(self.game, "legal", self._start, what)

    def look(self, state: Any, most: int | None = None) -> PositionRules:
        """A position, and its mirror image after all pairs of picks or some of them."""
        if _shape(state) != self._shape or state[0] != self.rulings:
            what = "gives a position of other parts than the first, or of other rulings"
            raise game_fault(self.game, "step", state, what)
        judged = check_position(self.game, state)
        self._both_pick = self._both_pick or NOTHING not in judged.moves
        ending = _call(self.game, "ending", state, state)
        if not isinstance(ending, IntEnum) or (ending == 0) != (judged.outcome == Outcome.ONGOING):
            what = f"is {brief(repr(ending))} where the outcome is {judged.outcome.name}"
            raise game_fault(self.game, "ending", state, what)
        if self.game.mirror is not None:
            self._look_in_mirror(state, judged, most)
        return judged

    def _look_around(self) -> None:
        """Every position from the start on, until enough pairs of picks were followed."""
        found, followed = dict.fromkeys([self._start]), 0
        waiting = deque(found)
        while waiting and followed < MAX_SEARCHED_PAIRS:
            state = waiting.popleft()
            self._searched[state] = self.look(state)
            for picks in _pairs(self._searched[state]):
                followed += 1
                child = check_step(self.game, state, picks)
                if child not in found:
                    found[child] = None
                    waiting.append(child)

    def _walk(self) -> None:
        """A match of chance."""
        state, seen = self._start, set[Any]()
        for _ in range(MAX_ROUNDS_WITH_LOOPS if self.game.loops else MAX_MATCH_ROUNDS):
            if state in seen and not self.game.loops:
                what = "comes back to its positions; it must say loops=True"
                raise BadGame(f"{self.game.name} {what}: {describe_position(state)}")
            seen.add(state)
            judged = self._searched.get(state) or self.look(state, PAIRS_PER_POSITION)
            if judged.outcome != Outcome.ONGOING:
                return
            first, second = (self._chance.choice(_numbers(moves)) for moves in judged.moves)
            state = check_step(self.game, state, (first, second))
        if not self.game.loops:
            raise game_fault(
                self.game, "step", state, f"has not ended a match in {MAX_MATCH_ROUNDS:,} rounds"
            )

    def _look_in_mirror(self, state: Any, judged: PositionRules, most: int | None) -> None:
        """Hold the mirror image of a position against what the rules say of it."""
        game = self.game
        image = self._image(state)
        if self._image(image) != state:
            raise self._false(
                state, f"twice gives another position: {describe_position(self._image(image))}"
            )
        said = check_position(game, image)
        if said.outcome != _swapped_outcome(judged.outcome):
            expected = _swapped_outcome(judged.outcome).name
            what = f"gives a position that is {said.outcome.name}, not {expected}"
            raise self._false(state, what)
        if said.moves != judged.moves[::-1]:
            raise self._false(state, "gives a position with other legal moves")
        pairs = list(_pairs(judged))
        for picks in pairs if most is None else self._chance.sample(pairs, min(most, len(pairs))):
            self._follow(state, image, picks)

    def _follow(self, state: Any, image: Any, picks: Pair) -> None:
        """One pair of picks, and the same with the seats exchanged."""
        game = self.game
        child = check_step(game, state, picks)
        across = check_step(game, image, (picks[SECOND], picks[FIRST]))
        outcome = check_position(game, child).outcome
        if check_position(game, across).outcome != _swapped_outcome(outcome):
            what = f"does not hold: picks {picks} lead to {outcome.name}"
            raise self._false(
                state, f"{what}, exchanged to {check_position(game, across).outcome.name}"
            )
        if outcome == Outcome.ONGOING and self._image(child) != across:
            what = f"does not hold: picks {picks} and the same exchanged lead to"
            raise self._false(
                state, f"{what} {describe_position(child)} and {describe_position(across)}"
            )

    def _image(self, state: Any) -> Any:
        image = _call(self.game, "mirror", state, state)
        if _shape(image) != self._shape or image[0] != self.rulings:
            raise self._false(state, f"gives no position: {brief(repr(image))}")
        return image

    def _false(self, state: Any, what: str) -> BadGame:
        return game_fault(self.game, "mirror", state, what)


def _swapped_outcome(outcome: Outcome) -> Outcome:
    """The same outcome with the seats exchanged."""
    return outcome if outcome == Outcome.ONGOING else Outcome(-outcome)


def _pairs(judged: PositionRules) -> Iterable[Pair]:
    """Every pair of picks; none where the match is over."""
    if judged.outcome != Outcome.ONGOING:
        return ()
    return product(*(_numbers(moves) for moves in judged.moves))  # type: ignore[return-value]


def _numbers(moves: Moves) -> list[int]:
    """What a seat picks from, PASS included."""
    return [number for number in range(moves.bit_length()) if moves >> number & 1]


def _shape(state: Any) -> Any:
    """What a position is made of, its rulings left out; None where it is no position."""
    return (type(state), _parts(tuple(state[1:]))) if hasattr(state, "_fields") else None


def _parts(value: Any) -> Any:
    """How something is put together of tuples and whole numbers; a word where it is not."""
    if type(value) is tuple:
        return tuple(map(_parts, value))
    return int if isinstance(value, int) else "something else"


def _is_plain(parts: Any) -> bool:
    return all(map(_is_plain, parts)) if isinstance(parts, tuple) else parts is int
