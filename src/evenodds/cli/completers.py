"""Shell completion of saved matches."""

import click
from click.shell_completion import CompletionItem

from evenodds.terminal.reports.lists import match_status
from evenodds.terminal.storage.matches import saved_matches


def complete_open_matches(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The saved matches that are not over."""
    return _matches(incomplete, open_only=True)


def complete_matches(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """All saved matches."""
    return _matches(incomplete)


def complete_matches_and_files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """All saved matches, and files."""
    return [*_matches(incomplete), CompletionItem(incomplete, type="file")]


def _matches(incomplete: str, open_only: bool = False) -> list[CompletionItem]:
    return [
        CompletionItem(saved.id, help=f"{saved.match.game.name}, {match_status(saved.match)}")
        for saved in saved_matches()[0]
        if saved.id.startswith(incomplete) and not (open_only and saved.match.result)
    ]
