"""The types of the fields of named tuples, such as positions and rulings."""

from functools import cache
from typing import Any, get_type_hints


@cache
def field_types(fields: Any) -> dict[str, Any]:
    """The fields of a named tuple with their types, of annotations that are strings, too."""
    try:
        hints = get_type_hints(fields, include_extras=True)
    except NameError as error:
        problem = f"{fields.__name__}: {error}; what annotations name is imported where rules run"
        raise NameError(problem) from None
    return {field: hints[field] for field in fields._fields}
