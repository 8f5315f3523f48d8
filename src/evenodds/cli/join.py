"""The command `join`."""

import sys

import click

from evenodds.cli.command_table import command
from evenodds.cli.errors import negative_answers
from evenodds.cli.full_screen import open_app, opens_app
from evenodds.cli.options import plain_option, record_option
from evenodds.cli.play_options import session_options
from evenodds.client.address import BadAddress, address
from evenodds.client.http_client import RemoteError
from evenodds.client.remote_match import connect_to_match
from evenodds.terminal.remote.session import RemoteSession


@command
@click.argument("link", metavar="URL")
@click.option("--name", default="", metavar="NAME", help="Your name in the match.")
@record_option
@plain_option
def join(link: str, name: str, record: str | None, plain: bool) -> None:
    """URL is the link that you were sent, or the address of a match in the lobby.

    The same command brings you back to your seat.
    """
    options = session_options(None, record)
    try:
        where = address(link)
    except BadAddress as error:
        raise click.UsageError(str(error)) from None
    with negative_answers(RemoteError):
        if opens_app(plain):
            remote = connect_to_match(where, name)
            open_app(options, first=lambda app: app.join(remote))
        sys.exit(RemoteSession(options, connect_to_match(where, name)).run())
