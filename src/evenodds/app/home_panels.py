"""Panels that home opens: rules, studies, saved matches and their reviews, settings."""

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Any, Final

from textual.app import App

from evenodds.app.choices import (
    Choice,
    ChoicePanel,
    Choices,
    changed_settings,
    settings_choices,
)
from evenodds.app.dialogs.dialog import DialogScreen
from evenodds.app.dialogs.messages import DialogEnded, Wanted
from evenodds.app.dialogs.reports import fill_review, fill_rules, fill_study
from evenodds.app.settings import Settings
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import names_in_record
from evenodds.terminal.progress_bar import REPORT_TO
from evenodds.terminal.reports.lists import match_status
from evenodds.terminal.storage.matches import SavedMatch, is_resumable, saved_matches

QUIET_S: Final = 1.0
"""How long a report may take before it is said that it is computed."""


def open_report(app: App[Any], kind: str, game: AnyGame) -> None:
    """Open the rules or the study of a game."""
    _fill(app, partial(fill_study if kind == "study" else fill_rules, game))


def _fill(app: App[Any], fill: Callable[[DialogScreen], None]) -> None:
    """Fill a panel in a thread, for it may have to be computed."""
    screen = DialogScreen(app.post_message)
    screen.fit(app.size.width)

    def run() -> None:
        REPORT_TO.set(screen.long_work)
        try:
            fill(screen)
        except BaseException as error:  # the page of a package may be missing
            app.post_message(DialogEnded(error=error))

    def tell() -> None:
        if thread.is_alive():
            app.notify("This is being computed.")

    thread = Thread(target=run, daemon=True)  # a worker would be waited for when the app is left
    thread.start()
    app.set_timer(QUIET_S, tell)


def open_matches(app: App[Any]) -> None:
    """List the saved matches: Enter goes on with one, and reviews one that is over."""
    found, faults = saved_matches()
    listed = {saved.id: saved for saved in found if saved.match.result or is_resumable(saved.match)}
    for fault in faults:
        app.notify(fault, severity="warning", markup=False)
    if not listed:
        if not faults:
            app.notify("You have not played a match yet.")
        return

    def take(id: str | None) -> None:
        match = listed[id].match if id else None
        if match and match.result:
            _fill(app, partial(fill_review, match, names_in_record(match.terms)))
        elif id:
            app.post_message(Wanted("match", id))

    choices = [Choice(id, _label(saved)) for id, saved in listed.items()]
    app.push_screen(ChoicePanel("Your matches", Choices(choices)), take)


def open_settings(
    app: App[Any], settings: Settings, change: Callable[[Settings], None], chosen: str = ""
) -> None:
    """Open the settings, again after each choice."""

    def step(choice: str, steps: int) -> Choices:
        nonlocal settings
        settings = changed_settings(settings, choice, steps)
        change(settings)
        return settings_choices(settings)

    def take(choice: str | None) -> None:
        if choice and choice != "done":
            step(choice, 1)
            open_settings(app, settings, change, choice)

    app.push_screen(ChoicePanel("Settings", settings_choices(settings), chosen, step), take)


def _label(saved: SavedMatch) -> str:
    match = saved.match
    verb = "Review" if match.result else "Go on"
    return f"{verb}: {match.terms.title_for(names_in_record(match.terms))}, {match_status(match)}"
