"""The commands `solve`, `odds` and `cache`."""

from typing import TYPE_CHECKING

import click

from evenodds.claims.study_data import POLICY_NAMES
from evenodds.cli.shared.common import (
    GameName,
    NegativeAnswer,
    main,
    repetition_option,
    rule_option,
    solver_required,
    usage_errors,
)
from evenodds.core import catalog
from evenodds.system.text import printable

if TYPE_CHECKING:
    from evenodds.system.cache_folder import CachedFile

PLAYER = click.Choice([*POLICY_NAMES, "uniform"])  # `uniform` is another name of `random`


@main.command()
@click.argument("game", type=GameName())
@rule_option
@click.option("--after", default="", metavar="PICKS", help='Look at the position after "7-8 10-6".')
@click.option("--json", "as_data", is_flag=True, help="Print the finding as JSON.")
@click.option("--fresh", is_flag=True, help="Solve anew, though the solution is kept.")
def solve(
    game: catalog.AnyGame, rules: tuple[str, ...], after: str, as_data: bool, fresh: bool
) -> None:
    """Solve GAME exactly: its value, and the best mix of picks for both seats."""
    from evenodds.cli.shared.play_options import PlayOptions
    from evenodds.core.notation import BadNotation
    from evenodds.terminal.screen import Screen

    with usage_errors(), solver_required():
        from evenodds.coach.position_report import as_json, report_position
        from evenodds.core.validation import BadGame
        from evenodds.graph import TooLarge
        from evenodds.terminal.progress_bar import progress_bar
        from evenodds.terminal.reports.solve import show

        rulings = PlayOptions(rules).rulings(game)
        try:
            with progress_bar() as progress:
                found = report_position(game, rulings, after, fresh, progress)
        except BadNotation as error:
            raise click.UsageError(f"--after, {error}") from None
        except (BadGame, TooLarge) as error:
            raise NegativeAnswer(str(error)) from None
        for note in found.notes:
            click.echo(note, err=True)
        if as_data:
            import json

            click.echo(json.dumps(as_json(found)))
        else:
            show(found, Screen())


@main.command()
@click.argument("game", type=GameName())
@click.argument("first", type=PLAYER, metavar="FIRST")
@click.argument("second", type=PLAYER, metavar="SECOND")
@rule_option
@repetition_option
@click.option("--json", "as_data", is_flag=True, help="Print the odds as JSON.")
def odds(
    game: catalog.AnyGame,
    first: str,
    second: str,
    rules: tuple[str, ...],
    repetition: int | None,
    as_data: bool,
) -> None:
    """The exact odds of GAME between two players: random, high, level:1 to level:8, perfect."""
    from evenodds.cli.shared.play_options import PlayOptions
    from evenodds.terminal.screen import Screen

    with usage_errors(), solver_required():
        from evenodds.core.validation import BadGame
        from evenodds.graph import TooLarge
        from evenodds.policy import UncountedRepetition
        from evenodds.study.named_odds import named_odds_of
        from evenodds.terminal.progress_bar import progress_bar
        from evenodds.terminal.reports import odds as report

        rulings = game.settle(PlayOptions(rules).rulings(game))
        try:
            with progress_bar() as progress:
                found = named_odds_of(game, rulings, (first, second), repetition, progress)
        except (BadGame, TooLarge, UncountedRepetition) as error:
            raise NegativeAnswer(str(error)) from None
        for note in found.notes:
            click.echo(note, err=True)
        if as_data:
            import json

            ranges = {name: one and one._asdict() for name, one in found.others._asdict().items()}
            click.echo(json.dumps(found.odds._asdict() | {"others": ranges}))
        else:
            report.show(game, found, Screen())


@main.command()
@click.option("--clear", is_flag=True, help="Remove all of it.")
def cache(clear: bool) -> None:
    """Show what is kept of solved games and studies, or clear it."""
    with usage_errors(), solver_required():
        from evenodds.graph import TABLE_KIND, table_rulings
        from evenodds.kernels import KERNEL_KIND
        from evenodds.players.level_strength import STRENGTHS_KIND
        from evenodds.study.claims.claim_results import CLAIMS_KIND
        from evenodds.study.named_odds import ODDS_KIND
        from evenodds.study.study import STUDY_KIND
        from evenodds.study.sweeps.sweep import SWEEP_KIND
        from evenodds.system import cache_folder

        limit = cache_folder.size_limit()
    if clear:
        click.echo(f"{_files(len(cache_folder.clear()))} removed.")
        return
    found = cache_folder.cached_files()
    for file in found:
        if file.suffix == TABLE_KIND.suffix and not file.is_new:
            game, _, _ = file.path.name.rpartition("-")
            click.echo(f"{_size([file])}  {game} {printable(table_rulings(file.path))}")
    for kind in (STRENGTHS_KIND, ODDS_KIND, STUDY_KIND, CLAIMS_KIND, SWEEP_KIND, KERNEL_KIND):
        files = [file for file in found if file.suffix == kind.suffix and not file.is_new]
        if files:
            click.echo(f"{_size(files)}  {kind.label} ({_files(len(files))})")
    if unfinished := [file for file in found if file.is_new]:
        click.echo(f"{_size(unfinished)}  being written ({_files(len(unfinished))})")
    click.echo(
        f"{_size(found)}  of {limit >> 20:,} MB in {_files(len(found))} in {cache_folder.folder()}"
    )


def _size(files: "list[CachedFile]") -> str:
    return f"{sum(file.size for file in files) / 2**20:9.1f} MB"


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"
