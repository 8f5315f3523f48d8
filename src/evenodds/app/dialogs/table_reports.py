"""The match loop of the terminal, reporting the table to a screen of the app."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from evenodds.app.dialogs.dialog import DialogKeyboard, DialogScreen
from evenodds.app.dialogs.messages import Progressed, Shown, Table
from evenodds.core.vocabulary import FIRST, SECOND, Seat
from evenodds.core.words import Names
from evenodds.engine.on_demand import NotSolved
from evenodds.players.profiles import names_for, profile
from evenodds.players.registry import MODEL_PREFIX
from evenodds.render.narration import tell_ending, tell_round
from evenodds.terminal.play.commands import PlayCommands
from evenodds.terminal.play.match_loop import MatchLoop
from evenodds.terminal.storage.matches import saved_line

PANEL_TITLES: Final = {
    "?": "Your choices",
    "rules": "Rules",
    "history": "Picks so far",
    "hint": "Hint",
    "map": "Map of all picks",
}
"""The commands whose answers fill a panel."""


class TableReports(MatchLoop):
    """A match loop that reports the table to the app, and speaks to the player at it."""

    keyboard: DialogKeyboard
    screen: DialogScreen
    _commands: PlayCommands

    @property
    def names(self) -> Names:
        """What the players are called: "You" where one person plays here."""
        terms = self.match.terms
        if len(self.people) == 1:
            return names_for(terms, self.people[0])
        return names_for(terms) if all(terms.computers) else terms.names

    @property
    def _in_book_words(self) -> bool:
        """Whether the log speaks as the rule book does: to nobody, of the players of the book."""
        return self.names == self.match.names

    def fill_panels(self) -> None:
        """Let commands that show something fill panels."""
        commands = self._commands.commands
        if "hint" in commands:
            commands["map"] = self._show_map
        for word in PANEL_TITLES.keys() & commands.keys():
            commands[word] = partial(self._in_panel, PANEL_TITLES[word], commands[word])

    def _show_map(self, seat: Seat) -> None:
        """Show what every pair of picks leads to."""
        from evenodds.app.dialogs.heat_map import draw_heat_map
        from evenodds.terminal.solving import solve_with_progress

        try:
            matrix = solve_with_progress(self.match.terms).matrix(self.match.state)
        except NotSolved as error:
            self.screen.say(f"There is no map of this match: {error}.")
        else:
            said, rows = draw_heat_map(matrix, seat, self.names, self.screen.columns)
            self.screen.say(*said)
            for row in rows:
                self.screen.print(row)

    def report(self, asked: Seat | None = None) -> None:
        """Show the table; `asked` is the seat that is to pick here."""
        match, names = self.match, self.names
        view = match.view(asked)._replace(chosen=self.chosen(), names=names)
        prompt = tell_ending(match, match.result, names) if match.result else ""
        if asked is not None:
            prompt = self.words.request(asked, view.choices, names)
        table = Table(
            view,
            match.states[-2] if match.history else None,
            self.people[0] if len(self.people) == 1 else names.order[0],
            asked,
            self.unseen,
            tuple(self.people),
            (self._label(FIRST), self._label(SECOND)),
            prompt,
        )
        self.screen.post(Shown(table, match.terms.title_for(names)))

    def _label(self, seat: Seat) -> str:
        computer = self.match.terms.computer(seat)
        name = profile(computer).name if computer else ""
        return "" if name == self.names[seat] else name

    def chosen(self) -> tuple[bool, bool]:
        """Which seats have a pick in this round."""
        return self.match.view().chosen

    def play(self) -> None:
        """Play, and show the end."""
        self.report()
        super().play()
        self.report()

    def show_opening(self) -> None:
        """Say what wins, and how a computer plays."""
        computers = dict.fromkeys(filter(None, self.match.terms.computers))
        self.screen.say(
            self.words.goal(self.match.terms.rulings),
            *(f"{profile(name).name}: {profile(name).line}" for name in computers),
        )
        self._warn_of_hidden_input()

    def save(self, hidden: bool = True) -> None:
        """Save; while a model is waited for, the app may be left without a word of the dialog."""
        super().save(hidden)
        is_open = self.saved and not self.match.result
        self.screen.farewell = [saved_line(self.match_file.id, self.match)] if is_open else []

    def announce_again(self) -> None:
        """Show the table after rounds were taken back."""
        super().announce_again()
        self.report()

    def _announce(self) -> None:
        if self._in_book_words:
            super()._announce()

    def _tell_round(self, before: Any) -> None:
        if self._in_book_words:
            super()._tell_round(before)
        else:
            self.screen.say("", tell_round(self.match, len(self.match.history), self.names))

    def _tell_ending(self) -> None:
        if self._in_book_words or self.match.result is None:
            super()._tell_ending()
        else:
            self.screen.say("", tell_ending(self.match, self.match.result, self.names))

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
        if self.match.terms.computer(seat).startswith(MODEL_PREFIX):
            with self.screen.status():
                self.screen.say("Asking the model.")
        super()._play_computer(seat)

    def _computed_pick(self, seat: Seat) -> int:
        with self.screen.long_work():
            return super()._computed_pick(seat)

    def _pause(self) -> None:
        """Go on at once."""
        self.report()

    def _watch(self, seconds: float) -> None:
        self.report()
        self.screen.post(Progressed("Press Enter to go on."))
        self.keyboard.next_line(timeout_s=seconds)
