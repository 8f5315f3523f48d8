"""What several commands share: options and arguments, how shells complete them, and output."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from evenodds.cli.errors import Range, limits_of
from evenodds.core import catalog
from evenodds.core.rulings import OneOf, given_rulings, parse_rulings
from evenodds.players.player import pick_seconds_fault
from evenodds.players.registry import BUILT_IN_PLAYERS, registered_name
from evenodds.system.files import check_writable_target, is_regular_file, write_output
from evenodds.terminal.screen import Screen

if TYPE_CHECKING:
    from evenodds.workers.task import TaskRunner

AnyPath = str | os.PathLike[str]


@dataclass(eq=False)
class NamedThing(click.ParamType[Any]):
    """Something that goes by a name: `find` gives it, or refuses.

    Shells complete `names`, each with what it stands for, and those of files where they do, too.
    """

    name: str
    names: Callable[[], Mapping[str, str]]
    find: Callable[[str], Any] = str
    files: bool = False

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What goes by that name."""
        return self.find(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so."""
        files = [CompletionItem(incomplete, type="file")] if self.files else []
        return _items(self.names(), incomplete) + files


def _items(names: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    found = {name: about for name, about in names.items() if name.startswith(incomplete)}
    return [CompletionItem(name, help=about) for name, about in found.items()]


def game_titles() -> dict[str, str]:
    """The titles of all games by their names."""
    return {game.name: game.title for game in catalog.list_games()}


def match_lines(open_only: bool = False) -> dict[str, str]:
    """A line on each saved match by its ID; where `open_only`, on those that are not over."""
    from evenodds.table.saved_matches import saved_matches
    from evenodds.terminal.reports.lists import match_status

    return {
        saved.id: f"{saved.match.game.name}, {match_status(saved.match)}"
        for saved in saved_matches()[0]
        if not (open_only and saved.match.result)
    }


class GameType(NamedThing):
    """A game by its name, or by the path of its folder, whose code runs here: it was typed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The game; while a shell completes a line, no code of a folder runs."""
        is_path = isinstance(value, str) and is_game_path(value)
        return None if is_path and ctx and ctx.resilient_parsing else self.find(value)


def is_game_path(text: str) -> bool:
    """Whether a text is the path of a folder or file, and no name: `./nim`, `..`, `nim.py`."""
    return text in (".", "..") or text.endswith(".py") or bool({"/", os.sep} & {*text})


def find_game(text: catalog.GameLike) -> catalog.AnyGame:
    """The game of that name or in that folder."""
    if not isinstance(text, str) or not is_game_path(text):
        try:
            return catalog.get(text)
        except catalog.UnknownGame as error:
            lies_here = f"; for the folder {text} type ./{text}" if os.path.isdir(str(text)) else ""
            raise catalog.UnknownGame(f"{error}{lies_here}") from None
    from evenodds.core.game_folder import load  # takes a while to import, and is needed seldom

    return load(text)


GAME = GameType("game", game_titles, find_game, files=True)
PLAYER = NamedThing("player", lambda: BUILT_IN_PLAYERS, registered_name)
"""A player by its name or as it is shown; one that is not built in is checked where it is used."""


def complete_rulings(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The rulings of the game that is named before; after `key=` the words it allows."""
    # An option without its value ends parsing, so the game may still be among the words.
    named = [game for game in catalog.list_games() if game.name in ctx.args]
    chosen = ctx.params.get("game") or next(iter(named), None)
    known = chosen.options if chosen else {}
    key, equals, _ = incomplete.partition("=")
    if not equals:
        return _items({f"{name}=": ruling.about for name, ruling in known.items()}, incomplete)
    ruling = known.get(key)
    words = ruling.words if isinstance(ruling, OneOf) else {}
    return _items({f"{key}={word}": about for word, about in words.items()}, incomplete)


class RangeOption(click.Option):
    """An option whose help names the limits in words, where click writes 0<=x<=60."""

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """What stands in brackets after the help."""
        assert isinstance(self.type, Range)
        return {**super().get_help_extra(ctx), "range": limits_of(self.type)}


def option(usage: str, help: str, name: str = "", **settings: Any) -> Callable[[Any], Any]:
    """An option as the help shows it: `--seed N`; without a value it is a flag.

    A default and limits are shown, too. `name` is that of the parameter, where it is another one.
    """
    flag, _, value = usage.partition(" ")
    if value:
        settings["metavar"] = value
    elif "type" not in settings:
        settings["is_flag"] = True
    if isinstance(settings.get("type"), Range):
        settings["cls"] = RangeOption
    names = [flag, name] if name else [flag]
    return click.option(*names, help=help, show_default="default" in settings, **settings)


game = click.argument("game", type=GAME)
folder = click.argument("game", type=GAME, required=False, expose_value=False)
"""The folder of the game of recorded matches: it is known once it is loaded."""
rule = option(
    "--rule KEY=VALUE",
    "Change a rule option: numbers=7; evenodds rules GAME lists them. You may leave out --rule.",
    "rules",
    multiple=True,
    shell_complete=complete_rulings,
)
repetition = option(
    "--repetition N",
    "In games that can repeat positions: draw when one occurs N times; 0 for never. [3]",
    type=int,
)
seed = option("--seed N", "Make random choices repeatable.", type=int)
record = option("--record FILE", "Append the match to a file.", type=click.Path())
match = option("--match N", "Only the Nth match of the file.", "place", type=click.IntRange(min=1))
plain = option("--plain", "Plain text only, as for a screen reader.")
page = option("-o PAGE.html", "Write a web page.", "page", type=click.Path())


def refuse_nan(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """`BadParameter` for NaN, which no comparison of `FloatRange` refuses."""
    if value is not None and isnan(value):
        raise click.BadParameter(f"{value} is not in the range.", ctx, param)
    return value


def _check_bot_seconds(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """`UsageError` for a time out of range."""
    if value is not None and (fault := pick_seconds_fault(value)):
        raise click.UsageError(f"--bot-seconds {value:g} {fault}")
    return value


bot_seconds = option(
    "--bot-seconds S",
    "Time for each pick of a program (cmd:) [10] or model (llm:) [120].",
    type=float,
    callback=_check_bot_seconds,
)
cluster = option("--cluster tcp://HOST:PORT", "Use the workers of a Dask cluster.")


def task_runner(cluster: str | None, processes: int | None = None) -> "TaskRunner":
    """The workers of `--cluster`, or else a pool of local processes, one for each core."""
    from evenodds.workers.cluster import Cluster
    from evenodds.workers.processes import ProcessPool

    return ProcessPool(processes) if cluster is None else Cluster(cluster)


def read_rulings(game: catalog.AnyGame, rules: tuple[str, ...]) -> dict[str, object]:
    """The parsed rulings, which the game has not checked yet."""
    return parse_rulings(game.rulings, given_rulings(rules))


def print_result(
    as_data: bool, found: Any, data: Callable[[Any], Any], show: Callable[[Any, Screen], None]
) -> None:
    """Print a result as JSON where that is asked for, or else show it."""
    if as_data:
        click.echo(json.dumps(data(found)))
    else:
        show(found, Screen())


@contextmanager
def writing(path: AnyPath) -> Iterator[None]:
    """An error of one line for a file or folder that cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.ClickException(f"{path} cannot be written: {why}") from None


def check_writable(page: AnyPath) -> None:
    """Check that a file can be written, before the work and not after it."""
    with writing(page):
        check_writable_target(Path(page))


def write_output_file(page: AnyPath, text: str, said: str = "") -> None:
    """Write an output file, and say so; an error of one line where that fails.

    Nothing is said for a pipe or device, where the page itself may go to the same reader.
    """
    write_output(Path(page), text)
    if said and is_regular_file(Path(page)):
        click.echo(said)
