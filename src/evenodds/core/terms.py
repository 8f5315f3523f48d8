"""The terms of a match: game, rulings, names, first player, repetition limit."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, GameLike
from evenodds.core.rulings import as_int, titled
from evenodds.core.vocabulary import FIRST, SEATS, SECOND, Seat, Settled, State
from evenodds.core.words import Names
from evenodds.system import InvalidInput
from evenodds.system.text import as_given, display_width, printable, shorten, with_few_marks

if TYPE_CHECKING:
    from datetime import date as Date
else:
    Date = object  # `datetime` would take a tenth of the time of importing the package

MAX_NAME_COLUMNS: Final = 20
DEFAULT_REPETITION: Final = 3
"""How often the same position may come up before the match is a draw, unless agreed otherwise."""
MAX_ROUNDS: Final = 1_000
"""The rounds after which a match is a draw in games in which play can go on for ever."""
ALLOWED_REPETITIONS: Final = (0, 2, 3, 4, 5, 6, 7, 8, 9)
SEATINGS: Final = ("first", "second", "alternate", "random")
"""Always first, always second, in turn beginning with the first, or by chance."""


class BadTerms(InvalidInput, ValueError):
    """Terms that do not fit the game, and what is allowed."""


class BadSeat(InvalidInput, ValueError):
    """Something that is no seat."""


def check_seat(seat: object) -> Seat:
    """The seat, if it is one."""
    number = as_int(seat)
    if number not in SEATS:
        raise BadSeat(f"{as_given(seat)} is not a seat; it is FIRST (0) or SECOND (1)")
    return number


def check_seating(seating: str | Seat) -> str:
    """A known seating, which may be given as FIRST or SECOND, else `BadTerms`."""
    if isinstance(seating, int) and not isinstance(seating, bool) and seating in SEATS:
        return SEATINGS[seating]
    if not isinstance(seating, str) or seating not in SEATINGS:
        allowed = ", ".join(SEATINGS)
        raise BadTerms(f"seat={shorten(seating)} is not allowed; allowed: {allowed}")
    return seating


class Terms(NamedTuple):
    """The terms of a match.

    `players` and `computers` are of Player 1 and Player 2, in that order.
    """

    game: AnyGame
    rulings: Settled
    players: tuple[str, str]
    first: int = 1
    """The player in the first seat: 1 for Player 1, 2 for Player 2."""
    repetition: int = DEFAULT_REPETITION
    computers: tuple[str, str] = ("", "")
    """The names of computer opponents; empty for a person."""
    date: Date | None = None

    @property
    def names(self) -> Names:
        """The players' names by seat."""
        order = (FIRST, SECOND) if self.first == 1 else (SECOND, FIRST)
        return Names((self.players[order[FIRST]], self.players[order[SECOND]]), order)

    @property
    def named(self) -> bool:
        """Whether the players have names of their own, not those of the rule book."""
        return self.players != self.game.words.players

    def seat_of(self, player: int) -> Seat:
        """The seat of Player 1 or Player 2."""
        return self.names.order[player - 1]

    def computer(self, seat: Seat) -> str:
        """The computer opponent in a seat; empty for a person."""
        return self.computers[self.names.order.index(seat)]

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat in SEATS if not self.computer(seat))

    def title_for(self, names: Names) -> str:
        """The game, its rulings where they were changed, and the players as a reader knows them."""
        one, two = names.order
        title = titled(self.game.title, self.rulings)
        return f"{title}: {names[one]} against {names.inside(two)}"

    def swapped(self) -> "Terms":
        """The same terms with the seats exchanged.

        In a turn game the other player begins; where both pick at once the players change places,
        and take their names with them if they have any of their own.
        """
        if not self.game.simultaneous:
            return self._replace(first=3 - self.first)
        players = self.players[::-1] if self.named else self.players
        return self._replace(players=players, computers=self.computers[::-1])


