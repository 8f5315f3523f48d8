"""Computer players of server matches: picks computed in a thread pool while watched.

No fault of the server costs a computer the match: it plays by search until its solution is there,
retries after an error, and has no clock.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from evenodds.core.match import IllegalPick
from evenodds.core.notation.seals import commitment, new_salt
from evenodds.core.vocabulary import SEAT_NAMES, Seat
from evenodds.engine.on_demand import NotSolved
from evenodds.players import registry
from evenodds.players.player import Player
from evenodds.server.jobs import SupervisedTasks
from evenodds.server.jobs.solve_queue import SolveQueue, job_key
from evenodds.server.logs import LOG
from evenodds.server.matches.match_session import Delay, MatchSession
from evenodds.server.matches.match_state import REVEAL
from evenodds.server.matches.referee import Referee
from evenodds.server.storage.database import DatabaseError
from evenodds.server.storage.ledger_entries import Secret

if TYPE_CHECKING:
    from evenodds.engine.solution import Solution

SEARCH: Final = "search"
"""The player that needs no solution; made anew for each pick, for it holds much memory."""
CACHED_SOLUTION_WAIT_S: Final = 0.05
"""Seconds that later picks wait: a solution that is cached by now comes within that."""
MAX_RETRY_S: Final = 60.0
"""The longest delay before a pick is tried again after an error."""


@dataclass(eq=False)
class Computers:
    """Starts a task for each computer whose action is due in a watched match."""

    referee: Referee
    solve_queue: SolveQueue
    unwatched_s: float
    """Seconds without a request or stream after which a match counts as unwatched."""
    opponent: Callable[..., Player] = registry.opponent
    """Makes the player of a seat."""
    solution_wait_s: float = 10.0
    """Seconds that the first pick waits for a solution before search replaces the exact player."""
    first_retry_s: float = 1.0
    """Delay before a pick is tried again after an error; it doubles with each."""
    tasks: SupervisedTasks = field(default_factory=SupervisedTasks)
    """The actions that are due; threads end with the pick they compute."""
    _scheduled: set[tuple[str, Seat, int]] = field(default_factory=set)

    def schedule(self, session: MatchSession) -> None:
        """Start a task for each computer whose action is due, unless it runs already."""
        state = session.state
        if not any(state.computers):
            return
        for seat in state.waiting():
            key = (state.id, seat, state.stage)
            if (
                state.computers[seat]
                and key not in self._scheduled
                and session.is_watched(self.unwatched_s)
            ):
                self._scheduled.add(key)
                self.tasks.start(self._act(session, seat, key), "computer")

    async def _act(self, session: MatchSession, seat: Seat, key: tuple[str, Seat, int]) -> None:
        """Take the action that is due; retried with growing delays after an error."""
        delay_s = self.first_retry_s
        try:
            while True:
                try:
                    await self._act_once(session, seat)
                    return
                except IllegalPick:  # another process was faster, or the pick was taken back
                    return
                except DatabaseError:
                    pass
                except Exception:
                    name = session.state.terms.computer(seat)
                    details = {"match": session.state.id, "computer": name}
                    LOG.exception("a computer could not pick", extra=details)
                    session.set_delay("trouble")
                await asyncio.sleep(delay_s)
                delay_s = min(2 * delay_s, MAX_RETRY_S)
        finally:
            self._scheduled.discard(key)

    async def _act_once(self, session: MatchSession, seat: Seat) -> None:
        state, round = session.state, session.state.match.round
        if state.phase == REVEAL:
            await self.referee.reveal(session, seat, round, None)
            return
        stage = state.stage
        player = await self._player(session, seat)
        is_default = job_key(state.terms).is_default
        lane, view = ("picks", player.is_slow, is_default), state.view(seat)
        number = await self.solve_queue.run(lane, session.opener, player.pick, view)
        if session.delay == "trouble":
            session.set_delay(None)
        if state.stage != stage:  # a pick was taken back, or the match ended, meanwhile
            return
        if not state.sealed:
            await self.referee.pick(session, seat, round, number)
            return
        salt = new_salt()
        committed = commitment(state.id, str(SEAT_NAMES[seat]), round, number, salt)
        secret = Secret(state.id, round, seat, number, salt)
        await self.referee.commit(session, seat, round, committed, secret)

    async def _player(self, session: MatchSession, seat: Seat) -> Player:
        """The player of a seat: its computer or, while that has no solution, search.

        It has no memory of opponents: on a server anyone may use any name.
        """
        if seat in session.opponents:
            return session.opponents[seat]
        terms, solution = session.state.terms, None
        name = terms.computer(seat)
        if registry.is_exact(name):
            solution = await self._solution(session)
            name = name if solution is not None else SEARCH
        player = self.opponent(name, terms, seat, Random(), solution=solution)
        if name != SEARCH:
            session.opponents[seat] = player
        return player

    async def _solution(self, session: MatchSession) -> "Solution | None":
        """The solution for the computers of a match, or None.

        Only the first pick waits long. A match whose game could not be solved does not try again.
        """
        terms, wait = session.state.terms, self.solution_wait_s
        if not self.solve_queue.is_cached(terms):
            if session.delay == "unsolved":
                return None
            if session.delay == "search":
                wait = CACHED_SOLUTION_WAIT_S
            else:
                session.set_delay("solving")
        solution = None
        delay: Delay | None = None
        try:
            solution = await self.solve_queue.solution(terms, session.opener, wait)
        except NotSolved:
            delay = "unsolved"
        except Exception:  # the queue is full, the wait timed out, or the error is logged already
            delay = "search"
        session.set_delay(delay)
        return solution
