"""The metrics of a study, computed on the transition graph of a solved game."""
