"""Options of commands that play, turned into match terms and session options."""

from typing import NamedTuple

from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import given_rulings, parse_rulings
from evenodds.core.terms import DEFAULT_REPETITION, BadTerms, Terms, agree
from evenodds.players.registry import check_opponent, external_kind
from evenodds.table.table import SessionOptions


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
            raise BadTerms(f"--first does not apply: in {game.name} both players pick at once")
        return agree(
            game,
            parse_rulings(game.rulings, given_rulings(self.rules)),
            players=None if self.names is None else tuple(self.names.split(",")),
            first=2 if self.first == "2" else 1,
            repetition=DEFAULT_REPETITION if self.repetition is None else self.repetition,
            computers=self._computers(),
        )

    def for_later_games(self) -> "PlayOptions":
        """The options that hold beyond the match they were given for."""
        return self._replace(rules=(), first=None, vs=(), seat=None)

    def _computers(self) -> tuple[str, str]:
        """Who is a computer: the other player, or both."""
        for name in self.vs:
            check_opponent(name, allow_external=True)
        if len(self.vs) > 2:
            raise BadTerms("--vs may be given at most twice: there are two players")
        if self.seat and len(self.vs) != 1:
            raise BadTerms("--seat goes with one --vs: it says which player you are")
        one, two = ("", "", *self.vs)[-2:]
        return (two, one) if self.seat == "2" else (one, two)


def session_options(
    seed: int | None,
    record: str | None,
    vs: tuple[str, ...] = (),
    bot_seconds: float | None = None,
    pace: float | None = None,
) -> SessionOptions:
    """The options of a session; a record file that cannot be appended to is refused here."""
    if record is not None:
        from evenodds.table.records import check_appendable  # the notation, seals

        check_appendable(record)
    return SessionOptions(record, seed, tuple(filter(external_kind, vs)), bot_seconds, pace)
