"""What a score card asks, and the answers that are kept: each is asked for, and paid, once."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from evenodds.arena.card import CARD_EDITION
from evenodds.arena.schedule import BadPlan, check_matches
from evenodds.core.catalog import RuledGame
from evenodds.core.match import Match
from evenodds.core.rulings import ruling_texts
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST
from evenodds.players.llm.budget import BYTES_PER_TOKEN
from evenodds.players.llm.prompt import EDITIONS, position_prompt, rules_prompt
from evenodds.system import __version__
from evenodds.system.files import open_private
from evenodds.system.text import shorten

MAX_PARALLEL: Final = 256
"""Requests to a model that are under way at once."""
ANSWERS_FILE: Final = "answers.jsonl"
LEARNING_WAVES: Final = 4
LEARNING_MATCHES: Final = 4
"""Matches of a wave: the opponent does not change within one."""


class Effort(NamedTuple):
    """How much a player is asked in a game."""

    picks: int = 6
    """After how many picks a match is left."""
    matches: int = 20
    """The matches that count."""
    reader: int = 4
    """The matches against `reader`."""

    @property
    def all_matches(self) -> int:
        """The matches of all kinds."""
        return LEARNING_WAVES * LEARNING_MATCHES + self.matches + self.reader

    @property
    def requests(self) -> int:
        """The picks that are asked for at most."""
        return self.picks * self.all_matches


EFFORTS: Final = {
    "underdog": Effort(4, 42, 4),
    "margin": Effort(4, 82, 4),
    "duel": Effort(4, 8, 2),
    "factors": Effort(9, 8, 2),
}
"""The games of a card, and their shares of 1,000 requests: where little is lost, more is asked."""


class CardPlan(NamedTuple):
    """Everything that determines the questions of a score card."""

    player: str
    games: tuple[RuledGame, ...]
    matches: int | None = None
    """The matches that count in each game; None for the usual number."""
    seconds: float | None = None
    question: str = "listed"
    """The edition of the question to a model."""
    parameters: Mapping[str, Any] = MappingProxyType({})
    """What is passed on with each request to a model."""

    def effort(self, game: str) -> Effort:
        """How much is asked in a game."""
        usual = EFFORTS.get(game, Effort())
        return usual if self.matches is None else usual._replace(matches=self.matches)

    @property
    def requests(self) -> int:
        """The picks that are asked for at most."""
        return sum(self.effort(ruled.game.name).requests for ruled in self.games)

    @property
    def question_tokens(self) -> int:
        """About how many tokens the questions come to, by those about the start."""
        total, edition = 0, EDITIONS[self.question]
        for ruled in self.games:
            terms = agree(ruled)
            view = Match(terms).view(FIRST)
            text = rules_prompt(terms, FIRST, edition) + position_prompt(terms, view, edition)
            total += self.effort(ruled.game.name).requests * len(text.encode()) // BYTES_PER_TOKEN
        return total

    def as_data(self) -> dict[str, Any]:
        """The plan as plain data."""
        games = {ruled.game.name: ruling_texts(ruled.rulings) for ruled in self.games}
        return self._asdict() | {"games": games, "parameters": dict(self.parameters)}


def check_card(plan: CardPlan, parallel: int = 1) -> CardPlan:
    """The plan, if it is valid; else `BadPlan`."""
    if not 1 <= parallel <= MAX_PARALLEL:
        raise BadPlan(f"parallel {parallel} is not allowed; allowed: 1 to {MAX_PARALLEL}")
    if not plan.games or plan.matches == 0:
        raise BadPlan("a score card takes one game or more, and two matches or more")
    if plan.matches is not None:
        check_matches(plan.matches, f"--matches {plan.matches}")
    if plan.question not in EDITIONS:
        asked = shorten(plan.question)
        raise BadPlan(f"the question {asked} is not known; allowed: {', '.join(EDITIONS)}")
    if taken := {"model", "messages", "stream"} & {*plan.parameters}:
        raise BadPlan(f"{min(taken)} is not a parameter that is passed on: the card sets it")
    return plan


class AnswerStore:
    """The answers of a card by match and number, in a file if there is one, a line each."""

    def __init__(self, file: Path | None, plan: CardPlan) -> None:
        self._lines: dict[str, dict[str, Any]] = {}
        self._file, self._writing = file, Lock()
        head = {"plan": plan.as_data(), "edition": CARD_EDITION, "version": __version__}
        for line in self._read():
            self._lines[line["key"]] = line
        if "card" not in self._lines:
            self.keep("card", head | {"date": datetime.now(UTC).date().isoformat()})
        self.head = self._lines.pop("card")
        if json.loads(json.dumps(head)) != {key: self.head.get(key) for key in head}:
            raise BadPlan(f"{file} belongs to another card; choose another folder")

    def _read(self) -> list[dict[str, Any]]:
        """The lines of the file; what a killed run has left of one is cut off."""
        if self._file is None or not self._file.exists():
            return []
        whole, end, _ = self._file.read_bytes().rpartition(b"\n")
        with open(self._file, "r+b") as file:
            file.truncate(len(whole + end))
        try:
            return [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            raise BadPlan(f"{self._file} is damaged; choose another folder") from None

    def find(self, key: str) -> dict[str, Any] | None:
        """What is kept under a key."""
        return self._lines.get(key)

    def keep(self, key: str, line: Mapping[str, Any]) -> None:
        """Keep a line before anything else happens."""
        with self._writing:
            self._lines[key] = {"key": key, **line}
            if self._file is not None:
                with open(open_private(self._file), "ab") as file:
                    file.write(json.dumps(self._lines[key]).encode() + b"\n")

    def models(self) -> list[dict[str, Any]]:
        """The answers of a model."""
        return [line for line in self._lines.values() if "tokens" in line]


class MatchAnswers:
    """The answers of one match."""

    def __init__(self, store: AnswerStore, match: str) -> None:
        self._store, self._match = store, match

    def find(self, number: int) -> dict[str, Any] | None:
        """What is kept of an answer."""
        return self._store.find(f"{self._match}/{number}")

    def keep(self, number: int, line: dict[str, Any]) -> None:
        """Keep an answer."""
        self._store.keep(f"{self._match}/{number}", line)
