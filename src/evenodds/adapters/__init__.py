"""The games where researchers and their programs already are: one module for each door."""
