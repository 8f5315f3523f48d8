"""Number Clash: First to Three."""

from evenodds.game import Game
from evenodds.games.underdog import rules
from evenodds.games.underdog.words import Speech

GAME = Game(
    name="underdog",
    title="Number Clash: First to Three",
    summary="Pick in secret: the higher wins, but one less beats it.",
    rulings=rules.Rulings,
    start=rules.start,
    legal=rules.legal,
    step=rules.step,
    outcome=rules.outcome,
    ending=rules.ending,
    simultaneous=True,
    words=Speech(),
    page=f"{__path__[0]}/rulebook.md",
    place=1,
)
