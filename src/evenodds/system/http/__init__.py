"""HTTP servers with limits: connections by address, and uvicorn's protocol bounded by them.

May import the modules of `system` beside it. Used by `server` and `adapters.mcp`.
"""
