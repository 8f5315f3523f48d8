"""Messages from the dialog of a match to a screen of the app."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass
class Wanted(Message):
    """Something is asked of the app: a game, a match to go on with, puzzles, settings, the end."""

    what: str
    name: str = ""


@dataclass
class Shown(Message):
    """The table has changed."""

    table: Table
    title: str


@dataclass
class Said(Message):
    """Lines for the log; a notice is shown in the status line, too."""

    lines: tuple[str, ...]
    notice: bool = False
    refusal: bool = False


@dataclass
class Progressed(Message):
    """How far a solution is."""

    line: str


@dataclass
class PanelFilled(Message):
    """The answer to a command that fills a panel: hint, rules, history, review."""

    title: str
    content: list[RenderableType]
    legend: str = ""


@dataclass
class Questioned(Message):
    """A question to be answered with yes or no."""

    question: str


@dataclass
class DailyAnswered(Message):
    """The puzzle of a day has an answer."""

    day: str
    right: bool


@dataclass
class MatchEnded(Message):
    """A match is over; these may follow."""

    offered: tuple[NextAction, ...]


@dataclass
class DialogEnded(Message):
    """The dialog has returned, or failed."""

    exit_code: int = 0
    error: BaseException | None = None


Post = Callable[[Message], object]
