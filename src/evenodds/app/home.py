"""The home screen: the games, matches to go on with, puzzles, settings."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from evenodds.app.background import in_thread
from evenodds.app.drawing.pieces import board_styles
from evenodds.app.panels import TOO_SMALL
from evenodds.app.record import Score, next_level, record_line, scores
from evenodds.app.settings import SettledApp
from evenodds.coach.puzzles import puzzle_day
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.vocabulary import other
from evenodds.players.profiles import names_for, profile
from evenodds.system.text import wrapped
from evenodds.table.saved_matches import SavedMatch, is_resumable, saved_matches

PICTURE_COLUMNS: Final = 13
PICTURE_ROWS: Final = 3
GOALS_MIN_COLUMNS: Final = 80
"""The width of a window in which goals stand beside the pictures."""
SPACED_MIN_ROWS: Final = 24
"""The height of a window in which pictures have a space between them."""
OTHER_ACTIONS: Final = {
    "daily": "Puzzle of the day (d)",
    "train": "Puzzles of a game",
    "study": "Study: is it a good game?",
    "join": "Join by a link (j)",
    "matches": "Your matches (m)",
    "settings": "Settings",
    "quit": "Quit",
}
TITLE: Final = "Even Odds"
HELP: Final = """\
Choose with the arrow keys and Enter, with the mouse, or type a number.
Tab goes from the games to what is beside them, and back.

1-5  play a game            r  rules of this game
g    go on with a match     t  puzzles of this game
m    your matches           y  study: is it a good game?
d    the puzzle of the day  s  settings
j    join a match by link   q  quit

