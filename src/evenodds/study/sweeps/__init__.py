"""Sweeps over rulings: every combination solved and measured; and repairs, which use them."""
