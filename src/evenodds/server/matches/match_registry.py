"""Registry of the matches that this process holds: open, join, look up, evict.

Everything in memory is in the ledger, too, from where any process can load it.
"""

import time
from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from evenodds.core.catalog import UnknownGame, folders
from evenodds.core.match import MATCH_OVER_MESSAGE, IllegalPick
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import Seat, other
from evenodds.protocol.events import Joined, RematchOpened
from evenodds.server.jobs.solve_queue import ReportQueue, SolveQueue
from evenodds.server.logs import LOG
from evenodds.server.matches.computers import Computers
from evenodds.server.matches.event_writer import EventWriter, next_entry
from evenodds.server.matches.match_session import (
    MATCH_ID_PATTERN,
    MatchSession,
    NotAuthorized,
    hashed,
    new_id,
    new_token,
)
from evenodds.server.matches.match_state import MatchState
from evenodds.server.matches.opening import MatchOptions, name_computers, opening_entry, with_name
from evenodds.server.matches.outages import Outages
from evenodds.server.matches.referee import Referee
from evenodds.server.rate_limits import LimitReached, ServerLimits
from evenodds.server.settings import Settings
from evenodds.server.storage import schema
from evenodds.server.storage.ledger import Ledger
from evenodds.server.storage.ledger_entries import Event, LedgerEntry, SeatCredential, WriteConflict
from evenodds.system import EvenOddsError
from evenodds.system.text import error_text, shorten

SEAT_TAKEN_MESSAGE: Final = "somebody has taken this seat already"


class MatchNotFound(EvenOddsError, LookupError):
    """There is no match with this id, or none that the rules of today allow."""


class SeatGrant(NamedTuple):
    """A granted seat: the match, its token, and an invitation for the other seat."""

    match: str
    token: str
    seat: Seat
    invitation: str = ""


