"""The import system: lazy package attributes, optional dependencies, module names of release 0.1.

Standard library only: it is loaded with every start.
"""
