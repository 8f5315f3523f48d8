"""Binds the rules of a game to the kernels and compiles both with Numba.

Numba is imported here, and only when something is compiled.
"""

import sys
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from types import CellType, FunctionType, SimpleNamespace
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.digests import code_digest, digest, function_digest
from evenodds.core.rule_checks import check_marked, is_marked, names_read
from evenodds.core.vocabulary import RULES
from evenodds.engine import (
    block_loops,
    key_tables,
    link_kernels,
    matrix_batch,
    pick_kernels,
    playouts,
    simplex,
    stepping,
    symmetry,
    transitions,
)
from evenodds.engine import layer_kernels as solve
from evenodds.engine.compile_errors import with_compile_errors
from evenodds.engine.numba_cache import KERNEL_CODE, can_be_kept, forgiving, named
from evenodds.engine.position_keys import flattening, packing
from evenodds.system.imports import needs

KERNEL_OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}
CALLEE_OPTIONS: Final[dict[str, Any]] = KERNEL_OPTIONS | {"no_cpython_wrapper": True}
"""Without the wrappers that only calls from Python need, a function compiles in half the time."""

SOLVE_KERNELS: Final = ("expand_layer", "solve_layer")
TABLE_KERNELS: Final = ("insert_all", "write_values", "read_values")
TRANSITION_KERNELS: Final = ("fill_moves", "fill_targets", "fill_values", "fill_images")
STEPPING_KERNELS: Final = ("seed_streams", "step_seats", "step_both")
SHARED_KERNELS: Final = {
    "push_mass_along_blocks": block_loops,
    "fill_selected_mixes": block_loops,
    "fill_parents": link_kernels,
    "list_backwards": link_kernels,
    "settle": link_kernels,
    "push_on": link_kernels,
    "sum_back": link_kernels,
    "raise_worths": link_kernels,
    "advance_masses": link_kernels,
    "fill_winning_picks": pick_kernels,
    "solve_matrices": matrix_batch,
    "solve_game": simplex,
}
ENTRY_POINTS: Final = frozenset(
    {
        *SOLVE_KERNELS,
        *TABLE_KERNELS,
        *TRANSITION_KERNELS,
        *STEPPING_KERNELS,
        *SHARED_KERNELS,
        "find_unmirrored",
        "simulate",
    }
)
"""The kernels that Python calls, which need wrappers and are cached; and `solve_game`, cached so
that it is compiled once for all games."""

_COMPILED_RULES: Final[dict[str, Any]] = {}
"""The functions of games that this process has bound, by `function_digest`."""


class GameKernels:
    """The kernels of one game. Each is compiled when it is first called, once in a process.

    With `compiled=False` they run as plain Python: for small games, debugging and tests.
    """

    def __init__(self, game: AnyGame, compiled: bool = True) -> None:
        self._names = _names_of(game, compiled)
        self.compiled = compiled
        self._game = game
        namespace = _bind(solve.__name__, self._names, compiled)
        namespace["locate"] = namespace["canonical_key" if game.mirror else "plain_key"]
        self._names["locate"] = namespace["locate"]
        self.expand_layer, self.solve_layer = (
            with_compile_errors(game, namespace[name]) for name in SOLVE_KERNELS
        )
        tables = _bound_rules(key_tables.__name__, compiled)
        self.insert_all, self.write_values, self.read_values = (
            with_compile_errors(game, tables[name]) for name in TABLE_KERNELS
        )

    @cached_property
    def transitions(self) -> SimpleNamespace:
        """The kernels of `kernels.transitions`."""
        return self._bound_kernels(transitions.__name__, TRANSITION_KERNELS)

    @cached_property
    def find_unmirrored(self) -> Any:
        """The kernel of `kernels.symmetry`."""
        return self._bound_kernels(symmetry.__name__, ("find_unmirrored",)).find_unmirrored

    def _bound_kernels(self, module: str, names: tuple[str, ...]) -> SimpleNamespace:
        namespace = _bind(module, self._names, self.compiled)
        return SimpleNamespace(
            **{name: with_compile_errors(self._game, namespace[name]) for name in names}
        )