class MatchRegistry:
    """All sessions of this process, with the referee, the computers and the job queues."""

    def __init__(
        self,
        ledger: Ledger,
        settings: Settings,
        limits: ServerLimits,
        solve_queue: SolveQueue | None = None,
    ) -> None:
        self.ledger = ledger
        self.settings = settings
        self.limits = limits
        self.outages = Outages(ledger.database)
        self.writer = EventWriter(ledger)
        self.referee = Referee(self.writer, self.check_outages)
        self.solve_queue = solve_queue or SolveQueue()
        self.report_queue = ReportQueue()
        self.computers = Computers(self.referee, self.solve_queue, settings.unwatched_seconds)
        self.writer.on_decided = self.computers.schedule
        self.sessions: dict[str, MatchSession] = {}
        self.archived_at = -inf
        """When unused matches were last archived."""
        self.closing = False
        """Whether the server is stopping: streams end."""
        self.announce: Callable[..., None] = lambda session, **what: None
        """Tells the other processes what happens here, or asks them who is present there."""

    async def open(
        self, terms: Terms, options: MatchOptions, name: str, player: int, address: str
    ) -> SeatGrant:
        """Open a match, with a seat for the opener; `BadTerms` and `LimitReached` refuse it."""
        await self._check_count(address)
        terms = name_computers(with_name(terms, player, name))
        own, rival = (not terms.computers[each - 1] for each in (player, 3 - player))
        id, seat = new_id(), terms.seat_of(player)
        token, invitation = (new_token() if person else "" for person in (own, rival))
        credentials = [SeatCredential(id, hashed(token), seat)] if own else []
        if rival:
            credentials.append(SeatCredential(id, hashed(invitation), other(seat), True))
        one, two = (each == player or not rival for each in (1, 2))
        entry = opening_entry(id, terms, options, (one, two), credentials, address)
        await self.ledger.write(entry)
        self._add_session(entry)
        return SeatGrant(id, token, seat, invitation)

    async def _check_count(self, address: str) -> None:
        """`LimitReached` where too many matches are open, in all or from one address."""
        if await self.ledger.count_open() >= self.settings.matches:
            raise LimitReached("the server is full; try again later")
        if await self.ledger.count_open(address) >= self.settings.matches_per_address:
            raise LimitReached(
                "too many matches were opened from your address; end one of them first"
            )

    async def invited(self, invitation: str, id: str | None = None) -> str:
        """The match that an invitation is for; `NotAuthorized` where it is for another or none."""
        found = await self.ledger.invitation(hashed(invitation))
        if found is None or id not in (None, found.match):
            raise NotAuthorized("there is no such invitation")
        return found.match

    async def join(self, invitation: str, name: str, key: str = "", listed: str = "") -> SeatGrant:
        """Take the seat that an invitation is for, and spend that, or the free seat of a match.

        A request repeated with the same key gets the same seat again.
        """
        session = await self.session(listed or await self.invited(invitation))
        hash = "" if listed else hashed(invitation)
        try:
            return await self._take_seat(session, name, key or new_token(), hash)
        except NotAuthorized as refusal:
            try:  # this key may have the seat already: a response was lost
                return SeatGrant(session.state.id, key, await self.seat_of(session, key))
            except NotAuthorized:
                raise refusal from None

    async def _take_seat(
        self, session: MatchSession, name: str, token: str, hash: str
    ) -> SeatGrant:
        async with session.lock:
            state, invitation = session.state, session.open_invitation()
            if not (hash or state.listed):
                raise NotAuthorized("this match is by invitation")
            if state.over:
                raise NotAuthorized(MATCH_OVER_MESSAGE)
            if invitation is None or (hash and invitation.hash != hash):
                raise NotAuthorized(SEAT_TAKEN_MESSAGE)
            player = state.terms.names.order.index(invitation.seat) + 1
            name = with_name(state.terms, player, name).players[player - 1]
            taken = SeatCredential(state.id, hashed(token), invitation.seat)
            entry = next_entry(
                state,
                Joined(player, name),
                credentials=[taken],
                spent_hash=invitation.hash,
                due=time.time() + state.clock if state.clock else None,
            )
            try:
                await self.writer.write(session, entry)
            except WriteConflict:  # the match may have been cancelled meanwhile
                await self.writer.catch_up(session)
                said = MATCH_OVER_MESSAGE if state.over else SEAT_TAKEN_MESSAGE
                raise NotAuthorized(said) from None
            kept = (each for each in session.credentials if each != invitation)
            session.credentials = [taken, *kept]
            session.notify_watchers()
        self.computers.schedule(session)
        return SeatGrant(state.id, token, invitation.seat)

    async def rematch(
        self, session: MatchSession, seat: Seat, address: str, stands: bool = True
    ) -> str:
        """Offer a rematch or agree to one: the id of the new match once both have, else empty."""
        state = await self.referee.offer_rematch(session, seat, stands)
        rival = other(seat)
        agreed = stands and (rival in state.offers or state.terms.computer(rival))
        if agreed and not state.rematch:
            async with session.lock:
                if not state.rematch:  # both may agree at once
                    await self._check_count(address)
                    await self._open_rematch(session, address)
        return state.rematch

    async def _open_rematch(self, session: MatchSession, address: str) -> None:
        """Open a match on the same terms with the seats swapped; the tokens stay valid."""
        state, id = session.state, new_id()
        options = MatchOptions(state.clock, state.sealed, state.listed)
        credentials = [
            SeatCredential(id, each.hash, other(each.seat))
            for each in session.credentials
            if not each.invitation
        ]
        swapped, joined = state.terms.swapped(), (True, True)
        opened = opening_entry(id, swapped, options, joined, credentials, address)
        try:
            await self.writer.write(session, next_entry(state, RematchOpened(id)), opened)
        except WriteConflict:  # the other has agreed at another process
            raise IllegalPick("the rematch is being opened; try again") from None
        session.notify_watchers()
        self._add_session(opened).expect_players_of(session)

    async def seat_of(self, session: MatchSession, token: str) -> Seat:
        """The seat that a token is for, perhaps by another process; or else `NotAuthorized`."""
        seat = session.seat_of(token)
        if seat is None and self.ledger.shared and not session.state.ready:
            await self.writer.refresh(session)
            seat = session.seat_of(token)
        if seat is None:
            raise NotAuthorized("this is not your seat")
        return seat

    async def session(self, id: str, watched: bool = True) -> MatchSession:
        """The session of a match, loaded from the ledger unless this process holds it.

        Computers play in watched matches only; a line in a list does not count as watching.
        """
        session = self.sessions.get(id)
        if session is None:
            # PostgreSQL takes no text with a NUL: what cannot be an id is not asked for.
            events = await self.ledger.events(id) if MATCH_ID_PATTERN.fullmatch(id) else []
            if not events:
                raise MatchNotFound(f"there is no match {shorten(id)}")
            try:
                state = self._new_state(id, events[0])
                for event in events[1:]:
                    state.apply(event)
            except Exception as error:  # the rules in a folder may have changed
                if isinstance(error, UnknownGame) or not folders():
                    raise
                LOG.warning("a match is left out", extra={"match": id, "why": error_text(error)})
                raise MatchNotFound(
                    f"the match {id} does not fit the rules as they are now"
                ) from None
            status, opener = await self.ledger.status(id)
            credentials = await self.ledger.credentials(id)
            session = MatchSession(state, credentials, opener, status == schema.ARCHIVED)
            # Another request may have loaded it meanwhile, and there must be one lock for a match.
            session = self.sessions.setdefault(id, session)
            self.announce(session)
        if self.ledger.shared and not session.caught_up:
            await self.writer.refresh(session)
            session.caught_up = True
        if watched:
            session.watched_at = time.monotonic()
            self.computers.schedule(session)
        return session

    def record_poll(self, session: MatchSession, seat: Seat) -> None:
        """Count a seat without a stream as present, for it polls."""
        new = seat not in session.local_seats()
        session.polled_at[seat] = time.monotonic()
        if new:
            self.presence_changed(session)

    def expire_polls(self) -> None:
        """Announce the seats that no longer poll as gone."""
        for session in self.sessions.values():
            if session.polled_at and session.expire_polls():
                self.presence_changed(session)

    def react(self, session: MatchSession, seat: Seat, sign: str) -> None:
        """Show a sign of a seat to all who look at the match."""
        session.react(seat, sign)
        self.announce(session, reaction=(seat, sign))

    def presence_changed(self, session: MatchSession) -> None:
        """Announce a change of presence to the other processes and to the watchers."""
        self.announce(session, seats=session.local_seats())
        session.notify_watchers()

    async def heartbeat(self) -> None:
        """Record a heartbeat; an outage moves all deadlines, so the watchers are notified."""
        if await self.outages.heartbeat():
            for session in self.sessions.values():
                session.notify_watchers()

    async def check_outages(self) -> None:
        """Look for an outage when a heartbeat is due."""
        if self.outages.is_due():
            await self.heartbeat()

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self.closing = True
        for session in self.sessions.values():
            session.notify_watchers()

    def evict_idle(self, idle: float) -> None:
        """Drop sessions without streams or recent requests; the ledger has their events."""
        before = time.monotonic() - idle
        for id, session in tuple(self.sessions.items()):
            if not session.watchers and session.watched_at < before and not session.lock.locked():
                del self.sessions[id]

    async def stop(self) -> None:
        """Stop the computers and the job queues."""
        await self.computers.tasks.stop()
        await self.solve_queue.stop()
        await self.report_queue.stop()

    def _new_state(self, id: str, opened: Event) -> MatchState:
        absence_s = self.settings.absence_minutes * 60
        return MatchState(id, opened, self.outages.seconds_since, absence_s)

    def _add_session(self, entry: LedgerEntry) -> MatchSession:
        state = self._new_state(entry.match, entry.event)
        opener = entry.opened["opener"] if entry.opened else ""
        session = self.sessions[entry.match] = MatchSession(state, list(entry.credentials), opener)
        self.computers.schedule(session)
        return session
