"""Adapters to other libraries: Gymnasium, PettingZoo, OpenSpiel, MCP.

They turn matches, players and solutions into the interfaces of these libraries, which are optional
dependencies.

May import `coach`, `core`, `figures`, `kernels`, `players`, `policy`, `render`, `solver` and
`system`; libraries: `anyio`, `gymnasium`, `mcp`, `numpy`, `open_spiel`, `pettingzoo`, `pydantic`,
`pyspiel`, `starlette`, `typing_extensions` and `uvicorn`.
"""
