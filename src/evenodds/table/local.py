"""A table on this machine: a match of people here and computers, saved after every pick."""

from contextlib import ExitStack
from datetime import date as Date
from threading import RLock
from typing import Final

from evenodds.core.match import Match, pending_picks
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import PASS, SEATS, Seat, other
from evenodds.players.player import Forfeit, Player, Unavailable
from evenodds.players.registry import PROGRAM_PREFIX, opponent, pick_timeout_s
from evenodds.system import Progress
from evenodds.system.files import PRIVATE_MODE
from evenodds.table.saved_matches import MODEL_LOG_SUFFIX, MatchFile, resume_command
from evenodds.table.table import Action, Refused, Series, SessionOptions, Table, TakenBack

MODEL_LOG_FAULT: Final = "The model's answers cannot be saved: {}. The match goes on."


class LocalTable(Table):
    """A match on this machine.

    Every pick is on disk before anything else happens. `leave` may be called while a computer
    thinks in another thread, which then does nothing but dismiss that computer.
    """

    actions = (Action.HINT, Action.UNDO, Action.RESIGN, Action.QUIT)

    def __init__(
        self,
        options: SessionOptions,
        match: Match | Terms,
        match_file: MatchFile | None = None,
        series: Series | None = None,
    ) -> None:
        self.resumed = isinstance(match, Match)
        if not isinstance(match, Match):
            seed = f"{options.rng.getrandbits(128):032x}" if match.game.chance else None
            match = Match(match._replace(date=Date.today()), seed=seed)
        super().__init__(options, match, match.terms.people, series)
        self.paced = not self.people
        self._file = match_file or MatchFile()
        self._players: dict[Seat, Player] = {}
        self._lock = RLock()
        """Held while the match changes or the table is left."""
        self._thinking: Seat | None = None
        self._left = self._unavailable = self._logged = False

    def start(self, progress: Progress) -> None:
        """Create the computers; games are solved before play."""
        for seat in SEATS:
            if seat not in self.people:
                self._seat_computer(seat, progress)
        self._tell_memory_faults()
        if pending_picks(self.match):
            self._save()

    def _seat_computer(self, seat: Seat, progress: Progress) -> None:
        terms, options = self.match.terms, self.options
        name = terms.computer(seat)
        named = name in options.external_players
        player = opponent(
            name,
            terms,
            seat,
            options.rng,
            progress,
            pick_timeout_s(name, options.bot_seconds) if named else None,
            remembers=True,
            log_line=self._log,
            tell=self._tell_search,
        )
        with self._lock:
            if self._left:
                player.leave(self.match.view(seat))
            else:
                self._players[seat] = player

    def _tell_search(self, line: str) -> None:
        self.searches = True
        self._tell(line)

    def advance(self, source: object = None) -> bool:
        """Let a computer pick; one that forfeits loses, and one that is unavailable does not."""
        if self.asked is not None or not self.waiting:
            return False
        seat = self._thinking = self.waiting[0]
        player, view = self._players[seat], self.match.view(seat)
        try:
            answer: int | Forfeit = player.pick(view)
        except Forfeit as failure:
            answer = failure
        except BaseException:
            self._thinking = None
            raise
        with self._lock:
            self._thinking = None
            if self._left:
                player.leave(view)
            elif isinstance(answer, Forfeit):
                self._forfeit(seat, answer)
            else:
                self.pick(seat, answer)
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
            complete = self.match.pick(seat, number)
            self._save()
            if complete:
                self._tell_round()
            if self.match.result:
                self._conclude()

    def consenting(self, seat: Seat) -> Seat | None:
        """The person without a pick, or who did not ask; nobody against a computer."""
        alone = len(self.people) < 2
        rounds = [*([] if alone else [self.chosen]), *reversed(self.match.history)]
        steps = [picks for picks in rounds if (picks[seat] if alone else any(picks))]
        if not steps:
            raise Refused("There is nothing to undo.")
        owners = [owner for owner in SEATS if steps[0][owner]]
        return None if alone else other(owners[0] if len(owners) == 1 else seat)

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
            self._events.clear()  # a front that leaves shows no board any more
            if self.match.result is None:
                self._keep()
                self._conclude()
            return [line for event in self.events() for line in getattr(event, "lines", ())]

    def _keep(self) -> None:
        if not (self.match.history or any(self.chosen) or self._unavailable):
            self._file.discard()
            self._tell("Nothing was played, so nothing is saved.")
        elif self._save():
            resume = resume_command(self._file.id, self.match)
            self._tell(f"The match is saved. Resume it with: {resume}")

    def _conclude(self) -> None:
        """End what goes with a match that is over or left; each part even if another fails."""
        super()._conclude()
        with ExitStack() as cleanup:  # in reverse order
            cleanup.callback(self._file.release)
            cleanup.callback(self._close_log)
            cleanup.callback(self._tell_memory_faults)
            for seat, player in self._players.items():
                if seat != self._thinking:
                    cleanup.callback(player.leave, self.match.view(seat))

    def _tell_memory_faults(self) -> None:
        """Say read and write errors of the reader's memory."""
        if "reader" in self.match.terms.computers:
            from evenodds.players.reader.memory import SHARED_MEMORY

            self._tell(*SHARED_MEMORY.take_faults())

    def _save(self) -> bool:
        """Save the match; whether it is saved.

        While a program is asked that could read the pending pick, that is saved only in leaving.
        """
        asked = map(self.match.terms.computer, self.waiting)
        hidden = self._left or not any(name.startswith(PROGRAM_PREFIX) for name in asked)
        with self._telling_faults("This match cannot be saved: {}. You can play on."):
            self._file.save(self.match, hidden)
            return True
        return False

    def _log(self, line: str) -> None:
        """Add to the log of what a language model is asked and answers."""
        self._logged = True
        with self._telling_faults(MODEL_LOG_FAULT):
            self._file.append_model_log(line)

    def _close_log(self) -> None:
        """Say the cost so far, and copy the log beside the record file."""
        if not self._logged:
            return
        from evenodds.players.llm.model_player import process_budget
        from evenodds.table import records

        if cost := process_budget().summary():
            self._tell(cost)
        if self.options.record is not None:
            copy = f"{self.options.record}.{MODEL_LOG_SUFFIX}"
            with self._telling_faults(MODEL_LOG_FAULT):
                records.append(copy, self._file.model_log(), between="", mode=PRIVATE_MODE)
