"""Commands that serve others: people in browsers, programs that speak MCP.

May import `adapters`, `cli.shared`, `server` and `system`; libraries: `click`.
"""
