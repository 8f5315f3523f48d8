"""The exact truth about a game: positions, values, strategies, odds; and simulation."""
