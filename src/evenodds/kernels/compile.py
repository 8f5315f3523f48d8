"""Binds the rules of a game to the kernels and compiles both with Numba.

Numba is imported here, and only when something is compiled.
"""

import sys
from functools import cache, cached_property, lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import RULES
from evenodds.kernels import (
    mass_flow,
    playouts,
    policy_play,
    solve,
    stepping,
    symmetry,
    transitions,
)
from evenodds.kernels.cache import KernelCache
from evenodds.kernels.compile_errors import check_marked, with_compile_errors
from evenodds.kernels.keys import flattening, packing
from evenodds.matrix import equilibrium_range
from evenodds.system.extras import needs

LOOP_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy"}
CALLEE_OPTIONS: Final[dict[str, Any]] = LOOP_OPTIONS | {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Without the doors that only Python needs a function compiles in half the time."""

SOLVING: Final = ("expand", "admit", "solve_layer", "store", "collect", "sweep")
PLAYING: Final = (
    "fill_uniform",
    "fill_named",
    "fill_yields",
    "push",
    "respond",
)
LINKING: Final = ("fill_moves", "fill_targets", "fill_values", "fill_images")
STEPPING: Final = ("sow", "step_seats", "step_both")
OTHERS: Final = ("find_unmirrored", "simulate", "name_mix", "push_matches", "fill_extremes")
LOOPS: Final = frozenset({*SOLVING, *PLAYING, *LINKING, *STEPPING, *OTHERS})
"""The rules that Python calls."""


class GameKernels:
    """The loops of one game. Each is compiled when it is first called, once in a process.

    Interpreted, they do the same without Numba's help: for small games, for looking inside, and for
    tests.
    """

    def __init__(self, game: AnyGame, compiled: bool = True) -> None:
        self._names = _names_of(game, compiled)
        self._compiled = compiled
        space = _bound(solve.__name__, self._names, compiled)
        space["locate"] = space["half_key" if game.mirror else "whole_key"]
        self._names |= {name: space[name] for name in ("fill_payoff", "locate")}
        self._game = game
        self.expand, self.admit, self.solve_layer, self.store, self.collect, self.sweep = (
            with_compile_errors(game, space[name]) for name in SOLVING
        )

    @cached_property
    def flows(self) -> SimpleNamespace:
        """The loops for play between policies."""
        return self._loops(policy_play.__name__, PLAYING)

    @cached_property
    def links(self) -> SimpleNamespace:
        """The loops that follow every pair of picks."""
        return self._loops(transitions.__name__, LINKING)

    @cached_property
    def find_unmirrored(self) -> Any:
        """The loop that holds positions against their mirror images."""
        return self._loops(symmetry.__name__, ("find_unmirrored",)).find_unmirrored

    def _loops(self, module: str, names: tuple[str, ...]) -> SimpleNamespace:
        space = _bound(module, self._names, self._compiled)
        return SimpleNamespace(
            **{name: with_compile_errors(self._game, space[name]) for name in names}
        )


@cache
def kernels_of(game: AnyGame, compiled: bool = True) -> GameKernels:
    """The loops of a game, compiled once in a process."""
    return GameKernels(game, compiled)


def _names_of(game: AnyGame, compiled: bool) -> dict[str, Any]:
    """What the loops call by name."""
    pack, unpack = packing(game.start(game.rulings()))
    roles = ("legal", "step", "outcome", "ending", *(["mirror"] if game.mirror else []))
    names: dict[str, Any] = {
        **{role: _rule_of(game, role, compiled) for role in roles},
        "pack": _ready(pack, CALLEE_OPTIONS, compiled),
        "unpack": _ready(unpack, CALLEE_OPTIONS, compiled),
        "HALVED": game.mirror is not None,
    }
    return names


def _rule_of(game: AnyGame, role: str, compiled: bool) -> Any:
    """A function of a game, ready to be called by loops; `BadGame` where it cannot be compiled."""
    function = getattr(game, role)
    if not compiled:
        return function
    check_marked(game, role)
    return _rules_of(function.__module__, compiled)[function.__name__]


@lru_cache(32)
def playout_kernel(game: AnyGame, first: Any, second: Any, repetition: int, compiled: bool) -> Any:
    """The loop that plays matches between two ways of picking; None stands for a table of mixes."""
    names = _match_names(game, repetition, compiled)
    names["first_pick"] = _picking(first, names, compiled)
    names["second_pick"] = _picking(second, names, compiled)
    return _bound(playouts.__name__, names, compiled)["simulate"]


@lru_cache(32)
def stepping_kernels(
    game: AnyGame, way: Any, repetition: int, compiled: bool = True
) -> SimpleNamespace:
    """The loops that take many matches one step further; None stands for a table of mixes."""
    names = _match_names(game, repetition, compiled)
    write, read = flattening(game.start(game.rulings()))
    names["write"], names["read"] = (
        _ready(rule, CALLEE_OPTIONS, compiled) for rule in (write, read)
    )
    names["their_pick"] = _picking(way, names, compiled)
    space = _bound(stepping.__name__, names, compiled)
    space["own_side"] = space["mirror_image" if game.mirror else "as_it_is"]
    return SimpleNamespace(**{name: with_compile_errors(game, space[name]) for name in STEPPING})


def _match_names(game: AnyGame, repetition: int, compiled: bool) -> dict[str, Any]:
    """What loops call by name that play matches from the start."""
    names = _names_of(game, compiled) | {"start": _rule_of(game, "start", compiled)}
    return names | {"REPETITION": repetition}


def _picking(way: Any, names: dict[str, Any], compiled: bool) -> Any:
    """How a seat picks: by a way, or without one from a table of mixes."""
    bound = {"way": _way(way, compiled)} if way else {}
    space = _bound(playouts.__name__, names | bound, compiled)
    return space["by_way" if way else "by_mixes"]


def mass_flow_kernel() -> Any:
    """The loop that sends masses of matches on, in any game."""
    return _rules_of(mass_flow.__name__, True)["push_matches"]


def equilibrium_range_kernel(compiled: bool) -> Any:
    """The loop that finds the best mixes which bring most or least of a figure, in any game."""
    return _rules_of(equilibrium_range.__name__, compiled)["fill_extremes"]


def _way(function: Any, compiled: bool) -> Any:
    """Any function that picks, with the rules it calls made ready."""
    if hasattr(function, "py_func"):  # somebody has compiled it
        return function if compiled else function.py_func
    module = function.__module__
    if function in RULES.get(module, ()):
        return _rules_of(module, compiled)[function.__name__]
    space = _bound(module, {}, compiled)
    named = (space, function.__name__, function.__defaults__, function.__closure__)
    return _ready(FunctionType(function.__code__, *named), CALLEE_OPTIONS, compiled)


@cache
def _rules_of(module: str, compiled: bool) -> dict[str, Any]:
    """Every rule of a module, ready to be called by others that are."""
    return _bound(module, {}, compiled)


def _bound(module: str, names: dict[str, Any], compiled: bool) -> dict[str, Any]:
    """A module's names with its rules and those it borrows made ready, and some filled in."""
    space = dict(vars(sys.modules[module]))
    for name, value in vars(sys.modules[module]).items():
        home = getattr(value, "__module__", module)
        if home != module and value in RULES.get(home, ()):
            space[name] = _rules_of(home, compiled)[name]
    space |= names
    for function in RULES.get(module, ()):
        bound = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
        options = LOOP_OPTIONS if function.__name__ in LOOPS else CALLEE_OPTIONS
        space[function.__name__] = _ready(bound, options, compiled)
    return space


def _ready(function: Any, options: dict[str, Any], compiled: bool) -> Any:
    """A function that compiles itself when it is first called, or the function as it stands."""
    if not compiled:
        return function
    with needs("solver"):
        from numba import njit
    found = njit(function, **options)
    found._cache = KernelCache(function, options, is_kept=options is LOOP_OPTIONS)
    return found
