"""Panels that home opens: reports, saved matches and their reviews, settings."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from evenodds.app.choices import Choice, ChoicePanel, Choices
from evenodds.app.page import Page, fill_review, fill_study
from evenodds.app.panels import TextPanel
from evenodds.app.settings import COLOURS, Settings
from evenodds.app.threads import in_thread
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import names_in_record
from evenodds.terminal.reports.lists import match_status
from evenodds.terminal.reports.rules import show_rules
from evenodds.terminal.storage.matches import SavedMatch, is_resumable, saved_matches

if TYPE_CHECKING:
    from evenodds.app.app import EvenOddsApp

QUIET_S: Final = 1.0
"""How long a report may take before it is said that it is computed."""
ANIMATION_LINE: Final = "Off: cards turn over without animation, for slow connections."
COLOURS_LINE: Final = "For a dark or a light background; auto: as the terminal says."


async def show_report(app: "EvenOddsApp", title: str, fill: Callable[[Page], None]) -> None:
    """Fill a panel in a thread, for it may have to be computed, and show it."""
    page = Page(app.size.width)
    late = app.set_timer(QUIET_S, partial(app.notify, "This is being computed."))
    try:
        await in_thread(partial(fill, page))
    finally:
        late.stop()
    await app.push_screen_wait(TextPanel(title, page.content, page.legend))


async def open_report(app: "EvenOddsApp", kind: str, game: AnyGame) -> None:
    """Show the rules or the study of a game."""
    fill = partial(fill_study if kind == "study" else show_rules, game)
    await show_report(app, kind.capitalize(), fill)


async def open_matches(app: "EvenOddsApp") -> None:
    """List the saved matches: Enter goes on with one, and reviews one that is over."""
    found, faults = saved_matches()
    listed = {saved.id: saved for saved in found if saved.match.result or is_resumable(saved.match)}
    for fault in faults:
        app.notify(fault, severity="warning", markup=False)
    if not listed:
        if not faults:
            app.notify("You have not played a match yet.")
        return
    choices = Choices([Choice(id, _label(saved)) for id, saved in listed.items()])
    id = await app.push_screen_wait(ChoicePanel("Your matches", choices))
    if id is None:
        return
    match = listed[id].match
    if match.result:
        names = names_in_record(match.terms)
        await show_report(app, "Review", partial(fill_review, match, names))
    else:
        app.resume(id)


def _label(saved: SavedMatch) -> str:
    match = saved.match
    verb = "Review" if match.result else "Go on"
    return f"{verb}: {match.terms.title_for(names_in_record(match.terms))}, {match_status(match)}"


async def open_settings(app: "EvenOddsApp") -> None:
    """Show the settings; each holds as soon as it is changed."""

    def change(name: str, how: int | str) -> Choices:
        settings = app.settings
        if name == "animation":
            settings = replace(settings, animation=not settings.animation)
        elif isinstance(how, int):
            following = COLOURS[(COLOURS.index(settings.colours) + how) % len(COLOURS)]
            settings = replace(settings, colours=following)
        app.change_settings(settings)
        return _settings_choices(settings)

    await app.push_screen_wait(
        ChoicePanel("Settings", _settings_choices(app.settings), change=change)
    )


def _settings_choices(settings: Settings) -> Choices:
    animation = f"Animation: {'on' if settings.animation else 'off'}"
    return Choices(
        [
            Choice("animation", animation, ANIMATION_LINE, steps=True),
            Choice("colours", f"Colours: {settings.colours}", COLOURS_LINE, steps=True),
            Choice("done", "Done"),
        ]
    )