def agree(
    game: GameLike,
    rulings: Mapping[str, object] | None = None,
    *,
    players: tuple[str, ...] | None = None,
    first: int = 1,
    repetition: int = DEFAULT_REPETITION,
    computers: tuple[str, str] = ("", ""),
    date: Date | None = None,
) -> Terms:
    """Valid terms; else raises `UnknownGame`, `BadRuling` or `BadTerms` with one line.

    A game from a package is validated first: `BadGame` where its rules or words are wrong.
    """
    game, settled = catalog.settle(game, {} if rulings is None else rulings)
    if not catalog.is_built_in(game):
        from evenodds.core.validation import validate, validate_words  # ours need none

        validate(game, settled)
        validate_words(game, settled)
    if not isinstance(computers, tuple | list) or [type(name) for name in computers] != [str, str]:
        allowed = "allowed: two names, each empty for a person"
        raise BadTerms(f"computers={shorten(computers)} is not allowed; {allowed}")
    if date is not None:
        import datetime

        if not isinstance(date, datetime.date) or isinstance(date, datetime.datetime):
            raise BadTerms(f"date={shorten(date)} is not allowed; allowed: a datetime.date")
    return Terms(
        game,
        settled,
        check_players(game.words.players if players is None else players),
        check_first(game, first),
        check_repetition(repetition),
        (computers[0], computers[1]),
        date,
    )


def check_repetition(times: int) -> int:
    """How often a position may come up: 2 to 9 times, or 0 for no limit."""
    number = as_int(times)
    if number not in ALLOWED_REPETITIONS:
        allowed = "2 to 9, or 0 for never"
        raise BadTerms(f"repetition={as_given(times)} is not allowed; allowed: {allowed}")
    return number


def repetition_rule(times: int) -> str:
    """The repetition rule in a sentence."""
    if times:
        return f"A position that comes up {times} times is a draw."
    return "Play goes on, however often a position comes up."


def repetition_end(times: int) -> str:
    """That a match has ended by repetition, in sentences."""
    often = "twice" if times == 2 else f"{'three' if times == 3 else times} times"
    return f"The same position has come up {often}. The game is a draw."


def repetition_draws(states_before: Iterable[State], limit: int) -> frozenset[State]:
    """The positions that make a draw if they come up once more; none without a limit."""
    if not limit:
        return frozenset()
    return frozenset(state for state, times in Counter(states_before).items() if times + 1 >= limit)


REPETITION_NOT_COUNTED_NOTE: Final = (
    "How many matches the draw by repetition would end cannot be told exactly under these rulings."
)
"""Shown where figures leave that draw out, since positions recur on more than one path."""


def check_name(typed: str) -> str:
    """A name that fits on a screen, without control characters or piles of marks."""
    name = " ".join(with_few_marks(printable(typed)).split())
    if not 1 <= display_width(name) <= MAX_NAME_COLUMNS:
        allowed = f"allowed: 1 to {MAX_NAME_COLUMNS} characters, wide ones counted twice"
        raise BadTerms(f'the name "{shorten(name)}" is not allowed; {allowed}')
    return name


def check_players(names: tuple[str, ...]) -> tuple[str, str]:
    """Two different names, each as `check_name` has it."""
    two_names = "is not allowed; allowed: two different names"
    if not isinstance(names, tuple | list):
        raise BadTerms(f"names={shorten(names)} {two_names}")
    clean = [check_name(str(name)) for name in names]
    if len(clean) != 2:
        raise BadTerms(f'"{shorten(",".join(clean))}" {two_names}')
    one, two = clean
    if one == two:
        raise BadTerms(f"both players would be called {one}; choose another name")
    return one, two


def check_first(game: AnyGame, first: int) -> int:
    """Player 1 or Player 2; where both pick at once, Player 1 sits first."""
    number = as_int(first)
    if number not in (1, 2):
        raise BadTerms(f"first={as_given(first)} is not allowed; allowed: 1 or 2")
    if number == 2 and game.simultaneous:
        raise BadTerms(f"first=2 is not allowed: in {game.name} both players pick at once")
    return number
