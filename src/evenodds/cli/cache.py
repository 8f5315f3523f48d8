"""The command `cache`."""

import click

from evenodds.arena.card import REFERENCE_KIND
from evenodds.cli.command_table import command
from evenodds.cli.options import option
from evenodds.engine.solution_files import TABLE_KIND, table_rulings
from evenodds.figures import counted
from evenodds.study import ODDS_KIND, STUDY_KIND, SWEEP_KIND
from evenodds.study.claim_results import CLAIMS_KIND
from evenodds.system import cache_folder
from evenodds.system.cache_folder import CachedFile
from evenodds.system.locks import is_held
from evenodds.system.text import printable


@command("evenodds cache --clear")
@option("--clear", "Delete everything that is stored.")
def cache(clear: bool) -> None:
    """Nothing is lost by --clear: what is deleted is computed again when needed."""
    # Needs NumPy, which the help does not.
    from evenodds.engine.numba_cache import KERNEL_KIND

    limit = cache_folder.size_limit()
    if clear:
        click.echo(f"{counted(len(cache_folder.clear()), 'files')} removed.")
        return
    files = cache_folder.cached_files()
    found = [file for file in files if file.path.suffix != ".lock" or is_held(file.path)]
    for file in found:
        if file.suffix == TABLE_KIND.suffix and not file.is_new:
            game, _, _ = file.path.name.rpartition("-")
            click.echo(f"{_size([file])}  {game} {printable(table_rulings(file.path))}")
    for kind in (*(ODDS_KIND, STUDY_KIND, CLAIMS_KIND, SWEEP_KIND, REFERENCE_KIND, KERNEL_KIND),):
        suffixes = (kind.suffix, "nbi" if kind == KERNEL_KIND else "")  # Numba's index of loops
        if files := [file for file in found if file.suffix in suffixes and not file.is_new]:
            click.echo(f"{_size(files)}  {kind.label} ({counted(len(files), 'files')})")
    if unfinished := [file for file in found if file.is_new]:
        click.echo(f"{_size(unfinished)}  being written ({counted(len(unfinished), 'files')})")
    files_there = f"{counted(len(found), 'files')} in {cache_folder.folder()}"
    click.echo(f"{_size(found)}  of {limit >> 20:,} MB in {files_there}")


def _size(files: list[CachedFile]) -> str:
    return f"{sum(file.size for file in files) / 2**20:9.1f} MB"
