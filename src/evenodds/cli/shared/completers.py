"""Shell completion of arguments and options: players, rulings, saved matches."""

import click
from click.shell_completion import CompletionItem

from evenodds.core import catalog
from evenodds.core.rulings import OneOf


def complete_rulings(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The rulings of the game that is named before; after `key=` the words it allows."""
    # An option without its value ends parsing, so the game may still be among the words.
    named = [game for game in catalog.list_games() if game.name in ctx.args]
    game = ctx.params.get("game") or next(iter(named), None)
    if game is None:
        return []
    found: list[CompletionItem] = []
    for key, option in game.options.items():
        words = option.words if isinstance(option, OneOf) else {}
        if not incomplete.startswith(f"{key}="):
            found.append(CompletionItem(f"{key}=", help=option.about))
        else:
            found += [CompletionItem(f"{key}={word}", help=text) for word, text in words.items()]
    return [item for item in found if item.value.startswith(incomplete)]


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
    # Here, since every command imports this module, and only the Tab key comes here.
    from evenodds.terminal.reports.lists import match_status
    from evenodds.terminal.storage.matches import saved_matches

    return [
        CompletionItem(saved.id, help=f"{saved.match.game.name}, {match_status(saved.match)}")
        for saved in saved_matches()[0]
        if saved.id.startswith(incomplete) and not (open_only and saved.match.result)
    ]
