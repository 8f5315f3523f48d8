"""The home screen: the games, matches to go on with, puzzles, settings."""

from collections.abc import Iterable
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.dialogs.messages import Wanted
from evenodds.app.drawing.styles import board_styles
from evenodds.app.panels import TOO_SMALL, TextPanel
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import other
from evenodds.players.profiles import names_for
from evenodds.terminal.play.menu import resumable_matches
from evenodds.terminal.storage.matches import SavedMatch

PICTURE_COLUMNS: Final = 13
PICTURE_ROWS: Final = 3
SPACED_MIN_ROWS: Final = 24
"""The height of a window in which pictures have a space between them."""
OTHER_ACTIONS: Final = {
    "daily": "Puzzle of the day",
    "train": "Puzzles of a game",
    "study": "Study: is it any good?",
    "settings": "Settings",
    "quit": "Quit",
}
TITLE: Final = "Even Odds"
HELP: Final = """\
Choose with the arrow keys, the mouse or a number, and press Enter.
Tab goes from the games to what is beside them, and back.

1-5  play a game            r  rules of the game under the cursor
g    go on with a match     t  puzzles of that game
d    the puzzle of the day  y  study of that game: is it any good?
s    settings               q  quit"""


class MoreList(OptionList):
    """What is listed beside the games; it tells when there is more or less room."""

    class Resized(Message):
        """The list has another size."""

    def on_resize(self) -> None:
        """Tell it."""
        self.post_message(self.Resized())


class HomeScreen(Screen[None]):
    """Where the app begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "go_on", "Go on"),
        Binding("d", "want('daily')", "Daily"),
        Binding("t", "want('train')", "Puzzles"),
        Binding("r", "want('rules')", "Rules"),
        Binding("y", "want('study')", "Study"),
        Binding("s", "want('settings')", "Settings"),
        Binding("q", "want('quit')", "Quit"),
        Binding("question_mark", "help", "Help"),
        Binding("left,right", "app.focus_next", show=False),
        *(Binding(str(place), f"game({place})", show=False) for place in range(1, 10)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = catalog.list_games(installed=False)
        self.matches: list[SavedMatch] = []

    def compose(self) -> ComposeResult:
        """The games on the left, everything else on the right."""
        yield Static(Text(TITLE, style="bold"), id="title")
        with Horizontal(id="home"):
            games = OptionList(id="games")
            games.border_title = "Play"
            yield games
            with Vertical(id="beside"):
                more = MoreList(id="more")
                more.border_title = "More"
                yield more
        yield Footer(show_command_palette=False)
        yield Static(TOO_SMALL, id="too-small")

    def on_mount(self) -> None:
        """List the games."""
        self._list_games()
        self.query_one("#games").focus()

    def on_screen_resume(self) -> None:
        """Matches may have been left or played to the end meanwhile; the games do not wait."""
        self.call_after_refresh(self.run_worker, self._load, thread=True, exclusive=True)

    def _load(self) -> None:
        games, self.matches = catalog.list_games(), resumable_matches()
        if games != self.games:
            self.games = games
            self.app.call_from_thread(self._list_games)
        self.app.call_from_thread(self._list_more)

    def _list_games(self) -> None:
        listed = self.query_one("#games", OptionList)
        listed.set_options(
            [Option(self._entry(place, game), game.name) for place, game in enumerate(self.games)]
        )
        listed.highlighted = 0

    @on(MoreList.Resized)
    def _list_more(self) -> None:
        """List as many matches as there is room for."""
        more = self.query_one("#more", OptionList)
        columns, rows = more.content_size
        if not columns:  # before the first layout
            return

        def fits(texts: Iterable[Text]) -> bool:
            return sum(len(text.wrap(self.app.console, columns)) for text in texts) <= rows

        other = {name: Text(label) for name, label in OTHER_ACTIONS.items()}
        listed = {f"match:{saved.id}": _go_on(saved.match) for saved in self.matches[:rows]}
        left_out: list[Text] = []
        while listed and not fits([*listed.values(), *left_out, *other.values()]):
            listed.popitem()
            left_out = [Text(f"{len(self.matches) - len(listed)} more: evenodds matches", "dim")]
        options = [Option(text, name) for name, text in (listed | other).items()]
        options[len(listed) : len(listed)] = [Option(text, disabled=True) for text in left_out]
        more.clear_options()
        more.add_options(options)

    def _entry(self, place: int, game: AnyGame) -> Table:
        """The picture of a game beside its title and its goal."""
        styles = board_styles(self.app.current_theme.dark)
        rows = PICTURE_ROWS + (self.app.size.height >= SPACED_MIN_ROWS and game != self.games[-1])
        lines = (game.words.picture() + [[]] * rows)[:rows]
        picture = Text("\n", no_wrap=True).join(
            Text.assemble(*((span.text, styles[span.style]) for span in line)) for line in lines
        )
        entry = Table.grid(padding=(0, 1))
        entry.add_column(width=PICTURE_COLUMNS)
        entry.add_row(picture, Text.assemble((f"{place + 1} {game.title}\n", "bold"), game.summary))
        return entry

    @property
    def highlighted_game(self) -> AnyGame:
        """The game under the cursor."""
        return self.games[self.query_one("#games", OptionList).highlighted or 0]

    @on(OptionList.OptionSelected, "#games")
    def play(self, event: OptionList.OptionSelected) -> None:
        """Play a game."""
        self.post_message(Wanted("game", self.games[event.option_index].name))

    @on(OptionList.OptionSelected, "#more")
    def do(self, event: OptionList.OptionSelected) -> None:
        """Do what was chosen."""
        what, _, name = (event.option_id or "").partition(":")
        if what in ("train", "study"):
            name = self.highlighted_game.name
        self.post_message(Wanted(what, name))

    def action_game(self, place: int) -> None:
        """Play the game of that number."""
        if place <= len(self.games):
            self.post_message(Wanted("game", self.games[place - 1].name))

    def action_go_on(self) -> None:
        """Go on with the match played last."""
        if self.matches:
            self.post_message(Wanted("match", self.matches[0].id))
        else:
            self.notify("There is no open match.")

    def action_want(self, what: str) -> None:
        """Ask the app for something, of the game under the cursor."""
        self.post_message(Wanted(what, self.highlighted_game.name))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(TextPanel("Keys", [Text(HELP)]))


def _go_on(match: Match) -> Text:
    names = names_for(match.terms)
    against = " and ".join(names.by_seat) if names.you is None else names[other(names.you)]
    about = f"\n  {against}, round {match.round}"
    return Text.assemble(("Go on: ", "bold"), match.game.title, (about, "dim"))
