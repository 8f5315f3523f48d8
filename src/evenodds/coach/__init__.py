"""The coach: what a position is worth, what a pick gave away, and positions to practise on."""
