"""The command `completion`."""

from typing import Final

import click
from click.shell_completion import get_completion_class

from evenodds.cli.command_table import command

BASH_SCRIPT: Final = """\
_evenodds_completion() {
    local line="${COMP_LINE:0:COMP_POINT}" words current breaks kept type value
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current="${words[-1]}"
    # Bash replaces only what follows the last colon or equals sign of a word.
    breaks="[${COMP_WORDBREAKS//[^:=]/}]"
    [[ $breaks == "[]" ]] && kept="" || kept="${current%"${current##*$breaks}"}"
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("${value#"$kept"}") ;;
        esac
    done < <(COMP_WORDS="$line" COMP_CWORD=$((${#words[@]} - 1)) \\
        _EVENODDS_COMPLETE=bash_complete "$1")
    [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
    return 0
}
complete -o nosort -F _evenodds_completion evenodds
"""
"""Like click's script for bash, but words with a colon or an equals sign are completed too."""


@command('eval "$(evenodds completion bash)"')
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """SHELL is bash, zsh or fish. Add the example to the start-up file of your shell."""
    found = get_completion_class(shell)
    if shell == "bash":
        click.echo(BASH_SCRIPT)
    elif found is not None:
        group = click.get_current_context().find_root().command
        click.echo(found(group, {}, "evenodds", "_EVENODDS_COMPLETE").source())
