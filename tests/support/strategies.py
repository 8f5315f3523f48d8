"""Generators that all property tests share: games, their rulings, terms, and matches in play."""

from typing import Any, Final

from hypothesis import strategies as st

from evenodds import BadTerms, Match, list_games
from evenodds.core.terms import agree

GAMES: Final[list[Any]] = sorted(list_games(installed=False), key=str)
"""The games of the package."""


def _as_a_name(text: str) -> str:
    try:
        return str(agree("duel", players=(text, "another")).players[0])
    except BadTerms:
        return ""


names = st.text(min_size=1, max_size=20).map(_as_a_name).filter(bool)


@st.composite
def rulings(draw: st.DrawFn, game: Any, largest: int = 1000) -> Any:
    """Any rulings the game allows, numbers no larger than `largest` where that is allowed."""
    settled: dict[str, int] = {}
    for key, option in game.options.items():
        if hasattr(option, "choice"):
            settled[key] = draw(st.sampled_from(list(option.choice)), label=key)
        else:
            high = max(option.low, min(option.most(settled), largest))
            settled[key] = draw(st.integers(option.low, high), label=key)
    return game.rulings(**settled)


@st.composite
def terms(draw: st.DrawFn, game: Any = None, largest: int = 1000) -> Any:
    game = game or draw(st.sampled_from(GAMES))
    players = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    return agree(
        game,
        players=tuple(players),
        first=1 if game.simultaneous else draw(st.sampled_from((1, 2))),
        repetition=draw(st.sampled_from((0, *range(2, 10)))),
        computers=draw(st.sampled_from((("", ""), ("", "random"), ("random", "random")))),
        date=draw(st.none() | st.dates()),
    )._replace(rulings=draw(rulings(game, largest)))


@st.composite
def matches(draw: st.DrawFn, game: Any = None, largest: int = 1000) -> Match:
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
