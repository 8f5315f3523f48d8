"""The rules of a game and the loops of the processor as functions for the device."""

from functools import cache
from typing import Any

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import check_marked
from evenodds.kernels import key_tables, solve, symmetry
from evenodds.kernels.compiler.compile import bind_rules
from evenodds.kernels.gpu.cuda import device_function
from evenodds.kernels.position_keys import packing


class DeviceRules:
    """What kernels call: the rules of a game and the loops over one position, for the device."""

    def __init__(self, game: AnyGame) -> None:
        pack, unpack = packing(game.start(game.rulings()))
        roles = ("legal", "step", "outcome", "ending", *(["mirror"] if game.mirror else []))
        names = [(role, _rule_of(game, role)) for role in roles]
        names += [("pack", device_function(pack)), ("unpack", device_function(unpack))]
        names += [("MIRRORED", game.mirror is not None)]
        self.bound = bound_rules(solve.__name__, tuple(names))
        self.bound["locate"] = self.bound["canonical_key" if game.mirror else "plain_key"]
        self.slot_of = bound_rules(key_tables.__name__)["slot_of"]
        if game.mirror:
            self.find_unmirrored = bound_rules(symmetry.__name__, tuple(names))["find_unmirrored"]

    def __getattr__(self, name: str) -> Any:
        return self.bound[name]


def _rule_of(game: AnyGame, role: str) -> Any:
    """A function of a game for kernels to call; `BadGame` where it cannot be compiled."""
    check_marked(game, role)
    function = getattr(game, role)
    return bound_rules(function.__module__)[function.__name__]


@cache
def bound_rules(module: str, names: tuple[tuple[str, Any], ...] = ()) -> dict[str, Any]:
    """A copy of a module's namespace with its own and imported rules for the device."""
    return bind_rules(module, dict(names), bound_rules, device_function)
