"""The import system: lazy package attributes and optional dependencies.

It is loaded with every start.
"""
