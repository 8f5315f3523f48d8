"""The table of commands, module and summary of each by groups, and what all of them have.

The list of commands reads it without importing a command, and the help of a command begins with its
summary.
"""

from collections.abc import Callable
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final, NamedTuple

import click
from click.shell_completion import CompletionItem


class Entry(NamedTuple):
    """Where a command is defined, and what it does in one sentence."""

    module: str
    summary: str


GROUPS: Final = {
    "Play": {
        "play": Entry("play", "Play a game against the computer or another person."),
        "resume": Entry("play", "Continue a match that you left."),
        "join": Entry("play", "Play or watch a match on a server."),
        "matches": Entry("matches", "List or delete your saved matches."),
    },
    "Learn": {
        "games": Entry("games", "List the games."),
        "rules": Entry("games", "Read the rules of a game."),
        "train": Entry("coach", "Solve puzzles that match your strength."),
        "review": Entry("coach", "Find the mistakes in a match that you played."),
        "show": Entry("matches", "Replay a match round by round."),
    },
    "Study": {
        "solve": Entry("solve", "Compute the best strategy for any position of a game."),
        "odds": Entry("solve", "Compute who wins how often between two players, exactly."),
        "study": Entry("study", "Judge a rule book: is it fair, does it end, does skill pay?"),
        "sweep": Entry("sweep", "Measure a game under many variants of its rules."),
        "repair": Entry("sweep", "Search for rules under which a game is fair and skill pays."),
    },
    "Compare": {
        "players": Entry("players", "List the computer opponents and their strength."),
        "arena": Entry("arena", "Run a tournament between players and rank them."),
        "benchmark": Entry("benchmark", "Score one player: how predictable, how careless is it?"),
    },
    "Serve": {
        "serve": Entry("serve", "Start a web server, to play in the browser."),
        "mcp": Entry("serve", "Offer the games as tools to a language model (MCP)."),
    },
    "More": {
        "cache": Entry("cache", "Show or delete stored solutions and studies."),
        "cards": Entry("benchmark", "Show score cards side by side on one page."),
        "check": Entry("author", "Find what is wrong with the rules and words of a game."),
        "completion": Entry("completion", "Print a script that completes commands in your shell."),
        "forget": Entry("players", "Delete what the opponent `reader` has learned about a player."),
        "habits": Entry("players", "Show what the opponent `reader` has learned about a player."),
        "new": Entry("author", "Make the folder of a game of your own, which works at once."),
        "verify": Entry(
            "matches", "Check the sealed picks and the draws of a match against what was promised."
        ),
    },
}
"""The commands by group; of the last group the list shows names alone."""
COMMANDS: Final = {name: entry for group in GROUPS.values() for name, entry in group.items()}

TYPED_WORDS: Final = "evenodds.typed_words"
"""The key in `Context.meta` of the words behind a command."""


class TypedCommand(click.Command):
    """A command that remembers what was typed, and completes rulings without `--rule`, too."""

    example: str
    """A line that runs it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the words, for errors."""
        ctx.meta[TYPED_WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The rulings of the game that is named, and the options."""
        rulings = [
            item
            for param in self.params
            if "--rule" in param.opts
            for item in param.shell_complete(ctx, incomplete)
        ]
        return [*rulings, *super().shell_complete(ctx, incomplete)]


def command(example: str) -> Callable[[Callable[..., Any]], TypedCommand]:
    """Make a command of a function: its help is the summary, the docstring and the example."""

    def make(function: Callable[..., Any]) -> TypedCommand:
        name = function.__name__
        help = f"{COMMANDS[name].summary}\n\n{cleandoc(function.__doc__ or '')}"
        epilog = f"\b\nExample:\n  {example}"
        made = click.command(name, TypedCommand, help=help, epilog=epilog)(function)
        made.example = example
        return made

    return make


def load_command(name: str) -> TypedCommand:
    """Import a command."""
    command = getattr(import_module(f"evenodds.cli.{COMMANDS[name].module}"), name)
    assert isinstance(command, TypedCommand)
    return command
