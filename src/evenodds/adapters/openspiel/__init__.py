"""The games in OpenSpiel: importing this registers `evenodds_NAME` for every game of the catalog.

`pyspiel.load_game("evenodds_underdog", {"numbers": 4})`: the rulings are the parameters.
"""

from evenodds.adapters.openspiel.games import register
from evenodds.adapters.openspiel.policies import from_openspiel as from_openspiel
from evenodds.adapters.openspiel.policies import to_openspiel as to_openspiel
from evenodds.core.catalog import list_games

for game in list_games():
    register(game)
