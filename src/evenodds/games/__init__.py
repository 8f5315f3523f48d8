"""The rule books, one folder each. A new game is a new folder here."""
