"""Panels that home opens: reports, saved matches and their reviews, settings."""

from functools import partial
from typing import Final

from rich.text import Text
from textual.widgets import Static

from evenodds.app.background import written
from evenodds.app.choices import DELETE, Choice, ChoicePanel, Choices, confirms, stepped
from evenodds.app.pages import Write, write_review, write_rules, write_study
from evenodds.app.panels import TextPanel, errors_shown
from evenodds.app.settings import COLOURS, SettledApp
from evenodds.core.catalog import AnyGame
from evenodds.players.profiles import names_in_record
from evenodds.system.text import TextTable
from evenodds.table.saved_matches import (
    SavedMatch,
    delete_match,
    is_resumable,
    resume_command,
    saved_matches,
)
from evenodds.terminal.reports.lists import MATCH_COLUMNS, PLAYERS, match_cells
from evenodds.terminal.tables import table_lines

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


async def open_matches(app: SettledApp) -> str:
    """List matches: Enter reviews one, or chooses it to go on with; Delete deletes it.

    The ID of the match to go on with, or the link to it; empty for none.
    """
    from evenodds.client.saved_seats import saved_links

    (found, faults), links = saved_matches(), saved_links()
    for fault in faults:
        app.notify(fault, severity="warning", markup=False)
    if not found and not links and not faults:
        app.notify("You have not played a match yet.")
    chosen = ""
    while found or links:
        listed = {one.id: one for one in found}
        choice = await app.push_screen_wait(_matches_panel(listed, links, chosen)) or ""
        chosen = choice.removeprefix(DELETE)
        saved = listed.get(chosen)
        if choice != chosen:
            await _delete(app, chosen, saved)
            found, links = saved_matches()[0], saved_links()
        elif saved and saved.match.result:
            names = names_in_record(saved.match.terms)
            await _show(app, "Review", partial(write_review, saved.match, names))
        elif saved and not is_resumable(saved.match):
            app.notify(f"Resume it with: {resume_command(chosen, saved.match)}", markup=False)
        else:
            return chosen
    return ""


def _matches_panel(listed: dict[str, SavedMatch], links: list[str], chosen: str) -> ChoicePanel:
    """Opponent, date and result of each match, by game; then the links to those on servers."""
    cells = [match_cells(saved, against=True)[PLAYERS:] for saved in listed.values()]
    lines = table_lines(TextTable(MATCH_COLUMNS[PLAYERS:], cells), len(MATCH_COLUMNS))[1:]
    by_game: dict[str, list[Choice]] = {}
    for (id, saved), line in zip(listed.items(), lines, strict=True):
        title = saved.match.game.title
        by_game.setdefault(title, [Choice("", title)]).append(Choice(id, f" {line}"))
    if links:
        by_game[""] = [Choice("", "On servers"), *(Choice(link, f" {link}") for link in links)]
    choices = Choices([choice for group in by_game.values() for choice in group])
    return ChoicePanel("Your matches", lambda: choices, chosen, deletes=True)


async def _delete(app: SettledApp, chosen: str, saved: SavedMatch | None) -> None:
    """Delete a match, or a seat on a server, if that is meant."""
    from evenodds.client.saved_seats import delete_seat

    about = (
        ", ".join([saved.match.game.title, *match_cells(saved, True)[PLAYERS:]]) if saved else ""
    )
    question = f"Delete this match for good? {about}." if saved else f"Give up your seat? {chosen}"
    if await confirms(app, question):
        with errors_shown(app):
            (delete_match if saved else delete_seat)(chosen)


async def open_settings(app: SettledApp) -> None:
    """Show the settings; each holds as soon as it is changed."""

    def step_colours(steps: int) -> None:
        app.change_settings(colours=stepped(COLOURS, app.settings.colours, steps))

    def change_animation(steps: int) -> None:
        app.change_settings(animation=not app.settings.animation)

    def offered() -> Choices:
        animation, colours = app.settings.animation, app.settings.colours
        shown = f"Animation: {'on' if animation else 'off'}"
        return Choices(
            [
                Choice("animation", shown, ANIMATION_LINE, change_animation),
                Choice("colours", f"Colours: {colours}", COLOURS_LINE, step_colours),
                Choice("done", "Done"),
            ]
        )

    await app.push_screen_wait(ChoicePanel("Settings", offered))
