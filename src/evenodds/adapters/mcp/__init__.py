"""The games as tools of a language model, over the Model Context Protocol (MCP).

Tools and their schemas, the registry of matches, the queue of solves, and the server process.
"""
