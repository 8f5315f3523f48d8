"""Matches on a server, from the app: an invitation, or a link that somebody sent."""

from functools import partial
from typing import Final

from msgspec.structs import replace
from rich.text import Text

from evenodds.app.background import in_thread
from evenodds.app.panels import InputPanel, TextPanel
from evenodds.app.settings import split_names
from evenodds.app.settled_app import SettledApp
from evenodds.client.address import Address, address, server_address
from evenodds.client.remote_match import RemoteMatch, connect_to_match, open_match
from evenodds.core.terms import Terms

SEND_LINK: Final = (
    "Send this link to your opponent, who opens it in a browser, or types: evenodds join LINK"
)


async def invite(app: SettledApp, terms: Terms) -> RemoteMatch | None:
    """Open a match on a server that is asked for, and show the link; None for going back."""
    asked = app.settings.server
    found: list[Address] = []

    def take(typed: str) -> None:
        found.append(server_address(typed))

    question = "The address of the server, such as http://192.168.1.7:8000:"
    if not await app.push_screen_wait(InputPanel(question, asked, take)):
        return None
    app.change_settings(replace(app.settings, server=found[-1].origin))
    opened = await in_thread(partial(open_match, found[-1], terms, _own_name(app)))
    link = f"{opened.link}#{opened.invitation}"
    await app.push_screen_wait(TextPanel("Invitation", [Text(f"{SEND_LINK}\n\n{link}")]))
    return await _enter(app, opened)


async def join(app: SettledApp) -> RemoteMatch | None:
    """Ask for a link, and take the seat or watch; None for going back."""
    found: list[Address] = []

    def take(typed: str) -> None:
        found.append(address(typed))

    if await app.push_screen_wait(InputPanel("The link to the match:", "", take)):
        return await _enter(app, found[-1])
    return None


async def _enter(app: SettledApp, where: Address) -> RemoteMatch:
    return await in_thread(partial(connect_to_match, where, _own_name(app)))


def _own_name(app: SettledApp) -> str:
    return split_names(app.settings.names)[0] if app.settings.names else ""
