"""Whether this process compiles kernels for small games too, or interprets them.

Interpreting a few hundred positions is faster than compiling, and needs no Numba. A process that
has compiled kernels anyway, or that solves many rulings, is faster with compiled ones throughout.
"""

_calls = 0
_are_compiled = False


def compile_small_games(after: int = 0) -> None:
    """Compile kernels for small games too, from now on in this process.

    With `after`, only once this was called more often than that.
    """
    global _calls, _are_compiled
    _calls += 1
    _are_compiled = _are_compiled or _calls > after


def are_small_games_compiled() -> bool:
    """Whether kernels are compiled for small games too."""
    return _are_compiled
