"""HTTP route handlers, one module for each part of the site.

Docstrings of handlers and of request bodies are texts of the OpenAPI document. Handlers import
`server.http` and `server.matches`; only `server.app` imports them.
"""
