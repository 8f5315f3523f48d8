"""The figures of a study, one module for each kind."""
