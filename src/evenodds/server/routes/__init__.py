"""HTTP route handlers, one module for each part of the site.

Docstrings of handlers and of request bodies are texts of the OpenAPI document. Only `server.app`
imports them, and serves every handler that a module has.
"""
