"""The coach: hints, reviews of played matches, and puzzles, all from exact solutions."""
