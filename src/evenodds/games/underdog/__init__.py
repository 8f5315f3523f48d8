"""Number Clash: First to Three."""

from evenodds.core.game import Game
from evenodds.games.underdog import rules
from evenodds.games.underdog.words import Speech

GAME = Game.of(
    rules,
    name="underdog",
    title="Number Clash: First to Three",
    summary="Higher wins, unless the other is exactly one lower.",
    words=Speech(),
    ladder=(1.5, 0.0, 0.145, 0.287, 0.426, 0.566, 0.706, 0.85, 1.0),
    page=f"{__path__[0]}/rulebook.md",
    claims=f"{__name__}.claims",
    place=1,
)
