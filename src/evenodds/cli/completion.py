"""The command `completion`."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL, to be sourced in its start-up file."""
    found = get_completion_class(shell)
    if found is not None:
        group = click.get_current_context().find_root().command
        click.echo(found(group, {}, "evenodds", "_EVENODDS_COMPLETE").source())
