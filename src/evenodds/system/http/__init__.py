"""HTTP servers with limits: connections by address, and uvicorn's protocol bounded by them.

Used by `server` and `adapters.mcp`.

May import `system.network`, `system.shared_timer` and `system.text`; libraries: `uvicorn`.
"""
