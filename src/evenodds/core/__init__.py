"""Games, matches, terms, notation. Imports the standard library and evenodds.system only."""
