"""Sessions and match loops of the terminal, reporting to a screen of the app."""

from collections.abc import Callable
from functools import partial
from typing import Final

from evenodds.app.dialogs.dialog import DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import MatchEnded, Post, Shown, Table
from evenodds.coach.review_text import result_line
from evenodds.core.match import Match
from evenodds.core.vocabulary import FIRST, SECOND, Seat
from evenodds.players.player import Player
from evenodds.players.profiles import profile
from evenodds.terminal.play.commands import PlayCommands
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.play.session import NextAction, Session, SessionOptions
from evenodds.terminal.storage.matches import MatchFile

PANEL_TITLES: Final = {
    "?": "Your choices",
    "rules": "Rules",
    "history": "Rounds so far",
    "hint": "Hint",
}
"""The commands whose answers fill a panel."""
LOCAL_NEXT_ACTIONS: Final = (
    NextAction.SWAP,
    NextAction.REVIEW,
    NextAction.OTHER,
    NextAction.QUIT,
)
WATCHED_ROUND_S: Final = 1.0
"""How long a round is shown where nobody here plays; any key goes on."""


class TableReports(MatchLoop):
    """A match loop that reports the table to the app."""

    keys_line = ""
    """The footer shows the keys."""
    keyboard: DialogKeyboard
    screen: DialogScreen
    _commands: PlayCommands

    def fill_panels(self) -> None:
        """Let commands that show something fill panels."""
        commands = self._commands.commands
        for word in PANEL_TITLES.keys() & commands.keys():
            commands[word] = partial(self._in_panel, PANEL_TITLES[word], commands[word])

    def report(self, asked: Seat | None = None) -> None:
        """Show the table; `asked` is the seat that is to pick here."""
        match, names = self.match, self.match.names
        near = self.people[0] if len(self.people) == 1 else names.order[0]
        view = match.view(asked)._replace(chosen=self.chosen())
        prompt = result_line(match) if match.result else ""
        if asked is not None:
            prompt = self.words.prompt(match.state, asked, view.choices, names)
        table = Table(
            view,
            match.states[-2] if match.history else None,
            near,
            asked,
            self.unseen,
            tuple(self.people),
            (self._label(FIRST), self._label(SECOND)),
            prompt,
        )
        self.screen.post(Shown(table, match.terms.title))

    def _label(self, seat: Seat) -> str:
        computer = self.match.terms.computer(seat)
        name = profile(computer).name if computer else ""
        return "" if name == self.match.names[seat] else name

    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round."""
        return self.match.view().chosen

    def play(self) -> None:
        """Play, and show the end."""
        self.report()
        super().play()
        self.report()

    def announce_again(self) -> None:
        """Show the table after rounds were taken back."""
        super().announce_again()
        self.report()

    def _in_panel(self, title: str, command: Callable[[Seat], None], seat: Seat) -> None:
        with self.screen.panel(title):
            command(seat)

    def _ask(self, seat: Seat) -> None:
        self.report(seat)
        self.keyboard.picking = True
        super()._ask(seat)

    def _refuse(self, problem: str, choices: tuple[int, ...]) -> None:
        with self.screen.status(refusal=True):
            super()._refuse(problem, choices)

    def _play_computer(self, seat: Seat) -> None:
        self.report()
        super()._play_computer(seat)

    def _pause(self) -> None:
        """Go on at once; a match of computers is shown round by round."""
        self.report()
        if not self.people and not self.match.result:
            self.keyboard.next_line(timeout_s=WATCHED_ROUND_S)


class LocalLoop(TableReports):
    """The loop of a match at this keyboard."""


class TableSession(Session):
    """A session whose matches are shown by the app."""

    keyboard: DialogKeyboard
    screen: DialogScreen

    def _ask_next(self, *offered: NextAction) -> NextAction:
        self.screen.post(MatchEnded(offered or LOCAL_NEXT_ACTIONS))
        self.keyboard.picking = True
        return NextAction(self.keyboard.read(""))

    def _review(self, match: Match) -> None:
        with self.screen.panel("Review"):
            super()._review(match)


class LocalSession(TableSession):
    """Matches at this keyboard."""

    def __init__(self, options: SessionOptions, post: Post) -> None:
        screen = DialogScreen(post)
        super().__init__(options, screen, DialogKeyboard(screen))
        self.interactive = True

    def _new_loop(
        self, match: Match, match_file: MatchFile, players: dict[Seat, Player]
    ) -> MatchLoop:
        loop = LocalLoop(
            match, self.screen, self.keyboard, match_file, players, interactive=self.interactive
        )
        loop.fill_panels()
        return loop
