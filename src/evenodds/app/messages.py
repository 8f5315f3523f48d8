"""Messages to the app from its screens."""

from dataclasses import dataclass

from textual.message import Message


@dataclass
class Wanted(Message):
    """Something is asked of the app: a game, a match to go on with, puzzles, settings, the end."""

    what: str
    name: str = ""


@dataclass
class DailyAnswered(Message):
    """The puzzle of a day has an answer."""

    day: str
    right: bool
