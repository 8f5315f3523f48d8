"""A table on this machine: a match of people here and computers, saved after every pick."""

from contextlib import ExitStack
from datetime import date as Date
from threading import Lock
from typing import Any, Final

from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, PASS, SEATS, Seat, other
from evenodds.players.player import Forfeit, Player, Unavailable
from evenodds.players.profiles import names_for
from evenodds.players.registry import PROGRAM_PREFIX, opponent, pick_timeout_s
from evenodds.table.model_log import ModelLog
from evenodds.table.saved_matches import MatchFile, saved_line
from evenodds.table.series import Series
from evenodds.table.table import (
    HINT,
    QUIT,
    RESIGN,
    UNDO,
    Ended,
    Refused,
    RoundPlayed,
    SessionOptions,
    Table,
    TakenBack,
    Work,
)

LOCAL_ACTIONS: Final = {
    HINT: "what to pick here, and why",
    UNDO: "take back a pick",
    RESIGN: "give up this match",
    QUIT: "leave; the match is kept",
}


class LocalTable(Table):
    """A match on this machine.

    Every pick is on disk before anything else happens. `leave` may be called while a computer
    thinks in another thread, which then does nothing but dismiss that computer.
    """

    def __init__(
        self,
        options: SessionOptions,
        match: Match | Terms,
        match_file: MatchFile | None = None,
        series: Series | None = None,
    ) -> None:
        super().__init__(options, series)
        self.resumed = isinstance(match, Match)
        self.match = match if isinstance(match, Match) else Match(match._replace(date=Date.today()))
        self.people = tuple(seat for seat in SEATS if not self.match.terms.computer(seat))
        self.paced = not self.people
        self.actions = dict(LOCAL_ACTIONS)
        self._file = match_file or MatchFile()
        self._model_log = ModelLog(self._file, self._tell)
        self._players: dict[Seat, Player] = {}
        self._lock = Lock()
        """Held while the match changes or the table is left."""
        self._thinking: Seat | None = None
        self._saved = self._left = self._unavailable = False
        self._save_error = ""

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose picks are missing."""
        return self.match.waiting()

    @property
    def asked(self) -> Seat | None:
        """The first person who is to pick: people pick before computers."""
        return next((seat for seat in self.waiting if seat in self.people), None)

    @property
    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round."""
        return self.match.view().chosen

    def tell_first(self, why: str) -> None:
        """Say who begins, and why."""
        names = names_for(self.match.terms)
        goes = names.sentence(FIRST, "you go", f"{names[FIRST]} goes")
        self._tell(f"{why}: {goes} first.", "")

    def start(self, work: Work) -> None:
        """Create the computers; games are solved before play."""
        if any(self.match.terms.computers):
            with work() as progress:
                for seat in SEATS:
                    self._seat_computer(seat, progress)
            self._tell_memory_faults()
        if self.match.secrets():
            self._save_pick()

    def _seat_computer(self, seat: Seat, progress: Any) -> None:
        terms, options = self.match.terms, self.options
        name = terms.computer(seat)
        if not name:
            return
        named = name in options.external_players
        player = opponent(
            name,
            terms,
            seat,
            options.rng,
            progress,
            pick_timeout_s(name, options.bot_seconds) if named else None,
            remembers=True,
            log_line=self._model_log.append,
            tell=self._tell,
        )
        with self._lock:
            if self._left:
                player.leave(self.match.view(seat))
            else:
                self._players[seat] = player

    def advance(self, source: Any = None) -> bool:
        """Let a computer pick; one that forfeits loses, and one that is unavailable does not."""
        if self.asked is not None or not self.waiting:
            return False
        seat = self._thinking = self.waiting[0]
        player, view = self._players[seat], self.match.view(seat)
        number, failure = PASS, None
        try:
            number = player.pick(view)
        except Forfeit as error:
            failure = error
        except BaseException:
            self._thinking = None
            raise
        with self._lock:
            self._thinking = None
            if self._left:
                player.leave(view)
            elif failure is None:
                self._take(seat, number)
            else:
                self._forfeit(seat, failure)
        return not self._left

    def _forfeit(self, seat: Seat, failure: Forfeit) -> None:
        reason = str(failure)
        self._tell("", f"{reason[:1].upper()}{reason[1:]}.")
        if isinstance(failure, Unavailable):
            self._unavailable = True
            raise failure
        self.match.lose(seat, "forfeit")
        self._save()
        self._conclude()

    def pick(self, seat: Seat, number: int) -> None:
        """Take a pick; when it completes the round, both are revealed."""
        with self._lock:
            self._take(seat, number)

    def _take(self, seat: Seat, number: int) -> None:
        before = self.match.state
        complete = self.match.pick(seat, number)
        self._save_pick()
        if complete:
            after, picks = self.match.state, self.match.history[-1]
            self._events.append(RoundPlayed(before, picks, after))
        if self.match.result:
            self._conclude()

    def consenting(self, seat: Seat) -> Seat | None:
        """The person without a pick, or who did not ask; nobody against a computer."""
        history, chosen = self.match.history, self.chosen
        if len(self.people) < 2:
            possible = any(picks[seat] != PASS for picks in history)
        else:
            possible = bool(history or any(chosen))
        if not possible:
            raise Refused("There is nothing to undo.")
        if len(self.people) < 2:
            return None
        owners = [owner for owner in SEATS if chosen[owner]] or [
            owner for owner in SEATS if history[-1][owner] != PASS
        ]
        return other(owners[0] if len(owners) == 1 else seat)

    def take_back(self, seat: Seat) -> None:
        """Undo one step; against a computer as many as lead back to a pick of this seat."""
        with self._lock:
            while len(self.people) < 2 and self.match.history[-1][seat] == PASS:
                self.match.undo()
            self.match.undo()
            self._save()
            self._events.append(TakenBack())

    def resign(self, seat: Seat) -> None:
        """Give the match to the other seat."""
        with self._lock:
            self.match.resign(seat)
            self._save()
            self._conclude()

    def rematch(self) -> "LocalTable":
        """The next match; in games of turns the other player begins it."""
        terms = self.match.terms
        following = terms if terms.game.simultaneous else terms.swapped()
        table = LocalTable(self.options, following, series=self.series)
        if not terms.game.simultaneous:
            table.tell_first("Rematch")
        return table

    def leave(self) -> list[str]:
        """Leave the table; a match without a pick is kept only where its opponent fails."""
        with self._lock:
            if self._left:
                return []
            self._left = True
            self.events()  # a front that leaves shows no board any more
            if self.match.result is None:
                self._keep()
                self._conclude()
            return [line for event in self.events() for line in getattr(event, "lines", ())]

    def _keep(self) -> None:
        if not (self.match.history or any(self.chosen) or self._unavailable):
            self._file.discard()
            self._tell("Nothing was played, so nothing is saved.")
            return
        self._save()
        if self._saved:
            self._tell(saved_line(self._file.id, self.match))

    def _conclude(self) -> None:
        """End what goes with a match that is over or left; each part even if another fails."""
        if self.match.result:
            self._events.append(Ended())
            self.series.count(self.match.result, self.names)
        if self.options.record is not None:
            from evenodds.core import notation

            self._append_record(notation.write(self.match))
        with ExitStack() as cleanup:  # in reverse order
            cleanup.callback(self._file.release)
            cleanup.callback(self._model_log.close, self.options.record)
            cleanup.callback(self._tell_memory_faults)
            for seat, player in self._players.items():
                if seat != self._thinking:
                    cleanup.callback(player.leave, self.match.view(seat))

    def _tell_memory_faults(self) -> None:
        """Say read and write errors of the reader's memory."""
        if "reader" in self.match.terms.computers:
            from evenodds.players.reader.memory import SHARED_MEMORY

            self._tell(*SHARED_MEMORY.take_faults())

    def _save_pick(self) -> None:
        """Save the match; without the pending pick while a program that could read it is asked."""
        waiting_computers = map(self.match.terms.computer, self.waiting)
        self._save(hidden=not any(name.startswith(PROGRAM_PREFIX) for name in waiting_computers))

    def _save(self, hidden: bool = True) -> None:
        """Save the match; an error is said once, and play goes on."""
        try:
            self._file.save(self.match, hidden)
            self._saved = True
        except OSError as error:
            self._saved = False
            said = f"This match cannot be saved: {error.strerror or error}. You can play on."
            if said != self._save_error:
                self._tell(said)
            self._save_error = said
