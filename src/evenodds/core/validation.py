"""Validation of a game's rules on sampled or all positions, and of its words in sampled matches.

Games from packages are not trusted: every result that is derived from wrong rules would be wrong.
An error is one line that names the function and the position. Where all errors are wanted, each is
noted and play goes on.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final, get_origin

from evenodds.core import catalog, rule_checks
from evenodds.core.catalog import AnyGame
from evenodds.core.pick_names import UNREADABLE, as_word
from evenodds.core.rule_checks import (
    UNDECLARED_LOOPS,
    BadGame,
    PositionRules,
    call_rule,
    check_position,
)
from evenodds.core.step_limit import NeverReturns
from evenodds.core.vocabulary import FIRST, NOTHING, PASS, SEATS, SECOND, Outcome, Pair
from evenodds.core.words import Names, Words
from evenodds.system.text import printable, shorten

MAX_SEARCHED_PAIRS: Final = 3_000
"""Pairs of picks in the search from the start; under small rulings these are all."""
RANDOM_MATCHES: Final = 50
"""Random matches that are played to their end."""
PAIRS_PER_POSITION: Final = 6
"""Pairs of picks that are checked at a position of such a match."""
MAX_SAMPLED_ROUNDS: Final = 300
"""Rounds of such a match in which pairs are tried: a longer one only has to end."""
MAX_MATCH_ROUNDS: Final = 10_000
"""No match without loops has more rounds than this."""
MAX_ROUNDS_WITH_LOOPS: Final = 200
"""Rounds of a random match in a game with loops."""
MAX_VALIDATION_S: Final = 60.0
"""After that no further position is checked, so that slow rules can be used all the same."""
MAX_DRAWS: Final = 100
"""Draws one after another, before somebody picks or the match ends."""
TOLD_MATCHES: Final = 2
"""Random matches that are told to each reader."""
MAX_TOLD_ROUNDS: Final = 100


@lru_cache(256)
def validate(game: AnyGame, rulings: Any) -> None:
    """Check a sample of positions, or all under small rulings; `BadGame` where one is wrong.

    A mirror is checked too: the solver relies on it, so a wrong one would give wrong values.
    Built-in games are spared it: it takes longer than solving a small ruling.
    """
    if catalog.is_built_in(game):
        return
    if flaw := game.flaw():
        raise BadGame(f"{game.name}: {flaw}")
    rules = (game.start, game.legal, game.step, game.outcome, game.canonical)
    for function in filter(rule_checks.is_marked, (*rules, game.chance, game.weight, game.reward)):
        rule_checks.check_helpers(game, function, set())
    GameValidator(game, rulings).run()


@lru_cache(256)
def validate_words(game: AnyGame, rulings: Any) -> None:
    """Tell matches of a valid game to either player and a spectator; `BadGame` where that fails."""
    GameValidator(game, rulings).tell_matches()


class GameValidator:
    """The checks of one game under one ruling."""

    note: Callable[[BadGame], object] | None = None
    """Takes each error; without it the first one is raised."""
    pairs, matches = MAX_SEARCHED_PAIRS, RANDOM_MATCHES
    """How much is searched and played."""

    def __init__(self, game: AnyGame, rulings: Any) -> None:
        from random import Random  # slow to import, and only needed here

        self.game = game
        self.rulings = rulings
        self._rng = Random(0)
        self._is_sound = True
        """Whether nothing was noted."""
        self._both_pick = False
        """Whether both seats pick at any position seen."""
        self._end = time.monotonic() + MAX_VALIDATION_S
        self.endings: set[IntEnum] = set()
        """Those that have come."""
        self.is_complete = False
        """Whether all positions were checked."""
        self.fingerprint = 0
        """The same for rules that say the same wherever they were asked."""
        self.searched: dict[Any, PositionRules] = {}
        """Positions that were checked with every pair of picks; random matches skip them."""
        self._start = call_rule(game, "start", rulings, rulings)
        self._shape = _shape(self._start)
        if self._shape is None or "?" in str(self._shape[1]) or self._start[0] != rulings:
            problem = "gives no named tuple of the rulings and whole numbers, or pairs of them"
            raise self._fault("start", self._start, problem)
        for field, part in zip(self._start._fields[1:], self._shape[1], strict=True):
            if "()" in part:
                problem = f"gives an empty tuple in {field}; a tuple holds a fixed number of values"
                raise self._fault("start", self._start, problem)

    def run(self) -> None:
        """Check positions near the start breadth-first, then those of random matches."""
        with self._noting():
            if self.check(self._start).outcome != Outcome.ONGOING:
                raise self._fault("start", self._start, "is over before anybody has picked")
        with self._noting():
            if self.game.mirror is not None and self._mirrored(self._start) != self._start:
                problem = "favours a seat: it gives another position"
                raise self._fault("mirror", self._start, problem)
        with self._noting():
            self._check_bound()
        self._search()
        for _ in range(self.matches):
            with self._noting():
                self._play_random_match()
        with self._noting():
            if self.game.simultaneous and not self._both_pick and self._is_sound:
                problem = "lets both seats pick in no position, but simultaneous is True"
                raise self._fault("legal", self._start, problem)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Note what is wrong, where all of it is wanted; what never returns is not asked again."""
        try:
            yield
        except BadGame as error:
            self._is_sound = False
            if self.note is None or isinstance(error.__context__, NeverReturns):
                raise
            self.note(error)

    def _check_bound(self) -> None:
        if self.game.bound is not None:
            bound = call_rule(self.game, "bound", self.rulings, self.rulings)
            if not isinstance(bound, int) or bound < 1:
                problem = f"is {shorten(repr(bound))}, which is no number of positions"
                raise self._fault("bound", self.rulings, problem)

    def tell_matches(self) -> None:
        """Tell some matches to either player and a spectator."""
        for you in (None, *SEATS) * TOLD_MATCHES:
            self._tell_random_match(Names(self.game.words.players, you=you))

    def _tell_random_match(self, names: Names) -> None:
        """Check what is said and drawn in a match; of a long one, at its beginning."""
        state = self._start
        self._say(state, rules=[state.rulings], goal=[state.rulings], opening=[state, names])
        for round in range(1, MAX_TOLD_ROUNDS + 1):
            rules = check_position(self.game, state)
            self._say(state, board=[state, names], ring=[state])
            for seat in SEATS:
                self._say(state, side=[state, seat])
            if rules.outcome != Outcome.ONGOING:
                ended = [state, rules.outcome, names]
                self._say(state, closing=ended, decision=ended, verdict=ended[1:])
                return
            self._say(state, heading=[state, round, names])
            for seat in SEATS:
                if choices := rules.choices(seat):
                    asked = [state, seat, choices]
                    self._say(state, prompt=[*asked, names], choices=asked, hint=[state, seat])
                    self._say(state, request=[*asked, names])
                    with self._noting():
                        self._check_names(state, seat, choices)
                    self._say(state, refusal=[state, seat, choices[-1] + 1])
                    self._say(state, preview=[state, seat, choices[-1]])
            picks = self._random_picks(rules)
            after = self._step(state, picks)
            if self.game.reward:
                self._say(state, lead=[round, False, names])
            if rules.draws:
                self._say(state, drawn=[state, picks[FIRST], names])
                state = after
                continue
            played = [state, picks, after, names]
            self._say(state, reveal=played, round_summary=played, round_story=played)
            self._say(state, upset=[state, picks])
            for seat in SEATS:
                self._say(state, gain=[state, after, seat])
            state = after

    def _say(self, state: Any, **texts: list[Any]) -> None:
        """Check that texts, given with their arguments, are of the kinds that `Words` declares."""
        for text, arguments in texts.items():
            with self._noting():
                said = call_rule(self.game, f"words.{text}", state, *arguments)
                kind = getattr(Words, text).__annotations__["return"]
                kind = list if get_origin(kind) is list else kind
                if not isinstance(said, kind):
                    wanted = getattr(kind, "__name__", str(kind))
                    problem = f"is {shorten(repr(said))}, which is no {wanted}"
                    raise self._fault(f"words.{text}", state, problem)

    def _check_names(self, state: Any, seat: int, choices: tuple[int, ...]) -> None:
        """Check that each pick of a seat has a name of its own."""
        about = [state[0], seat]
        named = [call_rule(self.game, "words.pick_name", state, *about, each) for each in choices]
        told = [
            as_word(name) for name in named if isinstance(name, str) and name == printable(name)
        ]
        if len({name for name in told if name.strip()}) < len(choices):
            problem = f"gives no name of its own to each pick: {shorten(repr(named), 80)}"
            raise self._fault("words.pick_name", state, problem)
        if self.game.words.names_picks and (bad := next(filter(UNREADABLE.fullmatch, told), "")):
            problem = f"gives {shorten(bad)}, which notation reads as a round, a draw or a result"
            raise self._fault("words.pick_name", state, problem)

    def check(self, state: Any, max_pairs: int | None = None) -> PositionRules:
        """Check a position and, after all pairs of picks or a sample, its mirror image."""
        rules = check_position(self.game, state)
        self._both_pick = self._both_pick or NOTHING not in rules.moves
        with self._noting():
            ending = call_rule(self.game, "ending", state, state)
            is_open = rules.outcome == Outcome.ONGOING
            if not isinstance(ending, IntEnum) or ending < 0 or (ending == 0) != is_open:
                problem = f"is {shorten(repr(ending))} where the outcome is {rules.outcome.name}"
                problem += "; it is 0 while a match is open, and above 0 when it is over"
                raise self._fault("ending", state, problem)
            self.endings.add(ending)
            said = (state[1:], rules.outcome, rules.moves, *rules.draws.items(), ending)
            self.fingerprint = hash((self.fingerprint, said))
        with self._noting():
            if self.game.mirror is not None:
                self._check_mirror(state, rules, max_pairs)
        with self._noting():
            if self.game.canonical is not None:
                self._check_canonical(state, rules, max_pairs)
        return rules

    def _fault(self, function: str, state: Any, problem: str) -> BadGame:
        return rule_checks.game_fault(self.game, function, state, problem)

    def _search(self) -> None:
        """Breadth-first search from the start, up to so many pairs of picks."""
        seen, pairs_followed = dict.fromkeys([self._start]), 0
        queue = deque(seen)
        while queue and pairs_followed < self.pairs and time.monotonic() < self._end:
            state = queue.popleft()
            with self._noting():
                self.searched[state] = self.check(state)
            for picks in self.searched[state].pairs() if state in self.searched else ():
                pairs_followed += 1
                with self._noting():
                    child = self._step(state, picks)
                    if child not in seen:
                        seen[child] = None
                        queue.append(child)
        self.is_complete = not queue

    def _step(self, state: Any, picks: Pair) -> Any:
        """The position after both picks, the same each time, and so are its points."""
        if self.game.reward:
            points = rule_checks.check_reward(self.game, state, picks)
            self.fingerprint = hash((self.fingerprint, points))
        child = rule_checks.check_step(self.game, state, picks)
        if _shape(child) != self._shape or child[0] != self.rulings:
            problem = "gives a position of other parts than the first, or of other rulings"
            raise self._fault("step", state, f"with picks {picks} {problem}: {shorten(child, 80)}")
        if rule_checks.check_step(self.game, state, picks) != child:
            problem = f"with picks {picks} gives another position the second time"
            raise self._fault("step", state, problem)
        return child

    def _random_picks(self, rules: PositionRules) -> Pair:
        first, second = (self._rng.choice(rules.choices(seat) or (PASS,)) for seat in SEATS)
        return (self._rng.choice(list(rules.draws)) if rules.draws else first), second

    def _play_random_match(self) -> None:
        state, seen, draws, all_draws = self._start, set[Any](), 0, 0
        for rounds in range(MAX_ROUNDS_WITH_LOOPS if self.game.loops else MAX_MATCH_ROUNDS):
            if state in seen and not self.game.loops:
                raise self._fault("step", state, UNDECLARED_LOOPS)
            if time.monotonic() > self._end:
                return
            seen.add(state)
            pairs = PAIRS_PER_POSITION if rounds < MAX_SAMPLED_ROUNDS else 0
            rules = self.searched.get(state) or self.check(state, pairs)
            if rules.outcome != Outcome.ONGOING:
                self._check_longest(state, rounds - all_draws)
                return
            draws, all_draws = (draws + 1, all_draws + 1) if rules.draws else (0, all_draws)
            if draws > MAX_DRAWS:
                raise self._fault("chance", state, f"draws {MAX_DRAWS} times before anybody picks")
            state = self._step(state, self._random_picks(rules))
        if not self.game.loops:
            problem = f"has not ended a match in {MAX_MATCH_ROUNDS:,} rounds"
            raise self._fault("step", state, problem)

    def _check_longest(self, state: Any, rounds: int) -> None:
        if self.game.longest is not None:
            longest = call_rule(self.game, "longest", self.rulings, self.rulings)
            if not isinstance(longest, int) or rounds > longest:
                problem = f"is {shorten(longest)}, but a match has {rounds} {self.game.round_word}s"
                raise self._fault("longest", state, problem)

    def _check_mirror(self, state: Any, rules: PositionRules, max_pairs: int | None) -> None:
        """Check that a position and its mirror image have swapped outcomes, moves and children."""
        image = self._mirrored(state)
        back = self._mirrored(image)
        if back != state:
            problem = f"twice gives another position: {rule_checks.describe_position(back)}"
            raise self._fault("mirror", state, problem)
        image_rules, expected = check_position(self.game, image), _swapped(rules.outcome)
        if image_rules.outcome != expected:
            problem = f"gives a position that is {image_rules.outcome.name}, not {expected.name}"
            raise self._fault("mirror", state, problem)
        if image_rules.moves != rules.moves[::-1]:
            raise self._fault("mirror", state, "gives a position with other legal moves")
        if image_rules.draws != rules.draws:
            raise self._fault("mirror", state, "gives a position where something else is drawn")
        pairs = list(rules.pairs())
        if max_pairs is not None:
            pairs = self._rng.sample(pairs, min(max_pairs, len(pairs)))
        for picks in pairs:
            exchanged = picks if rules.draws else (picks[SECOND], picks[FIRST])
            if problem := self._unlike((state, picks), (image, exchanged)):
                raise self._fault("mirror", state, f"does not hold: picks {picks} {problem}")

    def _check_canonical(self, state: Any, rules: PositionRules, max_pairs: int | None) -> None:
        """Check that the position which stands for this one leads on in the same way."""
        alike = self._of("canonical", state)
        if self._of("canonical", alike) != alike:
            raise self._fault("canonical", state, "gives a position for which another stands")
        theirs = check_position(self.game, alike)
        here, there = list(rules.pairs()), list(theirs.pairs())
        weights = [list(each.draws.values()) for each in (rules, theirs)]
        if rules.outcome != theirs.outcome or len(here) != len(there) or weights[0] != weights[1]:
            raise self._fault("canonical", state, "gives a position with other picks or outcome")
        pairs = list(zip(here, there, strict=True))
        if max_pairs is not None:
            pairs = self._rng.sample(pairs, min(max_pairs, len(pairs)))
        for own, other in pairs:
            one, two = self._step(state, own), self._step(alike, other)
            points = [
                self.game.reward(*at) for at in ((state, own), (alike, other)) if self.game.reward
            ]
            ends = {check_position(self.game, child).outcome for child in (one, two)}
            goes_on = ends == {Outcome.ONGOING}
            same = not goes_on or self._of("canonical", one) == self._of("canonical", two)
            if not same or len(ends) > 1 or len(set(points)) > 1:
                problem = f"picks {own} here and {other} there lead to what is not alike"
                raise self._fault("canonical", state, f"does not hold: {problem}")

    def _unlike(self, here: tuple[Any, Pair], there: tuple[Any, Pair]) -> str:
        """How a step differs from its mirror image; empty where it does not."""
        child, image_child = self._step(*here), self._step(*there)
        if self.game.reward:
            points, across = self.game.reward(*here), self.game.reward(*there)
            if across != -points:
                return f"bring {points} points, exchanged {across}"
        one, two = (check_position(self.game, each).outcome for each in (child, image_child))
        if two != _swapped(one):
            return f"lead to {one.name}, exchanged to {two.name}"
        if one == Outcome.ONGOING and self._mirrored(child) != image_child:
            both = map(rule_checks.describe_position, (child, image_child))
            return f"and the same exchanged lead to {' and '.join(both)}"
        return ""

    def _mirrored(self, state: Any) -> Any:
        return self._of("mirror", state)

    def _of(self, function: str, state: Any) -> Any:
        """The position that `mirror` or `canonical` makes of another."""
        image = call_rule(self.game, function, state, state)
        if _shape(image) != self._shape or image[0] != self.rulings:
            raise self._fault(function, state, f"gives no position: {shorten(repr(image))}")
        return image


def _swapped(outcome: Outcome) -> Outcome:
    return outcome if outcome == Outcome.ONGOING else Outcome(-outcome)


def _shape(state: Any) -> tuple[type, tuple[str, ...]] | None:
    """The type and the parts of a position without its rulings; None where it is no named tuple."""
    return (type(state), tuple(map(_parts, state[1:]))) if hasattr(state, "_fields") else None


def _parts(value: Any) -> str:
    """The structure of nested tuples of whole numbers: `(int,int)`; `?` in place of others."""
    if type(value) is tuple:
        return f"({','.join(map(_parts, value))})"
    return "int" if isinstance(value, int) else "?"
