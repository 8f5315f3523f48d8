"""The games as tools of a language model, over the Model Context Protocol (MCP).

Tools and their schemas, the registry of matches, the queue of solves, and the server process.

May import `coach`, `core`, `figures`, `players`, `render`, `solver` and `system`; libraries:
`anyio`, `mcp`, `pydantic`, `starlette`, `typing_extensions` and `uvicorn`.
"""
