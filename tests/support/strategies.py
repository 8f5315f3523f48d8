"""Generators that all property tests share: games, their rulings, terms, and matches in play."""

from typing import Any

from hypothesis import strategies as st

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.rulings import OneOf
from evenodds.core.terms import ALLOWED_REPETITIONS, MAX_NAME_COLUMNS, Terms, agree, check_players
from evenodds.system.text import display_width, printable

GAMES: list[AnyGame] = [catalog.get(name) for name in sorted(catalog.built_in())]

names = (
    st.text(min_size=1, max_size=MAX_NAME_COLUMNS)
    .map(lambda text: " ".join(printable(text).split()))
    .filter(lambda text: 0 < display_width(text) <= MAX_NAME_COLUMNS)
    .map(lambda text: check_players((text, "another"))[0])
)


@st.composite
def rulings(draw: st.DrawFn, game: AnyGame, largest: int = 1000) -> Any:
    """Any rulings the game allows, numbers no larger than `largest` where that is allowed."""
    settled: dict[str, int] = {}
    for key, option in game.options.items():
        if isinstance(option, OneOf):
            settled[key] = draw(st.sampled_from(list(option.meanings)), label=key)
        else:
            high = max(option.low, min(option.most(settled), largest))
            settled[key] = draw(st.integers(option.low, high), label=key)
    return game.rulings(**settled)


@st.composite
def terms(draw: st.DrawFn, game: AnyGame | None = None, largest: int = 1000) -> Terms:
    """Any terms that hold."""
    game = game or draw(st.sampled_from(GAMES))
    players = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    return agree(
        game,
        players=tuple(players),
        first=1 if game.simultaneous else draw(st.sampled_from((1, 2))),
        repetition=draw(st.sampled_from(ALLOWED_REPETITIONS)),
        computers=draw(st.sampled_from((("", ""), ("", "random"), ("random", "random")))),
        date=draw(st.none() | st.dates()),
    )._replace(rulings=draw(rulings(game, largest)))


@st.composite
def matches(draw: st.DrawFn, game: AnyGame | None = None, largest: int = 1000) -> Match:
    """A match some rounds in, open or over, between rounds."""
    match = Match(draw(terms(game, largest)))
    for _ in range(draw(st.integers(0, 30))):
        if match.result:
            break
        for seat in match.waiting():
            match.pick(seat, draw(st.sampled_from(match.choices(seat))))
    if match.result is None and draw(st.booleans()):
        seat = draw(st.sampled_from((0, 1)))
        match.lose(seat, draw(st.sampled_from(("resigned", "time", "forfeit"))))
    elif match.history and match.record.end is None and draw(st.booleans()):
        match.undo()
    return match
