"""Zero-sum matrix games: the simplex method, and which of several equilibria is selected."""
