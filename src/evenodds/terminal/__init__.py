"""The terminal user interface: screen, keyboard, dialogs, reports.

The solver is loaded only when it is needed, so that the first prompt comes at once.
"""
