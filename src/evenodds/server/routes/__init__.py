"""HTTP route handlers, one module for each part of the site.

Docstrings of handlers and of request bodies are texts of the OpenAPI document. Only `server.app`
imports them.

May import `coach`, `core`, `figures`, `players`, `protocol`, `render`, `solver` and `system`;
`server.assets`, `server.http`, `server.jobs`, `server.matches`, `server.offered_games`,
`server.rate_limits`, `server.schemas` and `server.storage`; libraries: `litestar` and `msgspec`.
"""
