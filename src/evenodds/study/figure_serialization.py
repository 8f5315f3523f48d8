"""Figures (named tuples) as JSON data, and back by their annotations; cached on disk."""

from collections.abc import Callable
from contextlib import suppress
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from evenodds.claims.study_figures import STORED_KEYS
from evenodds.core.catalog import AnyGame
from evenodds.core.vocabulary import Settled
from evenodds.graph import load_result, save_result
from evenodds.system.cache_folder import CacheKind

T = TypeVar("T")


def cached_figures(
    kind: type[T],
    compute: Callable[[], T],
    game: AnyGame,
    rulings: Settled,
    cache: CacheKind,
    *key: str,
) -> T:
    """Figures of a type from the cache, or computed and cached; a damaged file counts as none."""
    cached = load_result(game, rulings, cache, *key)
    with suppress(TypeError, ValueError, KeyError, AttributeError):
        if cached is not None:
            return from_data(kind, cached)
    found = compute()
    save_result(to_data(found), game, rulings, cache, *key)
    return found


def to_data(value: Any) -> Any:
    """Named tuples as objects, other tuples as lists, keys as text."""
    if hasattr(value, "_asdict"):
        keys = STORED_KEYS.get(type(value), {})
        return {keys.get(name, name): to_data(part) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        return {str(key): to_data(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(part) for part in value]
    return value


def from_data(kind: type[T], data: Any) -> T:
    """The inverse of `to_data` for a type; `TypeError` or `KeyError` where the data do not fit."""
    built: T = _built(kind, data)
    return built


def _built(kind: Any, data: Any) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return None if data is None else _built(_likely(parts, data), data)
    if origin is dict:
        return {parts[0](key): _built(parts[1], part) for key, part in data.items()}
    if origin is list:
        return [_built(parts[0], part) for part in data]
    if origin is tuple:
        return tuple(_built(parts[0], part) for part in data)
    if hasattr(kind, "_fields"):
        hints, keys = get_type_hints(kind), STORED_KEYS.get(kind, {})
        return kind(
            **{name: _built(hints[name], data[keys.get(name, name)]) for name in kind._fields}
        )
    if kind is float and isinstance(data, int):
        return float(data)
    if not isinstance(data, kind):
        raise TypeError(f"{data!r} is not {kind.__name__}")
    return data


def _likely(kinds: tuple[Any, ...], data: Any) -> Any:
    """The member of a union that fits some data."""
    known = [kind for kind in kinds if kind is not type(None)]
    fitting = [kind for kind in known if isinstance(kind, type) and isinstance(data, kind)]
    return (fitting or known)[0]
