"""HTTP servers with limits: connections by address, and uvicorn's protocol bounded by them.

Used by `server` and `adapters.mcp`.
"""
