"""The table of commands: module, summary and example of each, by groups.

It is the one home of these texts: the list of commands reads it without importing a command, and
the help of each command begins with its summary and ends with its example.
"""

from collections.abc import Callable
from inspect import cleandoc
from typing import Any, Final, NamedTuple

import click
from click.shell_completion import CompletionItem


class CommandEntry(NamedTuple):
    """Where a command is defined, what it does in one sentence, and an example."""

    module: str
    summary: str
    example: str


GROUPS: Final = {
    "Play": {
        "play": CommandEntry(
            "play",
            "Play a game against the computer or another person.",
            "evenodds play underdog --vs level:3",
        ),
        "resume": CommandEntry("play", "Continue a match that you left.", "evenodds resume"),
        "join": CommandEntry(
            "play",
            "Play or watch a match on a server.",
            "evenodds join http://localhost:8000/match/7d3k9x2m --name Bob",
        ),
        "matches": CommandEntry(
            "matches",
            "List or delete your saved matches.",
            "evenodds matches --game duel --open",
        ),
    },
    "Learn": {
        "games": CommandEntry("games", "List the games.", "evenodds games"),
        "rules": CommandEntry("games", "Read the rules of a game.", "evenodds rules factors"),
        "train": CommandEntry(
            "coach", "Solve puzzles that match your strength.", "evenodds train factors"
        ),
        "review": CommandEntry(
            "coach",
            "Find the mistakes in a match that you played.",
            "evenodds review match.txt -o review.html",
        ),
        "show": CommandEntry(
            "matches",
            "Replay a match round by round.",
            'evenodds show duel --line "3-1 2-2"',
        ),
    },
    "Study": {
        "solve": CommandEntry(
            "solve",
            "Compute the best strategy for any position of a game.",
            'evenodds solve margin --after "5-1"',
        ),
        "odds": CommandEntry(
            "odds",
            "Compute who wins how often between two players, exactly.",
            "evenodds odds margin perfect random",
        ),
        "study": CommandEntry(
            "study",
            "Judge a rule book: is it fair, does it end, does skill pay?",
            "evenodds study margin -o margin.html",
        ),
        "sweep": CommandEntry(
            "sweep",
            "Measure a game under many variants of its rules.",
            "evenodds sweep circle numbers=6..12 reach=1..3",
        ),
        "repair": CommandEntry(
            "sweep",
            "Search for rules under which a game is fair and skill pays.",
            "evenodds repair duel --want fair,skill",
        ),
    },
    "Compare": {
        "players": CommandEntry(
            "players",
            "List the computer opponents and their strength.",
            "evenodds players underdog",
        ),
        "arena": CommandEntry(
            "arena",
            "Run a tournament between players and rank them.",
            "evenodds arena duel --player random --player level:3",
        ),
        "benchmark": CommandEntry(
            "arena",
            "Score one player in all games against fixed opponents.",
            'evenodds benchmark --player "cmd:python mybot.py"',
        ),
    },
    "Serve": {
        "serve": CommandEntry(
            "serve",
            "Start a web server, to play in the browser.",
            "evenodds serve --port 8080",
        ),
        "mcp": CommandEntry(
            "serve",
            "Offer the games as tools to a language model (MCP).",
            "evenodds mcp",
        ),
    },
    "More": {
        "cache": CommandEntry(
            "cache",
            "Show or delete stored solutions and studies.",
            "evenodds cache --clear",
        ),
        "completion": CommandEntry(
            "completion",
            "Print a script that completes commands in your shell.",
            'eval "$(evenodds completion bash)"',
        ),
        "forget": CommandEntry(
            "players",
            "Delete what the opponent `reader` has learned about a player.",
            "evenodds forget Ann",
        ),
        "habits": CommandEntry(
            "players",
            "Show what the opponent `reader` has learned about a player.",
            "evenodds habits Ann",
        ),
        "verify": CommandEntry(
            "matches",
            "Check that sealed picks were not changed after they were made.",
            "evenodds verify match.txt",
        ),
    },
}
"""The commands by group; of the last group the list shows names alone."""

TYPED_WORDS: Final = "evenodds.typed_words"
"""The key in `Context.meta` of the words behind a command."""
COMMANDS: Final = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class TypedCommand(click.Command):
    """A command that remembers what was typed, and completes rulings without `--rule`, too."""

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


def command(function: Callable[..., Any]) -> click.Command:
    """Make a command of a function: its help is the summary, the docstring and the example."""
    name = function.__name__
    _, summary, example = COMMANDS[name]
    details = cleandoc(function.__doc__ or "")
    help = f"{summary}\n\n{details}"
    epilog = f"\b\nExample:\n  {example}"
    return click.command(name, TypedCommand, help=help, epilog=epilog)(function)
