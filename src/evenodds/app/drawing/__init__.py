"""The drawing of a table, and the widget that shows it."""
