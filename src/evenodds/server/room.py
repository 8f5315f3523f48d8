"""A room: one match on the server, told by its events and by nothing else.

A room changes only by `take`, which folds one event into it, so that any process that reads the
same events stands at the same position. The match is the only judge of rules.
"""

from typing import Any, Final

from evenodds import catalog
from evenodds.match import IllegalPick, Match
from evenodds.record import Result, View
from evenodds.server.ledger import Event
from evenodds.terms import Terms, agree, check_players
from evenodds.vocabulary import SEATS, Outcome, Seat

VOID: Final = "void"


class Room:
    """A match, who sits there, and which picks are in."""

    def __init__(self, id: str, opened: Event) -> None:
        self.id = id
        self.seq = opened.seq
        self.opened_at = self.changed_at = opened.at
        self.terms = terms_of(opened.data)
        self.match = Match(self.terms)
        self.clock: float | None = opened.data["clock"]
        self.listed: bool = opened.data["listed"]
        self.joined: list[bool] = list(opened.data["joined"])
        """Whether Player 1 and Player 2 have come; computers are always there."""
        self.chosen: dict[Seat, float] = {}
        """Which seats have a pick in this round, and since when."""
        self.numbers: dict[Seat, int] = {}
        """The picks themselves, as far as they were made here; never told to anyone."""
        self.offers: set[Seat] = set()
        self.rematch = ""
        self.void = False

    def take(self, event: Event) -> None:
        """Fold one event into the room."""
        assert event.seq == self.seq + 1, "events are folded in order"
        getattr(self, f"_{event.kind}")(event)
        self.seq = event.seq
        self.changed_at = event.at

    @property
    def ready(self) -> bool:
        """Whether everyone has come."""
        return all(self.joined)

    @property
    def result(self) -> Result | None:
        """How the match ended; a void match has ended for nobody."""
        return Result(Outcome.DRAW, VOID) if self.void else self.match.result

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.result is not None

    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose pick is still to come."""
        if self.over or not self.ready:
            return ()
        return tuple(seat for seat in self.match.waiting() if seat not in self.chosen)

    def view(self, seat: Seat | None) -> View:
        """What a seat, or a spectator, may see: that a pick is in, and never which."""
        view = self.match.view(seat)
        chosen = (SEATS[0] in self.chosen, SEATS[1] in self.chosen)
        choices = view.choices if seat in self.waiting() else ()
        return view._replace(chosen=chosen, choices=choices, result=self.result)

    def check(self, seat: Seat, number: int, round: int) -> None:
        """Refuse a pick that the rules or the room do not allow: `IllegalPick` says why."""
        if self.void:
            raise IllegalPick("the match is over")
        if not self.ready:
            raise IllegalPick("nobody sits opposite yet")
        if seat in self.chosen:
            raise IllegalPick(f"{self.match.names[seat]} has already picked in this round")
        self.match.check(seat, number, round)

    def completes(self, seat: Seat) -> bool:
        """Whether the pick of this seat is the last of the round."""
        return all(asked == seat or asked in self.chosen for asked in self.match.waiting())

    def _joined(self, event: Event) -> None:
        place = event.data["player"] - 1
        self.joined[place] = True
        names = list(self.terms.players)
        names[place] = event.data["name"]
        self.terms = self.terms._replace(players=check_players(tuple(names)))
        self.match = Match(self.terms)

    def _picked(self, event: Event) -> None:
        self.chosen[event.data["seat"]] = event.at

    def _played(self, event: Event) -> None:
        first, second = event.data["picks"]
        self.match.play((first, second))
        self._clear()

    def _undone(self, event: Event) -> None:
        while len(self.match.history) > event.data["rounds"]:
            self.match.undo()
        self._clear()

    def _ended(self, event: Event) -> None:
        if event.data["reason"] == VOID:
            self.void = True
        else:
            self.match.lose(event.data["loser"], event.data["reason"])
        self._clear()

    def _offered(self, event: Event) -> None:
        self.offers.add(event.data["seat"])

    def _rematch(self, event: Event) -> None:
        self.rematch = event.data["match"]

    def _clear(self) -> None:
        self.chosen.clear()
        self.numbers.clear()


def terms_of(data: dict[str, Any]) -> Terms:
    """The terms in an event of opening."""
    game = catalog.get(data["game"])
    one, two = data["players"]
    first, second = data["computers"]
    return agree(
        game,
        data["rulings"],
        players=(one, two),
        first=data["first"],
        repetition=data["repetition"],
        computers=(first, second),
    )
