"""Panels that home opens: reports, saved matches and their reviews, settings."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from rich.text import Text
from textual.widgets import Static

from evenodds.app.background import written
from evenodds.app.choices import Choice, ChoicePanel, Choices, confirms, stepped
from evenodds.app.pages import Write, write_review, write_rules, write_study
from evenodds.app.panels import TextPanel
from evenodds.app.settings import COLOURS, SettledApp
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import names_in_record
from evenodds.system.text import TextTable
from evenodds.table.saved_matches import MatchFile, SavedMatch, is_resumable, saved_matches
from evenodds.terminal.reports.lists import match_status
from evenodds.terminal.tables import table_lines

MATCH_HEADS: Final = ("Date", "Against", "Result")
ANIMATION_LINE: Final = "Off: cards turn over without animation, for slow connections."
COLOURS_LINE: Final = "For a dark or a light background; auto: as the terminal says."


async def open_report(app: SettledApp, kind: str, game: AnyGame) -> None:
    """Show the rules or the study of a game."""
    write = partial(write_study, game) if kind == "study" else partial(write_rules, game, None)
    await _show(app, kind.capitalize(), write)


async def _show(app: SettledApp, title: str, write: Write) -> None:
    """Show a page when it is written, until it is closed; meanwhile home tells how far it is."""
    line = app.screen.query_one("#title", Static)
    page = await written(app.screen, write, lambda said: line.update(Text(said)))
    await app.push_screen_wait(TextPanel(title, page.content, page.legend))


async def open_matches(app: SettledApp, go_on: Callable[[str], None]) -> None:
    """List the saved matches: Enter goes on with one, or reviews it; Delete deletes it."""
    found, faults = saved_matches()
    for fault in faults:
        app.notify(fault, severity="warning", markup=False)
    if not found and not faults:
        app.notify("You have not played a match yet.")
    chosen = ""
    while listed := _listed_matches():
        choice = await app.push_screen_wait(_matches_panel(listed, chosen))
        deletes, _, chosen = (choice or "").rpartition(":")
        if not chosen:
            return
        match = listed[chosen].match
        if deletes:
            await _delete_match(app, listed[chosen])
        elif match.result:
            await _show(app, "Review", partial(write_review, match, names_in_record(match.terms)))
        else:
            go_on(chosen)
            return


def _listed_matches() -> dict[str, SavedMatch]:
    """The matches that are over, or can be resumed here."""
    found = saved_matches()[0]
    return {one.id: one for one in found if one.match.result or is_resumable(one.match)}


def _matches_panel(listed: dict[str, SavedMatch], chosen: str) -> ChoicePanel:
    """Date, opponent and result of each match, by game."""
    lines = table_lines(TextTable(MATCH_HEADS, list(map(_cells, listed.values()))), names=3)[1:]
    by_game: dict[str, list[Choice]] = {}
    for (id, saved), line in zip(listed.items(), lines, strict=True):
        title = saved.match.game.title
        by_game.setdefault(title, [Choice("", title)]).append(Choice(id, f" {line}"))
    choices = Choices([choice for group in by_game.values() for choice in group])
    return ChoicePanel("Your matches", lambda: choices, chosen, deletes=True)


def _cells(saved: SavedMatch) -> tuple[str, ...]:
    names = names_in_record(saved.match.terms)
    players = " and ".join(name for seat, name in names.listed() if seat != names.you)
    date = datetime.fromtimestamp(saved.played).strftime("%Y-%m-%d")
    return date, players, match_status(saved.match)


async def _delete_match(app: SettledApp, saved: SavedMatch) -> None:
    """Delete a match, if that is meant."""
    about = ", ".join([saved.match.game.title, *_cells(saved)])
    if await confirms(app, f"Delete this match for good? {about}."):
        match_file = MatchFile(saved.id)
        match_file.discard()
        match_file.release()


async def open_settings(app: SettledApp) -> None:
    """Show the settings; each holds as soon as it is changed."""

    def offered() -> Choices:
        animation, colours = app.settings.animation, app.settings.colours

        def change_animation(steps: int) -> None:
            app.change_settings(animation=not animation)

        def step_colours(steps: int) -> None:
            app.change_settings(colours=stepped(COLOURS, colours, steps))

        shown = f"Animation: {'on' if animation else 'off'}"
        return Choices(
            [
                Choice("animation", shown, ANIMATION_LINE, change_animation),
                Choice("colours", f"Colours: {colours}", COLOURS_LINE, step_colours),
                Choice("done", "Done"),
            ]
        )

    await app.push_screen_wait(ChoicePanel("Settings", offered))
