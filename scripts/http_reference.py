"""The reference of the HTTP API as Markdown, from its OpenAPI schema; and tables in Markdown."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec


def http() -> Iterator[str]:
    """Every request of the HTTP API, and the messages, from the schema."""
    from evenodds.server.app import App  # tests of other pages need not wait for it
    from evenodds.server.settings import Settings

    schema = App("sqlite+aiosqlite://", Settings()).litestar.openapi_schema.to_schema()
    schema = json.loads(msgspec.json.encode(schema))
    yield "## Requests\n"
    for path, methods in schema["paths"].items():
        for method, request in methods.items():
            yield f"### `{method.upper()} {path}`\n\n{request['description']}\n"
            if body := request.get("requestBody"):
                yield f"Takes {content(body)}.\n"
            done = [answer for code, answer in request["responses"].items() if code < "202"]
            yield f"Answers {content(done[0])}.\n"
    problems = {
        code: answer["description"]
        for methods in schema["paths"].values()
        for request in methods.values()
        for code, answer in request["responses"].items()
        if code > "201"
    }
    yield "## Status codes\n"
    yield "\n".join(
        [head("code", "meaning"), *(row(*each) for each in sorted(problems.items())), ""]
    )
    yield "## Messages\n"
    for name, message in schema["components"]["schemas"].items():
        fields = [
            row(f"`{key}`", type_of(field), "yes" if key in message.get("required", ()) else "")
            for key, field in message.get("properties", {}).items()
        ]
        yield "\n".join([f"### {name}\n", head("field", "type", "always there"), *fields, ""])


def content(body: dict[str, Any]) -> str:
    """What a request or an answer holds."""
    return " or ".join(type_of(part.get("schema", {})) for part in body["content"].values())


def type_of(schema: dict[str, Any]) -> str:
    """The type of a field in words, with links to messages."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(type_of, schema[key])))
    if schema.get("type") == "array":
        items = schema.get("items") or {"oneOf": schema.get("prefixItems", [{}])}
        return f"list of {type_of(items)}"
    return str(schema.get("type", "any"))


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def head(*cells: str) -> str:
    """The head of a table."""
    return f"{row(*cells)}\n|{'---|' * len(cells)}"
