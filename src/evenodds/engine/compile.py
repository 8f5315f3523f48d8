"""Binds kernels to the rules of a game, and compiles both with Numba.

Numba treats globals as constants. So each game has its own copy of every kernel, in whose namespace
the names of `game_functions` are its functions. Names of compiled functions carry a digest of all
that they are bound to. Numba is imported here, and only when something is compiled.
"""

import os
import re
import sys
from collections.abc import Callable
from functools import lru_cache, wraps
from types import CellType, FunctionType
from typing import Any, Final

from evenodds.core.catalog import AnyGame
from evenodds.core.kept_results import code_digest, digest, function_digest
from evenodds.core.rule_checks import BadGame, check_marked, is_marked, names_read
from evenodds.core.vocabulary import RULES
from evenodds.engine import game_functions, random_streams
from evenodds.engine.game_functions import KERNELS
from evenodds.engine.numba_cache import KERNEL_CODE, kept, named, private_options
from evenodds.engine.position_keys import packing
from evenodds.system.imports import needs
from evenodds.system.text import shorten

ROLES: Final = ("start", "legal", "step", "outcome", "ending")
FURTHER_ROLES: Final = {
    "mirror": game_functions.unchanged,
    "canonical": game_functions.unchanged,
    "chance": game_functions.no_chance,
    "weight": game_functions.even_weight,
    "reward": game_functions.no_reward,
}
"""Functions that a game may have, and what stands in their place."""


class Compiler:
    """Copies of rules and kernels for one target, compiled by `jit`; without, they are interpreted.

    A function of a package is known by its digest: two rules of one name and one module are two,
    and so is a rule before and after a constant that it reads has changed.
    """

    def __init__(self, jit: Callable[[Any, bool], Any] | None) -> None:
        self._jit = jit
        self._rules: dict[str, Any] = {}
        self._shared: dict[str, dict[str, Any]] = {}

    def rule(self, function: Any) -> Any:
        """A function, compiled, and so are the rules that it reads."""
        if self._jit is None:
            return getattr(function, "py_func", function)
        if hasattr(function, "py_func"):  # compiled already, by its author
            return function
        key = function_digest(function)
        if key not in self._rules:
            code, namespace = function.__code__, dict(function.__globals__)
            cells = {name: CellType() for name in code.co_freevars}
            given = (namespace, function.__name__, function.__defaults__, tuple(cells.values()))
            self._rules[key] = self._jit(named(FunctionType(code, *given), key), False)
            for name, value in names_read(function).items():
                if isinstance(value, FunctionType) and is_marked(value):
                    value = self.rule(value)
                if name in cells:
                    cells[name].cell_contents = value
                else:
                    namespace[name] = value
        return self._rules[key]

    def shared(self, module: str) -> dict[str, Any]:
        """The namespace of a module whose kernels are the same for all games."""
        if module not in self._shared:
            self._shared[module] = self.bound(module, {})
        return self._shared[module]

    def kernel(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that is the same for all games."""
        found: Callable[..., Any] = self.shared(kernel.__module__)[kernel.__name__]
        return found

    def bound(self, module: str, names: dict[str, Any]) -> dict[str, Any]:
        """A copy of a module's namespace: own and imported rules compiled, `names` filled in."""
        namespace = dict(vars(sys.modules[module]))
        for name, value in vars(sys.modules[module]).items():
            home = getattr(value, "__module__", module)
            if home != module and value in RULES.get(home, ()):
                namespace[name] = self.shared(home)[name]
        namespace |= names
        edition = _edition(module, names) if self._jit else ""
        for each in RULES.get(module, ()):
            copy = FunctionType(each.__code__, namespace, each.__name__, each.__defaults__)
            jit = self._jit
            copy = jit(named(copy, edition), each in KERNELS) if jit else copy
            namespace[each.__name__] = copy
        return namespace

    def names_of(self, game: AnyGame) -> dict[str, Any]:
        """What kernels call: the functions of a game; `BadGame` where one cannot be compiled."""
        roles = (*ROLES, *(role for role in FURTHER_ROLES if getattr(game, role)))
        for role in roles if self._jit else ():
            check_marked(game, role)
        names = FURTHER_ROLES | {role: getattr(game, role) for role in roles}
        if game.representative is None:
            names["canonical"] = game_functions.unchanged
        packed = packing(game.start(game.rulings()))._asdict()
        names |= {name: packed[name] for name in ("pack", "unpack", "write", "read")}
        found = {name: self.rule(each) for name, each in names.items()}
        found["MIRRORED"], found["HAS_REWARDS"] = game.mirror is not None, bool(game.reward)
        found["HAS_CHANCE"] = game.chance is not None
        # Bound to the game: one for all its kernels.
        edition = _edition(game_functions.__name__, found) if self._jit else ""
        shared = self._rules.get(edition) or self.bound(game_functions.__name__, found)
        if self._jit:
            self._rules[edition] = shared
        return found | {name: shared[name] for name in ("locate", "moves", "draw", "fill_shares")}


def _edition(module: str, names: dict[str, Any]) -> str:
    """A digest of the kernels of a module that are bound to some names."""
    parts = [code_digest(*KERNEL_CODE), module]
    for name, value in sorted(names.items()):
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType):
            value = getattr(function, "digest", "") or function_digest(function)
        parts += [name, str(value)]
    return digest(*parts)


