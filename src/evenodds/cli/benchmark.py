"""The commands `benchmark` and `cards`."""

import json
from pathlib import Path
from typing import Any

import click
import msgspec

from evenodds.cli import options
from evenodds.cli.arena import folder_errors, folder_option, write_results
from evenodds.cli.command_table import command
from evenodds.cli.options import option, write_output_file
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame, RuledGame
from evenodds.figures import counted
from evenodds.players.llm.budget import BUDGET_FILE_NAME, Budget
from evenodds.players.registry import MODEL_PREFIX, check_opponent
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen


def _parameters(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Any:
    """Parameters as JSON, or as text where they are none."""
    found = {}
    for text in value:
        key, equals, said = text.partition("=")
        if not key or not equals:
            raise click.UsageError(f"--set {text} is not allowed; allowed: --set temperature=0.7")
        try:
            found[key] = json.loads(said)
        except ValueError:
            found[key] = said
    return found


def _price(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """The prices of a million tokens of question and of answer."""
    try:
        question, answer = map(float, (value or "0/0").split("/"))
    except ValueError:
        raise click.UsageError(f"--price {value} is not allowed; allowed: --price 3/15") from None
    return value and (question, answer)


@command('evenodds benchmark --player "cmd:python mybot.py"')
@option("--player NAME", "The player to score.", type=options.PLAYER, required=True)
@option("--matches N", "Matches that count in each game; by default its own number.", type=int)
@option(
    "--game", "Play only this game; may be repeated.", "games", type=options.GAME, multiple=True
)
@options.rule
@option(
    "--question EDITION", "How a model is asked: listed, unlisted or disguised.", default="listed"
)
@option(
    "--set KEY=VALUE",
    "Pass a parameter on to a model: temperature=0.7; may be repeated.",
    "parameters",
    multiple=True,
    callback=_parameters,
)
@option("--parallel N", "Requests to a model at once.", default=1)
@option(
    "--price IN/OUT",
    "Prices of a million tokens of question and of answer, to say the cost.",
    callback=_price,
)
@options.bot_seconds
@folder_option
@option("--json", "Print the score card as JSON.", "as_data")
def benchmark(
    player: str,
    games: tuple[AnyGame, ...],
    rules: tuple[str, ...],
    matches: int | None,
    question: str,
    parameters: dict[str, Any],
    parallel: int,
    price: tuple[float, float] | None,
    bot_seconds: float | None,
    folder: str | None,
    as_data: bool,
) -> None:
    """Questions and seeds are the same for everyone, so score cards can be compared."""
    from evenodds.arena.card_plan import EFFORTS, CardPlan, check_card

    check_opponent(player, allow_external=True)
    if rules and len(games) != 1:
        raise click.UsageError("--rule needs one --game, whose rules it changes")
    wanted = dict.fromkeys(games or map(catalog.get, EFFORTS))
    ruled = [RuledGame(one, one.settle(options.read_rulings(one, rules))) for one in wanted]
    plan = CardPlan(player, tuple(ruled), matches, bot_seconds, question, parameters)
    check_card(plan, parallel)
    # These need NumPy, which the help and the checks before do not.
    from evenodds.arena.card_page import as_markdown
    from evenodds.arena.score_card import run_card
    from evenodds.terminal.reports.arena import show_card

    with folder_errors(folder):
        place, budget = Path(folder) if folder else None, None
        if player.startswith(MODEL_PREFIX):
            budget = Budget(file=place and place / BUDGET_FILE_NAME)
            click.echo(_cost(plan, price), err=True)
        try:
            card = run_card(plan, player, place, progress_bar, budget, parallel)
        finally:
            if budget and (summary := budget.summary()) and not as_data:
                click.echo(f"{summary}\n")
    name = "-".join(["card", *(game.name for game in games)])  # one of some games names them
    data = msgspec.to_builtins(card)
    write_results(folder, name, as_markdown(card), data, as_data)
    if not as_data:
        show_card(card, Screen())


def _cost(plan: Any, price: tuple[float, float] | None) -> str:
    """What a card takes, in sentences."""
    requests, tokens = plan.requests, plan.question_tokens
    said = (
        f"This takes up to {requests:,} requests, and one more for each answer without a legal "
        f"pick. The questions come to about {tokens:,} tokens"
    )
    if price is None:
        return f"{said}."
    question, answer = price
    return (
        f"{said}: {tokens * question / 1e6:,.2f} by your prices, and "
        f"{requests * answer / 1e3:,.2f} for every 1,000 tokens of an answer."
    )


@command("evenodds cards one/card.json two/card.json -o cards.html")
@click.argument("files", metavar="[CARD.json...]", nargs=-1, type=click.Path())
@options.page
@option("--schema", "Print the JSON schema of a card.")
def cards(files: tuple[str, ...], page: str | None, schema: bool) -> None:
    """The cards are those that `evenodds benchmark -o DIR` writes."""
    from evenodds.arena import card

    if schema:
        click.echo(json.dumps(card.schema()))
        return
    if not files or not page:
        raise click.UsageError("Name the cards and the page: evenodds cards CARD.json -o PAGE.html")
    from evenodds.arena.card_page import side_by_side

    found = []
    for file in files:
        try:
            found.append(card.read_card(Path(file).read_bytes()))
        except OSError as error:
            raise click.ClickException(f"{file} cannot be read: {error.strerror}") from None
        except msgspec.MsgspecError:
            raise click.UsageError(f"{file} is no score card of this edition") from None
    write_output_file(
        page, side_by_side(found), f"{page} has {counted(len(found), 'score cards')}."
    )
