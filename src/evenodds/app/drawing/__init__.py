"""The drawing of a table, and the widget that shows it.

May import `core`, `system` and `terminal`; `app.dialogs`; libraries: `rich` and `textual`.
"""
