"""Play at a keyboard: what is shown, what is typed, and where a match is kept."""
