"""Options and arguments that several commands share."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from evenodds.cli.ranges import RangeOption
from evenodds.core import catalog
from evenodds.core.rulings import OneOf, parse_rulings
from evenodds.core.terms import BadTerms
from evenodds.players.player import pick_seconds_fault
from evenodds.players.registry import BUILT_IN_PLAYERS, registered_name


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


class GameName(click.ParamType[catalog.AnyGame]):
    """A game of the catalog."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The game of that name, or one line that names those there are."""
        return catalog.get(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names of all games."""
        return [
            CompletionItem(game.name, help=game.title)
            for game in catalog.list_games()
            if game.name.startswith(incomplete)
        ]


class PlayerName(click.ParamType[str]):
    """A player, by its name or as it is shown."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name in the registry, if it is built in; others are checked where they are used."""
        return registered_name(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The built-in players."""
        return [
            CompletionItem(name, help=line)
            for name, line in BUILT_IN_PLAYERS.items()
            if name.startswith(incomplete)
        ]


rule_option = click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a rule option: numbers=7; evenodds rules GAME lists them. "
    "You may leave out --rule.",
    shell_complete=complete_rulings,
)

repetition_option = click.option(
    "--repetition",
    type=int,
    metavar="N",
    help="Draw when a position occurs N times; 0 for never. [3]",
)
seed_option = click.option("--seed", type=int, metavar="N", help="Make random choices repeatable.")
cluster_option = click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Use the workers of a Dask cluster."
)
record_option = click.option(
    "--record", type=click.Path(), metavar="FILE", help="Append the match to a file."
)
match_option = click.option(
    "--match",
    "place",
    cls=RangeOption,
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the Nth match of the file.",
)
plain_option = click.option(
    "--plain", is_flag=True, help="Plain text only, as for a screen reader."
)


def _check_bot_seconds(
    ctx: click.Context, param: click.Parameter, value: float | None
) -> float | None:
    """`UsageError` for a time out of range."""
    if value is not None and (fault := pick_seconds_fault(value)):
        raise click.UsageError(f"--bot-seconds {value:g} {fault}")
    return value


bot_seconds_option = click.option(
    "--bot-seconds",
    type=float,
    callback=_check_bot_seconds,
    metavar="S",
    help="Time for each pick of a program (cmd:) [10] or model (llm:) [120].",
)


def given_rulings(rules: tuple[str, ...]) -> dict[str, str]:
    """The texts of `--rule` by key."""
    given: dict[str, str] = {}
    for text in rules:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadTerms(f"--rule {text} is not allowed; allowed: key=value")
        if key in given:
            raise BadTerms(f"{key}={value} is not allowed: {key} is given twice")
        given[key] = value
    return given


def read_rulings(game: catalog.AnyGame, rules: tuple[str, ...]) -> dict[str, object]:
    """The parsed rulings, which the game has not checked yet."""
    return parse_rulings(game.rulings, given_rulings(rules))
