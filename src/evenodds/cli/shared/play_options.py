"""Options of `play` and of other commands, turned into match terms and session options."""

from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import parse_rulings
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, Terms, agree
from evenodds.players.registry import check_opponent, is_external
from evenodds.terminal.play.session import SessionOptions


class PlayOptions(NamedTuple):
    """The options of `play` that shape a match, as they were typed."""

    rules: tuple[str, ...] = ()
    names: str | None = None
    first: str | None = None
    repetition: int | None = None
    vs: tuple[str, ...] = ()
    seat: str | None = None

    def terms(self, game: AnyGame) -> Terms:
        """The terms of a match; an invalid option is an error of one line."""
        if self.first and game.simultaneous:
            raise BadTerms(f"--first is refused: in {game.name} both players pick at once")
        return agree(
            game,
            self.rulings(game),
            players=None if self.names is None else tuple(self.names.split(",")),
            first=2 if self.first == "2" else 1,
            repetition=DEFAULT_REPETITION if self.repetition is None else self.repetition,
            computers=self._computers(),
        )

    def for_any_game(self) -> "PlayOptions":
        """The options that hold for every game: those without rulings."""
        return self._replace(rules=(), first=None)

    def rulings(self, game: AnyGame) -> dict[str, object]:
        """The parsed rulings, which the game has not checked yet."""
        return parse_rulings(game.rulings, self.given())

    def given(self) -> dict[str, str]:
        """The texts of the rulings by key."""
        given: dict[str, str] = {}
        for text in self.rules:
            key, equals, value = text.partition("=")
            if not equals:
                raise BadTerms(f"--rule {text} is not allowed; allowed: key=value")
            if key in given:
                raise BadTerms(f"{key}={value} is not allowed: {key} is given twice")
            given[key] = value
        return given

    def _computers(self) -> tuple[str, str]:
        """Who is a computer: the other player, or both."""
        for name in self.vs:
            check_opponent(name, allow_external=True)
        if len(self.vs) > 2:
            raise BadTerms("--vs may be given at most twice: there are two players")
        if self.seat and len(self.vs) != 1:
            raise BadTerms("--seat goes with one --vs: it says which player you are")
        match self.vs:
            case ():
                return ("", "")
            case (only,):
                return (only, "") if self.seat == "2" else ("", only)
            case both:
                return (both[0], both[1])


def session_options(
    seed: int | None,
    record: str | None,
    plain: bool,
    vs: tuple[str, ...] = (),
    bot_seconds: float | None = None,
) -> SessionOptions:
    """The options of a session; a record file that cannot be appended to is refused here."""
    if record is not None:
        from evenodds.terminal.storage.records import check_appendable

        check_appendable(record)
    return SessionOptions(plain, record, seed, tuple(filter(is_external, vs)), bot_seconds)
