"""Text reports of results, one module for each command that prints them: they compute nothing."""
