"""Adapters to other libraries: Gymnasium, PettingZoo, OpenSpiel, MCP."""
