"""Adapters to other libraries: Gymnasium, PettingZoo, OpenSpiel, MCP.

They turn matches, players and solutions into the interfaces of these libraries, which are optional
dependencies.
"""
