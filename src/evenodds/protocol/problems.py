"""Errors of a match server, as problem details (RFC 9457)."""

from msgspec import Struct

from evenodds.protocol.match_view import MatchView


class Problem(Struct):
    """An error: what is wrong with the request, and what is allowed (RFC 9457)."""

    status: int
    title: str
    detail: str


class StaleRoundProblem(Problem):
    """The error of a request for a past round, with the current view of the match."""

    view: MatchView