def kernels_of(game: AnyGame, compiled: bool) -> GameKernels:
    """The kernels of a game, made once in a process for each edition of its rules."""
    return _kernels_of(game, compiled, _rules_of(game, compiled))


@cache
def _kernels_of(game: AnyGame, compiled: bool, rules: tuple[Any, ...]) -> GameKernels:
    return GameKernels(game, compiled)


def _rules_of(game: AnyGame, compiled: bool) -> tuple[Any, ...]:
    """The functions of a game for kernels to call: others where a constant has changed."""
    return tuple(_rule_of(game, role, compiled) for role in roles_of(game))


def roles_of(game: AnyGame) -> tuple[str, ...]:
    """The functions of a game that kernels call."""
    return ("legal", "step", "outcome", "ending", *(["mirror"] if game.mirror else []))


def _names_of(game: AnyGame, compiled: bool) -> dict[str, Any]:
    pack, unpack = _packing_of(game, compiled)
    names = dict(zip(roles_of(game), _rules_of(game, compiled), strict=True))
    names |= {"pack": pack, "unpack": unpack}
    return names | {"MIRRORED": game.mirror is not None}


@cache
def _packing_of(game: AnyGame, compiled: bool) -> tuple[Any, Any]:
    """The functions that pack and unpack positions, the same for all kernels of a game."""
    packed = packing(game.start(game.rulings()))
    pack, unpack = (
        compile_function(named(each, function_digest(each)), compiled) for each in packed
    )
    return pack, unpack


def _rule_of(game: AnyGame, role: str, compiled: bool) -> Any:
    """A function of a game for kernels to call; `BadGame` where it cannot be compiled."""
    function = getattr(game, role)
    if not compiled:
        return function
    check_marked(game, role)
    return _compiled_rule(function)


def playout_kernel(game: AnyGame, first: Any, second: Any, repetition: int, compiled: bool) -> Any:
    """The kernel of playouts between two pick functions; None stands for a table of mixes."""
    picks = (_pick_function(function, compiled) for function in (first, second))
    return _playout_kernel(game, _start_and_rules(game, compiled), *picks, repetition, compiled)


@lru_cache(32)
def _playout_kernel(
    game: AnyGame, rules: tuple[Any, ...], first: Any, second: Any, repetition: int, compiled: bool
) -> Any:
    names = _match_names(game, repetition, compiled)
    names["first_pick"] = _seat_pick(first, names, compiled)
    names["second_pick"] = _seat_pick(second, names, compiled)
    return forgiving(_bind(playouts.__name__, names, compiled)["simulate"])


def stepping_kernels(
    game: AnyGame, opponent: Any, repetition: int, compiled: bool = True
) -> SimpleNamespace:
    """The kernels that step a batch of matches; None stands for a table of mixes."""
    picks = _pick_function(opponent, compiled)
    return _stepping_kernels(game, _start_and_rules(game, compiled), picks, repetition, compiled)


@lru_cache(32)
def _stepping_kernels(
    game: AnyGame, rules: tuple[Any, ...], opponent: Any, repetition: int, compiled: bool
) -> SimpleNamespace:
    names = _match_names(game, repetition, compiled)
    flat = flattening(game.start(game.rulings()))
    write, read = (compile_function(named(each, function_digest(each)), compiled) for each in flat)
    names |= {"write": write, "read": read}
    names["opponent_pick"] = _seat_pick(opponent, names, compiled)
    namespace = _bind(stepping.__name__, names, compiled)
    namespace["seen_from"] = namespace["mirror_image" if game.mirror else "unchanged"]
    return SimpleNamespace(
        **{name: with_compile_errors(game, namespace[name]) for name in STEPPING_KERNELS}
    )


def _start_and_rules(game: AnyGame, compiled: bool) -> tuple[Any, ...]:
    return (_rule_of(game, "start", compiled), *_rules_of(game, compiled))


def _match_names(game: AnyGame, repetition: int, compiled: bool) -> dict[str, Any]:
    names = _names_of(game, compiled) | {"start": _rule_of(game, "start", compiled)}
    return names | {"REPETITION": repetition}


