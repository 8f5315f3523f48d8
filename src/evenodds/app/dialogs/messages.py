"""Messages from the dialog of a match to a screen of the app."""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from rich.console import RenderableType
from textual.message import Message

from evenodds.core.record import View
from evenodds.core.vocabulary import Seat


class NextAction(Enum):
    """What may follow a match."""

    AGAIN = "again"
    REVIEW = "review"
    OTHER = "other game"
    QUIT = "quit"


class Table(NamedTuple):
    """What a board draws: a position as everybody at this keyboard may see it."""

    view: View
    before: Any = None
    """The position before the last round."""
    near: Seat = 0
    """The seat at the lower edge."""
    asked: Seat | None = None
    """The seat that is to pick at this keyboard."""
    hidden: bool = False
    """Whether picks are typed unseen, because two people share the keyboard."""
    people: tuple[Seat, ...] = ()
    labels: tuple[str, str] = ("", "")
    """What is said beside the names, by seat: which computer it is."""
    prompt: str = ""

    @property
    def moment(self) -> tuple[object, Seat | None]:
        """What was played and who is asked: another moment is a new question."""
        return self.view.history, self.asked


class Wanted(Message):
    """Something is asked of the app: a game, a match to go on with, puzzles, settings, the end."""

    def __init__(self, what: str, name: str = "") -> None:
        super().__init__()
        self.what = what
        self.name = name


class Shown(Message):
    """The table has changed."""

    def __init__(self, table: Table, title: str) -> None:
        super().__init__()
        self.table = table
        self.title = title


class Said(Message):
    """Lines for the log; a notice is shown in the status line, too."""

    def __init__(self, lines: tuple[str, ...], notice: bool = False, refusal: bool = False) -> None:
        super().__init__()
        self.lines = lines
        self.notice = notice
        self.refusal = refusal


class Progressed(Message):
    """How far a solution is."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self.line = line


class PanelFilled(Message):
    """The answer to a command that fills a panel: hint, rules, history, review."""

    def __init__(self, title: str, content: list[RenderableType]) -> None:
        super().__init__()
        self.title = title
        self.content = content


class Questioned(Message):
    """A question to be answered with yes or no."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question


class MatchEnded(Message):
    """A match is over; these may follow."""

    def __init__(self, offered: tuple[NextAction, ...]) -> None:
        super().__init__()
        self.offered = offered


class DialogEnded(Message):
    """The dialog has returned, or failed."""

    def __init__(self, exit_code: int = 0, error: BaseException | None = None) -> None:
        super().__init__()
        self.exit_code = exit_code
        self.error = error


Post = Callable[[Message], object]
