"""The rules of a game and the loops of the processor as functions for the device."""

from functools import cache
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.rule_checks import check_marked
from evenodds.engine import key_tables, symmetry
from evenodds.engine import layer_kernels as solve
from evenodds.engine.compile import bind_rule, bind_rules, edition_of, roles_of
from evenodds.engine.gpu.cuda import device_function
from evenodds.engine.position_keys import packing

_DEVICE_RULES: Final[dict[str, Any]] = {}
"""The functions of games that this process has bound for the device, by `function_digest`."""


class DeviceRules:
    """What kernels call: the rules of a game and the loops over one position, for the device."""

    def __init__(self, game: AnyGame) -> None:
        pack, unpack, *_ = packing(game.start(game.rulings()))
        names = list(device_rules_of(game))
        names += [("pack", device_function(pack)), ("unpack", device_function(unpack))]
        names += [("MIRRORED", game.mirror is not None)]
        self.bound = bound_rules(solve.__name__, tuple(names))
        self.bound["locate"] = self.bound["canonical_key" if game.mirror else "plain_key"]
        self.slot_of = bound_rules(key_tables.__name__)["slot_of"]
        if game.mirror:
            self.find_unmirrored = bound_rules(symmetry.__name__, tuple(names))["find_unmirrored"]

    def __getattr__(self, name: str) -> Any:
        return self.bound[name]


def device_rules_of(game: AnyGame) -> tuple[tuple[str, Any], ...]:
    """The functions of a game for kernels to call; `BadGame` where one cannot be compiled."""
    return tuple((role, _rule_of(game, role)) for role in roles_of(game))


def _rule_of(game: AnyGame, role: str) -> Any:
    check_marked(game, role)
    return bind_rule(getattr(game, role), device_function, _DEVICE_RULES)


@cache
def bound_rules(module: str, names: tuple[tuple[str, Any], ...] = ()) -> dict[str, Any]:
    """A copy of a module's namespace with its own and imported rules for the device."""
    edition = edition_of(module, dict(names))
    return bind_rules(module, dict(names), edition, bound_rules, device_function)