def _seat_pick(function: Any, names: dict[str, Any], compiled: bool) -> Any:
    bound = {"pick_function": function} if function else {}
    namespace = _bind(playouts.__name__, names | bound, compiled)
    return namespace["pick_by_function" if function else "pick_by_table"]


def shared_kernel(name: str, compiled: bool = True) -> Any:
    """A kernel that is the same for all games."""
    return forgiving(_bound_rules(SHARED_KERNELS[name].__name__, compiled)[name])


def _pick_function(function: Any, compiled: bool) -> Any:
    """A pick function, with the rules that it calls compiled."""
    if hasattr(function, "py_func"):  # already compiled by its author
        return function if compiled else function.py_func
    return _compiled_rule(function) if function and compiled else function


def _compiled_rule(function: Any) -> Any:
    return bind_rule(function, lambda rule: compile_function(rule, True), _COMPILED_RULES)


def bind_rule(function: Any, jit: Callable[[Any], Any], known: dict[str, Any]) -> Any:
    """A copy of a function, compiled, and so are the rules that it reads.

    `known` has those that this process has bound, each under its digest: two rules of one name and
    one module are two, and so is a rule before and after a constant that it reads has changed.
    """
    key = function_digest(function)
    if key not in known:
        code, namespace = function.__code__, dict(function.__globals__)
        cells = {name: CellType() for name in code.co_freevars}
        given = (namespace, function.__name__, function.__defaults__)
        known[key] = jit(named(FunctionType(code, *given, tuple(cells.values())), key))
        for name, value in names_read(function).items():
            if isinstance(value, FunctionType) and is_marked(value):
                value = bind_rule(value, jit, known)
            if name in cells:
                cells[name].cell_contents = value
            else:
                namespace[name] = value
    return known[key]


@cache
def _bound_rules(module: str, compiled: bool) -> dict[str, Any]:
    """The namespace of a module with its rules compiled."""
    return _bind(module, {}, compiled)


def _bind(module: str, names: dict[str, Any], compiled: bool) -> dict[str, Any]:
    """The namespace of a module with its rules compiled and `names` filled in."""
    return bind_rules(
        module,
        names,
        edition_of(module, names) if compiled else "",
        lambda home: _bound_rules(home, compiled),
        lambda function: compile_function(function, compiled, function.__name__ in ENTRY_POINTS),
    )


def bind_rules(
    module: str,
    names: dict[str, Any],
    edition: str,
    rules_of: Callable[[str], dict[str, Any]],
    jit: Callable[[Any], Any],
) -> dict[str, Any]:
    """A copy of a module's namespace: its own and imported rules compiled, `names` filled in.

    Numba treats globals as constants, so each game needs its own copy of every function, whose
    globals are this namespace. Their names carry the edition. `rules_of` gives the namespace of
    another module.
    """
    namespace = dict(vars(sys.modules[module]))
    for name, value in vars(sys.modules[module]).items():
        home = getattr(value, "__module__", module)
        if home != module and value in RULES.get(home, ()):
            namespace[name] = rules_of(home)[name]
    namespace |= names
    for function in RULES.get(module, ()):
        bound = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        namespace[function.__name__] = jit(named(bound, edition))
    return namespace


def edition_of(module: str, names: dict[str, Any]) -> str:
    """A digest of the kernels of a module that are bound to some names."""
    parts = [code_digest(*KERNEL_CODE), module]
    for name, value in sorted(names.items()):
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType):
            value = getattr(function, "digest", "") or function_digest(function)
        parts += [name, str(value)]
    return digest(*parts)


def compile_function(function: Any, compiled: bool, is_entry: bool = False) -> Any:
    """A named function that is compiled when it is first called, or the function itself."""
    if not compiled:
        return function
    with needs("solver"):
        from numba import njit

    if is_entry:
        return njit(function, cache=can_be_kept(function), **KERNEL_OPTIONS)
    return njit(function, **CALLEE_OPTIONS)
