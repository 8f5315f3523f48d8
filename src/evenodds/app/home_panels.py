"""Panels that home opens: rules, studies, saved matches and their reviews, settings."""

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

from evenodds.app.choices import (
    Choice,
    ChoicePanel,
    Choices,
    changed_settings,
    settings_choices,
)
from evenodds.app.messages import Wanted
from evenodds.app.pages import write_review, write_rules, write_study
from evenodds.app.panels import PageOpener, Write
from evenodds.app.settings import Settings
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import names_in_record
from evenodds.table.saved_matches import SavedMatch, is_resumable, saved_matches
from evenodds.terminal.reports.lists import match_status


def open_report(app: App[Any], kind: str, game: AnyGame) -> None:
    """Open the rules or the study of a game."""
    if kind == "study":
        _open(app, "Study", partial(write_study, game))
    else:
        _open(app, "Rules", partial(write_rules, game, None))


def _open(app: App[Any], title: str, write: Write) -> None:
    """Open a panel over home when its page is written."""
    home = app.screen_stack[0]
    assert isinstance(home, PageOpener)
    home.open_page(title, write)


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
            _open(app, "Review", partial(write_review, match, names_in_record(match.terms)))
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
