"""The screen of a match: it follows one table after the other, wherever they are."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from evenodds.app.background import compute, in_thread
from evenodds.app.board_screen import AGAIN, PICK, PRESS_ENTER, REVIEW, BoardScreen
from evenodds.app.choices import confirms
from evenodds.app.pages import write_hint, write_map, write_review
from evenodds.app.widgets import HISTORY, MAP, RULES
from evenodds.claims.fixed_outcome import decided_lines
from evenodds.core.match import IllegalPick, Match
from evenodds.core.record import Record
from evenodds.core.vocabulary import Seat
from evenodds.players.player import Unavailable
from evenodds.players.profiles import describe_opponents
from evenodds.players.registry import MODEL_PREFIX
from evenodds.render.narration import describe_history, format_choices, tell_ending
from evenodds.system.text import display_width
from evenodds.table.table import Action, Ended, Notice, Refused, RoundPlayed, Table, TakenBack
from evenodds.terminal.play.dialog import (
    HIDDEN_TYPING,
    NOT_RESIGNED,
    NOT_UNDONE,
    RESIGN_QUESTION,
    undo_question,
)
from evenodds.terminal.play.session import EXIT_PLAYER_UNAVAILABLE

WATCHED_ROUND_S: Final = 1.0
"""How long a round is shown where nobody here plays; Enter goes on."""
KEYS: Final = {f"type {word} to": f"press {word[0]} to" for word in (Action.UNDO, Action.CLAIM)}
"""What notices ask to type, and the keys that do it here."""


class TableScreen(BoardScreen):
    """Matches of the same players."""

    is_saved = True

    def __init__(self, seated: Table) -> None:
        super().__init__(seated.match.terms)
        self.seated = seated

    @property
    def _commands(self) -> tuple[str, ...]:
        actions = self.seated.actions
        solved = (Action.HINT, MAP) if Action.HINT in actions else ()
        return (
            RULES,
            *solved,
            HISTORY,
            *(word for word in (Action.UNDO, Action.RESIGN, Action.CLAIM) if word in actions),
        )

    @property
    def _goes_on(self) -> bool:
        return self.seated.paced

    # What happens at the table

    async def _follow(self) -> None:
        """Follow match after match; an opponent may be unavailable only for now."""
        try:
            while True:
                await self._play()
                self.seated = await self._next_table()
                self.ended, self.match_log.lines = False, []
                self.query_one("#end").display = False
                self.set_focus(None)
                self.refresh_bindings()
        except Unavailable:
            for event in self.seated.events():
                self.say(*getattr(event, "lines", ()))
            self.exit_code = EXIT_PLAYER_UNAVAILABLE

    async def _play(self) -> None:
        table = self.seated
        self._show_table(begun=False)
        await compute(table.start, self.status)
        await self._tell()
        self._tell_opening()
        while not self.ended:
            self._show_table()
            if not await in_thread(table.advance):
                for word, number in await self._entries():
                    await self._do(word, number)
            await self._tell()

    async def _entries(self) -> list[tuple[str, int]]:
        """What the player has done, once there is something."""
        entries = [await self._entered.get()]
        while not self._entered.empty():
            entries.append(self._entered.get_nowait())
        return entries

    def _show_table(self, begun: bool = True) -> None:
        match, names = self.seated.match, self.seated.names
        view = self.seated.view if begun else self.seated.view._replace(asked=None)
        terms, asked = match.terms, view.asked
        prompt = tell_ending(match, match.result, names) if match.result else ""
        if asked is not None:
            prompt = match.game.words.request(match.state, asked, match.choices(asked), names)
        title = terms.title_for(names)
        if display_width(title) > self.size.width - 2:  # rather without rulings than the opponent
            title = terms._replace(rulings=terms.game.rulings()).title_for(names)
        self.show(view, title, prompt)
        computers = map(match.terms.computer, self.seated.waiting)
        if begun and asked is None and any(name.startswith(MODEL_PREFIX) for name in computers):
            self.say("Asking the model.", notice=True)

    def _tell_opening(self) -> None:
        """Say what wins, and how a computer plays; or where a match stands."""
        match = self.seated.match
        if self.seated.resumed:
            step = f"{match.game.round_word} {match.round}"
            self.say(f"{match.terms.title_for(self.seated.names)}, {step}.")
        else:
            goal = match.game.words.goal(match.terms.rulings)
            manners = [] if self.seated.searches else describe_opponents(match.terms)
            self.say(goal, *decided_lines(match.terms), *manners, *self.seated.luck)
        if self.seated.hidden:
            self.say(HIDDEN_TYPING)

    async def _tell(self) -> None:
        words = self.terms.game.words
        for event in self.seated.events():
            match, names = self.seated.match, self.seated.names
            match event:
                case RoundPlayed(before, picks, after, luck):
                    self.say("", " ".join([words.round_story(before, picks, after, names), *luck]))
                    if self.seated.paced and match.result is None:
                        await self._watch()
                case TakenBack():
                    self.say("Taken back.", *self.seated.luck)
                case Notice(lines):
                    for typed, key in KEYS.items():
                        lines = tuple(line.replace(typed, key) for line in lines)
                    self.say(*lines, notice=True)
                case Ended():
                    assert match.result is not None
                    self.ended = True
                    self._show_table()
                    self.say("", tell_ending(match, match.result, names))

    async def _watch(self) -> None:
        """Let people look at a round, for a while or until Enter."""
        self._show_table()
        self.status(PRESS_ENTER)
        pace_s = self.seated.options.pace_s
        limit = WATCHED_ROUND_S if pace_s is None else pace_s
        with suppress(TimeoutError):
            await asyncio.wait_for(self._entered.get(), limit)

    async def _do(self, word: str, number: int) -> None:
        """Do what the player wants, where that is still possible."""
        table, asked = self.seated, self.seated.asked
        if table.match.result is not None or not table.people:
            return
        seat = table.people[0] if asked is None else asked
        try:
            if word == PICK and asked is not None:
                if not number:
                    match, words = table.match, table.match.game.words
                    open_ones = match.choices(asked)
                    said = words.unknown(match.state, asked, open_ones, self.last_typed)
                    raise IllegalPick(said)
                await in_thread(partial(table.pick, asked, number))
            elif word == Action.UNDO:
                await self._undo(seat)
            elif word == Action.RESIGN and await confirms(self.app, RESIGN_QUESTION):
                await in_thread(partial(table.resign, seat))
            elif word == Action.RESIGN:
                self.say(NOT_RESIGNED)
            elif word == Action.CLAIM:
                await in_thread(table.claim)
        except IllegalPick as error:
            choices = format_choices(table.match, seat)
            problem = "That is not one of your choices" if table.hidden else error
            self.status(f"{problem}. Choose {choices}, or ? for help.", True)
        except Refused as error:
            self.say(str(error))

    async def _undo(self, seat: Seat) -> None:
        """Take back; another person at this keyboard is asked first."""
        table = self.seated
        consenting = table.consenting(seat)
        question = "" if consenting is None else undo_question(table.names[consenting])
        if not question or await confirms(self.app, question):
            await in_thread(partial(table.take_back, seat))
        else:
            self.say(NOT_UNDONE)

    async def _next_table(self) -> Table:
        """Offer what may follow a match; the next one, once all want it."""
        table, wanted = self.seated, False
        self.query_one(f"#{AGAIN}").display = bool(table.people or table.paced)
        self.query_one("#end").display = True  # none is chosen: Enter may still mean a pick
        self.refresh_bindings()
        while True:
            await self._tell()
            if not await in_thread(table.advance):
                wanted = AGAIN in dict(await self._entries())
            try:
                if wanted and (following := await in_thread(table.rematch)):
                    return following
            except Refused as error:
                wanted = False
                self.say(str(error))

    def leave(self) -> None:
        """Leave the table: an open match is kept."""
        if not self.left:
            self.farewell = self.seated.leave()
        super().leave()

    # What the player does

    def enter(self, word: str, number: int = 0) -> None:
        """Hand what the player does to the task."""
        super().enter(word, number)
        self.seated.wake()

    def action_command(self, word: str) -> None:
        """Open a page on the match as it is shown, or hand the word to the task."""
        table = self.table
        if table is None or table.view.result is not None:
            return
        names, view = table.view.names, table.view
        # The match of the table may change meanwhile.
        record = Record(self.seated.match.terms, view.history, None, False, view.draws)
        shown = Match.rebuild(record)
        seat = table.near if table.asked is None else table.asked
        if word in (Action.UNDO, Action.RESIGN, Action.CLAIM):
            self.enter(word)
        elif word == Action.HINT:
            self.open_page("Hint", partial(write_hint, shown, seat), "position")
        elif word == MAP:
            write = partial(write_map, shown, seat, names)
            self.open_page("Map of all picks", write, "position")
        elif word == HISTORY:
            lines = describe_history(shown, names)
            self.open_page("Picks so far", lambda page, _: page.say(*lines))
        else:
            super().action_command(word)

    def action_move(self, steps: int) -> None:
        """Move along the choices, or along what may follow."""
        if self.ended:
            (self.focus_next if steps > 0 else self.focus_previous)("#end Button")
        else:
            super().action_move(steps)

    def action_next(self, name: str) -> None:
        """Do what follows a match: review it, play again, leave; without a name, choose first."""
        if name == AGAIN:
            self.enter(AGAIN)
        elif name == REVIEW:
            match = self.seated.match
            self.open_page("Review", partial(write_review, match, self.seated.names))
        elif name:
            self.action_leave()
        else:
            self.action_move(1)
