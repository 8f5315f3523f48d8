"""The import system: lazy package attributes, optional dependencies, module names of release 0.1.

It is loaded with every start.
"""
