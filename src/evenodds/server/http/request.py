"""Bodies of requests: JSON, decoded strictly to the type of what is asked for."""

import re
from typing import Any, Final, TypeVar, get_args, get_type_hints

import msgspec
from litestar import Request
from litestar.exceptions import ClientException

T = TypeVar("T")
VALIDATION_MESSAGE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)
"""A validation message of msgspec: the error, and the path of the field."""
LONE_SURROGATE: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\)")


class StrictJsonRequest(Request[Any, Any, Any]):
    """A request of the framework whose JSON is decoded by `decode_body`."""

    async def body(self) -> bytes:
        """The body; an empty one is refused where the handler takes data."""
        body = await super().body()
        return body if self.route_handler.parsed_data_field is None else _nonempty(body)

    async def json(self) -> Any:
        """The body decoded to the type of the handler's `data`."""
        field = self.route_handler.parsed_data_field
        return decode_body(await self.body(), Any if field is None else field.annotation)


def decode_body(body: bytes, shape: type[T]) -> T:
    """JSON decoded without coercion: neither "1" nor 1.0 is an integer; `ClientException`."""
    try:
        return msgspec.json.decode(_nonempty(body), type=shape)
    except msgspec.ValidationError as error:
        found = VALIDATION_MESSAGE.fullmatch(str(error))
        where = found["where"] if found else None
        reason = found["what"] if found else str(error)
        if values := reason.startswith("Invalid enum value") and _values_of(shape, where):
            reason += f"; allowed: {' '.join(values)}"
        raise ClientException(f"{where}: {reason}" if where else reason) from None
    except UnicodeDecodeError:
        raise ClientException("the body is not UTF-8") from None
    except msgspec.DecodeError as error:
        cut = str(error) == "Input data was truncated"  # so msgspec says of a surrogate, too
        alone = cut and LONE_SURROGATE.search(body)
        reason = "half of a surrogate pair stands alone" if alone else str(error)
        raise ClientException(f"the body is not JSON: {reason}") from None


def _nonempty(body: bytes) -> bytes:
    if not body:
        raise ClientException("the body is empty; send what is wanted as JSON")
    return body


def _values_of(shape: Any, field: str | None) -> list[str]:
    """The values that a field with a few of them may have."""
    return [str(value) for value in get_args(get_type_hints(shape).get(field or ""))]
