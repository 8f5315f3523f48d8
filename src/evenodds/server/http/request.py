"""The request class: JSON bodies decoded strictly to the type of the handler's parameter."""

import re
from typing import Any, Final

import msgspec
from litestar import Request
from litestar.exceptions import ClientException

VALIDATION_MESSAGE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)
"""How msgspec says what is wrong in a body, and where."""


class StrictJsonRequest(Request[Any, Any, Any]):
    """A request that is taken at its word: neither "1" nor 1.0 is a whole number."""

    async def body(self) -> bytes:
        """The body; an empty one is refused where something is wanted."""
        body = await super().body()
        if not body and self.route_handler.parsed_data_field is not None:
            raise ClientException("the body is empty; send what is wanted as JSON")
        return body

    async def json(self) -> Any:
        """What the body holds, in the shape that is asked for."""
        field = self.route_handler.parsed_data_field
        shape = Any if field is None else field.annotation
        try:
            return msgspec.json.decode(await self.body(), type=shape)
        except msgspec.ValidationError as error:
            found = VALIDATION_MESSAGE.fullmatch(str(error))
            where = found["where"] if found else None
            reason = found["what"] if found else str(error)
            raise ClientException(f"{where}: {reason}" if where else reason) from None
        except UnicodeDecodeError:
            raise ClientException("the body is not UTF-8") from None
        except msgspec.DecodeError as error:
            raise ClientException(f"the body is no JSON: {error}") from None
