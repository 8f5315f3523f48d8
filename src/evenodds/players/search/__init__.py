"""Monte Carlo tree search with regret matching, for games too large to be solved."""