This game is the one under the cursor."""


@dataclass
class Wanted(Message):
    """Something is asked of the app: a game, a match to go on with, puzzles, settings, the end."""

    what: str
    name: str = ""


class HomeScreen(Screen[None]):
    """Where the app begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "go_on", show=False),
        Binding("m", "want('matches')", show=False),
        Binding("d", "want('daily')", show=False),
        Binding("j", "want('join')", show=False),
        Binding("r", "want('rules')", "Rules"),
        Binding("t", "want('train')", "Puzzles"),
        Binding("y", "want('study')", "Study"),
        Binding("s", "want('settings')", "Settings"),
        Binding("q", "want('quit')", "Quit"),
        Binding("question_mark", "want('keys')", "Help"),
        Binding("left,right", "app.focus_next", show=False),
        *(Binding(str(place), f"game({place})", show=False) for place in range(1, 10)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = catalog.list_games(installed=False)
        self.matches: list[SavedMatch] = []
        self.scores: list[Score] = []
        self.level = ""
        """The level to try next in the game played last; empty for none."""
        self._look: tuple[int, bool, int, str] | None = None
        """What the pictures of the games depend on, as they are drawn."""

    def compose(self) -> ComposeResult:
        """The games on the left, everything else on the right."""
        games, more = OptionList(id="games"), OptionList(id="more")
        games.border_title, more.border_title = "Play", "More"
        yield Static(TITLE, id="title")
        yield Horizontal(games, Vertical(more, id="beside"), id="home")
        yield Footer(show_command_palette=False)
        yield Static(TOO_SMALL, id="too-small")

    def on_mount(self) -> None:
        """Begin at the games."""
        self.query_one("#games").focus()

    def on_resize(self) -> None:
        """Pictures have a space between them where there is room, and more matches are listed."""
        self._list_games()
        self.call_after_refresh(self._show)

    def on_descendant_focus(self) -> None:
        """Begin at the first line of the other list, so that Enter does something."""
        more = self.query_one("#more", OptionList)
        if more.has_focus and more.highlighted is None:
            more.action_first()

    def on_screen_resume(self) -> None:
        """Matches may have been left or played to the end meanwhile, and colours changed."""
        self._list_games()
        self.call_after_refresh(lambda: self.run_worker(self._load(), exclusive=True))

    async def _load(self) -> None:
        def look() -> None:
            self.games = catalog.list_games()
            saved = saved_matches()[0]
            self.matches = [each for each in saved if is_resumable(each.match)]
            self.scores = scores(saved)
            self.level = next_level(self.scores)

        await in_thread(look)
        self._show()

    def _show(self) -> None:
        with suppress(NoMatches):  # the app was left meanwhile, and its lists are gone
            self._list_games()
            self._list_more()
            self._tell_about()

    def _list_games(self) -> None:
        look = (len(self.games), self._roomy, self.app.size.width, self.app.theme)
        if look == self._look:
            return
        self._look = look
        listed = self.query_one("#games", OptionList)
        highlighted = listed.highlighted or 0
        listed.set_options(
            [Option(self._entry(place, game), game.name) for place, game in enumerate(self.games)]
        )
        listed.highlighted = highlighted

    def _list_more(self) -> None:
        """List as many matches as there is room for."""
        more = self.query_one("#more", OptionList)
        columns, rows = more.content_size
        if not columns:  # before the first layout
            return

        def fits(texts: Iterable[Text]) -> bool:
            return sum(len(text.wrap(self.app.console, columns)) for text in texts) <= rows

        other = {name: Text(label) for name, label in OTHER_ACTIONS.items()}
        assert isinstance(self.app, SettledApp)
        if self.app.settings.daily == puzzle_day().isoformat():
            said = "solved" if self.app.settings.daily_right else "answered"
            other["daily"].append(f"\n  {said} today", "dim")
        if self.level:
            match, level = self.scores[0].match, profile(self.level).name
            entry = _two_lines(f"Try {level}:", match.game.title, "you win often", columns)
            other = {f"game:{match.game.name} {self.level}": entry} | other
        listed = {
            f"match:{saved.id}": _go_on(saved.match, "" if place else " (g)", columns)
            for place, saved in enumerate(self.matches[:rows])
        }
        while listed and not fits([*listed.values(), *other.values()]):
            listed.popitem()
        names = [*listed, *other]
        chosen = more.highlighted_option
        more.set_options([Option(text, name) for name, text in (listed | other).items()])
        if chosen or more.has_focus:
            more.highlighted = names.index(chosen.id) if chosen and chosen.id in names else 0

    def _entry(self, place: int, game: AnyGame) -> Table:
        """The picture of a game beside its title and its goal."""
        styles = {} if self.app.no_color else board_styles(self.app.current_theme.dark)
        rows = PICTURE_ROWS + (self._roomy and game != self.games[-1])
        lines = (game.words.picture() + [[]] * rows)[:rows]
        picture = Text("\n", no_wrap=True).join(
            Text.assemble(*((span.text, styles.get(span.style, "")) for span in line))
            for line in lines
        )
        entry = Table.grid(padding=(0, 1))
        entry.add_column(width=PICTURE_COLUMNS)
        goal = "" if self._narrow else game.summary
        entry.add_row(picture, Text.assemble((f"{place + 1} {game.title}\n", "bold"), goal))
        return entry

    @property
    def _roomy(self) -> bool:
        return self.app.size.height >= SPACED_MIN_ROWS

    @property
    def _narrow(self) -> bool:
        """Whether goals have no room beside the pictures: that of one game is in the title."""
        return self.app.size.width < GOALS_MIN_COLUMNS

    @on(OptionList.OptionHighlighted, "#games")
    def _tell_about(self) -> None:
        """Say how often the game under the cursor was won; in a narrow window, what it is about."""
        record = record_line(self.scores, self._highlighted_game.name)
        self.query_one("#games").border_subtitle = record
        title = self._highlighted_game.summary if self._narrow else TITLE
        self.query_one("#title", Static).update(Text(title, no_wrap=True))

    @property
    def _highlighted_game(self) -> AnyGame:
        return self.games[self.query_one("#games", OptionList).highlighted or 0]

    @on(OptionList.OptionSelected, "#games")
    def _play(self, event: OptionList.OptionSelected) -> None:
        self.post_message(Wanted("game", self.games[event.option_index].name))

    @on(OptionList.OptionSelected, "#more")
    def _do(self, event: OptionList.OptionSelected) -> None:
        what, _, name = (event.option_id or "").partition(":")
        self.post_message(Wanted(what, name or self._highlighted_game.name))

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
        self.post_message(Wanted(what, self._highlighted_game.name))


def _go_on(match: Match, key: str, columns: int) -> Text:
    """An open match as an entry of a list: all lines but the first are indented."""
    names = names_for(match.terms)
    against = " and ".join(names.by_seat) if names.you is None else names[other(names.you)]
    about = f"{against}, {match.game.round_word} {match.round}"
    return _two_lines(f"Go on{key}:", match.game.title, about, columns)


def _two_lines(label: str, title: str, about: str, columns: int) -> Text:
    """An entry with a line below it; what is wrapped is indented."""
    head = "\n".join(wrapped(f"  {label} {title}", columns)).lstrip()
    below = "\n".join(wrapped(f"  {about}", columns))
    return Text.assemble((label, "bold"), head.removeprefix(label), ("\n" + below, "dim"))
