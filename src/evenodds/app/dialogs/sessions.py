"""Sessions of the terminal, reporting to a screen of the app."""

from collections import Counter
from datetime import date as Date
from typing import Final

from evenodds.app.dialogs.dialog import Dialog, DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import MatchEnded, NextAction, Post
from evenodds.app.dialogs.reports import fill_review
from evenodds.app.dialogs.table_reports import TableReports
from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.core.vocabulary import FIRST, Outcome, Seat
from evenodds.core.words import Names, winner
from evenodds.players.player import Player
from evenodds.players.profiles import names_for
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.session import EXIT_FINISHED, Session, SessionOptions
from evenodds.terminal.storage.matches import MatchFile

LOCAL_NEXT_ACTIONS: Final = (NextAction.AGAIN, NextAction.REVIEW, NextAction.OTHER)
WATCHED_ROUND_S: Final = 1.0
"""How long a round is shown where nobody here plays; Enter goes on."""


class TableSession(Session):
    """A session whose matches are shown by the app."""

    pace_s = WATCHED_ROUND_S
    keyboard: DialogKeyboard
    screen: DialogScreen

    def ask_next(self, *offered: NextAction) -> NextAction:
        """Ask what follows a match."""
        self.screen.post(MatchEnded(offered))
        self.keyboard.picking = True
        return NextAction(self.keyboard.read(""))

    def review(self, match: Match, names: Names) -> None:
        """Show the review of a match."""
        fill_review(match, names, self.screen)


class LocalSession(TableSession):
    """Consecutive matches at this keyboard, with a tally of wins."""

    def __init__(self, options: SessionOptions, post: Post) -> None:
        screen = DialogScreen(post)
        super().__init__(options, screen, DialogKeyboard(screen))
        self.wins: Counter[int | None] = Counter()
        """By place of a player; None for draws."""

    def toss(self, terms: Terms) -> Terms:
        """The terms with whom a coin lets begin, which is said."""
        tossed = terms._replace(first=self.rng.choice((1, 2)))
        self._tell_first("Coin toss", tossed)
        return tossed

    def _tell_first(self, why: str, terms: Terms) -> None:
        """Say who begins."""
        names = names_for(terms)
        goes = names.sentence(FIRST, "you go", f"{names[FIRST]} goes")
        self.screen.say(f"{why}: {goes} first.", "")

    def play_matches(self, terms: Terms, saved: tuple[Match, MatchFile] | None = None) -> int:
        """Play matches until the players leave; the exit code. The first may be a saved one.

        In games of turns the other player begins the next match.
        """
        while True:
            match, match_file = saved or (Match(terms._replace(date=Date.today())), MatchFile())
            exit_code = self.play_match(match, match_file, resumed=saved is not None)
            saved = None
            if exit_code is not None:
                return exit_code
            self._tell_score(match)
            while (following := self.ask_next(*LOCAL_NEXT_ACTIONS)) is NextAction.REVIEW:
                self.review(match, names_for(match.terms))
            if following is not NextAction.AGAIN:
                return EXIT_FINISHED
            if not terms.game.simultaneous:
                terms = terms.swapped()
                self._tell_first("Rematch", terms)

    def _tell_score(self, match: Match) -> None:
        """Add a match to the tally, and from the second on tell it."""
        result, names = match.result, names_for(match.terms)
        assert result is not None
        drawn = result.outcome == Outcome.DRAW
        self.wins[None if drawn else names.order.index(winner(result.outcome))] += 1
        if self.wins.total() > 1:
            won = ", ".join(
                f"{name} {self.wins[place]}" for place, (_, name) in enumerate(names.listed())
            )
            draws = f", draws {self.wins[None]}" if self.wins[None] else ""
            self.screen.say(f"Matches won: {won}{draws}.")

    def _new_loop(
        self, match: Match, match_file: MatchFile, players: dict[Seat, Player]
    ) -> MatchLoop:
        loop = TableReports(match, self.screen, self.keyboard, match_file, players)
        loop.fill_panels()
        return loop


def local_dialog(
    options: SessionOptions,
    terms: Terms,
    saved: tuple[Match, MatchFile] | None,
    coin: bool,
    post: Post,
) -> Dialog:
    """The dialog of matches at this keyboard; a coin says who begins games of turns."""
    session = LocalSession(options, post)

    def run() -> int:
        tossed = coin and not terms.game.simultaneous
        return session.play_matches(session.toss(terms) if tossed else terms, saved)

    return Dialog(session.screen, session.keyboard, run)
