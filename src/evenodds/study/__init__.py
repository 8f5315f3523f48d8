"""Is this rule book any good? The exact truth about a game, summed over its solved positions."""
