"""Monte Carlo tree search, for games too large to be solved."""
