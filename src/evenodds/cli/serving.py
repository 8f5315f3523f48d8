"""The commands of the network: serve."""

import click

from evenodds.cli.base import No, main


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
def serve(host: str, port: int, database: str | None) -> None:
    """Let people play in the browser, here and over the network."""
    from evenodds.extras import MissingExtra, needs

    try:
        with needs("server"):
            from evenodds.server.database import NoDatabase
            from evenodds.server.serve import NoAddress, run
    except MissingExtra as error:
        raise No(str(error)) from None
    try:
        run(host, port, database, click.echo)
    except (NoAddress, NoDatabase) as error:
        raise No(str(error)) from None