def compile_function(function: Any, is_kernel: bool) -> Any:
    """A named function, which is compiled when it is first called."""
    with needs("solver"):
        from numba import njit

    options = private_options(function, is_kernel)
    compiled = njit(function, nogil=True, error_model="numpy", **options)
    return kept(compiled, function) if is_kernel else compiled


COMPILED: Final = Compiler(compile_function)
INTERPRETED: Final = Compiler(None)


class GameKernels:
    """The kernels of one game. Each is compiled when it is first called, once in a process."""

    def __init__(self, game: AnyGame, compiler: Compiler, names: dict[str, Any]) -> None:
        self.compiler = compiler
        self._game = game
        self._names = names
        self._modules: dict[str, dict[str, Any]] = {}

    def __call__(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel, bound to the game."""
        return with_compile_errors(self._game, self.module(kernel.__module__)[kernel.__name__])

    def module(self, name: str) -> dict[str, Any]:
        """The namespace of a module, bound to the game."""
        if name not in self._modules:
            self._modules[name] = self.compiler.bound(name, self._names)
        return self._modules[name]


def kernels_of(
    game: AnyGame, compiled: bool, repetition: int = 0, **picks: Callable[..., Any] | None
) -> GameKernels:
    """The kernels of a game, made once in a process for each edition of its rules.

    `repetition` and `picks` are for those that play matches: how often a position may come up, and
    the functions by which seats pick; None stands for a table of mixes.
    """
    compiler = COMPILED if compiled else INTERPRETED
    names = compiler.names_of(game) | {"REPETITION": repetition}
    names |= {name: each and compiler.rule(each) for name, each in picks.items()}
    return _kernels_of(game, compiler, tuple(names.items()), tuple(picks))


@lru_cache(64)
def _kernels_of(
    game: AnyGame, compiler: Compiler, items: tuple[tuple[str, Any], ...], picks: tuple[str, ...]
) -> GameKernels:
    names = dict(items)
    for seat in picks:
        function = {"pick_function": names[seat]} if names[seat] else {}
        namespace = compiler.bound(random_streams.__name__, names | function)
        names[seat] = namespace["pick_by_function" if function else "pick_by_table"]
    return GameKernels(game, compiler, names)


def shared_kernel(kernel: Callable[..., Any], compiled: bool = True) -> Callable[..., Any]:
    """A kernel that is the same for all games."""
    return (COMPILED if compiled else INTERPRETED).kernel(kernel)


def with_compile_errors(game: AnyGame, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose compile errors and failed lookups are raised as `BadGame` in one line."""

    @wraps(kernel)
    def call(*given: Any) -> Any:
        try:
            return kernel(*given)
        except LookupError:
            what = "step and mirror lead to positions that play does not come to"
            raise BadGame(f"{game.name}: {what}") from None
        except Exception as error:
            if not is_compile_error(error):
                raise
            rule, line = _failing_rule(game, str(error)), shorten(compile_error_line(error), 200)
            raise BadGame(f"{game.name}: {rule} cannot be compiled: {line}") from None

    return call


def is_compile_error(error: Exception) -> bool:
    """Whether an error comes from the compiler, and not from a device."""
    module = type(error).__module__
    return module.startswith("numba.") and module.endswith(".errors")


def compile_error_line(error: Exception) -> str:
    """The message of a compiler in one line: the first about the source, if there is one."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith(("Failed in", "-"))), lines[0])


def _failing_rule(game: AnyGame, said: str) -> str:
    """The rule that did not compile, by the first source line in the message."""
    for path, line in re.findall(r'File "([^"]+)", line (\d+)', said):
        for rule in reversed(RULES.get(game.start.__module__, ())):
            code = rule.__code__
            same = os.path.basename(code.co_filename) == os.path.basename(path)
            if same and code.co_firstlineno <= int(line):
                return str(rule.__name__)
    return "a rule"
